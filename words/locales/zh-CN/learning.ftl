# 复盘、练习和谜题的页面。

## 复盘

review-title = 复盘
review-start = 开局
review-after = 第 { $ply } 步之后的局面
review-to-start = 开局
review-back = 上一步
review-forward = 下一步
review-to-end = 终局
review-mistake-before = 上一个失误
review-mistake-after = 下一个失误
review-to-move = 轮到 { $name } 走。
review-has-won = { $name } 已获胜。
review-wins = { $name } 必胜。
review-wins-in = { $name } 必胜，双方都走最佳着法时还有 { $n } 步。
review-draw = 双方都走最佳着法时是和棋。
review-unknown = 尚不知道此局面谁能取胜。
review-value = 值为 { $value }。
review-next = { $name } 走了 { $move }。
review-next-marked = { $name } 走了 { $move } { $mark }。
review-gave-win = 这一步丢掉了胜势。
review-gave-draw = 这一步丢掉了和棋。
review-kept-by =
    { $count ->
        [1] 只有 { $moves } 能保住（{ $legal } 种着法中的 { $total } 种）。
       *[other] 能保住的着法：{ $moves }（{ $legal } 种着法中的 { $total } 种）。
    }
review-kept-by-some = 例如这样走能保住：{ $moves }。
review-answer = 对手应以 { $move }。
review-turn =
    { $what ->
        [draw] 第 { $ply } 步：{ $name } 走 { $move }，丢掉和棋
       *[win] 第 { $ply } 步：{ $name } 走 { $move }，丢掉胜势
    }
review-nothing-known = 没有发现失误。本局有些局面太大，求解器没有解出。
review-no-move-lost = 没有哪一步丢掉胜势。
review-conceded = 没有哪一步丢掉胜势。负方是在必胜局面下认输或超时的。
review-no-win = 双方都不曾有过胜势。
review-never-lost = 有胜势的一方始终没有丢掉胜势。
review-ply = 步
review-mark = 评注
review-holds = 胜势归属
review-left = 余步
review-nim-value = 值
review-nobody = 无人
review-hinted = 用过提示
review-earlier = 更早的着法
review-later = 更晚的着法
review-why = 原因
review-totals = 双方表现
review-kept = 抓住的机会
review-bits = 找到的比特（难度）
review-of = { $part } / { $whole }
review-bits-are = 在必胜局面下走的一步算一次机会。机会越难，比特越多：m 种着法中有 w 种必胜时，为 log2(m/w) 比特。“余步”是双方都走最佳着法时到终局的步数。
review-learn = 从失误中学习
review-to-match = 回到对局
review-no-scripts = 复盘尚未生成。请过一分钟再来，或在终端请求：
review-not-over = 对局仍在进行，结束后才能复盘。一对等级分对局须两局都结束后才能复盘。
review-no-moves = 本局在第一步之前就结束了，没有可复盘的内容。
review-too-long = 本局太长，无法在此复盘。
review-rated = 您正在进行一对等级分对局。两局都结束之前，服务器不会告诉您求解器的任何结论。

## 评注

mark-brilliant = 唯一能保住胜势的着法，而且初学者不会去试。
mark-only = 唯一能保住胜势的着法。
mark-trap = 已无必胜着法；这一步给对手的难度最大。
mark-soft = 已无必胜着法；另有着法能给对手更大的难度。
mark-blunder = 本来能胜或能和，这一步把它丢掉了。
mark-forced = 唯一的合法着法。

## 练习

exercise-try = 试走
exercise-solution = 显示答案
exercise-next = 下一题
exercise-again = 再来一遍
exercise-right = { $move } 正确。
exercise-wrong = { $move } 不能取胜，请再试。
exercise-wrong-draw = { $move } 保不住和棋，请再试。
exercise-rules = 规则：
exercise-refuted = { $move } 不能取胜：对手会走 { $reply }。请再试。
exercise-refuted-draw = { $move } 保不住和棋：对手会走 { $reply }。请再试。
exercise-unknown = 尚不知道 { $move } 能否取胜，请再试。
exercise-unknown-draw = 尚不知道 { $move } 能否保住和棋，请再试。
exercise-winning = 必胜着法：{ $moves }。
learn-title = 从本局学习
learn-title-of = 从 { $name } 的失误中学习
learn-other-side = 另一方的失误
learn-task = 第 { $number } 题，共 { $total } 题。第 { $ply } 步走 { $move } 丢掉了胜势。请找出必胜着法。
learn-task-draw = 第 { $number } 题，共 { $total } 题。第 { $ply } 步走 { $move } 丢掉了和棋。请找出能保住和棋的着法。
learn-done = 完成：{ $total } 题中有 { $right } 题一次答对。
learn-nothing = 没有可供学习的失误。

## 谜题

puzzles-title = 谜题
puzzles-about = 每个局面都能取胜。请找出必胜着法，任何一种都算对。第一次作答会改变您和谜题的等级分。
puzzles-try = 试一道谜题
puzzles-task = 轮到您走，您能取胜。此谜题的等级分为 { $rating }。
puzzles-rating = 您的谜题等级分：{ $rating } ± { $deviation }
puzzles-rating-new = 您的谜题等级分：{ $rating } ± { $deviation }（暂定）
puzzles-right = { $move } 必胜。
puzzles-wrong = { $move } 不能取胜。
puzzles-change = 您的等级分：{ $rating }（{ $change }）。

live-reviewing = 求解器正在复盘……
