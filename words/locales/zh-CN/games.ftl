# 游戏：走法与写法。

# 规则中说明谁胜的从句。
game-winner = 者胜

game-nim = 尼姆
game-nim-rule = 从一个石子堆取走任意多颗石子，至少一颗。取走最后一颗石子者胜。
game-nim-position = nim:3,4,5 有 A、B、C 三堆，各有 3、4、5 颗石子；nim:_ 没有石子堆
game-nim-move = C-5 从 C 堆取走 5 颗石子

game-bash = 巴什博弈
game-bash-rule = 从一个石子堆取走 1 到 m 颗石子，m 是名称后面的数。取走最后一颗石子者胜。
game-bash-here = { $count ->
    [1] 从一堆取走 1 颗石子。
   *[other] 从一堆取走 1 到 { $most } 颗石子。
}
game-bash-position = bash.10:23 是一堆 23 颗石子，每步取 1 到 10 颗；多堆用逗号分开
game-bash-move = A-7 从 A 堆取走 7 颗石子

game-race = 抢数
game-race-rule = 把当前的数加上 1 到 m，不能超过目标；m 和目标是名称后面的两个数。达到目标者胜。
game-race-here = { $count ->
    [1] 把当前的数加上 1，不能超过 { $target }。
   *[other] 把当前的数加上 1 到 { $most }，不能超过 { $target }。
}
game-race-position = race.10.100:0 每步加 1 到 10，目标是 100，当前的数是 0
game-race-move = +7 把当前的数加 7

game-sub = 减法博弈（集合-Nim）
game-sub-rule = 从一个石子堆取走若干颗石子，数目必须是名称后面列出的数之一。走最后一步者胜。
game-sub-here = 从一堆取走 { $sizes } 颗石子。
game-sub-position = sub.1.3.4:8,5 有 8 颗和 5 颗两堆，每步取 1、3 或 4 颗
game-sub-move = A-3 从 A 堆取走 3 颗石子

game-moore = 摩尔尼姆（NimK）
game-moore-rule = 从 1 到 k 个石子堆中取石子，每堆取任意多颗，至少一颗，k 是名称后面的数。取走最后一颗石子者胜。
game-moore-here = { $count ->
    [1] 从一堆中取石子，取任意多颗，至少一颗。
   *[other] 从 1 到 { $heaps } 堆中取石子，每堆取任意多颗，至少一颗。
}
game-moore-position = moore.2:3,3,3 有三堆，各有 3 颗石子；每步从一堆或两堆中取
game-moore-move = A-1 从 A 堆取走 1 颗石子；A-1,C-2 从 A 堆取 1 颗、从 C 堆取 2 颗

game-fib = 斐波那契尼姆
game-fib-rule = 至少取走一颗石子，至多取上一步所取颗数的两倍。第一步可取任意多颗，但不能取完整堆。取走最后一颗石子者胜。
game-fib-position = fib:13 是新的一堆 13 颗石子；fib:10/4 是一堆 10 颗，下一步至多取 4 颗
game-fib-move = A-3 取走 3 颗石子

game-stairs = 台阶 Nim
game-stairs-rule = 把一级台阶上的任意多颗石子（至少一颗）移到低一级的台阶。离开第 1 级的石子落到地面，退出游戏。走最后一步者胜。
game-stairs-position = stairs:1,2,3 在最低的第 1 级有 1 颗石子，第 2 级有 2 颗，第 3 级有 3 颗
game-stairs-move = 3:2 把 2 颗石子从第 3 级移到第 2 级

game-silver = 银元博弈
game-silver-rule = 把一枚硬币移到编号较小的格子，不能越过别的硬币，也不能落在别的硬币上。走最后一步者胜。
game-silver-position = silver:2,3,7 在第 2、3、7 格有硬币；编号最小的是第 0 格；每格至多一枚硬币
game-silver-move = 7-4 把第 7 格的硬币移到第 4 格

