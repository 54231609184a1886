# 局面与着法为何胜、为何负：每个事实一条消息，每条依据的规则也是一条消息。

## 谁胜

outcome = { $outcome ->
    [wins] 先手必胜
    [loses] 先手必败
   *[open] 双方都无法强行取胜
}
position-headline = { $outcome ->
    [next] { $position }：先手必胜。
    [previous] { $position }：先手必败。
    [left] { $position }：无论谁先走，左方必胜。
    [right] { $position }：无论谁先走，右方必胜。
    [draw] { $position }：双方都走最佳着法时是和棋。
    [found] { $position }：轮到走的一方必胜。
   *[unknown] { $position }：在限定的计算量内未能判定。
}
no-winning-move-found = 在限定的计算量内没有找到必胜着法。
no-move-wins = 没有必胜着法：无论走哪一步，对方都有制胜的应着。

## 着法

move-does = { $result ->
    [wins] 必胜
    [draws-from-win] 只能成和：丢掉了胜势
    [draws] 成和
    [loses-from-win] 必败：丢掉了胜势
    [loses-from-draw] 必败：丢掉了和棋
    [loses] 必败，其他着法也都必败
    [loses-alone] 必败
   *[unknown] 在限定的计算量内未能判定
}
move-result = { $best ->
    [yes] { $move } 是最佳着法：{ move-does }。
   *[no] { $move }：{ move-does }。
}
move-leaves = { $what ->
    [yours-won] 走后为 { $position }，轮到您走，您必胜。
    [yours-lost] 走后为 { $position }，轮到您走，您必败。
    [theirs-won] 走后为 { $position }，轮到对方走，对方必胜。
    [theirs-lost] 走后为 { $position }，轮到对方走，对方必败。
    [draw] 走后为 { $position }，是和棋。
   *[unknown] 走后为 { $position }，在限定的计算量内未能判定。
}
move-reply = { $refutes ->
    [yes] 制胜的应着是 { $move }。
   *[no] 最佳应着是 { $move }。
}
in-component = 子游戏 { $component }：{ $said }

## 列表

list-comma = 、
list-rest = { $list }，另有 { $more } 项
list-item = { $kind ->
    [heap] { $name } 为 { $value }
    [component] 子游戏 { $name } 为 { $value }
    [token] { $name } 处的棋子为 { $value }
    [coin-on] { $name } 处的硬币为 { $value }
    [row] 第 { $name } 行为 { $value }
    [board] 第 { $name } 盘为 { $value }
    [region] { $name } 所在区域为 { $value }
    [piece] { $name } 所在的连通块为 { $value }
    [bush] 从 { $name } 起为 { $value }
    [branch] 分支 { $name } 为 { $value }
    [stretch] 从第 { $name } 位起为 { $value }
    [branch-to] 通往 { $name } 的分支为 { $value }
    [arc-to] 通往 { $name } 的弧为 { $value }
    [element] 元素 { $name } 为 { $value }
    [coin] 硬币 { $name } 为 { $value }
    [coins] 硬币 { $name } 为 { $value }
    [step] 台阶 { $name } 为 { $value }
    [gap] 间隔 { $name } 为 { $value }
    [node] 结点 { $name } 为 { $value }
    [cell] 从第 { $name } 格起为 { $value }
   *[part] 部分 { $name } 为 { $value }
}

## 和

over = { $why ->
    [component-loses] 子游戏 { $component } 已无着法，对局结束；按反常规则，走最后一步者负。
    [component-wins] 子游戏 { $component } 已无着法，对局结束；走最后一步者胜。
    [side-loses] 轮到走的一方在子游戏 { $component } 中没有着法，对局结束；按反常规则，走最后一步者负。
    [side-wins] 轮到走的一方在子游戏 { $component } 中没有着法，对局结束；走最后一步者胜。
    [zero-loses] 所有 SG 值都为 0，对局结束；按反常规则，走最后一步者负。
    [zero-wins] 所有 SG 值都为 0，对局结束；走最后一步者胜。
    [player-loses] 轮到走的一方已无着法；按反常规则，走最后一步者负。
   *[player-wins] 轮到走的一方已无着法；走最后一步者胜。
}
until-zero-rule = 每一步改变一个子游戏的 SG 值，全部为 0 时对局结束：与尼姆游戏一样，异或和为 0 时先手必败。
until-zero-misere-rule = 所有 SG 值都为 0 时对局结束，所以无论是什么游戏，反常尼姆的规律都成立（SJ 定理）：只要有一个值大于 1，异或和为 0 时先手必败；没有大于 1 的值时，则异或和为 1 时先手必败。如果一直走到无步可走，但凡所有值都为 0 且还有着法时，总能把某个子游戏走到值 1，这一定理同样成立。
nim-sum = { $case ->
    [one-zero] SG 值为 { $xor }，所以{ outcome }。
    [one] SG 值为 { $xor }，不为 0，所以{ outcome }。
    [many-zero] SG 值：{ $list }；异或和为 { $xor }，所以{ outcome }。
   *[many] SG 值：{ $list }；异或和为 { $xor }，不为 0，所以{ outcome }。
}
tame-rule = 按反常规则，只要有一个值大于 1，异或和为 0 时先手必败；没有大于 1 的值时，则异或和为 1 时先手必败。
tame-large = { $large ->
    [0] 没有大于 1 的值
   *[other] 有 { $large } 个值大于 1
}
tame-sum = { $case ->
    [one] SG 值为 { $xor }，{ tame-large }：{ outcome }。
   *[many] SG 值：{ $list }；异或和为 { $xor }，{ tame-large }：{ outcome }。
}
quotient-rule = 按反常规则，如果把一个和换成另一个从不改变胜者，两者就属于同一类（grundy explain class）。共有 { $order } 类；其中第 { $list } 类先手必败，其余各类都有着法走到这几类。
quotient = { $case ->
    [one] 属于第 { $product } 类：{ outcome }。
   *[many] 各部分的类：{ $list }；合起来属于第 { $product } 类：{ outcome }。
}
one-left = 只有子游戏 { $component } 还有着法，由它单独决定胜负。
endless-rule = 如果一个子游戏可以循环不止，并且没有 SG 值与它相当，就称它为无尽的。
endless-others = { $case ->
    [none] 没有其他子游戏，相当于 SG 值 0
    [one-zero] 其余子游戏的 SG 值为 { $xor }
    [one] 其余子游戏的 SG 值为 { $xor }，不为 0
    [many-zero] 其余子游戏的 SG 值：{ $list }；异或和为 { $xor }
   *[many] 其余子游戏的 SG 值：{ $list }；异或和为 { $xor }，不为 0
}
endless-one = { $exit ->
    [yes] 有一个无尽的子游戏；{ endless-others }。在无尽的子游戏中可以走到 SG 值 { $xor }，使总异或和为 0：{ outcome }。
   *[no] 有一个无尽的子游戏；{ endless-others }。在无尽的子游戏中走不到 SG 值 { $xor }：{ outcome }。
}
endless-several = 有 { $endless } 个无尽的子游戏：{ outcome }。
searched-rule = 此处没有已知的规律，只能搜索所有走法来判定。
searched-no-end = 双方都无法强行结束对局。
searched-line = 如果胜方求快、负方拖延，{ $plies } 步后结束：{ $line }{ $all ->
    [yes] {""}
   *[no] {" "}……
}。
shortest-win = 具体着法由搜索得出：如果胜方求快、负方拖延，{ $plies } 步后结束：{ $line }{ $all ->
    [yes] {""}
   *[no] {" "}……
}。
shortest-win-open = 必胜着法只能靠搜索得出。
by-method = 此局面由已知的方法判定，无须搜索所有走法。
known-after-move = { $named ->
    [yes] 走 { $move } 后的局面已知必败：{ outcome }。
   *[no] 有一步走后的局面已知必败：{ outcome }。
}

## 着法在和中的改变

nim-change = { $component ->
    [none] SG 值由 { $before } 变为 { $after }。
   *[number] 子游戏 { $component } 的 SG 值由 { $before } 变为 { $after }。
}
worth-change = { $component ->
    [none] 值由 { $before } 变为 { $after }。
   *[number] 子游戏 { $component } 的值由 { $before } 变为 { $after }。
}
class-change = { $lost ->
    [yes] 整个和由第 { $before } 类变为第 { $after } 类，此类先手必败。
   *[no] 整个和由第 { $before } 类变为第 { $after } 类，此类先手必胜。
}

## 组合

suspense-rule = 持续最久的子游戏决定胜负。悬念数是其胜方拖延、负方求快时持续的步数：在您能赢的子游戏里，留下能持续很久的必败局面；在您会输的子游戏里，尽快结束。
suspense-others = { $level ->
    [yes] 其余子游戏都不比它久
   *[no] 其余子游戏至多 { $others } 步结束
}
suspense = 悬念数：{ $list }。子游戏 { $decides } 决定胜负：它持续 { $greatest } 步，{ suspense-others }；{ $greatest } 是{ parity }：{ outcome }。
remoteness-rule = 最先结束的子游戏决定胜负。远离度是其胜方求快、负方拖延时持续的步数：在您能赢的子游戏里，尽快结束；在您会输的子游戏里，留下能持续很久的局面。
remoteness-others = { $level ->
    [yes] 其余子游戏都不比它早结束
   *[no] 其余子游戏至少持续 { $others } 步
}
remoteness = 远离度：{ $list }。子游戏 { $decides } 决定胜负：它 { $least } 步后结束，{ remoteness-others }；{ $least } 是{ parity }：{ outcome }。
parity = { $parity ->
    [even] 偶数
   *[odd] 奇数
}
selective-rule = 如果每个子游戏都先手必败，局面就先手必败：无论怎样走，总会使其中一些变为先手必胜，应着再把它们全部变回先手必败。否则，把所有先手必胜的子游戏同时走成先手必败，其余不动。
selective-short-rule = 如果每个子游戏都先手必败，局面就先手必败：无论怎样走，总会使其中一些变为先手必胜，应着再把它们全部变回先手必败。否则，能结束一个子游戏就结束它，立即取胜；如果不能，就把所有先手必胜的子游戏走成先手必败。
selective-short-misere-rule = 如果每个子游戏按反常规则都先手必败，局面就先手必败：无论怎样走，总会使其中一些变为先手必胜，应着再把它们全部变回先手必败。否则，把所有先手必胜的子游戏同时走成先手必败；对局会在一个子游戏中结束，而胜方从来不必去结束它。
selective-misere-rule = 至少有两个子游戏还有着法时，如果每个子游戏按正常规则都先手必败，局面就先手必败。否则，把所有子游戏走成按正常规则先手必败；或者只留一个有着法的子游戏，并使它按反常规则先手必败。
selective-play = { $play ->
    [misere] 反常规则
   *[normal] 正常规则
}
selective-none = { $alive } 个还有着法的子游戏按{ selective-play }都先手必败：{ outcome }。
selective-won = 按{ selective-play }单独看，子游戏 { $list } 先手必胜{ $others ->
    [0] {""}
   *[other] ，其余先手必败
}：{ outcome }。
shortsum-ends = 一步就能结束子游戏 { $list }，立即取胜。
shortsum-rule = 结束任一子游戏者胜，所以没有人会走出让对方能结束子游戏的着法。除去这些着法，其余着法都走不到的最小的数，就是子游戏的封闭值。
shortsum-misere-rule = 结束任一子游戏者负，所以只要还有别的着法就没有人结束子游戏。除去结束它的着法，其余着法都走不到的最小的数，就是子游戏的封闭值。
shortsum = { $case ->
    [one-zero] 封闭值为 { $xor }，所以{ outcome }。
    [one] 封闭值为 { $xor }，不为 0，所以{ outcome }。
    [many-zero] 封闭值：{ $list }；异或和为 { $xor }，所以{ outcome }。
   *[many] 封闭值：{ $list }；异或和为 { $xor }，不为 0，所以{ outcome }。
}
standing-ends = 它结束子游戏 { $component }。
standing-stays-hot = 子游戏 { $component } 仍可一步结束：对方可以立即结束它并取胜。
standing-becomes-hot = 它使子游戏 { $component } 可一步结束：对方可以立即结束它并取胜。
standing-outcome = { $change ->
    [stays-lost] 子游戏 { $component } 原来先手必败，现在仍然如此。
    [stays-won] 子游戏 { $component } 原来先手必胜，现在仍然如此。
    [becomes-won] 子游戏 { $component } 原来先手必败，现在先手必胜。
   *[becomes-lost] 子游戏 { $component } 原来先手必胜，现在先手必败。
}
standing-cools = 子游戏 { $component } 不再能一步结束：它的封闭值为 { $value }。
standing-moves = 它在子游戏 { $component } 中走了一步。
standing-name = { $what ->
    [suspense] 悬念数
    [remoteness] 远离度
    [nim-value] {" "}SG 值
   *[foreclosed] 封闭值
}
standing-stays = 子游戏 { $component } 的{ standing-name }仍为 { $before }。
standing-changes = 子游戏 { $component } 的{ standing-name }由 { $before } 变为 { $after }。

## 双方着法不同的游戏

worth-meaning = { $outcome ->
    [left] 大于 0：无论谁先走，左方必胜
    [right] 小于 0：无论谁先走，右方必胜
    [previous] 等于 0：先走者必败
   *[next] 既不大于、不小于，也不等于 0：先走者必胜
}
worth-one = 值 { $total } { worth-meaning }。
worth-sum = 各部分的值：{ $list }；总值 { $total } { worth-meaning }。
worth-name = { $kind ->
    [heap] { $name }{" "}
    [component] 子游戏 { $name }{" "}
    [token] { $name } 处的棋子
    [coin-on] { $name } 处的硬币
    [row] 第 { $name } 行
    [board] 第 { $name } 盘
    [region] { $name } 所在区域
    [piece] { $name } 所在的连通块
    [bush] 从 { $name } 起的部分
    [branch] 分支 { $name }{" "}
    [stretch] 从第 { $name } 位起的部分
    [whole] 它
   *[part] 部分 { $name }{" "}
}
worth-hottest = { worth-name }的两个停止值相差最大：往往（但并非总是）应当先走这里。
in-hand = { $count ->
    [zero] 双方都没有多余的步数
    [single] { $player }多 { $number } 步
    [fraction] { $player }多 { $number } 步
   *[several] { $player }多 { $number } 步
}
player-left = 左方
player-right = 右方
number-rule = 数表示多余的步数：2 表示左方多两步，-2 表示右方多两步，1/2 表示左方多半步。在数中走子只会吃亏，所以尽量走在别处。
worth-number = { worth-name }是一个数：{ $hand }。
infinitesimal-rule = 无穷小（例如星与上）比任何分数步都小：只有各数抵消为 0 时才由它决定胜负。
worth-infinitesimal = { $ahead ->
    [left] { worth-name }是无穷小：无论谁先走，左方在其中走最后一步。
    [right] { worth-name }是无穷小：无论谁先走，右方在其中走最后一步。
   *[first] { worth-name }是无穷小：先走者在其中走最后一步。
}
worth-close = { worth-name }与 { $close } 只差一个无穷小：无论谁先走，{ $hand }。
hot-rule = 热的值中，先走可以获利。它的两个停止值，分别是左方先走与右方先走时走到的数。
worth-hot = { worth-name }是热的：左方先走，则{ $left }；右方先走，则{ $right }。

## 石子堆

remainder-rule = 无论对方怎样走，总能使两步合起来是 { $modulus }，所以石子堆的 SG 值是它除以 { $modulus } 的余数。
remainder = { $name }：{ $size } = { $quotient } × { $modulus } + { $value }，SG 值为 { $value }。
exchanged-rule = 石子堆的 SG 值就是它的大小，但 4k+3 与 4k+4 的值互换。
exchanged = { $name }：{ $size } 的 SG 值为 { $value }。
odious-rule = 大小为 n 的石子堆，SG 值是第 n 个二进制中 1 的个数为奇数的数：1、2、4、7、8、11、……
odious = { $name }：{ $size } 的 SG 值为 { $value }，二进制为 { $binary }。
period-rule = 从大小 { $start } 起，SG 值以 { $length } 为周期（已证明）。
period = { $name }：{ $size } 的 SG 值与大小为 { $like } 的石子堆相同，为 { $value }。
mex-rule = 石子堆的 SG 值是所有着法都走不到的最小的数。
mex-move = { $move } 走到 { $value }
mex-none = 没有着法走到 { $value }
mex = { $name }：{ $size } 的 SG 值为 { $value }：{ $list }。
heap-smaller = 石子堆 { $name } 由 { $before } 减少到 { $after }。
heap-becomes = { $left ->
    [nim-value] 石子堆 { $name } 由 { $before }（SG 值 { $value }）变为 { $after }（SG 值 { $values }）。
    [nim-values] 石子堆 { $name } 由 { $before }（SG 值 { $value }）变为 { $after }（SG 值 { $values }，异或和 { $xor }）。
    [class] 石子堆 { $name } 由 { $before }（第 { $value } 类）变为 { $after }（第 { $values } 类）。
   *[classes] 石子堆 { $name } 由 { $before }（第 { $value } 类）变为 { $after }（第 { $values } 类）。
}
distance-rule = 无论对方怎样走，总能使两步合起来是 { $modulus }，所以只需看剩余部分除以 { $modulus } 的余数。
distance = 距 { $target } 还剩 { $left }；{ $left } = { $quotient } × { $modulus } + { $value }，余数为 { $value }：{ outcome }。
golden-rule = 第 k 个奇异局势是 ⌊k×1.618…⌋ 与它加 k。每个差与每个堆的大小都恰好属于一个奇异局势，所以其他局面都有一步走到奇异局势。
golden-misere-rule = 第 k 个奇异局势是 ⌊k×1.618…⌋ 与它加 k，但按反常规则，0,1 与 2,2 取代 0,0 与 1,2。每个差与每个堆的大小都恰好属于一个奇异局势。
golden = { $lost ->
    [yes] { $heaps } 是差为 { $difference } 的奇异局势：{ outcome }。
   *[no] { $heaps } 不是奇异局势，差为 { $difference } 的奇异局势是 { $pair }：{ outcome }。
}
golden-partner = 大小为 { $heap } 的石子堆与大小为 { $partner } 的石子堆构成奇异局势。
steps-rule = { $rule ->
    [step] 只有奇数台阶起作用，每级当作尼姆游戏的一堆：谁往上面加了多少，对方可以立即移走多少。异或和为 0 时先手必败。
    [step-misere] 只有奇数台阶起作用，每级当作尼姆游戏的一堆：谁往上面加了多少，对方可以立即移走多少。按反常规则，只要其中有大于 1 的，异或和为 0 时先手必败；没有大于 1 的时，异或和为 1 时先手必败。
    [gap] 从右数起，只有第 1、3、5……个间隔起作用，每个当作尼姆游戏的一堆：谁加大了多少，对方可以立即减去多少。异或和为 0 时先手必败。
   *[gap-misere] 从右数起，只有第 1、3、5……个间隔起作用，每个当作尼姆游戏的一堆：谁加大了多少，对方可以立即减去多少。按反常规则，只要其中有大于 1 的，异或和为 0 时先手必败；没有大于 1 的时，异或和为 1 时先手必败。
}
steps-large = { $large ->
    [none] {""}
    [0] ，没有大于 1 的
   *[other] ，其中 { $large } 个大于 1
}
steps = { $case ->
    [no-step] 起作用的台阶都是空的，异或和为 0{ steps-large }：{ outcome }。
    [no-gap] 起作用的间隔都是空的，异或和为 0{ steps-large }：{ outcome }。
   *[some] { $list }；异或和为 { $xor }{ steps-large }：{ outcome }。
}
step-change = { $change ->
    [step-larger] 台阶 { $step } 由 { $before } 增加到 { $after }，对方可以把同样多的石子再往下移来抵消。
    [step-smaller] 台阶 { $step } 由 { $before } 减少到 { $after }。
    [gap-larger] 间隔 { $step } 由 { $before } 增加到 { $after }，对方可以移动同样多来抵消。
   *[gap-smaller] 间隔 { $step } 由 { $before } 减少到 { $after }。
}
fibonacci-rule = 把石子堆写成互不相邻的斐波那契数之和。如果允许取走其中最小的一项，先手必胜。
fibonacci-misere-rule = 按反常规则，先留出最后一颗，把其余的写成互不相邻的斐波那契数之和。如果允许取走其中最小的一项，先手必胜。
fibonacci-nothing = 只剩最后一颗：{ outcome }。
fibonacci = { $may ->
    [yes] { $counted } = { $sum }。最小的一项 { $least } 可以取走，因为至多可取 { $quota }：{ outcome }。
   *[no] { $counted } = { $sum }。最小的一项 { $least } 不能取走，因为至多可取 { $quota }：{ outcome }。
}
ratio-rule = 大数与小数之比大于 1.618… 时先手必胜：两种最小的结果中总有一种先手必败。小于 1.618… 时只有一种着法，走后的比大于 1.618…。
ratio = { $ratio ->
    [equal] 两数相等时，走一步就结束对局并取胜。此处两数相等：{ outcome }。
    [equal-misere] 两数相等时，唯一的着法会结束对局，走的一方负。此处两数相等：{ outcome }。
    [above] { $large } : { $small } 大于 1.618…：{ outcome }。
   *[below] { $large } : { $small } 小于 1.618…：{ outcome }。
}
columns-rule = 把各堆写成二进制。如果每一列中 1 的个数都是 { $modulus } 的倍数，先手必败。
columns-misere-rule = 把各堆写成二进制。只要还有大于 1 的堆，如果每一列中 1 的个数都是 { $modulus } 的倍数，先手必败；没有大于 1 的堆时，则堆数除以 { $modulus } 余 1 时先手必败。
columns-none = 每一列中 1 的个数都是 { $modulus } 的倍数：{ outcome }。
columns-item = { $name } 位余 { $value }
columns = 各列中 1 的余数：{ $list }：{ outcome }。
only-ones-rule = 按反常规则，没有大于 1 的堆时，如果堆数除以 { $modulus } 余 1，先手必败。
only-ones = 还剩 { $heaps } 堆：{ outcome }。
merge-rule = 较大的堆持续的步数是石子总数，每合并一次再加一步。如果这个步数是 0 或 2，则只有一颗石子的堆数是 3 的倍数时先手必败；否则，这个步数与只有一颗石子的堆数都是偶数时先手必败。
merge = 有 { $ones } 堆只有一颗石子，较大的堆持续 { $moves } 步：{ outcome }。

## 棋盘、硬币与图

head-values = { $law ->
    [one] 每个正面的值都是 1。
    [place] 正面的值是它的位置。
    [place-less-one] 正面的值是它的位置减 1。
    [odious] 第 n 位上正面的值，是第 n 个二进制中 1 的个数为奇数的数：1、2、4、7、8、11、……
    [power] 正面的值是能整除其位置的最大的 2 的幂。
    [power-bounded] 正面的值是能整除其位置的最大的 2 的幂，但因为连续翻动的长度有限，至多为 { $most }。
    [base-three] 把正面左边的硬币数写成三进制。如果最低的 2 在从右数第 k 位，它的值就是 1、2、4、7、8、……（二进制中 1 的个数为奇数的数）中的第 k 个；没有 2 时，值为 0。
    [splits] 左边有 n 枚硬币的正面，相当于 Grundy 游戏中大小为 n 的一堆：每一步把它分成大小不同的两堆。
   *[mex] 正面的值，是它左边若干个位置的值的异或和取不到的最小的数；这些位置的个数，也就是可以与它同时翻动的硬币数，可以是：{ $list }。
}
heads-rule = 一行硬币的值是各个正面单独的值的异或和。
heads = { $list }；异或和为 { $xor }：{ outcome }。
turned-coins = 翻动的硬币的值：{ $list }。整行的异或和改变 { $xor }。
symmetry-rule = 如果骨牌能盖到的空格旋转半圈后不变，并且没有骨牌与它的像有共同的格，则先手必败：每一步都用它的像来应对。
symmetry-here = 此处正是如此：{ outcome }。
symmetry-made = 走 { $move } 后正是如此：{ outcome }。
symmetry-broken = 它打破了对称；它的像 { $image } 恢复对称。
vertex-rule = 一条分支的值，是它上端之上的部分的值加一；同一顶点上的分支按异或相加。
vertex = 顶点 { $vertex } 上：{ $list }；异或和为 { $xor }。
cut-place = { $vertex ->
    [ground] 地面由 { $before } 变为 { $after }
   *[number] 顶点 { $vertex } 由 { $before } 变为 { $after }
}
cut = 它改变分支的异或和：{ $list }。
fused-rule = 圈上的顶点可以合并为一个顶点：圈上的每条边就成为一个环，值为 1。一条分支的值，是它上端之上的部分的值加一；同一顶点上的各项按异或相加。
fused-loops = 经过顶点 { $vertices } 的圈共有 { $edges } 条边，值为 { $worth }
fused = { $branches ->
    [0] { fused-loops }。
   *[other] { fused-loops }；{ $list }；异或和为 { $xor }。
}
matching-rule = 取一个最大匹配。总是把棋子移到匹配点的一方永远有着法。
matching-pairs = { $pairs ->
    [0] 没有匹配边
   *[other] 匹配边：{ $list }
}
matching = { $case ->
    [partner] { matching-pairs }。每个最大匹配都覆盖 { $token }，此处它的匹配点是 { $goal }：{ outcome }。
    [without] { matching-pairs }，其中没有 { $token }：{ outcome }。
    [place] { matching-pairs }。{ $goal } 未被匹配，棋子可以放在那里：{ outcome }。
   *[all] { matching-pairs }，所有顶点都被匹配：{ outcome }。
}
placing = { $case ->
    [place] { matching-pairs }。{ $goal } 未被匹配，先手可以把棋子放在那里：{ outcome }。
    [place-other] { matching-pairs }。{ $goal } 未被匹配，另一方可以把棋子放在那里：{ outcome }。
    [none] { matching-pairs }。先手可以放棋子的顶点都被每个最大匹配覆盖：{ outcome }。
   *[none-other] { matching-pairs }。另一方可以放棋子的顶点都被每个最大匹配覆盖：{ outcome }。
}
path-rule = 呈路径的连通块相当于 { $game } 中同样大小的一堆。
path = 顶点 { $vertex } 所在的连通块是 { $size } 个顶点的路径：SG 值为 { $value }。
piece-left = { $count ->
    [0] 其中不再有着法
   *[other] 留下的连通块各有 { $list } 个顶点
}
piece-change = 它从 { $vertices } 个顶点的连通块中取走一部分，{ piece-left }。
node-rule = 结点的 SG 值是从它出发的弧都走不到的最小的数。
node = 结点 { $node } 通往：{ $list }；SG 值为 { $value }。
arcs-rule = 沿一条弧走后的值是它各个终点的 SG 值的异或和；结点的 SG 值是从它出发的弧都走不到的最小的数。
arcs = 结点 { $node }：{ $list }；SG 值为 { $value }。
divided = { $ends ->
    [1] 它把 { $node } 处的棋子（SG 值 { $value }）移到 { $end }（SG 值 { $left }）。
   *[other] 它把 { $node } 处的棋子（SG 值 { $value }）变为：{ $list }；异或和为 { $xor }。
}
element-rule = 如果没有元素的正下方有两个元素，元素的值就是直接位于它之上的各元素的值的异或和加一（冒号原理）。
element = 元素 { $element } 之上：{ $list }；值为 { $value }。
least-element = 元素 { $element } 在其他所有元素之下，取走它就取走全部：{ outcome }。
greatest-element-rule = 如果有一个元素在其他所有元素之上，先手必胜：如果只取走它会输，那么对方的应着本来就可以作为第一步，因为每一步都会连它一起取走。
greatest-element = 元素 { $element } 在其他所有元素之上：{ outcome }。
chains-rule = 如果一条至少两枚硬币的链有一端敞开，先手必胜：可以取走链上全部硬币再走别处，也可以留下最后相连的两枚，迫使对方走别处。两端都敞开的链需要四枚硬币，留下两对。
open-chain = { $both ->
    [yes] 硬币 { $coins } 组成的链两端都敞开：{ outcome }。
   *[no] 硬币 { $coins } 组成的链有一端敞开：{ outcome }。
}
every-turn-opens = { $turns ->
    [1] 唯一的着法会留下这样的链：{ outcome }。
   *[other] { $turns } 种着法都会留下这样的链：{ outcome }。
}
row-gaps-rule = 每一行相当于尼姆游戏的一堆，大小为两枚棋子之间的格数。后退不改变胜负：对方可以前进同样多，而后退终有尽头。
row-gaps = { $one ->
    [yes] 间隔为 { $xor }：{ outcome }。
   *[no] { $list }；间隔的异或和为 { $xor }：{ outcome }。
}
row-gap-change = { $larger ->
    [yes] 它在第 { $row } 行后退：间隔由 { $before } 增大到 { $after }，对方可以前进同样多。
   *[no] 它在第 { $row } 行前进：间隔由 { $before } 减小到 { $after }。
}
free-branch-rule = 每个没有串使用的分支自成一个游戏。它的 SG 值是能整除其层数的最大的 2 的幂。
free-branch = { $stem } 的分支有 { $levels } 层：SG 值为 { $value }。
completes = 在第 { $cell } 格写 x 可连成三个：{ outcome }。
safe-rule = 如果写的 x 与另一个 x 相距不超过两格，对方就能连成三个，所以只有更远的格才安全。连续 n 个安全格相当于八进制博弈 0.007 中大小为 n+2 的一堆。
safe-none = 没有安全格：{ outcome }。
safe-runs = 各段安全格的值：{ $list }；异或和为 { $xor }：{ outcome }。
arms-rule = 角格旁的两条边相当于尼姆游戏的两堆。
arms = 右边 { $right } 格，下边 { $down } 格：{ outcome }。
two-rows-rule = 第一行恰好比第二行多一格时先手必败：无论怎样咬，都有应着恢复这种关系。
two-rows = 两行分别长 { $first } 与 { $second }：{ outcome }。
rectangle-rule = 矩形必定先手必胜：如果只咬掉最远的角格会输，那么对方的制胜应着本来就可以作为第一步。
rectangle = 这是 { $rows } 行 { $columns } 列的矩形：{ outcome }。
square-rule = 在正方形中，咬 2:2 留下相等的两条边，相当于尼姆游戏中相等的两堆。
square = 这是 { $side } 行 { $side } 列的正方形：{ outcome }。
mates-rule = 先把格号的二进制末尾相同位数最多的两枚硬币配成一对，再在其余硬币中配下一对，依此类推。格号为 a 与 b 的一对值为（a 异或 b）- 1，落单的硬币值为它的格号。
mates = { $case ->
    [pairs] { $list }；异或和为 { $xor }：{ outcome }。
    [single] 硬币 { $single }；异或和为 { $xor }：{ outcome }。
   *[both] { $list }，硬币 { $single } 落单；异或和为 { $xor }：{ outcome }。
}
