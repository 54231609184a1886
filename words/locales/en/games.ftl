# The games: how each is played and written. The English texts are those of the registry of games.

# The clause by which a rule says who wins.
game-winner = The player who

game-nim = Nim
game-nim-rule = Take any number of stones, at least one, from one heap. The player who takes the last stone wins.
game-nim-position = nim:3,4,5 has heaps A, B and C of 3, 4 and 5 stones; nim:_ has no heaps
game-nim-move = C-5 takes 5 stones from heap C

game-bash = Bash's game
game-bash-rule = Take at least 1 and at most m stones from one heap, where m is the number after the name. The player who takes the last stone wins.
game-bash-here = { $count ->
    [one] Take 1 stone from one heap.
   *[other] Take 1 to { $most } stones from one heap.
}
game-bash-position = bash.10:23 is one heap of 23 stones, from which a move takes 1 to 10; commas separate several heaps
game-bash-move = A-7 takes 7 stones from heap A

game-race = Race to a number
game-race-rule = Add at least 1 and at most m to the current number, without passing the target; m and the target are the numbers after the name. The player who reaches the target wins.
game-race-here = { $count ->
    [one] Add 1 to the current number, without passing { $target }.
   *[other] Add 1 to { $most } to the current number, without passing { $target }.
}
game-race-position = race.10.100:0 has steps of 1 to 10, the target 100 and the current number 0
game-race-move = +7 adds 7 to the current number

game-sub = Subtraction game
game-sub-rule = Take from one heap a number of stones that is listed after the name. The player who makes the last move wins.
game-sub-here = { $count ->
    [one] Take { $sizes } stone from one heap.
   *[other] Take { $sizes } stones from one heap.
}
game-sub-position = sub.1.3.4:8,5 has heaps of 8 and 5 stones, from which a move takes 1, 3 or 4
game-sub-move = A-3 takes 3 stones from heap A

game-moore = Moore's Nim
game-moore-rule = Take any number of stones, at least one, from each of 1 to k heaps, where k is the number after the name. The player who takes the last stone wins.
game-moore-here = { $count ->
    [one] Take any number of stones, at least one, from one heap.
   *[other] Take any number of stones, at least one, from each of 1 to { $heaps } heaps.
}
game-moore-position = moore.2:3,3,3 has three heaps of 3 stones; a move takes from one or two of them
game-moore-move = A-1 takes 1 stone from heap A; A-1,C-2 takes 1 from heap A and 2 from heap C

game-fib = Fibonacci Nim
game-fib-rule = Take at least one stone, and at most twice as many as the move before took. The first move may take any number except the whole heap. The player who takes the last stone wins.
game-fib-position = fib:13 is a new heap of 13 stones; fib:10/4 is a heap of 10 from which the next move takes at most 4
game-fib-move = A-3 takes 3 stones

game-stairs = Staircase
game-stairs-rule = Move any number of stones, at least one, from one step to the next lower step. Stones that leave step 1 are on the ground and out of the game. The player who makes the last move wins.
game-stairs-position = stairs:1,2,3 has 1 stone on step 1, the lowest, 2 on step 2 and 3 on step 3
game-stairs-move = 3:2 moves 2 stones from step 3 to step 2

game-silver = Silver dollar
game-silver-rule = Move one coin to a square with a smaller number, without jumping over a coin or landing on one. The player who makes the last move wins.
game-silver-position = silver:2,3,7 has coins on squares 2, 3 and 7; the lowest square is 0; a square holds at most one coin
game-silver-move = 7-4 moves the coin on square 7 to square 4

game-nimble = Nimble
game-nimble-rule = Move one coin to any square with a smaller number, over other coins or onto them. A coin on square 0 is home and stays there. The player who brings the last coin home wins.
game-nimble-position = nimble:0,3,5 has coins on squares 0, 3 and 5; a square may hold several coins; nimble:_ has no coins
game-nimble-move = 5-2 moves a coin from square 5 to square 2

game-welter = Welter's game
game-welter-rule = Move one coin to any free square with a smaller number; it may jump over other coins. The player who makes the last move wins.
game-welter-position = welter:2,3,7 has coins on squares 2, 3 and 7; the lowest square is 0; a square holds at most one coin
game-welter-move = 7-1 moves the coin on square 7 to square 1

game-euclid = Euclid's game
game-euclid-rule = Subtract the smaller number from the larger, once or several times, without going below 0. Of two equal numbers, either counts as the larger. The player who makes a number 0 wins.
game-euclid-position = euclid:21,9 has the numbers A = 21 and B = 9; play ends when one of them is 0
game-euclid-move = A-18 subtracts 18, twice the smaller number, from A

game-wythoff = Wythoff's game
game-wythoff-rule = Take any number of stones, at least one, from one of two heaps, or the same number from both. The player who takes the last stone wins.
game-wythoff-position = wythoff:5,8 has heap A of 5 stones and heap B of 8
game-wythoff-move = B-2 takes 2 stones from heap B; AB-3 takes 3 from A and 3 from B

game-lasker = Lasker's game
game-lasker-rule = Take any number of stones, at least one, from one heap, or split one heap into two nonempty heaps. The player who makes the last move wins.
game-lasker-position = lasker:3,4 has heaps of 3 and 4 stones
game-lasker-move = A-2 takes 2 stones from heap A; A/2,5 splits heap A into heaps of 2 and 5

game-multi = Multi-Nim
game-multi-rule = Take any number of stones, at least one, from one heap, or split one heap into two or more nonempty heaps. The player who makes the last move wins.
game-multi-position = multi:4,3 has heaps of 4 and 3 stones
game-multi-move = A-2 takes 2 stones from heap A; A/1,1,3 splits heap A into heaps of 1, 1 and 3

game-split = Splitting game
game-split-rule = Replace one heap by two heaps, each with fewer stones than it had. Either may be empty, and together they may have more stones than the heap had. The player who makes the last move wins.
game-split-position = split:3,2 has heaps of 3 and 2 stones
game-split-move = A/0,3 replaces heap A by an empty heap and a heap of 3

game-merge = Take or merge
game-merge-rule = Take one stone from one heap, or put two nonempty heaps together into one. The player who makes the last move wins.
game-merge-position = merge:3,2,1 has heaps of 3, 2 and 1 stones
game-merge-move = A-1 takes one stone from heap A; A+B puts all stones of B onto A

game-grundy = Grundy's game
game-grundy-rule = Split one heap into two nonempty heaps of different sizes. Heaps of one or two stones cannot be split. The player who makes the last move wins.
game-grundy-position = grundy:8,5 has heaps of 8 and 5 stones
game-grundy-move = A/1,4 splits heap A into heaps of 1 and 4

game-octal = Octal game
game-octal-rule = Take stones from one heap as the code of the game allows. Digit i after the dot says what a move that takes i stones may leave of the heap, the digit before the dot what a move that takes none may leave. A digit adds up all that is allowed: 1 for nothing, 2 for one heap, 4 for two heaps, 8 for three; none of these heaps is empty. The player who makes the last move wins.
game-octal-split = Split a heap into { $heaps }.
game-octal-take = { $count ->
    [one] Take { $sizes } stone from a heap and leave { $left } of it.
   *[other] Take { $sizes } stones from a heap and leave { $left } of it.
}
game-octal-or = { $list } or { $last }
game-octal-nothing = nothing
game-octal-one-heap = one heap
game-octal-two-heaps = two heaps
game-octal-three-heaps = three heaps
game-octal-position = octal.0.77:5,1 has heaps of 5 and 1 stones; in 0.77 a move takes 1 or 2 stones and leaves nothing of the heap, one heap or two, as 7 = 1 + 2 + 4; digits are 0-9 and a-f, the first only 0, 4, 8 or c
game-octal-move = A-2 takes 2 stones from heap A and leaves the rest as one heap; A-2/1,4 splits the rest into heaps of 1 and 4

game-kayles = Kayles
game-kayles-rule = Take one pin, or two pins that stand side by side, from a row. A gap stays a gap: taking pins from inside a row leaves two rows. The player who takes the last pin wins.
game-kayles-position = kayles:7 is a row of seven pins; the same game as octal.0.77
game-kayles-move = A-2 takes 2 pins from an end of row A, or the whole row; A-2/1,4 takes 2 pins from inside row A and leaves rows of 1 and 4

