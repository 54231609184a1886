# Walking through a match, or from a position, in a terminal.

explore-help = Type a move to try it. next [N] and ply N follow the match, back [N] takes moves back, match leaves a variation, start and end go to both ends. moves and more list the moves, why [MOVE] gives the reason, board shows the position again, quit leaves.
explore-start = Start.
explore-after = { $count ->
    [one] After { $count } move: { $moves }.
   *[other] After { $count } moves: { $moves }.
}
explore-ply = Ply { $ply } of { $plies }.
explore-variation = Variation from ply { $ply } of { $plies }: { $moves }.
explore-won = There is no move: the { match-seat } player has won.
explore-turn = { $outcome ->
    [wins] The { match-seat } player is to move and wins.
    [loses] The { match-seat } player is to move and loses.
    [draw] The { match-seat } player is to move; with best play it is a draw.
   *[unknown] The { match-seat } player is to move; who wins was not found within the budget.
}
explore-nim-value = Nim-value { $value }.
explore-value = Value { $value }.
explore-left = { $count ->
    [one] { $count } move left with best play.
   *[other] { $count } moves left with best play.
}
explore-not-found = The winning moves were not found within the budget.
explore-winning = { $case ->
    [all] Winning moves: { $moves }{ match-of }.
   *[some] Winning moves: { $moves }, ...{ match-of }.
}
explore-next = The match went on with { $move }{ explore-effect }.
explore-effect = { $effect ->
   *[wins] , which wins
    [win-lost] , which gives the win away
    [draw-lost] , which gives the draw away
    [loses] , which loses
    [win-drawn] , which gives the win away and leaves a draw
    [draws] , which keeps the draw
    [unknown] {""}
}
explore-no-match = there is no match to follow: type a move
explore-no-more = { $count ->
    [one] the match has { $count } move
   *[other] the match has { $count } moves
}
explore-is-variation = this is a variation: 'match' goes back to the match, 'back' takes a move back
