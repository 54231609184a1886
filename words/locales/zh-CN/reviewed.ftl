# 终端里的复盘。

reviewed-title = { $first } { $result } { $second }{ $how }
reviewed-how = （{ $how }）
reviewed-against = 对
reviewed-about = { $start }，{ $rule }，共 { $count } 步，{ $clock }，{ $date }
reviewed-rule = { $end ->
    [misere] 反常规则
   *[normal] 正常规则
}
reviewed-points = 转折点
reviewed-turn = { $decisive ->
    [yes] { review-turn }。这一步决定了胜负。
   *[no] { review-turn }。
}
reviewed-conceded = { $how ->
    [time] { $name } 在必胜局面下超时，决定了胜负。
   *[other] { $name } 在必胜局面下认输，决定了胜负。
}
reviewed-none = 没有发现转折点。
reviewed-never = { $drawn ->
    [yes] { $name } 始终没有丢掉胜势或和棋。
   *[no] { $name } 始终没有丢掉胜势。
}
reviewed-ply = 步
reviewed-who = 选手
reviewed-move = 着法
reviewed-mark = 评注
reviewed-left = 余步
reviewed-value = 值
reviewed-time = 用时
reviewed-start = 开局
reviewed-letters = A：{ $first } 必胜；B：{ $second } 必胜；越靠边，余步越少。
reviewed-drawn = =：双方都走最佳着法时为和棋。
reviewed-open = ?：在限定的计算量内没有解出。
reviewed-marks = 评注
reviewed-player = 选手
reviewed-kept = 保住的机会
reviewed-bits = 找到的比特
reviewed-skill = 水平（95% 区间）
reviewed-resistance = 顽强度
reviewed-of = { $part } / { $whole }
reviewed-span = { $value }（{ $low } 到 { $high }）
reviewed-why = 第 { $ply } 步的原因，轮到 { $name } 走：
reviewed-answer = 对 { $move } 的应着是 { $reply }。
reviewed-hints = { $name } 在第 { $ply } 步之前要了 { $count } 次提示。
reviewed-unknown = 有 { $count } 个局面在限定的计算量内没有解出；没有评注依赖于它们。可用 --budget 给更多时间。
reviewed-without-bits = 有 { $count } 次机会没有计入比特，因为数不清必胜着法。
reviewed-traps = { $why ->
    [alternatives] 必败局面下有 { $count } 步的其他着法太多，不能评为 !? 或 ?!。
    [hard] 必败局面下有 { $count } 步的其他着法太难解，不能评为 !? 或 ?!。
   *[budget] 计算量用完，必败局面下还有 { $count } 步不能评为 !? 或 ?!。
}
reviewed-one = 第 { $ply } 步，共 { $plies } 步，{ $name }：{ $move } { $mark }
reviewed-progress = 正在复盘：{ $positions } 个局面中的 { $done } 个
reviewed-place = 正在等待服务器的求解器：第 { $place } 位
reviewed-here = 服务器的时间不够，改在这台电脑上复盘
reviewed-wins-now = { $name } 必胜
reviewed-scale = 每列约 { $plies } 步。
reviewed-bars = 每步一条 #；没有 # 表示刚走的一方必胜。