game-dawsonkayles = Dawson's Kayles
game-dawsonkayles-rule = Take two pins that stand side by side from a row. A gap stays a gap: taking pins from inside a row leaves two rows. The player who makes the last move wins.
game-dawsonkayles-position = dawsonkayles:9 is a row of nine pins; the same game as octal.0.07
game-dawsonkayles-move = A-2 takes 2 pins from an end of row A, or the whole row; A-2/1,4 takes 2 pins from inside row A and leaves rows of 1 and 4

game-dawsonchess = Dawson's chess
game-dawsonchess-rule = Take a pin that is a row by itself, two pins from an end of a row, or three pins that stand side by side anywhere in a row. A gap stays a gap: taking pins from inside a row leaves two rows. The player who makes the last move wins.
game-dawsonchess-position = dawsonchess:9 is a row of nine pins; the same game as octal.0.137
game-dawsonchess-move = A-1 takes row A if it is a single pin; A-2 takes 2 pins from an end of row A, or the whole row; A-3/1,5 takes 3 pins from inside row A and leaves rows of 1 and 5

game-flip = Coin turning
game-flip-rule = Turn over k coins of the row, adjacent or not, where k is one of the numbers after the name. The rightmost coin turned must go from heads to tails; the others may be turned either way. The player who makes the last move wins.
game-flip-here = { $count ->
    [one] Turn over one coin of the row, from heads to tails.
   *[other] Turn over { $coins } coins of the row, adjacent or not. The rightmost coin turned must go from heads to tails; the others may be turned either way.
}
game-flip-position = flip.1.2:TTHTH is a row of five coins, of which a move turns one or two; H is heads and T is tails (. is read as T)
game-flip-move = 4 turns coin 4; 2,4 turns coins 2 and 4; coins are counted from 1 at the left

game-turtles = Turning Turtles
game-turtles-rule = Turn over one or two coins of the row. The rightmost coin turned must go from heads to tails; the other may be turned either way. The player who makes the last move wins.
game-turtles-position = turtles:TTHTH is a row of five coins; the same game as flip.1.2; H is heads and T is tails (. is read as T)
game-turtles-move = 4 turns coin 4; 2,4 turns coins 2 and 4; coins are counted from 1 at the left

game-mockturtles = Mock Turtles
game-mockturtles-rule = Turn over one, two or three coins of the row. The rightmost coin turned must go from heads to tails; the others may be turned either way. The player who makes the last move wins.
game-mockturtles-position = mockturtles:HHTH is a row of four coins; the same game as flip.1.2.3; H is heads and T is tails (. is read as T)
game-mockturtles-move = 4 turns coin 4; 2,4 turns coins 2 and 4; coins are counted from 1 at the left

game-moebius = Moebius
game-moebius-rule = Turn over one to five coins of the row. The rightmost coin turned must go from heads to tails; the others may be turned either way. The player who makes the last move wins.
game-moebius-position = moebius:TTHTH is a row of five coins; the same game as flip.1.2.3.4.5; H is heads and T is tails (. is read as T)
game-moebius-move = 4 turns coin 4; 2,4 turns coins 2 and 4; coins are counted from 1 at the left

game-mogul = Mogul
game-mogul-rule = Turn over one to seven coins of the row. The rightmost coin turned must go from heads to tails; the others may be turned either way. The player who makes the last move wins.
game-mogul-position = mogul:TTHTH is a row of five coins; the same game as flip.1.2.3.4.5.6.7; H is heads and T is tails (. is read as T)
game-mogul-move = 4 turns coin 4; 2,4 turns coins 2 and 4; coins are counted from 1 at the left

game-moidores = Moidores
game-moidores-rule = Turn over one to nine coins of the row. The rightmost coin turned must go from heads to tails; the others may be turned either way. The player who makes the last move wins.
game-moidores-position = moidores:TTHTH is a row of five coins; the same game as flip.1.2.3.4.5.6.7.8.9; H is heads and T is tails (. is read as T)
game-moidores-move = 4 turns coin 4; 2,4 turns coins 2 and 4; coins are counted from 1 at the left

game-twins = Twins
game-twins-rule = Turn over two coins of the row. The right one must go from heads to tails; the left one may be turned either way. The player who makes the last move wins.
game-twins-position = twins:HTHH is a row of four coins; the same game as flip.2; H is heads and T is tails (. is read as T)
game-twins-move = 2,4 turns coins 2 and 4; coins are counted from 1 at the left

