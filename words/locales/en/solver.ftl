# What `grundy solve` prints, and hints.

solve-outcome-n = the player to move wins
solve-outcome-p = the player to move loses
solve-outcome-l = Left wins
solve-outcome-r = Right wins
solve-outcome-d = draw with best play
solve-outcome-unknown = not solved within the budget
solve-nim-value = nim-value { $value }
solve-value = value { $value }
solve-longest = { $count ->
    [one] longest defence { $n } move
   *[other] longest defence { $n } moves
}
solve-shortest = { $count ->
    [one] shortest win { $n } move
   *[other] shortest win { $n } moves
}
solve-try = Try { $flag }.
solve-not-found = The winning moves were not found within the budget. Try { $flag }.
solve-many = At least 2^53 moves win; the first of them are listed.
solve-known = The listed moves are known to win; others may win as well.
solve-wins = wins
solve-loses = loses
solve-move = move
solve-leaves = leaves
solve-value-column = value
solve-result = result
solve-left = moves left after
solve-more = { $count ->
    [one] { $n } other move not shown; see more with --max-moves
   *[other] { $n } other moves not shown; see more with --max-moves
}
solve-more-winning = { $count ->
    [one] { $n } other winning move not shown; see more with --max-moves
   *[other] { $n } other winning moves not shown; see more with --max-moves
}
solve-others-draw = { $count ->
    [one] { $n } move does not win; show with --all
   *[other] { $n } moves do not win; show with --all
}
solve-all-lose = { $count ->
    [one] { $n } move loses; show with --all
   *[other] { $n } moves lose; show with --all
}
solve-others-lose = { $count ->
    [one] { $n } other move loses the win; show with --all
   *[other] { $n } other moves lose the win; show with --all
}
solve-over = There is no move: the game is over.
solve-why = Why: { $command }

hint-too-hard = The solver could not decide this position in the time of a hint.
hint-draw = No move wins by force: with best play the match is a draw.
hint-lost = Every move loses against best play. Choose one that is hard to answer; 'why' shows the reason.
hint-not-found = You can win, but the solver found no winning move in the time of a hint.
hint-won = You can win. Type hint again for the idea, then for the place and a move, or why for the reason.
hint-won-forced = You can win. There is only one move. Type hint again for the idea, then for the place and a move, or why for the reason.
hint-won-one = { $count ->
    [one] You can win. Only 1 of { $n } move wins. Type hint again for the idea, then for the place and a move, or why for the reason.
   *[other] You can win. Only 1 of { $n } moves wins. Type hint again for the idea, then for the place and a move, or why for the reason.
}
hint-won-some = { $count ->
    [one] You can win. { $winning } of { $n } move win. Type hint again for the idea, then for the place and a move, or why for the reason.
   *[other] You can win. { $winning } of { $n } moves win. Type hint again for the idea, then for the place and a move, or why for the reason.
}
working-component = Component { $number }, alone:
working-xor = XOR
working-even = Every column has an even number of 1s: any move breaks one, and one answer repairs it.
working-odd = Each column needs an even number of 1s; the { $place }s column has { $count }: odd. Change one heap that has a { $place } so that every column is even:
working-retreats = A retreat changes nothing: the opponent advances by as much, and retreats run out.
working-winning = { $all ->
    [yes] The { $count } winning moves are { $moves }.
   *[no] Of the { $count } winning moves, the first are { $moves }.
}
why-last-move = The last move, { $move }:
why-position = The position now:
