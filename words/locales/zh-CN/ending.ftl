# 对局如何结束，以及胜负在哪里决定。

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
match-not-started-by = { $who ->
    [you] 您未按时走第一步；本局无效。
   *[name] { $name } 未按时走第一步；本局无效。
}
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
    [time] 胜负决定于终局：当时{ match-who }占有胜势却超时。
   *[other] 胜负决定于终局：当时{ match-who }占有胜势却认输。
}
match-decided-start = 胜负决定于开局：一开始{ match-who }就占有胜势，并且始终没有丢掉。
match-decided-unknown = 在可用的时间内没有找出决定胜负的着法。
match-decided-never = 双方都不曾占有胜势。
match-decided-nothing = 没有着法丢掉胜势。
match-decided-several = 没有哪一步单独决定胜负；有 { $count } 步丢掉了胜势或和棋。
match-decided = 胜负决定于第 { $ply } 步，由{ match-who }走：{ $move } 丢掉了{ match-given }{ match-better }。
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
match-review-later = 对局结束后才能复盘
match-not-kept-here = 本局没有保存，无法复盘
match-left-kept = 您离开了；对局尚未结束。用此命令回来：{ $command }
match-left-ended = 这是本机对局，已经结束。
match-next-review = 复盘：
match-next-learn = 学习：
match-next-explain = 讲解：
match-next-rematch = 再来一局：
