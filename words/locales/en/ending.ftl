# How a match ended, and what decided it.

match-head = { $who ->
    [you] You win
   *[name] { $name } wins
}
match-by = { $by ->
    [last-move-own] you made the last move
    [last-move] { $name } made the last move
    [misere-own] you had to make the last move
    [misere] { $loser } had to make the last move
    [resignation-own] you resigned
    [resignation] { $loser } resigned
    [time-own] your time ran out
    [time] { $loser }'s time ran out
    [abandoned-own] you stayed away, and the win was claimed
    [abandoned] { $loser } stayed away
    [no-show-own] you did not come in time
    [no-show] { $loser } did not come in time
    [disconnected-own] you were away too long
    [disconnected] { $loser } was away too long
    [withdrawn-own] you left the tournament
    [withdrawn] { $loser } left the tournament
    [operator] an operator of the server decided so
   *[called-off] it was called off
}
match-result = { match-head }: { match-by }.
match-not-started-by = { $who ->
    [you] You did not make the first move in time; the match does not count.
   *[name] { $name } did not make the first move in time; the match does not count.
}
match-drawn = { $by ->
    [repetition] The position occurred for the third time: a draw.
    [agreement] Both players agreed: a draw.
   *[other] Nobody wins: a draw.
}
match-void = { $by ->
    [expired] Nobody joined in time; the match does not count.
    [outgrown] The match became too long to store; it does not count.
    [abandoned] The match was called off because a player stayed away; it does not count.
    [no-start] A player did not make the first move in time; the match does not count.
    [no-show] Neither player came in time: both lose.
    [disconnected] Both players were away too long: both lose.
    [withdrawn] Both players left the tournament.
    [cancelled] The tournament was cancelled.
    [operator] An operator of the server ended the match; it does not count.
   *[called-off] The match was called off; it does not count.
}
match-strange-won = { match-head }, for a reason that this client does not know: { $word }.
match-strange = The match ended in a way that this client does not know: { $outcome }, { $word }.
match-decided-conceded = { $how ->
    [time] Decided at the end: { match-who } ran out of time in a won position.
   *[other] Decided at the end: { match-who } gave up in a won position.
}
match-decided-start = Decided at the start: { match-who } had a won position and never gave it away.
match-decided-unknown = What decided the match was not found in the time available.
match-decided-never = Neither player ever had a won position.
match-decided-nothing = No move gave a win away.
match-decided-several = { $count ->
    [one] No single move decided the match; { $count } move gave a win or a draw away.
   *[other] No single move decided the match; { $count } moves gave a win or a draw away.
}
match-decided = Decided at move { $ply }, by { match-who }: { $move } gave the { match-given } away{ match-better }.
match-given = { $drawn ->
    [yes] draw
   *[no] win
}
match-better = { $better ->
    [none] {""}
    [one] ; { $kept } would have kept it
    [only] ; only { $kept } would have kept it{ match-of }
    [some] ; { $kept }, ... would have kept it{ match-of }
   *[all] ; { $kept } would have kept it{ match-of }
}
match-of = { $winning ->
    [none] {""}
   *[number] {" "}({ $winning } of { $legal })
}
match-list-or = { $list } or { $last }
match-earlier = { $count ->
    [one] { $count } earlier move also gave { match-earlier-what } away.
   *[other] { $count } earlier moves also gave { match-earlier-what } away.
}
match-earlier-what = { $what ->
    [wins] a win
    [draws] a draw
   *[both] a win or a draw
}
match-why = Why: { $reason }
match-why-leaves = { $case ->
    [reply] Why: the reply { $move } leaves { $position }. { $reason }
   *[move] Why: { $move } leaves { $position }. { $reason }
}
match-not-kept = This match is not kept on this computer: { $why }
match-review-later = the match can be reviewed when it is over
match-not-kept-here = this match was not kept, so there is nothing to review
match-left-kept = You have left; the match is unfinished. Return with: { $command }
match-left-ended = The match was local and has ended.
match-next-review = Review:
match-next-learn = Learn:
match-next-explain = Explain:
match-next-rematch = Rematch:
