# Why positions and moves are won or lost: a message for each fact, and for the rule behind it.
# One line of a terminal each. English is plain ASCII.

## Who wins

outcome = { $outcome ->
    [wins] the player to move wins
    [loses] the player to move loses
   *[open] neither player can force a win
}
position-headline = { $outcome ->
    [next] { $position }: the player to move wins.
    [previous] { $position }: the player to move loses.
    [left] { $position }: Left wins, no matter who starts.
    [right] { $position }: Right wins, no matter who starts.
    [draw] { $position }: a draw with best play.
    [found] { $position }: the player to move wins.
   *[unknown] { $position }: not decided within the budget.
}
no-winning-move-found = No winning move was found within the budget.
no-move-wins = No move wins: every move has a winning reply.

## Moves

move-does = { $result ->
    [wins] wins
    [draws-from-win] only draws: it gives the win away
    [draws] draws
    [loses-from-win] loses: it gives the win away
    [loses-from-draw] loses: it gives the draw away
    [loses] loses, as every move does
    [loses-alone] loses
   *[unknown] was not decided within the budget
}
move-result = { $best ->
    [yes] { $move } is the best move: it { move-does }.
   *[no] { $move } { move-does }.
}
move-leaves = { $what ->
    [yours-won] It leaves { $position }, where you are to move and win.
    [yours-lost] It leaves { $position }, where you are to move and lose.
    [theirs-won] It leaves { $position }, where the opponent is to move and wins.
    [theirs-lost] It leaves { $position }, where the opponent is to move and loses.
    [draw] It leaves { $position }, a draw.
   *[unknown] It leaves { $position }, which was not decided within the budget.
}
move-reply = { $refutes ->
    [yes] The winning reply is { $move }.
   *[no] The best reply is { $move }.
}
in-component = Component { $component }: { $said }

## Lists

list-comma = { ", " }
list-rest = { $list } and { $more } more
list-item = { $kind ->
    [heap] { $name } { $value }
    [component] component { $name }: { $value }
    [token] token on { $name }: { $value }
    [coin-on] coin on { $name }: { $value }
    [row] row { $name }: { $value }
    [board] board { $name }: { $value }
    [region] region of { $name }: { $value }
    [piece] piece of { $name }: { $value }
    [bush] from { $name }: { $value }
    [branch] branch { $name }: { $value }
    [stretch] from place { $name }: { $value }
    [branch-to] branch to { $name }: { $value }
    [arc-to] arc to { $name }: { $value }
    [element] element { $name }: { $value }
    [coin] coin { $name }: { $value }
    [coins] coins { $name }: { $value }
    [step] step { $name }: { $value }
    [gap] gap { $name }: { $value }
    [node] node { $name }: { $value }
    [cell] from cell { $name }: { $value }
   *[part] part { $name }: { $value }
}

## Sums

