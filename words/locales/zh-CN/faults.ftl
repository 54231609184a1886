# 文件、选项、设置以及本机所存内容的错误。

system = { $kind ->
    [not-found] 没有这个文件或目录
    [denied] 没有权限
    [exists] 已存在
    [directory] 这是目录
    [no-directory] 路径中有一部分不是目录
    [read-only] 文件系统是只读的
    [full] 磁盘已满
    [too-large] 文件太大
    [quota] 超出磁盘配额
    [invalid] 内容不是有效的文本
    [ended] 内容过早结束
    [interrupted] 被中断
    [refused] 连接被拒绝
    [reset] 连接已断开
    [slow] 超时
   *[other] 系统错误（{ $said }）
}
such-as = 例如 { $example }
failure-internal = 程序内部出错

## 文件

file-fault = { $file }：{ $why }
file-open-how = 请运行：chmod 600 { $file }
file-is-directory = { $file } 是目录，不是{ $kind ->
    [draft] 草稿
    [deck] 练习册
    [certificate] 证书
    [tournament] 赛事
    [report] 赛事报告
    [results] 结果列表
    [puzzles] 谜题
   *[record] 记录
}文件
file-irregular = { $file } 不是普通文件
file-irregular-how = 请把它移走：那里只读取普通文件
file-not-overwritten = 没有覆盖 { $file }
file-different = { $file } 已存在，而且内容不同
file-different-how = 请另选名字，或者用 --force 覆盖
file-other-kind = { $kind ->
    [record] { $file } 已存在
    [svg] { $file } 已存在，而且不是 SVG 图片
    [html] { $file } 已存在，而且不是 HTML 网页
    [player-table] { $file } 已存在，而且不是 grundy stats player 的表
    [standings-table] { $file } 已存在，而且不是排名表
    [tournament-file] { $file } 已存在，而且不是赛事文件
    [tournament] { $file } 已存在，而且不是导出的赛事
    [certificate] { $file } 已存在，而且不是证书
    [token] { $file } 已存在，而且不是令牌
   *[identity] { $file } 已存在，而且不是密封的身份
}
file-is-read = 本命令要读取 { $file }，因此不覆盖它
file-kept-how = 请另选名字
file-other-content = { $file } 有别的内容，予以保留
file-other-content-how = 请指定新文件：--annotate 文件
file-exists-already = { $file } 已存在
file-exists-force = 用 --force 替换它

## 由什么写出

made-by-export = grundy games export 对局编号 文件 写出这样的文件
made-by-play = grundy play --local 写出这样的文件
made-by-learn = grundy learn 写出这样的文件
made-by-solve = grundy solve 局面 --certificate 文件 写出这样的文件
made-by-tournament = grundy tournament export 赛事编号 文件 写出这样的文件
made-by-puzzle-make = grundy puzzle make 写出这样的文件
made-by-results = 每行例如 alice,bob,12：胜者、负者、次数
made-by-trf =
    选手的一行例如
    {"  "}001    1      Tal, Mikhail                      2705                             1.5    1     3 w 1     2 b =

## 设置

config-setting = { $origin }：{ $why }
config-default = 默认值
config-syntax = { $file } 第 { $line } 行第 { $column } 列：不是有效的设置
config-syntax-how = 请改正文件；可用的键见 grundy help config。本程序从不改动它
config-file = 文件
config-path = 路径
config-settings = 设置
config-secrets = 密钥
config-matches = 对局
config-no-home = （没有主目录）
config-key = 键
config-value = 值
config-from = 来自
misread-profile = 身份名称由 1 到 64 个字母、数字、“-”、“_”和“.”组成
misread-screen = “{ $text }”不是显示对局的方式：请写 auto、full 或 lines
misread-language = 没有这种语言：请写 en 或 zh-CN
misread-address = “{ $text }”不是服务器地址；地址例如 http://127.0.0.1:7310
misread-duration = “{ $text }”不是时间长度；时间长度例如 10s、500ms 或 1m30s
misread-no-time = 必须大于 0
no-home-library = 不知道主目录，因此没有对局库
no-home-deck = 不知道主目录，因此没有练习册
no-home-identities = 不知道主目录，因此不能保存身份
no-home-data-how = 请设置 HOME 或 XDG_DATA_HOME
no-home-config-how = 请设置 HOME 或 XDG_CONFIG_HOME

## 选项的值

misread-clock = 时限例如 3m+2s，不限时写 none；时间不能超出允许的范围
misread-games = 请写 1，或不超过 { $most } 的偶数：双方先走的次数相同
misread-moment = 请写日期，例如 2026-11-30；时刻，例如 2026-11-30T18:00:00Z；或者多久以前，例如 30d
misread-puzzle = 应为题目的编号，例如 17
misread-day = 请写日期，例如 2026-11-30
misread-mix = { $part } 应为“种类=数字”，数字不超过 { $most }，例如 guests=100
misread-mix-kind = { $kind } 应为 guests、matches、solve 或 watch
misread-theme = 没有这个主题；主题有 { $names }
misread-mark = “{ $text }”不是评注符号；评注符号有 { $names }
misread-scope = 权限有 { $names }
misread-player = 选手是 0 到 1 的水平、perfect、random、best，或者 skill:0.7 这样的机器人
misread-players = 请写两名选手，例如 0.9,0.7 或 best,skill:0.7
misread-heaps = 请写范围，例如 2-4，或者一个数字

