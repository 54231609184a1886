# 作为程序的机器人、内置机器人，以及竞技场。

bot-name = { $directory }：机器人的名字由字母、数字、“-”和“_”组成，以字母开头
bot-name-how = 例如：grundy bot new --lang python mybot
bot-new-how = 请指定还没有机器人的目录
bot-file-there = { $file } 已存在
bot-file-unwritten = 无法写入 { $file }：{ $why }
bot-written =
    已写入 { $directory }。可以试试：
    {"  "}cd { $directory } && { $build }grundy bot check { $command }
    {"  "}grundy arena --bot "cmd:{ $command }" --bot random --pairs 10
misread-time = “{ $text }”：{ $why }；每步限时请写 100ms，基本时间加每步加时请写 10s+100ms
misread-time-long = 最长为 7 天
misread-no-base = 基本时间必须大于 0
bot-about = { $name ->
    [beginner] 同 { $bot }
    [casual] 同 { $bot }
    [club] 同 { $bot }
    [strong] 同 { $bot }
    [perfect] 有必胜着法就走必胜着法
    [random] 任走一种合法着法
    [greedy] 使对手的着法尽量少
    [skill] 以后面的概率保住胜势，例如 skill:0.7
    [teacher] 尽可能只给对手留下一种必胜应着
    [trickster] 下得完美；在必败局面中，使对手必胜应着的比例最小
   *[other] { $about }
}
bot-option = 不能这样设置选项
bot-option-how = grundy bot check 命令 显示机器人有哪些选项

## 在服务器上下棋的机器人

bot-waits = 还有 { $n } 局不限时的对局在等对手；继续下：grundy bot run -- 命令
bot-taken-over = 您的另一个程序接手了它
bot-silence = 服务器已有 { $seconds } 秒没有响应
bot-takes = { $name } 最多同时下 { $most } 局，编号 { $id }。按 Ctrl-C 结束。
bot-waits-for-server = { $why }。机器人等待并重试；按 Ctrl-C 结束。
bot-connected = { $seconds } 秒后连上
bot-lost = 连接已断开：{ $why }
bot-reconnected = { $seconds } 秒后重新连上，没有丢失事件
bot-played = { $match }  { matches-outcome }
bot-played-review = { $match }  { matches-outcome }   复盘：grundy review { $match }
bot-tournament-over = { $tournament }  已结束：{ $games } 局，胜 { $wins }，负 { $losses }   排名：grundy tournament show { $tournament }
bot-does-not-start = 机器人没有启动：{ $why }
bot-check-how = grundy bot check 命令 显示它的往来和错误
bot-game-over = 对局已结束
bot-started-again = 机器人出错（{ $why }）；已重新启动
bot-failed = 机器人出错：{ $why }
bot-illegal = “{ $text }”不是合法着法
bot-match = 对局 { $match }：{ $why }
bot-resigned = 对局 { $match }：{ $why }；已认输
bot-trouble = { $kind ->
    [no-command] 没有这个命令，或者不能执行
    [crash] 程序已结束
    [silent] 没有按时应答
   *[malformed] 应答不符合协议
}

## 检查