over = { $why ->
    [component-loses] Component { $component } has no move left, which ends the game, and in misere play the last move loses.
    [component-wins] Component { $component } has no move left, which ends the game, and the last move wins.
    [side-loses] The player to move has no move in component { $component }, which ends the game, and in misere play the last move loses.
    [side-wins] The player to move has no move in component { $component }, which ends the game, and the last move wins.
    [zero-loses] Every nim-value is 0, which ends the game, and in misere play the last move loses.
    [zero-wins] Every nim-value is 0, which ends the game, and the last move wins.
    [player-loses] The player to move has no move left, and in misere play the last move loses.
   *[player-wins] The player to move has no move left, and the last move wins.
}
until-zero-rule = A move changes the nim-value of one component, and play ends once all are 0: as in Nim, the player to move loses if the xor is 0.
until-zero-misere-rule = Play ends once all nim-values are 0, so the rule of misere Nim holds whatever the games are (SJ theorem): xor 0 loses as long as a value is above 1; once none is, xor 1 loses instead. It holds as well for play to the last move if, whenever all values are 0 and there is a move, some component can be moved to value 1.
nim-sum = { $case ->
    [one-zero] The nim-value is { $xor }, so { outcome }.
    [one] The nim-value is { $xor }, not 0, so { outcome }.
    [many-zero] The nim-values are { $list }; their xor is { $xor }, so { outcome }.
   *[many] The nim-values are { $list }; their xor is { $xor }, not 0, so { outcome }.
}
tame-rule = In misere play, xor 0 loses as long as a value is above 1. Once none is, xor 1 loses instead.
tame-large = { $large ->
    [0] none is above 1
    [one] one value is above 1
   *[other] { $large } values are above 1
}
tame-sum = { $case ->
    [one] The nim-value is { $xor }, and { tame-large }: { outcome }.
   *[many] The nim-values are { $list }; their xor is { $xor }, and { tame-large }: { outcome }.
}
quotient-rule = Two sums are in the same class if exchanging one for the other never changes the winner in misere play (grundy explain class). There are { $order ->
    [one] { $order } class
   *[other] { $order } classes
}; the player to move loses { $lost ->
    [one] class
   *[other] classes
} { $list }, and from every other one has a move to these.
quotient = { $case ->
    [one] The class is { $product }: { outcome }.
   *[many] The classes are { $list }; together they are class { $product }: { outcome }.
}
one-left = Only component { $component } still has a move, so it decides alone.
endless-rule = A summand is endless if play in it can go round and no nim-value fits it.
endless-others = { $case ->
    [none] there are no others, which is nim-value 0
    [one-zero] for the others the nim-value is { $xor }
    [one] for the others the nim-value is { $xor }, not 0
    [many-zero] for the others the nim-values are { $list }; their xor is { $xor }
   *[many] for the others the nim-values are { $list }; their xor is { $xor }, not 0
}
endless-one = { $exit ->
    [yes] One summand is endless; { endless-others }. A move in the endless one can leave nim-value { $xor }, so that all add up to 0: { outcome }.
   *[no] One summand is endless; { endless-others }. No move in the endless one leaves nim-value { $xor }: { outcome }.
}
endless-several = { $endless } summands are endless: { outcome }.
searched-rule = No rule is known here: only a search of all lines of play decides.
searched-no-end = Neither player can force an end.
searched-line = If the winner hurries and the loser delays, it ends after { $plies ->
    [one] { $plies } move
   *[other] { $plies } moves
}: { $line }{ $all ->
    [yes] .
   *[no] {" "}....
}
shortest-win = A search finds the moves: if the winner hurries and the loser delays, it ends after { $plies ->
    [one] { $plies } move
   *[other] { $plies } moves
}: { $line }{ $all ->
    [yes] .
   *[no] {" "}....
}
shortest-win-open = Only a search finds the winning move.
by-method = The method is: { $method }.
known-after-move = { $named ->
    [yes] { $move } leaves a position that is known to be lost: { outcome }.
   *[no] A move leaves a position that is known to be lost: { outcome }.
}

## What moves change in sums

nim-change = { $component ->
    [none] It changes the nim-value from { $before } to { $after }.
   *[number] It changes the nim-value of component { $component } from { $before } to { $after }.
}
worth-change = { $component ->
    [none] It changes the value from { $before } to { $after }.
   *[number] It changes the value of component { $component } from { $before } to { $after }.
}
class-change = { $lost ->
    [yes] It takes the whole sum from class { $before } to class { $after }, which the player to move loses.
   *[no] It takes the whole sum from class { $before } to class { $after }, which the player to move wins.
}

## Compounds

suspense-rule = The component that lasts longest decides. Its suspense is how many moves it lasts if its winner delays and its loser hurries: where you win, leave a lost position that lasts long; where you lose, end as fast as you can.
suspense-others = { $level ->
    [yes] no other lasts longer
   *[no] the others are over after { $others } at most
}
suspense = The suspense is { $list }. Component { $decides } decides: it lasts { $greatest ->
    [one] { $greatest } move
   *[other] { $greatest } moves
}, and { suspense-others }; { $greatest } is { parity }: { outcome }.
remoteness-rule = The component that ends first decides. Its remoteness is how many moves it lasts if its winner hurries and its loser delays: where you win, end as fast as you can; where you lose, leave what lasts long.
remoteness-others = { $level ->
    [yes] no other is over earlier
   *[no] the others last { $others } at least
}
remoteness = The remoteness is { $list }. Component { $decides } decides: it is over after { $least ->
    [one] { $least } move
   *[other] { $least } moves
}, and { remoteness-others }; { $least } is { parity }: { outcome }.
parity = { $parity ->
    [even] even
   *[odd] odd
}
selective-rule = The position is lost if every component is: any moves make some of them won, and the answer makes just these lost again. Otherwise make all won components lost at once, and leave the others alone.
selective-short-rule = The position is lost if every component is: any moves make some of them won, and the answer makes just these lost again. Otherwise end a component if a move can, which wins at once, or make all won components lost.
selective-short-misere-rule = The position is lost if every component is lost in misere play: any moves make some of them won, and the answer makes just these lost again. Otherwise make all won components lost at once; the game ends in a component that its winner never needs to end.
selective-misere-rule = While two or more components have a move, the position is lost if every component is lost in normal play. Otherwise make all of them lost in normal play, or leave a move in one component only, and this one lost in misere play.
selective-play = { $play ->
    [misere] misere play
   *[normal] normal play
}
selective-none = Each of the { $alive ->
    [one] { $alive } component with a move
   *[other] { $alive } components with a move
} is lost in { selective-play }: { outcome }.
selective-won = The player to move wins { $won ->
    [one] component
   *[other] components
} { $list } alone in { selective-play }{ $others ->
    [0] {""}
    [one] , and loses the other one
   *[other] , and loses the others
}: { outcome }.
shortsum-ends = A move ends { $ending ->
    [one] component
   *[other] components
} { $list }, which wins at once.
shortsum-rule = The player who ends a component wins, so nobody makes a move after which the opponent can end one. The foreclosed value of a component is the least number that none of its other moves leaves.
shortsum-misere-rule = The player who ends a component loses, so nobody does while another move is left. The foreclosed value of a component is the least number that none of its moves leaves, those that end it left out.
shortsum = { $case ->
    [one-zero] The foreclosed value is { $xor }, so { outcome }.
    [one] The foreclosed value is { $xor }, not 0, so { outcome }.
    [many-zero] The foreclosed values are { $list }; their xor is { $xor }, so { outcome }.
   *[many] The foreclosed values are { $list }; their xor is { $xor }, not 0, so { outcome }.
}
standing-ends = It ends component { $component }.
standing-stays-hot = Component { $component } stays hot: the opponent can end it at once and win.
standing-becomes-hot = It makes component { $component } hot: the opponent can end it at once and win.
standing-outcome = { $change ->
    [stays-lost] Component { $component } was lost for the player to move, and still is.
    [stays-won] Component { $component } was won for the player to move, and still is.
    [becomes-won] Component { $component } was lost for the player to move, and is won now.
   *[becomes-lost] Component { $component } was won for the player to move, and is lost now.
}
standing-cools = Component { $component } is no longer hot: its foreclosed value is { $value }.
standing-moves = It moves in component { $component }.
standing-name = { $what ->
    [suspense] suspense
    [remoteness] remoteness
    [nim-value] nim-value
   *[foreclosed] foreclosed value
}
standing-stays = The { standing-name } of component { $component } stays { $before }.
standing-changes = It changes the { standing-name } of component { $component } from { $before } to { $after }.

## Coloured games

worth-meaning = { $outcome ->
    [left] is above 0: Left wins, no matter who starts
    [right] is below 0: Right wins, no matter who starts
    [previous] is 0: whoever moves first loses
   *[next] is neither above, below nor equal to 0: whoever moves first wins
}
worth-one = The value { $total } { worth-meaning }.
worth-sum = The values are { $list }; the total { $total } { worth-meaning }.
worth-name = { $kind ->
    [heap] { $name }
    [component] component { $name }
    [token] token on { $name }
    [coin-on] coin on { $name }
    [row] row { $name }
    [board] board { $name }
    [region] region of { $name }
    [piece] piece of { $name }
    [bush] from { $name }
    [branch] branch { $name }
    [stretch] from place { $name }
    [whole] it
   *[part] part { $name }
}
worth-hottest = { worth-name } has the stops farthest apart: often, but not always, the place to move first.
in-hand = { $count ->
    [zero] neither player has a move in hand
    [single] { $player } has { $number } move in hand
    [fraction] { $player } has { $number } of a move in hand
   *[several] { $player } has { $number } moves in hand
}
player-left = Left
player-right = Right
number-rule = A number counts free moves: 2 is two moves that Left has in hand, -2 two that Right has, 1/2 half of one. A move in a number only loses ground, so play elsewhere while you can.
worth-number = { worth-name } is a number: { $hand }.
infinitesimal-rule = An infinitesimal, such as a star or an up, is smaller than every fraction of a move: it decides only where the numbers are level.
worth-infinitesimal = { $ahead ->
    [left] { worth-name } is infinitesimal: Left makes the last move in it, no matter who starts.
    [right] { worth-name } is infinitesimal: Right makes the last move in it, no matter who starts.
   *[first] { worth-name } is infinitesimal: whoever moves first in it makes the last move there.
}
worth-close = { worth-name } is infinitesimally close to { $close }: { $hand }, whoever moves first there.
hot-rule = In a hot value the first move gains something. Its stops are the numbers that play comes to if Left moves first, and if Right does.
worth-hot = { worth-name } is hot: if Left moves first there, { $left }; if Right does, { $right }.

## Heaps

remainder-rule = The answer to any move can make the two { $modulus } together, so the nim-value of a heap is its remainder by { $modulus }.
remainder = { $name }: { $size } = { $quotient } x { $modulus } + { $value }, nim-value { $value }.
exchanged-rule = The nim-value of a heap is its size, except that 4k+3 and 4k+4 have each other's.
exchanged = { $name }: { $size } has nim-value { $value }.
odious-rule = The nim-value of heap n is the n-th number with an odd number of binary ones: 1, 2, 4, 7, 8, 11, ...
odious = { $name }: { $size } has nim-value { $value }, { $binary } in binary.
period-rule = From heap { $start } on, the nim-values repeat every { $length ->
    [one] { $length } heap
   *[other] { $length } heaps
} (proved).
period = { $name }: { $size } has the nim-value of a heap of { $like }, { $value }.
mex-rule = The nim-value of a heap is the least number that no move leaves.
mex-move = { $move } leaves { $value }
mex-none = no move leaves { $value }
mex = { $name }: { $size } has nim-value { $value }: { $list }.
heap-smaller = It makes heap { $name } smaller, from { $before } to { $after }.
heap-becomes = { $left ->
    [nim-value] It turns heap { $name } of { $before } (nim-value { $value }) into { $after } (nim-value { $values }).
    [nim-values] It turns heap { $name } of { $before } (nim-value { $value }) into { $after } (nim-values { $values }, xor { $xor }).
    [class] It turns heap { $name } of { $before } (class { $value }) into { $after } (class { $values }).
   *[classes] It turns heap { $name } of { $before } (class { $value }) into { $after } (classes { $values }).
}
distance-rule = The answer to any move can make the two { $modulus } together, so only the remainder of what is left by { $modulus } counts.
distance = { $left } is left to { $target } = { $quotient } x { $modulus } + { $value }, remainder { $value }: { outcome }.
golden-rule = Losing pair number k is floor(k x 1.618...) and that plus k. Each difference and each heap size belongs to exactly one pair, so every other position has a move to one.
golden-misere-rule = Losing pair number k is floor(k x 1.618...) and that plus k, except that in misere play 0,1 and 2,2 replace 0,0 and 1,2. Each difference and each heap size belongs to exactly one pair.
golden = { $lost ->
    [yes] { $heaps } is the losing pair of difference { $difference }: { outcome }.
   *[no] { $heaps } is not a losing pair, as the one of difference { $difference } is { $pair }: { outcome }.
}
golden-partner = A heap of { $heap } loses beside one of { $partner }.
steps-rule = { $rule ->
    [step] Only the odd steps count, each as a heap of Nim: what a move adds to one of them can be taken off again at once. The player to move loses if the xor is 0.
    [step-misere] Only the odd steps count, each as a heap of Nim: what a move adds to one of them can be taken off again at once. In misere play xor 0 loses as long as one of them is above 1; once none is, xor 1 loses.
    [gap] Only every other gap counts, from the right, each as a heap of Nim: what a move adds to one of them can be taken off again at once. The player to move loses if the xor is 0.
   *[gap-misere] Only every other gap counts, from the right, each as a heap of Nim: what a move adds to one of them can be taken off again at once. In misere play xor 0 loses as long as one of them is above 1; once none is, xor 1 loses.
}
steps-large = { $large ->
    [none] {""}
    [0] , and none is above 1
    [one] , and one is above 1
   *[other] , and { $large } are above 1
}
steps = { $case ->
    [no-step] Each step that counts is empty, xor 0{ steps-large }: { outcome }.
    [no-gap] Each gap that counts is empty, xor 0{ steps-large }: { outcome }.
   *[some] { $list }; the xor is { $xor }{ steps-large }: { outcome }.
}
step-change = { $change ->
    [step-larger] It makes step { $step } larger, from { $before } to { $after }, which the opponent can undo by moving as many on.
    [step-smaller] It makes step { $step } smaller, from { $before } to { $after }.
    [gap-larger] It makes gap { $step } larger, from { $before } to { $after }, which the opponent can undo by moving as many on.
   *[gap-smaller] It makes gap { $step } smaller, from { $before } to { $after }.
}
fibonacci-rule = Write the heap as a sum of Fibonacci numbers, no two of them consecutive. The player to move wins if the least part may be taken.
fibonacci-misere-rule = In misere play leave the last one out, and write the rest as a sum of Fibonacci numbers, no two of them consecutive. The player to move wins if the least part may be taken.
fibonacci-nothing = Nothing but the last one is left: { outcome }.
fibonacci = { $may ->
    [yes] { $counted } = { $sum }. The least part { $least } may be taken, as at most { $quota } may: { outcome }.
   *[no] { $counted } = { $sum }. The least part { $least } may not be taken, as at most { $quota } may: { outcome }.
}
ratio-rule = The player to move wins if larger : smaller is above 1.618...: then one of the two smallest results is lost. Below, there is only one move, and it leaves a ratio above.
ratio = { $ratio ->
    [equal] With equal numbers one move ends the game and wins. The numbers are equal: { outcome }.
    [equal-misere] With equal numbers the only move ends the game and loses. The numbers are equal: { outcome }.
    [above] { $large } : { $small } is above 1.618...: { outcome }.
   *[below] { $large } : { $small } is below 1.618...: { outcome }.
}
columns-rule = Write the heaps in binary. The player to move loses if the number of 1s in every column is a multiple of { $modulus }.
columns-misere-rule = Write the heaps in binary. While a heap is above 1, the player to move loses if the number of 1s in every column is a multiple of { $modulus }; once none is, if the number of heaps is 1 more than a multiple of { $modulus }.
columns-none = Every column is a multiple of { $modulus }: { outcome }.
columns-item = { $name }s { $value }
columns = The 1s that remain are, by column: { $list }: { outcome }.
only-ones-rule = In misere play with no heap above 1, the player to move loses if the number of heaps is 1 more than a multiple of { $modulus }.
only-ones = { $heaps ->
    [one] { $heaps } heap is left: { outcome }.
   *[other] { $heaps } heaps are left: { outcome }.
}
merge-rule = The larger heaps last as many moves as they have stones, plus one for each merge. If these are 0 or 2, the player to move loses if 3 divides the number of heaps of one stone; otherwise, if both numbers are even.
merge = { $ones ->
    [one] { $ones } heap has one stone
   *[other] { $ones } heaps have one stone
}, and the larger heaps last { $moves ->
    [one] { $moves } move
   *[other] { $moves } moves
}: { outcome }.

## Boards, coins and graphs

head-values = { $law ->
    [one] The value of every head is 1.
    [place] The value of a head is its place.
    [place-less-one] The value of a head is its place minus 1.
    [odious] The value of a head on place n is the n-th number with an odd number of binary ones: 1, 2, 4, 7, 8, 11, ...
    [power] The value of a head is the largest power of two that divides its place.
    [power-bounded] The value of a head is the largest power of two that divides its place, but at most { $most }, because runs are bounded.
    [base-three] Write the number of coins to the left of a head in base 3. With the lowest 2 in place k from the right, its value is the k-th of 1, 2, 4, 7, 8, ..., the numbers with an odd number of binary ones; without a 2 it is 0.
    [splits] A head with n coins to its left is a heap of n in Grundy's game: a move splits it into two different heaps.
   *[mex] The value of a head is the least number that is not the xor of the values of some other places to its left. The number of these places, which is the number of coins that can be turned with the head, may be: { $list }.
}
heads-rule = The value of a row is the xor of the values of its heads, each taken alone.
heads = { $list }; their xor is { $xor }: { outcome }.
turned-coins = It turns these coins, whose values are: { $list }. The xor of the row changes by { $xor }.
symmetry-rule = If half a turn does not change the free squares that a domino can cover, and no domino overlaps its image, the player to move loses: every move is answered by its image.
symmetry-here = This is so here: { outcome }.
symmetry-made = After { $move } this is so: { outcome }.
symmetry-broken = It breaks the symmetry; its image { $image } restores it.
vertex-rule = A branch is worth one more than what stands on its upper end, and the branches on one vertex add by xor.
vertex = On vertex { $vertex }: { $list }; their xor is { $xor }.
cut-place = { $vertex ->
    [ground] the ground from { $before } to { $after }
   *[number] vertex { $vertex } from { $before } to { $after }
}
cut = It changes the xor of the branches on { $list }.
fused-rule = The vertices of a cycle can be fused into one vertex: each edge of the cycle is then a loop, worth 1. A branch is worth one more than what stands on its upper end, and all on one vertex add by xor.
fused-loops = The cycles through { $vertices } have { $edges ->
    [one] { $edges } edge
   *[other] { $edges } edges
}, worth { $worth }
fused = { $branches ->
    [0] { fused-loops }.
   *[other] { fused-loops }; { $list }; their xor is { $xor }.
}
matching-rule = Take a maximum matching. A player who always moves the token to the partner of its vertex never gets stuck.
matching-pairs = { $pairs ->
    [0] There are no pairs
    [one] The pair is { $list }
   *[other] The pairs are { $list }
}
matching = { $case ->
    [partner] { matching-pairs }. Every maximum matching covers { $token }, and { $goal } is its partner here: { outcome }.
    [without] { matching-pairs }, without { $token }: { outcome }.
    [place] { matching-pairs }. { $goal } is left out, and the token can be placed there: { outcome }.
   *[all] { matching-pairs }, and no vertex is left out: { outcome }.
}
placing = { $case ->
    [place] { matching-pairs }. { $goal } is left out, and the player to move may place the token there: { outcome }.
    [place-other] { matching-pairs }. { $goal } is left out, and the other player may place the token there: { outcome }.
    [none] { matching-pairs }. Every maximum matching covers all vertices on which the player to move may place the token: { outcome }.
   *[none-other] { matching-pairs }. Every maximum matching covers all vertices on which the other player may place the token: { outcome }.
}
path-rule = A piece that is a path is a heap of as many in { $game }.
path = The piece of vertex { $vertex } is a path of { $size ->
    [one] { $size } vertex
   *[other] { $size } vertices
}: nim-value { $value }.
piece-left = { $count ->
    [0] nothing of it that has a move
    [one] a piece of { $list }
   *[other] pieces of { $list }
}
piece-change = It takes from a piece of { $vertices ->
    [one] { $vertices } vertex
   *[other] { $vertices } vertices
}, and leaves { piece-left }.
node-rule = The nim-value of a node is the least number that no arc from it leads to.
node = Node { $node } leads to { $list }: nim-value { $value }.
arcs-rule = An arc leaves the xor of the nim-values of its ends; the nim-value of a node is the least number that no arc from it leaves.
arcs = Node { $node } has { $list }: nim-value { $value }.
divided = { $ends ->
    [one] It moves the token on { $node } (nim-value { $value }) to { $end } (nim-value { $left }).
   *[other] It turns the token on { $node } (nim-value { $value }) into these: { $list }; their xor is { $xor }.
}
element-rule = If no element has two directly below it, an element is worth 1 more than the xor of what stands directly on it (colon principle).
element = On element { $element } stand: { $list }; value { $value }.
least-element = Element { $element } is below all others, and taking it takes everything: { outcome }.
greatest-element-rule = If an element is above all others, the player to move wins: if taking it alone lost, the answer to it could have been the first move, since every move takes it too.
greatest-element = Element { $element } is above all others: { outcome }.
chains-rule = If a chain of two or more coins is open at one end, the player to move wins: take all its coins and move elsewhere, or leave the last two tied together, so that the opponent must move elsewhere. A chain that is open at both ends needs four coins, which are left in two pairs.
open-chain = { $both ->
    [yes] The chain of coins { $coins } is open at both ends: { outcome }.
   *[no] The chain of coins { $coins } is open at one end: { outcome }.
}
every-turn-opens = { $turns ->
    [one] The only turn leaves such a chain: { outcome }.
   *[other] Each of the { $turns } turns leaves such a chain: { outcome }.
}
row-gaps-rule = A row is worth a Nim heap of the squares between its pieces. A retreat changes nothing: the opponent advances by as much, and retreats run out.
row-gaps = { $one ->
    [yes] The gap is { $xor }: { outcome }.
   *[no] { $list }; the xor of the gaps is { $xor }: { outcome }.
}
row-gap-change = { $larger ->
    [yes] It retreats in row { $row }: the gap grows from { $before } to { $after }, and the opponent can advance by as much.
   *[no] It advances in row { $row }: the gap shrinks from { $before } to { $after }.
}
free-branch-rule = Each branch of the tree that no string uses is a game of its own. Its nim-value is the largest power of two that divides its levels.
free-branch = The branch of { $stem } has { $levels ->
    [one] { $levels } level
   *[other] { $levels } levels
}: nim-value { $value }.
completes = An x on { $cell } makes three in a row: { outcome }.
safe-rule = An x within two cells of another lets the opponent make three in a row, so only cells farther away are safe. A run of n safe cells is a heap of n+2 in octal game 0.007.
safe-none = No cell is safe: { outcome }.
safe-runs = The values of the runs are { $list }; their xor is { $xor }: { outcome }.
arms-rule = Two arms beside the corner are two heaps of Nim.
arms = { $right } to the right and { $down } below: { outcome }.
two-rows-rule = Two rows are lost if the first is one longer than the second: every bite has an answer that restores this.
two-rows = The rows are { $first } and { $second } long: { outcome }.
rectangle-rule = A rectangle is won: if biting only the far corner lost, the winning answer to it could have been the first move.
rectangle = This is a rectangle of { $rows } by { $columns }: { outcome }.
square-rule = In a square, biting 2:2 leaves two equal arms, which are two equal heaps of Nim.
square = This is a square of { $side } by { $side }: { outcome }.
mates-rule = Pair the two coins whose squares agree in most of their lowest binary digits, then the next two among the others, and so on. Coins on a and b are worth (a xor b) - 1, a coin that is left over its square.
mates = { $case ->
    [pairs] { $list }; the xor is { $xor }: { outcome }.
    [single] Coin { $single }; the xor is { $xor }: { outcome }.
   *[both] { $list }, and coin { $single } is left over; the xor is { $xor }: { outcome }.
}
