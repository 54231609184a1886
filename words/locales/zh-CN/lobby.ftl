# 找对局：大厅、空位、等级分。

## 大厅

lobby-seat = 空位
lobby-who = 选手
lobby-game = 游戏
lobby-clock = 棋钟
lobby-since = 已等
lobby-id = 编号
lobby-you = { $name }（您）
lobby-bot = { $name }（机器人）
lobby-rated = { $name }，{ $rating }
lobby-terms = { $start }{ lobby-games }{ $side ->
    [first] ，您是先手方
    [second] ，您是后手方
   *[random] {""}
}
lobby-games = { $games ->
    [one] {""}
    [pair] ，一对等级分对局
   *[some] ，共 { $n } 局
}
lobby-wanted = { $start }，{ $clock }{ lobby-games }
lobby-empty =
    现在没有人在找对手。开一个空位：grundy play nim:3,5,7 --open
    或者让服务器寻找对手：grundy play --anyone
lobby-title = { $server } 的大厅
lobby-about = 方向键选择，Enter 占空位或观看。输入 play nim:3,5,7 与机器人下，open nim:3,5,7 开一个空位。
lobby-seats = 空位：{ $count }
lobby-live = 正在进行的对局：{ $count }
lobby-none-open = 现在没有人在找对手。F4 开一个空位，F3 与机器人下。
lobby-none-live = 现在没有正在进行的对局。
lobby-first = 先手方
lobby-second = 后手方
lobby-plies = 步数
lobby-lost = *** 未连接：{ $why }。以下内容可能已过时。
lobby-not-understood = 不明白“{ $line }”
lobby-words = 输入空位的序号、play 局面、open 局面、anyone、watch 对局编号、join 加入码、refresh 或 quit
lobby-more = 还有更多空位；用 --limit N 列出
lobby-take = 占一个空位：grundy lobby 编号
lobby-gone = 别人先到了，或者空位已撤回。现在的空位：
lobby-own = 这是您自己的空位，因此您以第二个访客身份加入。
lobby-takes = grundy lobby 列出您可以占的空位
lobby-ask = 输入空位的序号；r 重新查看，Enter 离开：
lobby-number = 请输入 1 到 { $last } 之间的数，例如 1。

## 寻找对手

seek-opponent = 您的对手是 { $name }。
seek-lost = 已断线，空位随之失去。正在重新连接服务器；按 Ctrl-C 停止。
seek-too-many = 请在您的另一个终端里停止寻找（Ctrl-C），或用别的身份：--profile 名字
seek-too-late = 太晚了：有人正在占这个空位。再按 Ctrl-C 仍可停止。
seek-stopped = 已停止寻找对手
seek-full = 找到了对手，但您未结束的对局已达上限
seek-full-how = 请先认输或取消一局：grundy games list --mine
seek-wider = { $window ->
    [near] { $seconds } 秒：也考虑这个游戏的其他开局和相近的棋钟
   *[any] { $seconds } 秒：也考虑其他游戏和其他棋钟
}
seek-looking = 正在寻找对手：{ $what }。服务器在 { $time } 后放弃。按 Ctrl-C 停止。
seek-open =
    您的空位已开：{ $what }。正在等待对手；按 Ctrl-C 撤回。
    别人这样占它：{ $command }
seek-nobody = { $time } 内没有人来
seek-nobody-how = 请再试，或者与机器人下：{ $command }
seek-bot-instead = 抱歉，{ $time } 内没有人来。改与 { $bot } 下吗？

## 来到对局

