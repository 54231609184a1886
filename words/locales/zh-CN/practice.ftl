# 终端里的课程与谜题。

practice-find = 请找出一种必胜着法；也可输入 hint、why、solution、skip、moves、rules、quit 或 ?。
practice-find-rated = 请找出一种必胜着法。第一次作答计分，作答之前没有提示。也可输入 solution 放弃，或 moves、rules、quit、?。
practice-help = 请输入着法，任何一种必胜着法都算对。hint 给出提示：先是思路，再是走在哪里，最后是着法。why 讲解您上一步错在哪里。solution 显示必胜着法。skip 留到下次，forget 永远删除，moves 和 more 列出合法着法，rules 显示规则，board 再次显示局面，quit 结束。每做完一题，进度都会保存。
practice-help-rated = 请输入着法，任何一种必胜着法都算对，第一次作答计分，作答之前没有提示。solution 放弃。如果答错，why 讲解原因。moves 和 more 列出合法着法，rules 显示规则，board 再次显示局面，quit 结束。
practice-turn = { $side ->
    [left] 您是左方，轮到您走。
    [right] 您是右方，轮到您走。
   *[none] 轮到您走。
}
practice-verdict = { $right ->
    [yes] 正确。
   *[no] 这一步不能取胜。
}
practice-winning = { $case ->
    [only] 只有 { $moves } 必胜。输入 why 查看您的着法错在哪里。
    [some] 必胜着法：{ $moves }，另有 { $more } 种。输入 why 查看您的着法错在哪里。
   *[all] 必胜着法：{ $moves }。输入 why 查看您的着法错在哪里。
}
practice-rated-done = 答了 { $count } 题，答对 { $solved } 题。
practice-next = 接下来：
practice-progress = 进度：
practice-begin = 共 { $count } 题。每题都是曾被丢掉的必胜局面：请找出必胜着法。
practice-exercise = { $tries ->
    [0] 第 { $number } 题，共 { $of } 题：{ $family }，对局 { $match } 的第 { $ply } 步，新题。
   *[other] 第 { $number } 题，共 { $of } 题：{ $family }，对局 { $match } 的第 { $ply } 步，做过 { $tries } 次。
}
practice-puzzle = 谜题 { $number }：{ $family }，{ $difficulty }{ practice-before }。
practice-puzzle-of = { $day } 的谜题 { $number }：{ $family }，{ $difficulty }{ practice-before }。
practice-before = { $before ->
    [shown] ，看过答案
   *[solved] ，做对过
    [no] {""}
}
practice-right-unknown = 正确。
practice-solution-unknown = 在可用的时间内没有找到必胜着法。
practice-shown = { $case ->
    [right] 正确：{ $move } 必胜，走后为 { $position }。{ $reason }
   *[solution] 答案：{ $move } 必胜，走后为 { $position }。{ $reason }
}
practice-no-other = 没有别的必胜着法。
practice-others = { $more ->
    [0] 其他必胜着法：{ $moves }。
   *[other] 其他必胜着法：{ $moves }，另有 { $more } 种。
}
practice-again = 请再试。
practice-undecided = 在可用的时间内未能判定 { $move }，所以不算。可试试更大的 --budget。
practice-refuted = { $case ->
    [draw] { $move } 丢掉了胜势：走后是和棋。
    [loses] { $move } 不能取胜。{ $reason }
    [draw-to] { $move } 丢掉了胜势：对方走 { $reply } 之后，双方都无法强行取胜。
   *[loses-to] { $move } 不能取胜：对方走 { $reply } 之后为 { $position }。{ $reason }
}
practice-then = { $case ->
    [over] 然后对局结束。
    [line-over] 然后例如：{ $line }，对局结束。
    [line-cut] 然后例如：{ $line } ……
   *[line] 然后例如：{ $line }
}
practice-leaves = { $case ->
    [draw] { $move } 走后为 { $position }，是和棋：
    [reply] 应着 { $move } 走后为 { $position }：
   *[loses] { $move } 走后为 { $position }，对方必胜：
}
practice-hint = 提示 { $number }/{ $of }：{ $hint }
practice-where = { $case ->
    [component-place] 走在子游戏 { $number } 中，{ $place }。
    [component] 走在子游戏 { $number } 中。
    [place] 走{ $place }。
   *[board] 请看整个棋盘。
}
place-heap = 在 { $name } 堆
place-step = 在台阶 { $name }
place-gap = 在从右数第 { $name } 个间隔
place-vertex = 在从顶点 { $name } 向上的边
place-piece = 在 { $count } 个顶点的连通块
practice-among = 以下着法中恰有一种必胜：{ $moves }。
practice-wins = { $move } 必胜。
practice-skipped = 已跳过，留到下次。
practice-forgotten = 已删除，不会再出现。
practice-due = { $days ->
    [0] 今天仍要复习。
    [1] 明天再复习。
   *[other] { $days } 天后再复习。
}
practice-share = 可分享：
practice-at-once = 一次答对
practice-after-hints = 看提示后答对
practice-after-wrong = 走错后答对
practice-was-shown = 看了答案
practice-end = 共 { $count } 题：{ $how }。
practice-end-puzzles = 共 { $count } 道谜题：{ $how }。
practice-end-none = 没有做完一题。
practice-end-at-once = 一次答对 { $n } 题
practice-end-hints = 看提示后答对 { $n } 题
practice-end-wrong = 走错后答对 { $n } 题
practice-end-shown = 看答案 { $n } 题
practice-left = 还剩 { $n } 题。
practice-not-saved = 警告：进度没有保存：{ $why }
practice-no-mistake = 没有可以学习的：除机器人外，没有人丢掉胜势。
practice-no-mistake-draws = 没有可以学习的：除机器人外，没有人丢掉胜势；和棋不练习。
practice-no-such-mistake = 没有可以学习的：本局没有丢掉过这样的胜势。
practice-not-judged = 在可用的时间内有 { $count } 步未能判定；可试试更大的 --budget
practice-nothing-so-far = 目前没有可以学习的：{ $judged }。