## 不能同用的选项，以及缺少的局面

usage-annotate = --annotate 需要一个可写的文件
usage-annotate-how = 例如：grundy review 对局编号 --annotate annotated.ndjson
usage-both-players = 双方都叫这个名字
usage-both-players-how = 请用 --side first 或 --side second
usage-no-ply = --ply：没有第 { $ply } 步，对局共 { $moves } 步
usage-smaller-ply = 请选较小的 --ply
usage-stdout = “-”表示标准输出，而这里标准输出另有他用
usage-stdout-how = 请指定文件
usage-without-server = { $flag } 在此无效：这个命令不用服务器
usage-without-server-how = 请去掉它
usage-without-server-play = 要在服务器上下，请去掉 --local
usage-no-position = 局面中有冒号
usage-game-how = 这种游戏的规则：grundy rules show { $game }
usage-term-how = 查找术语：grundy explain '{ $term }'
usage-moves = --move：一次最多解释 { $most } 种着法
usage-moves-alone = 着法只能写在初始局面之后
usage-moves-alone-how = 例如：grundy review nim:3,5,7 A-1 C-7
usage-certificate = --certificate 只能用于单个局面，不能与“-”同用
usage-svg = --svg 只能用于单个局面，不能与“-”同用
usage-no-start = 缺少初始局面
usage-opponents = --opponents 须与 --open 或 --anyone 同用
usage-opponents-how = 例如：grundy play nim:3,5,7 --open --opponents people
usage-rated-bot = 与内置机器人的对局不能计等级分
usage-rated-bot-how = 请用 --anyone、--open、--invite 或 --against 名字 另找对手
usage-fair-bot = 不知道 { $bot } 多常找到必胜着法
usage-fair-bot-how = 有 --fair 时，--bot 可以是 perfect、random、club 这样的水平，或 skill:Q
no-such-bot = --bot：没有机器人“{ $name }”
no-such-bot-how = 机器人有 { $strengths }，以及 perfect、random、greedy、teacher、trickster 和 skill:Q（Q 从 0 到 1）
not-a-player = “{ $name }”没有参加这一对局
not-a-player-how = 选手是 { $first } 和 { $second }
not-a-player-one = 选手是 { $names }
graph-too-large = 局面太多，画不出来
graph-too-large-how = 请选较小的局面；grundy solve 和 grundy explain 可用于大的局面
line-too-long = 这一行超过 { $most } 字节
line-not-utf8 = 这一行从第 { $byte } 字节起不是 UTF-8
no-command = { $command } 没有命令“{ $text }”
no-command-how = grundy --help 列出各个命令
man-read = 阅读这一页：{ $command }
man-written = 已把 { $pages } 页写入 { $directory }
no-screen = 这里没有全屏
bad-seek = “{ $text }”不是空位的编号
bad-seek-how = 编号是十个字母和数字，例如 Tk8Ld4WnZe；grundy lobby 列出各个空位
no-match-there = 您在 { $server } 没有对局（身份 { $profile }）
no-match-there-how = grundy games list 列出服务器上的对局

## 密钥

secret-file = { $flag } { $file }：{ $why }
secret-file-empty = 第一行是空的
secret-file-long = 第一行太长
secrets-open = 其他用户能读取它，而其中有您的密钥
secrets-syntax = 无法读懂
secrets-syntax-how = 请改正文件，或者把它移走，以新访客身份开始
secrets-unwritable-how = 可用 XDG_CONFIG_HOME 指定另一个目录来存放设置和身份
token-file-open = 其他用户能读取它，而其中有您的令牌
token-file-empty = 第一行没有令牌
token-file-empty-how = 用这个命令生成：grundy token create 名称 --scope play --to 文件
sealed-not-ours = 不是密封的身份文件
sealed-not-opened = 文件已损坏，或者口令不对
sealed-newer = 它由更新版本的 grundy 写出；请更新本程序

## 练习与谜题

