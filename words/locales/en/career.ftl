# All matches of a player together.

## The head

career-matches = { $count ->
    [one] { $count } match
   *[other] { $count } matches
}
career-drawn-too = { $drawn ->
    [0] {""}
   *[other] , { $drawn } drawn
}
career-both-sides = { $own ->
    [0] {""}
   *[other] , { $own } with the same player on both sides
}
career-name = { $name }
career-yours = Your matches
career-head = { $who }: { career-matches }, { $won } won, { $lost } lost{ career-drawn-too }{ career-both-sides }

## Tables

career-all = all
career-results = Results
career-game = game
career-played = matches
career-won = won
career-lost = lost
career-drawn = drawn
career-moves = moves
career-mistakes = mistakes
career-decisions = Wins kept, of those that could be lost
career-kept = kept
career-share = share (95%)
career-bits = bits found
career-skill = skill (95%)
career-trend = Trend
career-day = day
career-week = week from
career-month = month
career-year = year
career-by-ply = Wins kept, by the number of the move
career-ply = moves
career-by-used = Wins kept, by the time that the move took
career-used = time used
career-by-left = Wins kept, by the time left after the move
career-left = time left
career-themes = Wins given away, by the idea that would have won
career-idea = idea
career-missed-positions = Most missed positions
career-position = position
career-missed = missed
career-best = best
career-openings = Start positions
career-start = start
career-first-won = first won
career-second-won = second won
career-as-first = as first
career-as-second = as second
career-best-play = best play
career-opponents = Opponents
career-opponent = opponent
career-score = won-lost-drawn
career-listed = { $title } ({ $shown } of { $all }; show more with --rows)

## Cells

career-of = { $part } of { $whole }
career-span = { $value } ({ $low } to { $high })
career-to-move = { $position } ({ match-seat } to move)
career-theory = { $theory ->
    [first] first
    [second] second
    [draw] draw
   *[unknown] unknown
}
career-or-more = { $from } or more
career-below = below { $below }
career-from-to = { $from } to { $below }
career-a-draw = a draw
# The English is the word of the record.
career-theme = { $theme ->
   *[any] { $name }
}

## What is left out

career-unknown = { $count ->
    [one] { $count } move could not be judged within the budget; try a longer --budget.
   *[other] { $count } moves could not be judged within the budget; try a longer --budget.
}
career-uncounted = Not counted, because they were called off: { career-matches }.
career-no-theme = Mistakes without an idea in the list: { $n }.
career-more-positions = Moves from positions that are too long or too many for the list of missed positions: { $n }.
career-more-openings = Matches from starts that are too long or too many for the list: { $n }.
career-more-opponents = Matches against opponents who are too many for the list: { $n }.

## Nothing

career-of-whom = { $who ->
    [you] of yours
   *[name] of { $name }
}
career-which = { $filtered ->
    [no] {""}
   *[yes] {" "}that pass the filters
}
career-place-library = in the library on this computer
career-place-path = in { $path }
career-place-server = on the server
career-places = { $first }, { $rest }
career-nothing = no finished matches { career-of-whom }{ career-which } { $places }
career-only-here = these are only the matches on this computer (--local reads them without a server)
career-nothing-how = { $filtered ->
    [yes] try without --family, --vs, --since and --until
   *[no] play one: grundy play nim:3,5,7 --local; --online reads those of a server, --from FILE those of a record
}
career-stdin-once = --last reads the matches twice, and stdin can be read only once
career-stdin-once-how = write the records into a file, and name it
career-left-out = warning: match { $match } is left out: { $why }
career-second-game = the second game of its rated pair is not over