game-turnips = Turnips
game-turnips-rule = Turn over three equally spaced coins of the row. The rightmost coin turned must go from heads to tails; the others may be turned either way. The player who makes the last move wins.
game-turnips-position = turnips:TTHTH is a row of five coins; H is heads and T is tails (. is read as T)
game-turnips-move = 1,3,5 turns coins 1, 3 and 5; coins are counted from 1 at the left

game-grunt = Grunt
game-grunt-rule = Turn over four coins of the row that lie symmetrically: coin 1, a last coin, and two coins between them, one as far from coin 1 as the other from the last. The last of the four must go from heads to tails; the others may be turned either way. The player who makes the last move wins.
game-grunt-position = grunt:TTTHTH is a row of six coins; H is heads and T is tails (. is read as T)
game-grunt-move = 1,3,4,6 turns coins 1, 3, 4 and 6; coins are counted from 1 at the left

game-ruler = Ruler
game-ruler-rule = Turn over any number of coins that lie side by side, at most m if a number m follows the name. The rightmost coin turned must go from heads to tails; the others may be turned either way. The player who makes the last move wins.
game-ruler-any = Turn over any number of coins that lie side by side. The rightmost coin turned must go from heads to tails; the others may be turned either way.
game-ruler-here = { $count ->
    [one] Turn over one coin of the row, from heads to tails.
   *[other] Turn over 1 to { $most } coins that lie side by side. The rightmost coin turned must go from heads to tails; the others may be turned either way.
}
game-ruler-position = ruler:TTHTTHTH is a row of eight coins; in ruler.5:THTTTTTH a move turns at most five; H is heads and T is tails (. is read as T)
game-ruler-move = 2..4 turns coins 2 to 4, 4..4 turns coin 4; coins are counted from 1 at the left

game-dag = Tokens on a graph
game-dag-rule = Move one token along an arc of the graph, from the node where the arc starts to the node where it ends. A node may hold several tokens, and the graph has no cycles. The player who makes the last move wins.
game-dag-position = dag.3-1.3-2.2-0:3,2 has arcs from node 3 to 1, from 3 to 2 and from 2 to 0, and tokens on nodes 3 and 2; a number alone is a node without arcs
game-dag-move = 3-1 moves a token from node 3 to node 1

game-fork = Dividing tokens
game-fork-rule = Take one token from its node, choose an arc from that node, and put a token on every node where the arc ends. The player who makes the last move wins.
game-fork-position = fork.3-1/2.3-0:3,2 has an arc from node 3 to both 1 and 2, an arc from 3 to 0, and tokens on nodes 3 and 2; an end may occur several times (3-1/1); a number alone is a node without arcs; the arcs form no cycle
game-fork-move = 3-1/2 takes a token from node 3 and puts one on 1 and one on 2

game-loopy = Tokens on a graph with cycles
game-loopy-rule = Move one token along an arc of the graph, from the node where the arc starts to the node where it ends. A node may hold several tokens. Endless play is a draw: a match is drawn when a position occurs for the third time with the same player to move. The player who makes the last move wins.
game-loopy-position = loopy.0-1.1-0.1-2:0 has arcs from node 0 to 1, from 1 to 0 and from 1 to 2, and a token on node 0; a number alone is a node without arcs
game-loopy-move = 0-1 moves a token from node 0 to node 1

game-prefix = Prefix-free strings
game-prefix-rule = Add a string of one or more 0s and 1s, no longer than the number after the name. No string may be the beginning of another: beside 01, neither 0 nor 010 can be added. The player who adds the last string wins.
game-prefix-here = { $count ->
    [one] Add the string 0 or the string 1, unless it is already there.
   *[other] Add a string of 1 to { $longest } digits, each 0 or 1. No string may be the beginning of another: beside 01, neither 0 nor 010 can be added.
}
game-prefix-position = prefix.3:01 has the string 01, and new strings have 1 to 3 digits; commas separate strings; prefix.3:_ is the empty start
game-prefix-move = 110 adds the string 110