game-nimble = 移币博弈
game-nimble-rule = 把一枚硬币移到任意编号较小的格子，可以越过别的硬币，也可以落在别的硬币上。到了第 0 格的硬币就到家了，不再移动。把最后一枚硬币送到家者胜。
game-nimble-position = nimble:0,3,5 在第 0、3、5 格有硬币；一格可放多枚硬币；nimble:_ 没有硬币
game-nimble-move = 5-2 把一枚硬币从第 5 格移到第 2 格

game-welter = 韦尔特博弈
game-welter-rule = 把一枚硬币移到任意编号较小的空格，可以越过别的硬币。走最后一步者胜。
game-welter-position = welter:2,3,7 在第 2、3、7 格有硬币；编号最小的是第 0 格；每格至多一枚硬币
game-welter-move = 7-1 把第 7 格的硬币移到第 1 格

game-euclid = 欧几里得博弈
game-euclid-rule = 从较大的数中减去较小的数，一次或多次，结果不能小于 0。两数相等时，任何一个都可当作较大的数。使一个数变成 0 者胜。
game-euclid-position = euclid:21,9 有两个数 A = 21 和 B = 9；其中一个变成 0 时结束
game-euclid-move = A-18 从 A 减去 18，即较小数的两倍

game-wythoff = 威佐夫博弈
game-wythoff-rule = 从两堆中的一堆取走任意多颗石子，至少一颗，或者从两堆各取走同样多的石子。取走最后一颗石子者胜。
game-wythoff-position = wythoff:5,8 的 A 堆有 5 颗石子，B 堆有 8 颗
game-wythoff-move = B-2 从 B 堆取走 2 颗石子；AB-3 从 A、B 两堆各取 3 颗

game-lasker = 拉斯克博弈
game-lasker-rule = 从一堆取走任意多颗石子，至少一颗，或者把一堆分成非空的两堆。走最后一步者胜。
game-lasker-position = lasker:3,4 有 3 颗和 4 颗两堆
game-lasker-move = A-2 从 A 堆取走 2 颗石子；A/2,5 把 A 堆分成 2 颗和 5 颗两堆

game-multi = 多分尼姆（Multi-SG）
game-multi-rule = 从一堆取走任意多颗石子，至少一颗，或者把一堆分成两个或更多的非空堆。走最后一步者胜。
game-multi-position = multi:4,3 有 4 颗和 3 颗两堆
game-multi-move = A-2 从 A 堆取走 2 颗石子；A/1,1,3 把 A 堆分成 1 颗、1 颗和 3 颗三堆

game-split = 拆分博弈（拆分-Nim）
game-split-rule = 把一堆换成两堆，每堆的石子都比原来的一堆少。两堆都可以是空的，合起来也可以比原来的一堆多。走最后一步者胜。
game-split-position = split:3,2 有 3 颗和 2 颗两堆
game-split-move = A/0,3 把 A 堆换成一个空堆和一个 3 颗的堆

game-merge = 取石或合堆
game-merge-rule = 从一堆取走一颗石子，或者把两个非空堆合成一堆。走最后一步者胜。
game-merge-position = merge:3,2,1 有 3 颗、2 颗和 1 颗三堆
game-merge-move = A-1 从 A 堆取走一颗石子；A+B 把 B 堆的石子全部并入 A 堆

game-grundy = 格伦迪博弈
game-grundy-rule = 把一堆分成大小不同的两个非空堆。只有一颗或两颗石子的堆不能再分。走最后一步者胜。
game-grundy-position = grundy:8,5 有 8 颗和 5 颗两堆
game-grundy-move = A/1,4 把 A 堆分成 1 颗和 4 颗两堆