bot-no-code = 命令没有写明加入码的位置
bot-no-code-how = 请在该处写 {"{"}code{"}"}，例如：python3 client.py --server {"{"}url{"}"} --join {"{"}code{"}"}
bot-check-ok = 通过
bot-check-fail = 失败
bot-check-figure = （{ $figure }）
bot-check-passed = { $n } 项检查全部通过。
bot-check-failed = { $n } 项检查中有 { $failed } 项失败。
bot-check = { $name ->
    [starts] 命令能够启动
    [greets] 以 ok 回答 grundy protocol 1
    [greeting] 问候中只有 bot、option 和 ok
    [name] 说出自己的名字：bot name 名字
    [games] 如果列出游戏，只列出存在的游戏
    [features] 只要求 ready 这一功能
    [options] 每个选项都有名字、类型和默认值
    [set] 接受用 set 设回自己的默认值
    [quiet] 不说没有被问的话
    [new] 接受新的一局
    [answers] 以 move 或 resign 回答 go
    [id] 以请求的编号回答
    [legal] 走合法着法
    [once] 每个请求只回答一次
    [second] 能够后走
    [forced] 找到唯一的合法着法
    [whole-game] 与自己下完整的一局
    [stateless] 回答不是由它走到的局面
    [two-games] 轮流回答两局
    [misere] 会下 @misere
    [large] 会下 10^18 的堆
    [long] 读取 60 KiB 的行
    [every-game] 会下它所列出的每种游戏
    [sums] 会下和与复合游戏
    [unknown-verb] 忽略不认识的动词
    [unknown-key] 忽略不认识的键
    [any-order] 以任意顺序读取键
    [result] 一局有结果之后继续下
    [stock] 按基本时间和每步加时下
    [quick] 回答 200 次，几乎总在 100 毫秒之内
    [quits] 收到 quit 后 1 秒之内结束
    [exit-code] 以退出码 0 结束
    [end-of-input] 输入结束后 1 秒之内结束
   *[other] { $about }
}
bot-check-online = { $name ->
    [joins] 用加入码入座
    [bot] 在 hello 中说明自己是机器人："bot": true
    [answers] 轮到它时走一步
    [whole-game] 先走，下完整的一局
    [second] 后走，下完整的一局
    [untimed] 会下不限时的对局
    [forced] 找到唯一的合法着法
    [last-word] 把结束对局的最后一着当作结束
    [misere] 会下 @misere
    [large] 会下 10^18 的堆
    [heaps] 读取有 200 堆的局面
    [quick] 在 500 毫秒之内回答
    [clock] 在 10 秒加每步 1 秒的对局结束时还有时间
    [resigned] 把对手认输当作结束
    [proposal] 对手提议取消对局时同意，或者继续下
    [reconnects] 连接断开后回来继续下
    [waits] 对手离开之后继续下
    [ends] 对局结束后 10 秒之内自己结束
    [exit-code] 以退出码 0 结束
   *[other] { $about }
}
check-figure = { $figure }
check-noise = “{ $line }”不属于问候；给人看的内容请写到标准错误
check-no-name = 它没有名字；请在 ok 之前输出 bot name mybot author me
check-no-game = 没有游戏“{ $name }”；游戏有 { $games }
check-no-feature = “{ $name }”不是功能；只有 ready
check-option-key = 有一个选项缺少 { $key }；请写 option name depth type int default 5
check-option-type = 选项 { $name } 的类型是“{ $type }”；类型有 int 和 text
check-unasked = 没有问它，它说了“{ $line }”
check-answers-new = 它对 new 说了“{ $line }”；只有带 ready 功能的机器人才回答，而且只回答 ready
check-says-more = 回答之后它又说了“{ $line }”
check-moves = { $n } 步
check-moves-more = 超过 { $n } 步
check-of-game = { $game }：{ $why }
check-games = { $n } 种游戏
check-no-sums = 它不下 nim 和 kayles
check-speed = 每步 { $mean } 毫秒，最长 { $longest } 毫秒
check-slow = { $speed }；{ $of } 次中有 { $slow } 次用了 100 毫秒以上：着法快时会超时告负
check-ended = 结束方式不对：{ $how }
check-not-ended = 它没有结束
check-not-running = 它已不在运行
check-long-line = 它写了超过 64 KiB 的一行
check-it-ended = 它结束了（{ $how }）
check-last-words = { $wrong }；它在标准错误上最后说：{ $last }
check-no-start = { $quoted ->
    [yes] 不能启动：整条命令成了一个词；请去掉引号
   *[no] 不能启动
}
check-no-ok = { $seconds } 秒之内没有 ok：没有读到换行；标准输出刷新了吗？
check-not-ready = 应为 ready，却是“{ $line }”
check-no-ready = 它要求等待，却没有说 ready：没有读到换行；标准输出刷新了吗？
check-no-position = { $position } 不是局面
check-resigned = 它认输了
check-illegal = { $has ->
    [yes] “{ $text }”在 { $position } 中不是合法着法；合法着法例如 { $example }
   *[no] “{ $text }”在 { $position } 中不是合法着法
}
check-no-answer = 5 秒之内没有回答：没有读到换行；标准输出刷新了吗？
check-other-number = 回答的编号是 { $got }，请求的编号是 { $asked }
check-killed = { $after ->
    [quit] 收到 quit 后 1 秒它还在，已被终止
   *[input] 输入结束后 1 秒它还在，已被终止
}
check-slip = 这一行的形式不对
check-seat-late = { $seconds } 秒之内没有人用 { $code } 入座
check-move-late = { $seconds } 秒之内没有走一步
check-server-move = 服务器发来了不合法的着法
check-failure = 与服务器往来时出错（{ $code }）
check-person = 它以人的身份登录；新身份的第一个 hello 中请写 "bot": true
check-nobody = 没有人入座
check-no-move = 它没有走一步
check-no-move-ended = 它没有走一步；对局的结束方式：{ matches-reason }
check-own-moves = 它走了 { $n } 步
check-opponent-resigned = 对手认输
check-other-end = 对局没有按规则结束，结束方式：{ matches-reason }
check-no-end = 对局没有下完
check-longest = 最长 { $ms } 毫秒
check-move-slow = 有一步用了 { $ms } 毫秒：着法快时会超时告负
check-still-there = 对局结束 { $seconds } 秒后它还在，已被终止

## 机器人的文件

bot-file-absent-how = --bot 可以是 cmd:./mybot、内置机器人的名字，或者 mybot.toml 这样的文件
bot-file-syntax = { $file } 第 { $line } 行：不是有效的设置
bot-file-syntax-how = 机器人的文件需要 command = "./mybot"，或者 builtin = "skill:0.7"
bot-file-time = time：{ $why }
bot-file-builtin = builtin：没有这个内置机器人
bot-file-no-command = command 是空的：请写 command = "./mybot"
bot-file-directory = directory：没有目录 { $directory }；去掉它，就使用文件所在的目录
bot-file-bound = { $key } = { $value }：须在 { $least } 到 { $most } 之间
bot-file-variable = env：不能这样设置环境变量
bot-file-option = options：选项的名字或值不能这样写
bot-file-both = 既有 command 又有 builtin：请只留一个
bot-file-neither = 既没有 command 也没有 builtin：请写 command = "./mybot"
entrant-bad = --bot { $text }：{ $why }
entrant-bad-how = 机器人是 cmd:./mybot、mybot.toml 这样的文件，或者 perfect、skill:0.7 这样的内置机器人
entrant-no-command = “cmd:”之后没有命令
entrant-no-bot = 没有这个机器人
entrant-no-name = “{ $name }”不是名字
entrant-name-how = 名字由 1 到 40 个字母、数字和 . _ : - 组成；用“名字=”命名，例如 fast=cmd:./mybot

## 竞技场