deck-in-use = 另一个程序正在写练习册
deck-in-use-how = 请等它结束后再试
deck-damaged = { $place ->
    [file] 练习册 { $file } 已损坏
    [line] 练习册 { $file } 第 { $line } 行已损坏
   *[column] 练习册 { $file } 第 { $line } 行第 { $column } 列已损坏
}
deck-damaged-how = 没有任何改动：请改正这一行，或者把文件移走，另建练习册
deck-newer-how = 它由更新的版本写出：请更新 grundy。没有任何改动
puzzles-too-large = 超过 { $most } 字节
puzzles-not-utf8 = 第 { $line } 行不是 UTF-8
puzzles-bad-line = 第 { $line } 行不是有效的谜题
puzzles-none = 这个文件中没有谜题
puzzles-numbers = 谜题的编号从 1 到 { $most }
puzzles-no-such = 没有这样的谜题
puzzles-all-solved = 这些谜题您都已做过
puzzles-list-how = 列出谜题：grundy puzzle list
puzzles-again-how = 用 --again 再做一遍
puzzle-bad = { $problem ->
    [not-won] 谜题 { $number }，{ $key }：轮到走的一方不能必胜
   *[unsolved] 谜题 { $number }，{ $key }：在限时内没有解出
}
puzzle-bad-how = grundy puzzle make 写出的谜题都是必胜的；--budget 给予更多时间
count-puzzles = { $n } 道谜题
count-mistakes = { $n } 个失误
count-matches = { $n } 局对局
puzzle-made = { $matches }中有 { $mistakes }，得到 { $puzzles }。
puzzle-made-others = 另外 { $n } 个失误在预算内不合要求，或者重复。

## 连接

failure-unanswered = 服务器答复之前连接断开了：请看看结果如何，再试一次
failure-another-server = { $address } 现在是另一台服务器
failure-another-server-how = grundy games list --mine 列出您在那台服务器上的对局
update-older = 请更新其中较旧的一个
update-older-server = 请更新本程序和服务器中较旧的一个
not-understood = 服务器发来了本程序不懂的内容
not-understood-review = 服务器发来了本程序不懂的复盘
not-understood-record = 服务器发来的对局记录无效
unknown-events = 对局中有本程序不认识的事件，因此不能写出记录
unknown-events-how = 请更新本程序，然后运行 grundy games export
unknown-rules = 对局不符合本程序所知的规则
unreachable-silent = 它没有应答
unreachable-handshake = 它没有按协议应答
unreachable-name = 服务器不认识自己的这个名字
unreachable-name-how = 请用它的另一个地址，或者请管理员把这个名字加入 allowed_hosts
unreachable-other = 它的应答是 { $status }，因此不是 grundy-server
unreachable-no-name = 它的名字不能写在证书中
unreachable-secure = { $fault ->
    [plain] 它不加密连接
    [name] 它不以这个名字提供服务
    [other-name] 它的证书属于另一个名字
    [expired] 它的证书已过期
    [authority] 它的证书是颁发机构的证书（CA:TRUE），服务器不能使用
    [unknown-issuer] 它的证书不是由本机信任的颁发机构签发的
    [other-certificate] 它的证书不是 { $said } 中的证书，也不是由它签发的
   *[untrusted] 它的证书不受信任
}
unreachable-secure-how = { $fault ->
    [plain] 如果您信任到服务器之间的网络，请写 http:// 而不是 https://
    [name] 请用管理员给您的名字
    [other-name] 请用证书所写的名字或地址
    [expired] 请管理员更新证书；也请检查本机的时钟
    [authority] 请用 basicConstraints=CA:FALSE 生成：openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 -subj /CN=grundy -addext subjectAltName={ $name } -addext basicConstraints=critical,CA:FALSE -keyout key.pem -out cert.pem
    [other-certificate] 请向管理员要服务器现在使用的证书，并用 --ca 指定那个文件
   *[untrusted] 如果服务器是您自己或朋友的，请用 --ca 文件 指定它的证书
}
trust-tls = TLS 不可用
trust-system = 无法读取系统信任的证书
trust-system-how = 请用 --ca 文件 指定服务器的证书
trust-file = --ca：{ $file }：{ $why }
trust-file-how = 请指定 PEM 文件，其中有服务器的证书，或签发它的机构的证书
trust-no-pem = 不是 PEM 文件
trust-no-certificate = 其中没有证书
trust-bad-certificate = 其中的证书无效

## 其他提示

screen-needs-terminal = 全屏要求标准输入和标准输出都是终端，且 TERM 不是 dumb：改用逐行显示。
moves-none = 没有着法：对局已结束。
moves-more = 还有着法；用 --from { $next } 列出
nothing-done = 什么也没有做。
review-fail-on = 警告：--fail-on 可能漏掉了评注：{ $why }
no-proof = 没有证明：证明太大，或者没有找到
bot-server-sent = 服务器发来了本程序不懂的内容
puzzle-family = 类别
puzzle-puzzles = 谜题
puzzle-solved = 做过
puzzle-at-once = 一次做对
puzzle-hints = 用过提示
puzzle-wrong = 走错过
puzzle-shown = 看过解
puzzle-all = 全部
puzzle-number = 编号
puzzle-difficulty = 难度
puzzle-position = 局面
puzzle-level = { $level ->
    [easy] 容易
    [medium] 中等
    [hard] 困难
   *[other] { $level }
}
puzzle-none = 没有这样的谜题。
puzzle-days = 每日谜题：已连续做对 { $n } 天。
puzzle-share =
    Grundy { $day } 的谜题 { $number }：{ $family }，{ puzzle-level }
    { $performance }
    grundy puzzle --day { $day }
