# 行模式与全屏界面在对局中所说的话。

## 选手

match-who = { $who ->
    [you] 您
   *[name] {" "}{ $name }{" "}
}
match-player = 玩家 { $number }
match-nobody = { match-seat }
match-seat = { $role ->
    [first] 先手方
   *[second] 后手方
}
match-role = { $role ->
    [first] 先手方
    [second] 后手方
    [left] 左方（先手方）
   *[right] 右方（后手方）
}
match-bot = { $strength } 机器人
match-you-are = 您是{ match-role }。

## 开局

match-untimed = 不计时
match-opening = { $case ->
    [local] 您是{ match-role }，对手是 { $other }；{ $start }，{ $clock }。
    [own] 对局 { $match }。您是 { $name }，{ match-role }，对手是 { $other }；{ $start }，{ $clock }。
    [shared] 两人共用一个键盘；{ $start }，{ $clock }。
    [shared-sides] 两人共用一个键盘：左方（先手方）与右方（后手方）；{ $start }，{ $clock }。
    [watched] 对局 { $match }。{ $name } 是先手方，{ $other } 是后手方；{ $start }，{ $clock }。
   *[watched-sides] 对局 { $match }。{ $name } 是左方（先手方），{ $other } 是右方（后手方）；{ $start }，{ $clock }。
}
match-end-rule = { $end ->
    [normal] 走最后一步者胜。
   *[misere] 走最后一步者负（反常规则）。
}
match-rule = { $title }：{ $rule }
match-rule-moves = 着法示例：{ $moves }。
match-with-sides = 只计轮到走的一方的着法：只有对方能走的子游戏，对轮到走的一方来说没有着法。
match-series-of = { $rated ->
    [yes] 一对等级分对局的第 { $game } 局
   *[no] { $games } 局中的第 { $game } 局
}
match-series-first = 这是{ match-series-of }，每局之后交换先后手。
match-series-next = 这是{ match-series-of }。比分：{ $score }。
match-series-over = { $end ->
    [over] { match-series-of }之后的比分：{ $score }。系列赛已结束。
    [ends] { match-series-of }之后的比分：{ $score }。系列赛到此为止。
   *[goes-on] { match-series-of }之后的比分：{ $score }。
}
match-score = { $who ->
    [you] 您 { $points }
   *[name] { $name } { $points }
}
match-invited = 对局 { $match }。加入码：{ $code }
match-friend-types = 请您的朋友输入：
match-qr = 扫描二维码可打开内容相同的网页：
match-waiting = 正在等待您的朋友。按 Ctrl-C 取消邀请。
match-waiting-since = 正在等待您的朋友，已等 { $time }。按 Ctrl-C 取消邀请。
match-nobody-joined = 还没有人加入。
match-newer = 服务器比本程序新，有些事件没有显示。请更新本程序。

## 轮到谁走

match-turn = { $case ->
    [own] 轮到您走。
    [own-timed] 轮到您走，还剩 { $time }。
    [other] 轮到 { $name } 走。
   *[other-timed] 轮到 { $name } 走，还剩 { $time }。
}
match-is-paused = 对局已暂停。
match-is-adjourned = 对局已封局。
match-first-move = 如果 { $count } 秒内没有人走第一步，对局取消。
match-clock-warning = 您还剩 { $time }。
match-no-clock = 本局不计时。
match-clocks = { $seat ->
    [first] 您 { $first }，{ $other } { $second }。
    [second] { $name } { $first }，您 { $second }。
   *[none] { $name } { $first }，{ $other } { $second }。
}
match-type = 请输入着法，例如 { $move }；或输入：{ $words }。
match-type-any = 请输入着法；或输入：{ $words }。
match-notation = 局面：{ $position }
match-cut = { $text } ……（已截断，全长 { $length } 个字符）
match-moves = { $part ->
    [all] { $n } 种着法：{ $list }
    [last] { $n } 种着法中的第 { $from } 至第 { $to } 种：{ $list }
   *[some] { $n } 种着法中的第 { $from } 至第 { $to } 种：{ $list } ……另有 { $rest } 种；输入 more 看后面的
}
match-moved = { $who ->
    [you] 您走了 { $what }。
    [you-planned] 您按预定走了 { $what }。
   *[name] { $name } 走了 { $what }。
}
match-moved-text = { $who ->
    [you] 您走了 { $move }。
    [you-planned] 您按预定走了 { $move }。
   *[name] { $name } 走了 { $move }。
}
match-so-far = 到现在走了 { $count } 步。
match-undone = 已悔棋。