join-own = 这是您自己的邀请，因此您以第二个访客身份加入。
join-other-server = 这个链接属于服务器 { $server }，而 --server 写的是另一个
join-other-server-how = 请去掉 --server
join-own-seat = grundy resume 回到您自己的座位
join-bad-code = { $kind ->
    [link] “{ $code }”不是邀请的链接
   *[code] “{ $code }”不是加入码
}
join-bad-code-how = { $kind ->
    [link] 链接形如 https://…/j/KWQHRMTB，最后八个字母是加入码
   *[code] 加入码是八个字母，例如 KWQHRMTB
}
resume-not-yours = 您没有以身份 { $profile } 在 { $server } 下过，对局 { $match } 不是您的
resume-nothing = 您在 { $server } 没有进行中的对局（身份 { $profile }）
resume-nothing-how = grundy play nim:3,5,7 开始一局，grundy watch 对局编号 观看一局
resume-others = 回到对局 { $match }。您其他未结束的对局：
resume-your-move = 轮到您走
resume-more = ……还有更多：{ $command }
watch-waiting = { $player ->
    [none] 正在等待一局开始。按 Ctrl-C 停止。
    [ours] 现在只有您自己的对局，而自己的对局不能观看。正在等待别的对局；按 Ctrl-C 停止。
   *[named] 正在等待 { $name } 的一局开始。按 Ctrl-C 停止。
}
watch-own = { $name } 就是您：自己的对局是下的，不是看的
watch-own-how = 回到其中一局：grundy resume
watch-which = 请写明要观看的对局
watch-which-how = grundy watch 对局；--tv 观看最新的对局，--player 名字 观看某人的对局
end-none = 您在 { $server } 上没有进行中的对局
end-which = 您有 { $count } 局进行中的对局；请写明一局：{ $matches }
end-which-how = grundy games list --mine --status live 列出这些对局
watch-own-over = 对局 { $match } 是您自己的，并且已结束
watch-own-over-how = 要看这一局：grundy review { $match }
watch-own-match-how = 要回到您的座位：grundy resume { $match }
ask-overwrite = { $file } 已存在。覆盖吗？
invitation-here = 这只能用于这台电脑，因为别的电脑连不到 { $server }。要与别处的人对局，请看 README 中的 "Two people at home"。
invitation-certificate = 您的朋友还需要 { $file } 的副本，以确认这是您的服务器。

## 等级分

rating-game = 游戏
rating-rating = 等级分
rating-pairs = 对数
rating-last-pair = 最近一对
rating-pair = 序号
rating-date = 日期
rating-opponent = 对手
rating-theirs = 对手等级分
rating-result = 结果
rating-change = 变化
rating-last-match = 最后一局
rating-rank = 名次
rating-player = 选手
rating-score = { $score ->
    [won] 胜
    [even] 平
   *[lost] 负
}
rating-new = 新等级分：{ $first }，{ $second }。
rating-puzzles = 谜题等级分：答 { $count } 题后为 { $rating }。
rating-puzzle = 谜题：{ $family }，被答 { $count } 次后等级分为 { $rating }。您：{ $own }。
rating-after-answer = 您的谜题等级分：{ $own }。谜题的等级分：{ $puzzle }。
rating-none = { $name } 还没有等级分。
rating-none-how = { $name } 还没有等级分。可以下一对等级分对局：grundy play nim:3,5,7 --clock 3+2 --rated --open
rating-no-pairs = { $before ->
    [none] { $name } 没有 { $game } 的等级分对局。
   *[some] { $name } 在第 { $before } 对之前没有 { $game } 的等级分对局。
}
rating-older = 还有更早的；用 --before { $next } 列出
rating-more-players = 还有更多选手；用 --after={ $after } 列出
rating-nobody = { $case ->
    [after-bot] 此名次之后没有机器人。
    [after] 此名次之后没有选手。
    [provisional-bot] 没有机器人在 { $game } 中有暂定等级分。
    [provisional] 没有选手在 { $game } 中有暂定等级分。
    [settled-bot] 还没有机器人在 { $game } 中有确定的等级分。列出其他的：grundy leaderboard { $game } --bots --provisional
   *[settled] 还没有选手在 { $game } 中有确定的等级分。列出其他的：grundy leaderboard { $game } --provisional
}