game-octal = 八进制博弈
game-octal-rule = 按代码的规定从一堆取走石子。小数点后第 i 位表示取走 i 颗后这一堆可以剩下什么，小数点前的一位表示一颗不取时可以剩下什么。每位数字是各种许可之和：1 表示什么都不剩，2 表示剩一堆，4 表示剩两堆，8 表示剩三堆；剩下的堆都不能是空的。走最后一步者胜。
game-octal-split = 把一堆分成{ $heaps }。
game-octal-take = 从一堆取走 { $sizes } 颗石子，取后这一堆剩下{ $left }。
game-octal-or = { $list }或{ $last }
game-octal-nothing = 零堆
game-octal-one-heap = 一堆
game-octal-two-heaps = 两堆
game-octal-three-heaps = 三堆
game-octal-position = octal.0.77:5,1 有 5 颗和 1 颗两堆；在 0.77 中每步取 1 或 2 颗，可以不剩、剩一堆或剩两堆，因为 7 = 1 + 2 + 4；数字是 0-9 和 a-f，第一位只能是 0、4、8 或 c
game-octal-move = A-2 从 A 堆取走 2 颗石子，其余留作一堆；A-2/1,4 把其余分成 1 颗和 4 颗两堆

game-kayles = 凯尔斯（保龄球博弈）
game-kayles-rule = 从一行取走一个球瓶，或相邻的两个球瓶。空隙不会合拢：从一行中间取走，就剩下两行。取走最后一个球瓶者胜。
game-kayles-position = kayles:7 是一行七个球瓶；与 octal.0.77 是同一个游戏
game-kayles-move = A-2 从 A 行的一端取走 2 个球瓶，或取走整行；A-2/1,4 从 A 行中间取走 2 个，剩下 1 个和 4 个两行

game-dawsonkayles = 道森凯尔斯
game-dawsonkayles-rule = 从一行取走相邻的两个球瓶。空隙不会合拢：从一行中间取走，就剩下两行。走最后一步者胜。
game-dawsonkayles-position = dawsonkayles:9 是一行九个球瓶；与 octal.0.07 是同一个游戏
game-dawsonkayles-move = A-2 从 A 行的一端取走 2 个球瓶，或取走整行；A-2/1,4 从 A 行中间取走 2 个，剩下 1 个和 4 个两行

game-dawsonchess = 道森象棋
game-dawsonchess-rule = 取走单独成行的一个球瓶，或从一行的一端取走两个，或从一行的任何位置取走相邻的三个。空隙不会合拢：从一行中间取走，就剩下两行。走最后一步者胜。
game-dawsonchess-position = dawsonchess:9 是一行九个球瓶；与 octal.0.137 是同一个游戏
game-dawsonchess-move = 如果 A 行只有一个球瓶，A-1 取走它；A-2 从 A 行的一端取走 2 个，或取走整行；A-3/1,5 从 A 行中间取走 3 个，剩下 1 个和 5 个两行

game-flip = 翻硬币
game-flip-rule = 翻转一排硬币中的 k 枚，不必相邻，k 是名称后面的数之一。所翻的最右一枚必须由正面翻成反面，其余可任意翻。走最后一步者胜。
game-flip-here = { $count ->
    [1] 把一排硬币中的一枚由正面翻成反面。
   *[other] 翻转一排硬币中的 { $coins } 枚，不必相邻。所翻的最右一枚必须由正面翻成反面，其余可任意翻。
}
game-flip-position = flip.1.2:TTHTH 是一排五枚硬币，每步翻一枚或两枚；H 为正面，T 为反面（. 读作 T）
game-flip-move = 4 翻转第 4 枚硬币；2,4 翻转第 2 和第 4 枚；硬币从左数起，最左是 1

game-turtles = 翻乌龟
game-turtles-rule = 翻转一排硬币中的一枚或两枚。所翻的最右一枚必须由正面翻成反面，另一枚可任意翻。走最后一步者胜。
game-turtles-position = turtles:TTHTH 是一排五枚硬币；与 flip.1.2 是同一个游戏；H 为正面，T 为反面（. 读作 T）
game-turtles-move = 4 翻转第 4 枚硬币；2,4 翻转第 2 和第 4 枚；硬币从左数起，最左是 1

game-mockturtles = 翻假龟
game-mockturtles-rule = 翻转一排硬币中的一至三枚。所翻的最右一枚必须由正面翻成反面，其余可任意翻。走最后一步者胜。
game-mockturtles-position = mockturtles:HHTH 是一排四枚硬币；与 flip.1.2.3 是同一个游戏；H 为正面，T 为反面（. 读作 T）
game-mockturtles-move = 4 翻转第 4 枚硬币；2,4 翻转第 2 和第 4 枚；硬币从左数起，最左是 1

