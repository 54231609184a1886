# Lists of matches, challenges and offers.

## Lists

matches-outcome = { $outcome ->
    [first] first won
    [second] second won
    [draw] draw
   *[void] does not count
}
matches-reason = { $reason ->
    [last_move] last move
    [resignation] resignation
    [time] time
    [aborted] called off
    [expired] nobody came
    [outgrown] too long to go on
    [repetition] repetition
    [agreement] agreed
    [abandoned] abandoned
    [no_start] not begun
    [no_show] no show
    [disconnected] disconnected
    [withdrawn] withdrawn
    [cancelled] cancelled
   *[operator] by an operator
}
matches-ending = { matches-outcome } ({ matches-reason })
matches-place = { $rated ->
    [yes] rated pair, game { $game } of { $games }, score { $first }-{ $second }
   *[no] game { $game } of { $games }, score { $first }-{ $second }
}
matches-in-series = { $state }; { $place }
matches-uncounted = not yet
matches-status = { $status ->
    [waiting] waiting
    [unfinished] not finished
    [running] running
    [adjourned] adjourned
   *[over] over
}
matches-where-is = { $local ->
    [yes] here
   *[no] server
}
matches-match = match
matches-day = day
matches-start = start
matches-clock = clock
matches-first = first
matches-second = second
matches-plies = plies
matches-state = state
matches-mistakes = mistakes
matches-where = where
matches-none = { $local ->
    [yes] No matches found. Add some: grundy games import FILE
   *[no] No matches found. Start one: grundy play nim:3,5,7
}
matches-more = There are more matches; list them with --limit N
matches-left-out-why = { $why ->
    [uncounted] their mistakes are not counted yet
    [unknown] their mistakes could not be counted within the solver's budget
   *[unverified] the server's summaries of them are damaged; its operator finds them with 'grundy-server fsck'
}
matches-left-out = { $count ->
    [one] { $count } match was left out: { matches-left-out-why }.
   *[other] { $count } matches were left out: { matches-left-out-why }.
}
matches-only-here = these are the matches on this computer (--local lists them without a server)
matches-last-here = this is the last match on this computer
matches-record-here = the record in the library on this computer is used
matches-none-finished = you have not finished a match yet
matches-none-finished-how = play one: grundy play nim:3,5,7 --local
matches-no-game = { $said }
matches-no-game-how = 'grundy rules list' lists the games; 'sum' stands for sums

## One match

matches-to-move = { match-seat } to move
matches-stands = { $status ->
    [waiting] waiting for a second player
    [adjourned] adjourned, { matches-to-move }
    [paused] paused, { matches-to-move }
   *[running] running, { matches-to-move }
}
matches-of-series =
    { $state }
    { $place } of series { $series }
matches-count = { $count ->
    [one] { $count } move
   *[other] { $count } moves
}
matches-shown =
    Match { $match }   { $start }   { $clock }   { $day }
    First  { $first }
    Second { $second }
    { matches-count }, { $state }
matches-ply = ply
matches-who = who
matches-move = move
matches-left = left
matches-now = Now: { $position }

## Challenges

challenge-player = { $bot ->
    [yes] { $name } (bot)
   *[no] { $name }
}
challenge-sent = Challenge { $challenge } to { $name }. Waiting for the answer; Ctrl-C withdraws it.
challenge-withdrawn = the challenge is withdrawn
# The English is that of the protocol.
challenge-why = { $reason ->
   *[any] { $said }
}
challenge-no-match = { $case ->
    [declined] { $name } declined the challenge
    [declined-why] { $name } declined the challenge: { challenge-why }
    [expired] { $name } did not answer the challenge in time
    [withdrawn] the challenge was withdrawn
   *[stopped] the server is stopping, and the challenge has ended
}
challenge-games = { $games ->
    [one] {""}
    [pair] , a rated pair
   *[some] , { $n } games
}
challenge-clock = { $timed ->
    [yes] clock { $clock }
   *[no] { $clock }
}
challenge-line = { $challenge }  { $from } challenges { $to }: { $start }, { challenge-clock }{ challenge-games }{ $side ->
    [first] , who moves first
    [second] , who moves second
   *[random] {""}
}
challenge-ended = { $end ->
    [accepted] the challenge was accepted
    [declined] the challenge was declined
    [withdrawn] the challenge was withdrawn
    [expired] the challenge expired
   *[stopped] the challenge ended: the server stopped
}
challenges-declined = Declined.
challenges-none = No open challenges.
challenges-waiting = Waiting for challenges to { $name }, id { $id }. Ctrl-C ends it.
challenges-began = match { $match } against { $name } began
challenges-paired = { $bye ->
    [yes] tournament { $tournament }: you have a bye in round { $round }
   *[no] tournament { $tournament }: in round { $round } you meet { $name }
}
challenges-won = { $who ->
    [you] you won
   *[name] { $name } won
}
challenges-over = match { $match } ended: { $ending }

## Offers

offers-none = Nobody offers to play. The server's own bots always do: grundy play nim:3,5,7
offers-more = There are more offers; list them with --limit N
offers-all = all games
offers-line = { $untimed ->
    [yes] { $player }  { $name }: { $games }; up to { $most } at once; clocks from { $time }, or none
   *[no] { $player }  { $name }: { $games }; up to { $most } at once; clocks from { $time }
}
