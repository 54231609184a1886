# 行模式与全屏界面在对局中所说的话。

## 选手

match-who = { $who ->
    [you] 您
   *[name] { $name }
}
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
match-score = { match-who } { $points }
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
match-pending = 您的 { $what } 还没有确认；它只会生效一次。
match-keeps-trying = 本程序会继续尝试 { $n } 分钟；之后可用此命令回来：{ $command }
match-offline = 离线

## 结束

match-head = { $who ->
    [you] 您获胜
   *[name] { $name } 获胜
}
match-by = { $by ->
    [last-move-own] 您走了最后一步
    [last-move] { $name } 走了最后一步
    [misere-own] 您只能走最后一步
    [misere] { $loser } 只能走最后一步
    [resignation-own] 您认输
    [resignation] { $loser } 认输
    [time-own] 您超时
    [time] { $loser } 超时
    [abandoned-own] 您久未回来，对方请求判胜
    [abandoned] { $loser } 久未回来
    [no-show-own] 您未按时到场
    [no-show] { $loser } 未按时到场
    [disconnected-own] 您离开过久
    [disconnected] { $loser } 离开过久
    [withdrawn-own] 您退出了赛事
    [withdrawn] { $loser } 退出了赛事
    [operator] 服务器管理员决定
   *[called-off] 对局取消
}
match-result = { match-head }：{ match-by }。
match-drawn = { $by ->
    [repetition] 局面第三次出现：和棋。
    [agreement] 双方同意：和棋。
   *[other] 无人获胜：和棋。
}
match-void = { $by ->
    [expired] 没有人按时加入；本局无效。
    [outgrown] 对局太长，无法保存；本局无效。
    [abandoned] 有一方久未回来，对局取消；本局无效。
    [no-start] 有一方未按时走第一步；本局无效。
    [no-show] 双方都未按时到场：双方都判负。
    [disconnected] 双方都离开过久：双方都判负。
    [withdrawn] 双方都退出了赛事。
    [cancelled] 赛事已取消。
    [operator] 服务器管理员终止了对局；本局无效。
   *[called-off] 对局已取消；本局无效。
}
match-strange-won = { match-head }，原因是本程序不认识的：{ $word }。
match-strange = 对局以本程序不认识的方式结束：{ $outcome }，{ $word }。
match-decided-conceded = { $how ->
    [time] 胜负决定于终局：{ match-who } 在必胜局面下超时。
   *[other] 胜负决定于终局：{ match-who } 在必胜局面下认输。
}
match-decided-start = 胜负决定于开局：{ match-who } 一开始就占有胜势，并且始终没有丢掉。
match-decided-unknown = 在可用的时间内没有找出决定胜负的着法。
match-decided-never = 双方都不曾占有胜势。
match-decided-nothing = 没有着法丢掉胜势。
match-decided-several = 没有哪一步单独决定胜负；有 { $count } 步丢掉了胜势或和棋。
match-decided = 胜负决定于第 { $ply } 步，由 { match-who } 走：{ $move } 丢掉了{ match-given }{ match-better }。
match-given = { $drawn ->
    [yes] 和棋
   *[no] 胜势
}
match-better = { $better ->
    [none] {""}
    [one] ；{ $kept } 可以保住
    [only] ；只有 { $kept } 可以保住{ match-of }
    [some] ；{ $kept } 等可以保住{ match-of }
   *[all] ；{ $kept } 可以保住{ match-of }
}
match-of = { $winning ->
    [none] {""}
   *[number] （{ $legal } 种中的 { $winning } 种）
}
match-list-or = { $list } 或 { $last }
match-earlier = 此前还有 { $count } 步丢掉了{ match-earlier-what }。
match-earlier-what = { $what ->
    [wins] 胜势
    [draws] 和棋
   *[both] 胜势或和棋
}
match-why = 原因：{ $reason }
match-why-leaves = { $case ->
    [reply] 原因：应着 { $move } 走后为 { $position }。{ $reason }
   *[move] 原因：{ $move } 走后为 { $position }。{ $reason }
}
match-not-kept = 本局没有保存在这台电脑上：{ $why }
match-left-kept = 您离开了；对局尚未结束。用此命令回来：{ $command }
match-left-ended = 这是本机对局，已经结束。
match-next-review = 复盘：
match-next-learn = 学习：
match-next-explain = 讲解：
match-next-rematch = 再来一局：

## 提问与回答

match-ask-resign = 认输吗？y/N
match-ask-abort = 取消对局吗？y/N
match-ask-quit = 退出吗？这是本机对局，退出即结束。y/N
match-ask-rematch = 再来一局，交换先后手？y/N
match-ask-leave = 按 Enter 离开。
match-not-resigned = 没有认输。
match-not-aborted = 没有取消。
match-rematch-sent = 已提出再来一局。按 Ctrl-C 不再等待。
match-over-enter = 对局已结束：按 Enter 离开。
match-over-answer = 对局已结束：请回答 yes 或 no。

## 可以输入的词

match-help =
    请输入着法，或下列词之一：
      board    显示局面
      moves    合法着法；more 看下一页
      pre A-1  轮到您时就走 A-1
      if A-1 B-2  慢棋中以 B-2 应 A-1；
               if none 取消
      hint     有没有必胜着法？
      why      讲解上一步和当前局面
      undo     悔棋
      rules    显示规则
      clock    显示剩余时间
      pause    停住双方的棋钟
      adjourn  封局，可达数天
      continue 结束暂停
      draw     提和
      abort    第 2 步之前取消对局
      accept, decline, withdraw
               接受、拒绝、撤回提议
      claim    对手离开时判对方负
      resign   认输
      rematch  再来一局，交换先后手
      quit     离开（用 grundy resume 回来）
      help     显示本说明
    悔棋、提和、暂停、封局、封局后续弈
    和取消对局都要对方同意。与别的选手
    对局时没有提示。
match-help-chat =
    {"  "}say 文字 对另一位选手说话；
               也可写 /文字
      say      列出现成的短语
      chat     显示最近的聊天
      mute     不看对方的话；
               unmute 恢复
match-help-watchers =
    您可以输入：
      say 文字 对其他观众说话；
               也可写 /文字
      say      列出现成的短语
      chat     显示最近的聊天
      mute 名字、unmute 名字
      board、moves、clock、rules
      quit     离开