game-moebius = 莫比乌斯
game-moebius-rule = 翻转一排硬币中的一至五枚。所翻的最右一枚必须由正面翻成反面，其余可任意翻。走最后一步者胜。
game-moebius-position = moebius:TTHTH 是一排五枚硬币；与 flip.1.2.3.4.5 是同一个游戏；H 为正面，T 为反面（. 读作 T）
game-moebius-move = 4 翻转第 4 枚硬币；2,4 翻转第 2 和第 4 枚；硬币从左数起，最左是 1

game-mogul = 大亨
game-mogul-rule = 翻转一排硬币中的一至七枚。所翻的最右一枚必须由正面翻成反面，其余可任意翻。走最后一步者胜。
game-mogul-position = mogul:TTHTH 是一排五枚硬币；与 flip.1.2.3.4.5.6.7 是同一个游戏；H 为正面，T 为反面（. 读作 T）
game-mogul-move = 4 翻转第 4 枚硬币；2,4 翻转第 2 和第 4 枚；硬币从左数起，最左是 1

game-moidores = 金币
game-moidores-rule = 翻转一排硬币中的一至九枚。所翻的最右一枚必须由正面翻成反面，其余可任意翻。走最后一步者胜。
game-moidores-position = moidores:TTHTH 是一排五枚硬币；与 flip.1.2.3.4.5.6.7.8.9 是同一个游戏；H 为正面，T 为反面（. 读作 T）
game-moidores-move = 4 翻转第 4 枚硬币；2,4 翻转第 2 和第 4 枚；硬币从左数起，最左是 1

game-twins = 双子
game-twins-rule = 翻转一排硬币中的两枚。右边一枚必须由正面翻成反面，左边一枚可任意翻。走最后一步者胜。
game-twins-position = twins:HTHH 是一排四枚硬币；与 flip.2 是同一个游戏；H 为正面，T 为反面（. 读作 T）
game-twins-move = 2,4 翻转第 2 和第 4 枚硬币；硬币从左数起，最左是 1

game-turnips = 萝卜（等距三枚）
game-turnips-rule = 翻转一排硬币中间距相等的三枚。所翻的最右一枚必须由正面翻成反面，其余可任意翻。走最后一步者胜。
game-turnips-position = turnips:TTHTH 是一排五枚硬币；H 为正面，T 为反面（. 读作 T）
game-turnips-move = 1,3,5 翻转第 1、3、5 枚硬币；硬币从左数起，最左是 1

game-grunt = 咕噜（对称四枚）
game-grunt-rule = 翻转一排硬币中对称的四枚：第 1 枚、末尾一枚，以及它们之间的两枚，其中一枚与第 1 枚的距离等于另一枚与末尾一枚的距离。四枚中最右一枚必须由正面翻成反面，其余可任意翻。走最后一步者胜。
game-grunt-position = grunt:TTTHTH 是一排六枚硬币；H 为正面，T 为反面（. 读作 T）
game-grunt-move = 1,3,4,6 翻转第 1、3、4、6 枚硬币；硬币从左数起，最左是 1

game-ruler = 尺子博弈
game-ruler-rule = 翻转一排中任意多枚相连的硬币；如果名称后面有数 m，至多翻 m 枚。所翻的最右一枚必须由正面翻成反面，其余可任意翻。走最后一步者胜。
game-ruler-any = 翻转一排中任意多枚相连的硬币。所翻的最右一枚必须由正面翻成反面，其余可任意翻。
game-ruler-here = { $count ->
    [1] 把一排硬币中的一枚由正面翻成反面。
   *[other] 翻转一排中 1 到 { $most } 枚相连的硬币。所翻的最右一枚必须由正面翻成反面，其余可任意翻。
}
game-ruler-position = ruler:TTHTTHTH 是一排八枚硬币；在 ruler.5:THTTTTTH 中每步至多翻五枚；H 为正面，T 为反面（. 读作 T）
game-ruler-move = 2..4 翻转第 2 到第 4 枚，4..4 翻转第 4 枚；硬币从左数起，最左是 1

game-dag = 图上移子
game-dag-rule = 沿图的一条弧移动一枚棋子，从弧的起点到终点。一个结点可放多枚棋子，图中没有环。走最后一步者胜。
game-dag-position = dag.3-1.3-2.2-0:3,2 的弧是 3 到 1、3 到 2、2 到 0，结点 3 和 2 上各有一枚棋子；单独的一个数是没有弧的结点
game-dag-move = 3-1 把一枚棋子从结点 3 移到结点 1

game-fork = 分裂棋子
game-fork-rule = 从结点上拿走一枚棋子，选一条从这个结点出发的弧，在弧的每个终点上各放一枚棋子。走最后一步者胜。
game-fork-position = fork.3-1/2.3-0:3,2 有一条弧从结点 3 到 1 和 2，一条弧从 3 到 0，结点 3 和 2 上各有一枚棋子；终点可以重复（3-1/1）；单独的一个数是没有弧的结点；弧不成环
game-fork-move = 3-1/2 从结点 3 拿走一枚棋子，在 1 和 2 上各放一枚

game-loopy = 有环图上移子
game-loopy-rule = 沿图的一条弧移动一枚棋子，从弧的起点到终点。一个结点可放多枚棋子。无休止的对局是和棋：轮到同一方走的同一局面第三次出现时判和。走最后一步者胜。
game-loopy-position = loopy.0-1.1-0.1-2:0 的弧是 0 到 1、1 到 0、1 到 2，结点 0 上有一枚棋子；单独的一个数是没有弧的结点
game-loopy-move = 0-1 把一枚棋子从结点 0 移到结点 1

game-prefix = 无前缀串
game-prefix-rule = 加入一个由 0 和 1 组成的串，至少一位，长度不超过名称后面的数。任何一个串都不能是另一个串的开头：有了 01，就不能再加 0 或 010。加入最后一个串者胜。
game-prefix-here = { $count ->
    [1] 加入串 0 或串 1，已有的串不能再加。
   *[other] 加入一个由 0 和 1 组成的串，长 1 到 { $longest } 位。任何一个串都不能是另一个串的开头：有了 01，就不能再加 0 或 010。
}
game-prefix-position = prefix.3:01 已有串 01，新加的串有 1 到 3 位；串之间用逗号分开；prefix.3:_ 是空的开局
game-prefix-move = 110 加入串 110

game-hack = 删边游戏（Hackenbush）
game-hack-rule = 剪断一条边：左方（先手方）可剪蓝边和绿边，右方可剪红边和绿边。与地面（顶点 0）不再相连的部分全部掉落。走最后一步者胜。
game-hack-green = 剪断一条边。与地面（顶点 0）不再相连的部分全部掉落。
game-hack-two-colours = 剪断一条自己颜色的边：左方（先手方）剪蓝边，右方剪红边。与地面（顶点 0）不再相连的部分全部掉落。
game-hack-position = hack:0-1-2,0-3 有两根从地面长出的茎，一根有两条边，一根有一条边；0-1 是绿边，0b1 是蓝边，0r1 是红边；允许重边和自环（1-1）
game-hack-move = 1-2 剪断 1 与 2 之间的绿边，0b1 剪断 0 与 1 之间的蓝边；1-2_2 剪断同色重边中的第二条

game-value = 博弈值
game-value-rule = 走到自己的一个选项：左方（先手方）选竖线前面的，右方选竖线后面的。走最后一步者胜。
game-value-position = value:0:1 即 {"{"}0|1{"}"}：左方可走到 0，右方可走到 1。两个冒号是更外层的竖线，它的选项之间用两个逗号：value:2::1:0 即 {"{"}2|{"{"}1|0{"}"}{"}"}。_ 表示一方没有选项：value:0,1:_ 即 {"{"}0,1|{"}"}。值可以是数（3、-1/2）、s 即 *、s2 即 *2、u 即上、d2 即两个下、us 即上与 *。加引号时也可用花括号：'value:{"{"}2|{"{"}1|0{"}"}{"}"}'
game-value-move = 写出所选的值：1:0，或加引号写成 '{"{"}1|0{"}"}'

game-geo = 顶点地理（二分图博弈）
game-geo-rule = 把棋子沿一条边移到没有到过的相邻顶点。如果棋子还没有放下，第一步把它放在任意顶点，或放在允许的顶点之一。走最后一步者胜。
game-geo-position = geo.0-1.1-2.1-3:0,1 的边是 0-1、1-2、1-3；冒号后面依次是到过的顶点：棋子从 0 出发，现在在 1；_ 表示棋子还没有放下，_0/2 表示只能放在 0 或 2；写 __ 或 __0/2 时由对手放，第一步是 pass；单独的一个数是没有边的顶点
game-geo-move = 3 把棋子移到顶点 3，或放在那里

game-nodekayles = 点凯尔斯
game-nodekayles-rule = 选图的一个顶点：它和它的所有邻点一起被删去。删去最后一个顶点者胜。
game-nodekayles-position = nodekayles:0-1,1-2,3 的边是 0-1 和 1-2，顶点 3 没有边
game-nodekayles-move = 1 删去顶点 1 和它的邻点

game-arckayles = 边凯尔斯
game-arckayles-rule = 选图的一条边：它的两个端点以及与端点相连的所有边一起被删去。删去最后一条边者胜。
game-arckayles-position = arckayles:0-1,1-2,2-3,1-4 有四条边：从 0 到 3 的一条路，以及与 1 相连的顶点 4；arckayles:_ 没有边
game-arckayles-move = 1-2 删去 1 与 2 之间的边和它的两个端点

game-nimstring = 剪线博弈
game-nimstring-rule = 剪断一根线。如果那是一枚或两枚硬币的最后一根线，硬币就被解下，同一回合必须再剪一根，直到剪断的线没有解下硬币为止。每回合必须以这样的一剪结束：如果剩下的线都会解下硬币，轮到走的一方就没有着法。走最后一步者胜。
game-nimstring-position = nimstring:0-1-2-3-0,0-4-0 有三枚硬币连在一条首尾都接地（0）的链上，第四枚用两根线接地；两点之间可以有多根线
game-nimstring-move = 0-4 剪断那根线；0-1,1-2,2-3 是一个回合依次剪三根线，前两剪各解下硬币

game-col = 异色涂点（Col）
game-col-rule = 给图的一个顶点涂色：左方（先手方）涂蓝色，右方涂红色；相邻的顶点不能同色。双方都不能涂的顶点不涂色。走最后一步者胜。
game-col-position = col:0-1,1b-2,3r 是三个顶点的一条路和一个孤立顶点，都还没有涂色；顶点 1 只有左方可涂（b），顶点 3 只有右方可涂（r）；涂过的顶点不写出，它的邻点有一方或双方不能涂；0-1-2 是 0-1,1-2 的简写
game-col-move = 1b 把顶点 1 涂成蓝色（左方），1r 涂成红色（右方）；只写 1 也可以

game-snort = 同色涂点（Snort）
game-snort-rule = 给图的一个顶点涂色：左方（先手方）涂蓝色，右方涂红色；相邻的顶点不能异色。双方都不能涂的顶点不涂色。走最后一步者胜。
game-snort-position = snort:0-1,1b-2,3r 是三个顶点的一条路和一个孤立顶点，都还没有涂色；顶点 1 只有左方可涂（b），顶点 3 只有右方可涂（r）；涂过的顶点不写出，它的邻点有一方或双方不能涂；0-1-2 是 0-1,1-2 的简写
game-snort-move = 1b 把顶点 1 涂成蓝色（左方），1r 涂成红色（右方）；只写 1 也可以

game-poset = 偏序集博弈
game-poset-rule = 选偏序集的一个元素：它和它之上的所有元素一起被取走。取走最后一个元素者胜。
game-poset-position = poset:0-1-3,0-2-3,4 中元素 0 在 1 和 2 之下，1 和 2 在 3 之下，元素 4 与其他元素无关；0-1-3 是 0-1,1-3 的简写
game-poset-move = 1 取走元素 1 和它之上的所有元素

