# 在终端里沿着对局或从某一局面试走。

explore-help = 输入着法即可试走。next [N] 和 ply N 沿着对局走，back [N] 退回，match 离开变着，start 和 end 到两端。moves 和 more 列出着法，why [着法] 讲解原因，board 再次显示局面，quit 离开。
explore-start = 开局。
explore-after = { $count } 步之后：{ $moves }。
explore-ply = 第 { $ply } 步，共 { $plies } 步。
explore-variation = 从第 { $ply } 步起的变着（共 { $plies } 步）：{ $moves }。
explore-won = 没有可走的着法：{ match-seat }已获胜。
explore-turn = { $outcome ->
    [wins] 轮到{ match-seat }走，必胜。
    [loses] 轮到{ match-seat }走，必败。
    [draw] 轮到{ match-seat }走；双方都走最佳着法时为和棋。
   *[unknown] 轮到{ match-seat }走；在限定的计算量内未能判定谁胜。
}
explore-nim-value = SG 值 { $value }。
explore-value = 值 { $value }。
explore-left = 双方都走最佳着法时还有 { $count } 步。
explore-not-found = 在限定的计算量内没有找到必胜着法。
explore-winning = { $case ->
    [all] 必胜着法：{ $moves }{ match-of }。
   *[some] 必胜着法：{ $moves } 等{ match-of }。
}
explore-next = 对局中走了 { $move }{ explore-effect }。
explore-effect = { $effect ->
   *[wins] ，必胜
    [win-lost] ，丢掉了胜势
    [draw-lost] ，丢掉了和棋
    [loses] ，必败
    [win-drawn] ，丢掉了胜势，成为和棋
    [draws] ，保住了和棋
    [unknown] {""}
}
explore-no-match = 没有可以沿着走的对局：请输入着法
explore-no-more = 对局只有 { $count } 步
explore-is-variation = 这是变着：match 回到对局，back 退回一步