## 进度

progress-family = 游戏
progress-exercises = 题数
progress-new = 新题
progress-due = 到期
progress-tries = 次数
progress-at-once = 一次对
progress-hints = 看提示
progress-wrong = 走错后
progress-shown = 看答案
progress-recall = 记得率
progress-next = 下次
progress-all = 全部
progress-in = { $days ->
    [0] 今天
    [1] 明天
   *[other] { $days } 天后
}

## 思路

idea-parity = 这里只看份数：留下偶数份。
idea-pairs = 相等的值两两抵消：让剩下的也抵消。
idea-nim_sum = 把各个值写成二进制：走后每一列都要有偶数个 1。
idea-splitting = 拆分：留下互相平衡、也与其余部分平衡的两份。
idea-mirror = 使棋盘旋转半周后不变，以后每一步都用它的像来应对。
idea-misere_ending = 走最后一步者负：如果走后没有大堆，就留下奇数个大小为 1 的部分。
idea-misere_classes = 按反常规则，由整个和的类决定胜负：走到先手必败的类。
idea-coloured_edges = 数一数每一部分中双方各多几步。走后的总数不能对对方有利。
idea-stakes = 走在得失最大的地方。
idea-spare_moves = 没有热的部分：走使自己损失最少的一步。
idea-remainder = 留下“最多可取的数加一”的倍数。
idea-losing_pairs = 留下奇异局势，例如 1 和 2、3 和 5、4 和 7：它们由黄金比得到。
idea-counted_steps = 只有每隔一个的台阶或间隔起作用，把它们当作尼姆的堆。
idea-fibonacci_parts = 把数写成互不相邻的斐波那契数之和，看其中最小的一项。
idea-golden_ratio = 由两数之比决定：留下小于 1.618 的比。
idea-columns = 把各堆写成二进制：每一列都要成为“可以改动的堆数加一”的倍数。
idea-branches = 在同一顶点相接的分支就是堆：用长度等于它们异或和的一条分支来代替。
idea-matching = 把相邻的顶点配对，使尽可能多的顶点有配对，然后走到配对的顶点。
idea-safe_cells = 找出可以安全写的格子。每一段连续的安全格是一堆。
idea-rows = 只有两行时，留下第一行恰好多一格。
idea-mates = 把格号的二进制末尾相同位数最多的硬币配成对。
idea-heads = 每个正面各有一个值，它们的异或和要变成 0。
idea-longest_component = 持续最久的子游戏决定胜负。
idea-shortest_component = 最先结束的子游戏决定胜负。
idea-won_components = 在每个单独看时您能取胜的子游戏中都走一步，别的不动。
idea-opening = 不得不让对方结束一个子游戏的一方输。数一数双方各能走几步。
idea-cycles = 对局可以循环：走到对方一离开就输的局面。
idea-search = 这里没有已知的规律：往前多看几步，让对方没有好的应着。

## 不能做的与留下的

learn-none-of-match = 您没有出自这一对局的练习
learn-none-of-position = 您没有这一局面的练习
learn-none-how = grundy learn --all --json 显示各练习的局面
learn-forget-one = 删除练习 { $position } 吗？删除后不再出现。
learn-forget-many = 删除 { $count } 道练习吗？删除后不再出现。
learn-forget-this = 删除这道练习吗？删除后不再出现。y/N
learn-kept = 没有删除。
learn-stays = 保留。
learn-forgotten = 已删除 { $count } 道练习。
learn-more-of = 对局 { $match }：暂时留下 { $count } 道练习。要加入更多：grundy learn { $match }
learn-more = 暂时留下 { $count } 道练习。再次运行此命令可加入更多。
learn-left = 还有 { $count } 局将在下次学习时查看。
learn-online = 可以加入您在服务器上的对局：grundy learn --online
learn-only-forgotten = 除了您已删除的练习，没有可以学习的。
learn-no-match = { $online ->
    [yes] 这台电脑和服务器上还没有结束的对局
   *[no] 这台电脑上还没有结束的对局
}
learn-no-match-how = 下一局：grundy play nim:3,5,7 --local
learn-no-win-lost = 没有可以学习的：没有丢掉过这样的胜势。
learn-nothing-due = 今天没有到期的练习。grundy learn --all 现在就练 { $count } 题。
learn-some = { $all } 题中的 { $some } 题；用 --limit 改变。
learn-none-yet = 还没有练习。先下一局，然后：grundy learn
practice-not-won = 警告：在 { $position } 中轮到走的一方不能取胜，所以删去了这道练习
practice-not-forgettable = 只有 grundy learn 的练习可以删除
practice-why-early = why 讲解您走错的上一步：请先试走，或输入 hint
practice-why-rated = 如果答错，why 讲解您的上一次作答
practice-no-hint = 在可用的时间内没有找到提示；不算一次
practice-no-hint-how = 可用 --budget 给更多时间
practice-counts = 没有提示，也不能跳过：第一次作答计分
practice-counts-how = 请输入着法，或输入 solution 放弃
practice-ask-why = 输入 why 查看原因，直接按 Enter 结束 >
practice-such-as = 例如 { $move }
