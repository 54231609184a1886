# `grundy solve` 的输出和提示。

solve-outcome-n = 先手必胜
solve-outcome-p = 先手必败
solve-outcome-l = 左方必胜
solve-outcome-r = 右方必胜
solve-outcome-d = 双方都走最佳着法时为和棋
solve-outcome-unknown = 在限定的计算量内未能判定
solve-nim-value = SG 值 { $value }
solve-value = 值 { $value }
solve-longest = 最多还能坚持 { $n } 步
solve-shortest = 最快 { $n } 步取胜
solve-try = 可尝试 { $flag }。
solve-not-found = 在限定的计算量内没有找到必胜着法。可尝试 { $flag }。
solve-many = 必胜着法至少有 2^53 种，只列出最前面的几种。
solve-known = 已知列出的着法必胜，其他着法也可能必胜。
solve-wins = 胜
solve-loses = 负
solve-move = 着法
solve-leaves = 走后局面
solve-value-column = 值
solve-result = 结果
solve-left = 走后余步
solve-more = 另有 { $n } 种着法未列出；用 --max-moves 可多列一些
solve-more-winning = 另有 { $n } 种必胜着法未列出；用 --max-moves 可多列一些
solve-others-draw = { $n } 种着法不能取胜；用 --all 列出
solve-all-lose = { $n } 种着法都会输；用 --all 列出
solve-others-lose = 其余 { $n } 种着法都会丢掉胜势；用 --all 列出
solve-over = 已经没有着法：对局结束。
solve-why = 原因：{ $command }

hint-too-hard = 在提示所限的时间内，求解器未能判定此局面。
hint-draw = 没有必胜着法：双方都走最佳着法时是和棋。
hint-lost = 对方都走最佳着法时，每种着法都会输。请选一种让对方难以应对的；输入 why 可看原因。
hint-not-found = 您可以取胜，但在提示所限的时间内，求解器未找到必胜着法。
hint-won = 您可以取胜。再次输入 hint 可看思路，然后是位置和着法；输入 why 可看原因。
hint-won-forced = 您可以取胜。只有一种着法。再次输入 hint 可看思路，然后是位置和着法；输入 why 可看原因。
hint-won-one = 您可以取胜。{ $n } 种着法中只有 1 种必胜。再次输入 hint 可看思路，然后是位置和着法；输入 why 可看原因。
hint-won-some = 您可以取胜。{ $n } 种着法中有 { $winning } 种必胜。再次输入 hint 可看思路，然后是位置和着法；输入 why 可看原因。
working-component = 单独看子游戏 { $number }：
working-xor = 异或
working-even = 每一列都有偶数个 1：走任何一步都会破坏某一列，而对方一步即可恢复。
working-odd = 每一列须有偶数个 1；{ $place } 的一列有 { $count } 个，是奇数。改变含 { $place } 的一堆，使各列都成为偶数：
working-retreats = 后退不改变什么：对方前进同样多的格数，而后退总会用尽。
working-winning = { $all ->
    [yes] 必胜着法共 { $count } 种：{ $moves }。
   *[no] 必胜着法共 { $count } 种，其中有：{ $moves }。
}
why-last-move = 上一步 { $move }：
why-position = 现在的局面：