## 双方之间

match-joined = { $name } 已加入。
match-is-back = { $name } 回来了。
match-gone = { $name } 断线或离开了；对局继续。
match-away = { $name } 仍未回来：输入 claim 判对方负，输入 abort 提议取消对局，或者继续等待。
match-away-until = 如果 { $name } 一直不回来，{ $time } 后您可以判对方负。
match-outage-held = 服务器曾停止运行；每位选手回来之前，其棋钟不走。
match-outage = 服务器曾停止运行或过于繁忙；正在走的棋钟补回了 { $time }。
match-taken-back-start = 已悔棋：对局回到了开局。
match-taken-back = 已悔棋：从第 { $ply } 步之后继续。
match-goes-on = 对局继续。
match-rematch-offered = { $name } 想再来一局，交换先后手。
match-rematch-withdrawn = { $name } 不再想再来一局。
match-rematch-declined = { $name } 不想再来一局。
match-delayed = 本局计等级分：每一步要再走两步之后才向您显示。棋钟是所显示的最后一步之后的。
match-paused = { $type ->
    [yes] 对局已暂停，最多 { $time }。输入 continue 继续。
   *[no] 对局已暂停，最多 { $time }。
}
match-adjourned = { $type ->
    [yes] 对局已封局，最多 { $time }。输入 continue 提议续弈；到时棋钟会再走。您可以离开，之后用 grundy resume 回来。
   *[no] 对局已封局，最多 { $time }。
}
match-no-plan = 没有预定应着。输入 if A-1 B-2，就会在对手走 A-1 时走 B-2。
match-planned = 已预定：{ $lines }。
match-proposal = { $proposal ->
    [takeback] 悔一步棋
    [draw] 和棋
    [abort] 取消对局
    [pause] 暂停最多 15 分钟
    [adjourn] 封局最多 7 天
   *[resume] 续弈
}
match-proposal-of = { match-proposal-declined }
match-proposal-own = { match-proposal-declined }
match-proposal-declined = { $proposal ->
    [takeback] 悔棋
    [draw] 和棋
    [abort] 取消对局
    [pause] 暂停
    [adjourn] 封局
   *[resume] 续弈
}
match-proposed = { $who ->
    [you] 您提议{ match-proposal }。{ $name } 可以接受或拒绝。输入 withdraw 可撤回。
    [asked] { $name } 提议{ match-proposal }。请输入 accept 接受，或 decline 拒绝。
   *[name] { $name } 提议{ match-proposal }。
}
match-to-answer = { $name } 提议{ match-proposal }：y 接受，n 拒绝。
match-not-agreed = { $case ->
    [withdrawn-own] 您撤回了{ match-proposal-own }的提议。
    [withdrawn] { $name } 撤回了{ match-proposal-of }的提议。
    [declined-own] 您拒绝了{ match-proposal-of }的提议。
   *[declined] { $name } 拒绝了{ match-proposal-declined }的提议。
}

## 连接

match-stale = 已断线 { $count } 秒：这里显示的可能不是最新的。
match-back = 断线 { $count } 秒后已恢复。
match-missed = { $moves ->
    [0] 没有变化
   *[other] 走了 { $moves } 步
}
match-back-missed = 断线 { $count } 秒后已恢复：其间{ match-missed }。
match-not-connected = *** 未连接：{ $why }。所显示的可能不是最新的；正在重新连接……
match-pending = 还没有确认您的{ $what }；它只会生效一次。
match-keeps-trying = 本程序会继续尝试 { $n } 分钟；之后可用此命令回来：{ $command }
match-offline = 离线
