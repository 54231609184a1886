# 对局列表、挑战与邀战。

## 列表

matches-outcome = { $outcome ->
    [first] 先手方胜
    [second] 后手方胜
    [draw] 和棋
   *[void] 无效
}
matches-reason = { $reason ->
    [last_move] 最后一步
    [resignation] 认输
    [time] 超时
    [aborted] 已取消
    [expired] 无人加入
    [outgrown] 对局过长
    [repetition] 局面重复
    [agreement] 双方同意
    [abandoned] 久未回来
    [no_start] 没有开始
    [no_show] 未到场
    [disconnected] 离开过久
    [withdrawn] 退赛
    [cancelled] 赛事取消
   *[operator] 管理员裁定
}
matches-ending = { matches-outcome }（{ matches-reason }）
matches-place = { $rated ->
    [yes] 一对等级分对局的第 { $game } 局，比分 { $first }-{ $second }
   *[no] { $games } 局中的第 { $game } 局，比分 { $first }-{ $second }
}
matches-in-series = { $state }；{ $place }
matches-uncounted = 未统计
matches-status = { $status ->
    [waiting] 等待中
    [unfinished] 未下完
    [running] 进行中
    [adjourned] 已封局
   *[over] 已结束
}
matches-where-is = { $local ->
    [yes] 本机
   *[no] 服务器
}
matches-match = 对局
matches-day = 日期
matches-start = 开局
matches-clock = 棋钟
matches-first = 先手方
matches-second = 后手方
matches-plies = 步数
matches-state = 状态
matches-mistakes = 失误
matches-where = 所在
matches-none = { $local ->
    [yes] 没有找到对局。可以加入一些：grundy games import 文件
   *[no] 没有找到对局。开始一局：grundy play nim:3,5,7
}
matches-more = 还有更多对局；用 --limit N 列出
matches-left-out-why = { $why ->
    [uncounted] 失误还没有统计
    [unknown] 在求解器限定的计算量内未能统计失误
   *[unverified] 服务器上的摘要已损坏；管理员可用 grundy-server fsck 找出
}
matches-left-out = 有 { $count } 局没有列出：{ matches-left-out-why }。
matches-only-here = 这些是这台电脑上的对局（用 --local 列出时不需要服务器）
matches-last-here = 这是这台电脑上的最后一局
matches-record-here = 改用这台电脑上对局库中的记录
matches-none-finished = 您还没有下完一局
matches-none-finished-how = 可以下一局：grundy play nim:3,5,7 --local
matches-no-game = 没有这个游戏
matches-no-game-how = grundy rules list 列出所有游戏；sum 表示几个游戏的和

## 一局

matches-to-move = 轮到{ match-seat }走
matches-stands = { $status ->
    [waiting] 正在等待第二位选手
    [adjourned] 已封局，{ matches-to-move }
    [paused] 已暂停，{ matches-to-move }
   *[running] 进行中，{ matches-to-move }
}
matches-of-series =
    { $state }
    { $place }，系列赛 { $series }
matches-count = 共 { $count } 步
matches-shown =
    对局 { $match }   { $start }   { $clock }   { $day }
    先手方 { $first }
    后手方 { $second }
    { matches-count }，{ $state }
matches-ply = 步
matches-who = 选手
matches-move = 着法
matches-left = 余时
matches-now = 现在：{ $position }

## 挑战

challenge-player = { $bot ->
    [yes] { $name }（机器人）
   *[no] { $name }
}
challenge-sent = 已向 { $name } 发出挑战 { $challenge }。正在等待答复；按 Ctrl-C 撤回。
challenge-withdrawn = 挑战已撤回
challenge-why = { $reason ->
    [later] 现在不下
    [game] 不下这个游戏
    [position] 不下这个开局
    [too-fast] 棋钟太快
    [too-slow] 棋钟太慢
    [untimed] 对方只下计时的对局
    [timed] 对方只下不计时的对局
    [no-bots] 对方不与机器人下
    [only-bots] 对方只与机器人下
    [too-many] 对方未结束的对局太多
   *[other] 没有说明原因
}
challenge-no-match = { $case ->
    [declined] { $name } 拒绝了挑战
    [declined-why] { $name } 拒绝了挑战：{ challenge-why }
    [expired] { $name } 没有按时答复挑战
    [withdrawn] 挑战已撤回
   *[stopped] 服务器正在停止，挑战已结束
}
challenge-games = { $games ->
    [one] {""}
    [pair] ，一对等级分对局
   *[some] ，共 { $n } 局
}
challenge-clock = { $timed ->
    [yes] 棋钟 { $clock }
   *[no] { $clock }
}
challenge-line = { $challenge }  { $from } 向 { $to } 挑战：{ $start }，{ challenge-clock }{ challenge-games }{ $side ->
    [first] ，挑战方是先手方
    [second] ，挑战方是后手方
   *[random] {""}
}
challenge-ended = { $end ->
    [accepted] 挑战已被接受
    [declined] 挑战已被拒绝
    [withdrawn] 挑战已撤回
    [expired] 挑战已过期
   *[stopped] 服务器停止，挑战已结束
}
challenges-declined = 已拒绝。
challenges-none = 没有等待答复的挑战。
challenges-waiting = 正在等待给 { $name } 的挑战，编号 { $id }。按 Ctrl-C 结束。
challenges-began = 对局 { $match } 已开始，对手是 { $name }
challenges-paired = { $bye ->
    [yes] 赛事 { $tournament }：您在第 { $round } 轮轮空
   *[no] 赛事 { $tournament }：您在第 { $round } 轮的对手是 { $name }
}
challenges-won = { $who ->
    [you] 您获胜
   *[name] { $name } 获胜
}
challenges-over = 对局 { $match } 已结束：{ $ending }

## 邀战

offers-none = 现在没有人邀战。服务器自己的机器人随时可下：grundy play nim:3,5,7
offers-more = 还有更多邀战；用 --limit N 列出
offers-all = 所有游戏
offers-line = { $untimed ->
    [yes] { $player }  { $name }：{ $games }；最多同时 { $most } 局；棋钟不少于 { $time }，也可不计时
   *[no] { $player }  { $name }：{ $games }；最多同时 { $most } 局；棋钟不少于 { $time }
}