arena-no-pairs = --pairs 0：什么也不会下
arena-no-pairs-how = 一对是从同一初始局面下的两局；请写 --pairs 1 或更多
arena-no-plies = --max-plies 0：每局都会一步不走就和
arena-no-plies-how = 请写 --max-plies 1 或更多，或者去掉它
arena-too-many = { $bots } 个机器人：最多 { $most } 个可以参加
arena-too-many-how = 请先下小组赛
arena-alone = 一个机器人不能自己下
arena-alone-how = 请再指定一个，例如 --bot random
arena-twice = 有两个机器人都叫 { $name }
arena-twice-how = 请给其中一个另取名字：--bot other={ $bot }
arena-sprt = --sprt 比较两个机器人
arena-sprt-how = 请正好指定两个
arena-of-bot = 机器人 { $name }：{ $why }
arena-check-how = grundy bot check 命令 显示机器人的往来和错误
arena-no-start = 不能启动：{ $why }
arena-ended-early = 没有说 ok 就结束了：{ $why }
arena-does-not-play = 它不下 { $game }，而初始局面中有这种游戏
arena-broken = 有一个机器人出错
arena-unwritten = --out：无法写入 { $file }：{ $why }
arena-unwritten-how = 请腾出空间，或者用 --out 另选目录
plan-rounds = --rounds { $rounds }：{ $players } 个机器人最多下 { $most } 轮而不重复相遇
plan-rounds-how = { $most ->
    [1] 请写 --rounds 1
   *[other] 请写 --rounds，数字为 1 到 { $most }
}
plan-games = --pairs { $pairs }：机器人相遇 { $meetings } 次，而竞技场最多 { $most } 局
plan-games-how = 请写 --pairs，数字为 1 到 { $most }
plan-fewer-bots-how = 请减少机器人，或者写 --format knockout 或 --format swiss
plan-schedule = { $fault ->
    [seeds] --seeds 的数目与机器人的数目不合
    [few] 至少需要两个机器人
    [games] 局数太多
   *[many] 机器人太多
}
plan-schedule-how = { $fault ->
    [seeds] 请增加机器人，或者写 --seeds 1
    [few] 请再指定一个，例如 --bot random
    [games] 请下瑞士制（最多 { $most } 个机器人）、淘汰赛，或者小组赛
   *[many] 请下淘汰赛，或者先下小组赛
}
suite-changed = { $start } 中的初始局面与竞技场开始时不同
suite-changed-how = 请恢复原来的文件，或者另开竞技场
suite-recipe = --start random:{ $recipe }：这样的随机初始局面不能用
suite-recipe-how = 例如 --start random:nim,heaps=3-5,max=15,seed=7
suite-position = { $place } 第 { $column } 列：不是有效的局面
suite-position-how = 局面例如 { $example }
suite-finished = { $place }：{ $position } 一开始就已结束
suite-finished-how = 请去掉它，或者加入物件，例如 nim:3,5,7
suite-file = --start { $file }：{ $why }
suite-file-how = 请指定每行一个局面的文件、nim:3,5,7 这样的局面，或者 random:nim,heaps=3-5,max=15,seed=7
suite-too-long = { $file }：超过 { $most } 个局面
suite-empty = { $file }：其中没有局面
suite-empty-how = 请每行写一个局面，例如 nim:3,5,7
journal-elsewhere = --resume 的目录是用 --out 指定的那一个
journal-written = 请指定用 grundy arena --out 写出的目录
journal-empty-how = 什么也没有下：给 --out 同一目录即可重新开始
journal-there = --out { $directory }：其中已有竞技场
journal-there-how = 继续：grundy arena --resume { $directory }；或者另选目录
journal-damaged = { $file } 第 { $line } 行已损坏，或者属于另一个竞技场
journal-in-use = { $file }：另一个进程正在进行这个竞技场
journal-in-use-how = 请等它结束，或者结束它
journal-unwritten = { $directory }：无法写入日志：{ $why }
journal-unwritten-how = 请腾出空间，然后运行 grundy arena --resume { $directory }
journal-game = { $directory }：第 { $game } 局的记录已损坏
journal-other = { $directory }：日志与竞技场不符
journal-other-how = 日志已被改动，或者其中的行属于另一个竞技场
journal-delete-how = 请删去这一行，--resume 会重下它的那一局
journal-other-line-how = 请删去这一行，或者用属于这里的日志
journal-many-how = 请删去这一行
journal-twice-how = 请删去两行之一
journal-version-how = 请用开始它的那一版 grundy 继续
journal-settings-how = 要用别的设置，请用 --out 另开竞技场