game-cram = 填格（Cram）
game-cram-rule = 盖住同一行或同一列中相邻的两个空格。走最后一步者胜。
game-cram-position = cram:..x/... 有两行，每行三格；. 是空格，x 是盖住的格
game-cram-move = 1:2-1:3 盖住第 1 行的第 2、3 格

game-domineering = 多米诺（Domineering）
game-domineering-rule = 盖住相邻的两个空格：左方（先手方）盖同一列的两格，右方盖同一行的两格。走最后一步者胜。
game-domineering-position = domineering:..x/... 有两行，每行三格；. 是空格，x 是盖住的格
game-domineering-move = 1:1-2:1 盖住第 1、2 行的第一格（左方的着法）；1:1-1:2 盖住第 1 行的前两格（右方的着法）

game-clobber = 碰子棋（Clobber）
game-clobber-rule = 把自己的一枚棋子移到同行或同列相邻的一枚对方棋子上，那枚对方棋子被拿掉。走最后一步者胜。
game-clobber-position = clobber:xo./oxo 有两行，每行三格；x 是左方（先手方）的棋子，o 是右方的棋子，. 是空格
game-clobber-move = 1:1-1:2 把第 1 行第 1 格的棋子移到第 1 行第 2 格

game-toads = 蟾蜍与青蛙
game-toads-rule = 左方（先手方）把一只蟾蜍向右移，右方把一只青蛙向左移：移一格到相邻的空位，或跳过一只对方的动物，落到它后面的空位。走最后一步者胜。
game-toads-position = toads:TT..F 有五个位置；T 是左方的蟾蜍，F 是右方的青蛙，. 是空位
game-toads-move = 2-3 把第 2 位的动物移到第 3 位；位置从左数起，最左是 1

game-northcott = 诺斯科特博弈
game-northcott-rule = 把一行中自己的棋子向左或向右滑动任意多格，至少一格，不能落在对方的棋子上，也不能越过它。走最后一步者胜；无休止的对局是和棋：轮到同一方走的同一局面第三次出现时判和。
game-northcott-here = 把一行中自己的棋子向左或向右滑动任意多格，至少一格，不能落在对方的棋子上，也不能越过它。无休止的对局是和棋：轮到同一方走的同一局面第三次出现时判和。
game-northcott-position = northcott:x..o./.o.x. 有两行，每行五格；x 是左方（先手方）的棋子，o 是右方的棋子，. 是空格；每行各有一枚
game-northcott-move = 1:1-1:3 把第 1 行第 1 列的棋子滑到第 3 列

game-chomp = 巧克力博弈（Chomp）
game-chomp-rule = 选巧克力的一格：它以及它右方、下方和右下方的所有格一起被吃掉。左上角的 1:1 有毒，不能选。走最后一步者胜。
game-chomp-position = chomp:5,4,2 从上到下各行有 5、4、2 格；每行不长于上面一行
game-chomp-move = 2:3 选第 2 行的第 3 格

game-notakto = 反井字棋（Notakto）
game-notakto-rule = 在一块棋盘的空格里写 x，双方都写 x。行、列或对角线上连成三个 x 的棋盘就死了，不能再走。所有棋盘都死了，对局就结束。走最后一步者胜；经典玩法写作 @misere，走最后一步者负。
game-notakto-position = notakto:x...x..../......... 有两块棋盘；一块棋盘有九格，从上到下逐行写出；x 是已写的格，. 是空格
game-notakto-move = 1:5 在第 1 块棋盘的第 5 格（中央）写 x；格子从 1 起逐行数

game-treblecross = 三连叉
game-treblecross-rule = 在一条格子的一个空格里写 x，双方都写 x。有三个 x 相连的一条不能再走。走最后一步者胜。
game-treblecross-position = treblecross:..x..... 是一条八格；x 是已写的格，. 是空格；多条用 + 连接
game-treblecross-move = 3 在第 3 格写 x；格子从左数起，最左是 1
