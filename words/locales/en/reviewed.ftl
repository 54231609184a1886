# A review in a terminal.

reviewed-title = { $first } { $result } { $second }{ $how }
reviewed-how = {" "}({ $how })
reviewed-against = against
reviewed-about = { $count ->
    [one] { $start }, { $rule }, { $count } ply, { $clock }, { $date }
   *[other] { $start }, { $rule }, { $count } plies, { $clock }, { $date }
}
reviewed-rule = { $end ->
    [misere] misere play
   *[normal] normal play
}
reviewed-points = Turning points
reviewed-turn = { $decisive ->
    [yes] { review-turn }. This was decisive.
   *[no] { review-turn }.
}
reviewed-conceded = { $how ->
    [time] { $name } ran out of time in a won position. This was decisive.
   *[other] { $name } gave up in a won position. This was decisive.
}
reviewed-none = No turning point was found.
reviewed-never = { $drawn ->
    [yes] { $name } never gave a win or a draw away.
   *[no] { $name } never gave a win away.
}
reviewed-ply = ply
reviewed-who = who
reviewed-move = move
reviewed-mark = mark
reviewed-left = left
reviewed-value = value
reviewed-time = time
reviewed-start = start
reviewed-letters = A: { $first } wins, B: { $second } wins.
reviewed-drawn = =: a draw with best play.
reviewed-open = ?: not found within the budget.
reviewed-marks = Marks
reviewed-player = player
reviewed-kept = chances kept
reviewed-bits = bits found
reviewed-skill = skill (95% interval)
reviewed-resistance = resistance
reviewed-of = { $part } of { $whole }
reviewed-span = { $value } ({ $low } to { $high })
reviewed-why = Why ply { $ply }, { $name } to move:
reviewed-answer = { $move } was answered by { $reply }.
reviewed-hints = { $count ->
    [one] { $name } asked for { $count } hint before move { $ply }.
   *[other] { $name } asked for { $count } hints before move { $ply }.
}
reviewed-unknown = { $count ->
    [one] { $count } position is unknown within the budget; no mark depends on it. To give more time, use --budget.
   *[other] { $count } positions are unknown within the budget; no mark depends on them. To give them more time, use --budget.
}
reviewed-without-bits = { $count ->
    [one] { $count } chance is not counted in the bits, because the winning moves could not be counted.
   *[other] { $count } chances are not counted in the bits, because the winning moves could not be counted.
}
reviewed-traps = { $why ->
    [alternatives] { $count } moves from lost positions had too many alternatives, and could not be marked !? or ?!.
    [hard] { $count } moves from lost positions had alternatives that are too hard to solve, and could not be marked !? or ?!.
   *[budget] The budget was used up before { $count } moves from lost positions could be marked !? or ?!.
}
reviewed-one = Move { $ply } of { $plies }, { $name }: { $move } { $mark }
reviewed-progress = Reviewing: { $done } of { $positions } positions
reviewed-place = Waiting for the server's solver: place { $place }
reviewed-here = the time of the server did not suffice: reviewing on this computer
reviewed-wins-now = { $name } wins now
reviewed-scale = Each column is about { $plies } plies.
reviewed-bars = One bar of # per ply; no bar means that the player who just moved has the win.