game-hack = Hackenbush
game-hack-rule = Cut one edge: Left, the first player, may cut blue and green edges, Right red and green ones. Whatever is no longer connected to the ground, vertex 0, falls off. The player who makes the last move wins.
game-hack-green = Cut one edge. Whatever is no longer connected to the ground, vertex 0, falls off.
game-hack-two-colours = Cut one edge of your colour: Left, the first player, cuts blue edges, Right red ones. Whatever is no longer connected to the ground, vertex 0, falls off.
game-hack-position = hack:0-1-2,0-3 is a stalk of two edges and a stalk of one, both from the ground; 0-1 is a green edge, 0b1 a blue and 0r1 a red one; parallel edges and loops (1-1) are allowed
game-hack-move = 1-2 cuts the green edge between 1 and 2, 0b1 the blue edge between 0 and 1; 1-2_2 cuts the second of parallel edges of the same colour

game-value = Values
game-value-rule = Move to one of your options: Left, the first player, to one before the bar, Right to one after it. The player who makes the last move wins.
game-value-position = value:0:1 is {"{"}0|1{"}"}: Left may move to 0, Right to 1. Two colons are a bar outside of it, with two commas between its options: value:2::1:0 is {"{"}2|{"{"}1|0{"}"}{"}"}. _ is a side without options: value:0,1:_ is {"{"}0,1|{"}"}. A value can be a number (3, -1/2), s for *, s2 for *2, u for up, d2 for two downs, us for up and *. In quotes, braces are read as well: 'value:{"{"}2|{"{"}1|0{"}"}{"}"}'
game-value-move = the option, written as a value: 1:0, or in quotes '{"{"}1|0{"}"}'

game-geo = Geography
game-geo-rule = Move the token along an edge to a neighbouring vertex that it has not visited. If the token is not placed yet, the first move puts it on any vertex, or on one of those that are allowed. The player who makes the last move wins.
game-geo-position = geo.0-1.1-2.1-3:0,1 has edges 0-1, 1-2 and 1-3; after the colon come the visited vertices in order: the token started on 0 and is now on 1; _ means that it is not placed, _0/2 that it may be placed on 0 and 2 only; with __ or __0/2 the opponent places it, and the first move is pass; a number alone is a vertex without edges
game-geo-move = 3 moves the token to vertex 3, or places it there

game-nodekayles = Node Kayles
game-nodekayles-rule = Choose a vertex of the graph: it is removed together with all its neighbours. The player who removes the last vertex wins.
game-nodekayles-position = nodekayles:0-1,1-2,3 has edges 0-1 and 1-2, and vertex 3 without edges
game-nodekayles-move = 1 removes vertex 1 and its neighbours

game-arckayles = Arc Kayles
game-arckayles-rule = Choose an edge of the graph: it is removed together with both its ends and every edge at them. The player who removes the last edge wins.
game-arckayles-position = arckayles:0-1,1-2,2-3,1-4 has four edges: a path from 0 to 3, and vertex 4 joined to 1; arckayles:_ has no edges
game-arckayles-move = 1-2 removes the edge between 1 and 2 with both its ends

game-nimstring = Nimstring
game-nimstring-rule = Cut one string. If it was the last string of a coin, or of two coins, these are freed, and you must cut another string in the same turn, until a cut frees no coin. A turn must end with such a cut: if only strings are left that free coins, the player to move has no move. The player who makes the last move wins.
game-nimstring-position = nimstring:0-1-2-3-0,0-4-0 has three coins on a chain that begins and ends at the ground, which is 0, and a fourth one with two strings to the ground; a pair may have several strings
game-nimstring-move = 0-4 cuts that string; 0-1,1-2,2-3 is a turn of three cuts, in this order, of which the first two free coins

game-col = Col
game-col-rule = Paint a vertex of the graph: Left, the first player, paints it blue, and Right red; two adjacent vertices may not have the same colour. Vertices that neither player may paint stay unpainted. The player who makes the last move wins.
game-col-position = col:0-1,1b-2,3r is a path of three vertices and a single one, none of them painted yet; vertex 1 is open to Left alone (b), vertex 3 to Right alone (r); a painted vertex is left out, and its neighbours are closed to one player or to both; 0-1-2 is short for 0-1,1-2
game-col-move = 1b paints vertex 1 blue (Left), 1r red (Right); 1 is enough

game-snort = Snort
game-snort-rule = Paint a vertex of the graph: Left, the first player, paints it blue, and Right red; two adjacent vertices may not have different colours. Vertices that neither player may paint stay unpainted. The player who makes the last move wins.
game-snort-position = snort:0-1,1b-2,3r is a path of three vertices and a single one, none of them painted yet; vertex 1 is open to Left alone (b), vertex 3 to Right alone (r); a painted vertex is left out, and its neighbours are closed to one player or to both; 0-1-2 is short for 0-1,1-2
game-snort-move = 1b paints vertex 1 blue (Left), 1r red (Right); 1 is enough

game-poset = Games on a poset
game-poset-rule = Choose an element of the partial order: it is removed together with every element above it. The player who takes the last element wins.
game-poset-position = poset:0-1-3,0-2-3,4 has element 0 below 1 and 2, these two below 3, and element 4 related to no other; 0-1-3 is short for 0-1,1-3
game-poset-move = 1 takes element 1 and all elements above it

game-cram = Cram
game-cram-rule = Cover two free squares that are side by side in a row or column. The player who makes the last move wins.
game-cram-position = cram:..x/... has two rows of three squares; . is free and x is covered
game-cram-move = 1:2-1:3 covers squares 2 and 3 of row 1

game-domineering = Domineering
game-domineering-rule = Cover two adjacent free squares: Left, the first player, two squares of a column, and Right two squares of a row. The player who makes the last move wins.
game-domineering-position = domineering:..x/... has two rows of three squares; . is free and x is covered
game-domineering-move = 1:1-2:1 covers the first square of row 1 and of row 2 (a move of Left); 1:1-1:2 covers the first two squares of row 1 (a move of Right)

game-clobber = Clobber
game-clobber-rule = Move one of your stones onto a stone of the other player that is beside it in its row or column; the stone that was there is removed. The player who makes the last move wins.
game-clobber-position = clobber:xo./oxo has two rows of three squares; x is a stone of Left, the first player, o one of Right, and . an empty square
game-clobber-move = 1:1-1:2 moves the stone on square 1 of row 1 to square 2 of row 1

game-toads = Toads and Frogs
game-toads-rule = Left, the first player, moves a toad to the right, Right a frog to the left: one place onto a free place, or over one animal of the other kind onto the free place behind it. The player who makes the last move wins.
game-toads-position = toads:TT..F is a strip of five places; T is a toad of Left, F a frog of Right, and . a free place
game-toads-move = 2-3 moves the animal on place 2 to place 3; places are counted from 1 at the left

game-northcott = Northcott's game
game-northcott-rule = Slide your piece in one row any number of squares, at least one, to the left or right, not onto or over the other piece. The player who makes the last move wins, and endless play is a draw: a match is drawn when a position occurs for the third time with the same player to move.
game-northcott-here = Slide your piece in one row any number of squares, at least one, to the left or right, not onto or over the other piece. Endless play is a draw: a match is drawn when a position occurs for the third time with the same player to move.
game-northcott-position = northcott:x..o./.o.x. has two rows of five squares; x is the piece of Left, the first player, o that of Right, and . a free square; each row has one of each
game-northcott-move = 1:1-1:3 slides the piece on row 1, column 1 to column 3

game-chomp = Chomp
game-chomp-rule = Choose a square of the bar: it is eaten with all squares that are in its row or below and in its column or to the right. The top left square, 1:1, is poisoned and may not be chosen. The player who makes the last move wins.
game-chomp-position = chomp:5,4,2 has rows of 5, 4 and 2 squares from top to bottom; no row is longer than the one above
game-chomp-move = 2:3 chooses square 3 of row 2

game-notakto = Notakto
game-notakto-rule = Put an x on a free cell of a board; both players write x. A board with three x in a row, column or diagonal is dead, and nobody may play on it any more. Play ends when all boards are dead. The player who makes the last move wins; in the classic game, written with @misere, that player loses.
game-notakto-position = notakto:x...x..../......... has two boards; a board is nine cells, row by row from the top; x is marked and . is free
game-notakto-move = 1:5 puts an x on cell 5, the centre, of board 1; cells are counted from 1, row by row

game-treblecross = Treblecross
game-treblecross-rule = Put an x on a free cell of the strip; both players write x. Nobody may play on a strip with three adjacent x any more. The player who makes the last move wins.
game-treblecross-position = treblecross:..x..... is a strip of eight cells; x is marked and . is free; several strips are combined by +
game-treblecross-move = 3 puts an x on cell 3; cells are counted from 1 at the left
