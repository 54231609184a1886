# Tournaments on the command line.

## A tournament

tournament-status = { $status ->
    [entries] entries are open
    [running] running
    [paused] paused
    [over] over
   *[cancelled] cancelled
}
tournament-outcome = { $case ->
    [cancelled] { tournament-status }: { $reason }
    [early] { tournament-status } after round { $round }: everybody who is left has met
   *[plain] { tournament-status }
}
tournament-format = { $format ->
    [round-robin] round robin
    [double-round-robin] double round robin
    [gauntlet] gauntlet, { $n } against all others
    [swiss] Swiss, { $n } rounds
    [knockout] knockout
   *[ladder] ladder, { $n } rounds
}
tournament-games = { $planned ->
    [none] { $ended } games
   *[number] { $ended }/{ $planned } games
}
tournament-time-left = { $games }, about { $time } left
tournament-pairing = { $games ->
    [one] 1 game a pairing
   *[other] { $games } games a pairing
}
tournament-shown =
    { $tournament }   { $name }   { $format }   { $outcome }
    { $players } players, { tournament-pairing }   { $progress }
tournament-rank = rank
tournament-player = player
tournament-points = points
tournament-played = games
tournament-won = +
tournament-drawn = =
tournament-lost = -
tournament-elo = Elo
tournament-accuracy = accuracy
tournament-note = note
tournament-withdrawn = withdrawn
tournament-no-elo = { $case ->
   *[any] Elo is not determined: { $why }.
}
tournament-proof = head { $head }   commitment { $commitment }
tournament-none = No tournaments yet. Create one: grundy tournament create 'Nim Cup' --format swiss --rounds 5
tournament-listed = { $tournament }  { $status }  { $name }  ({ $format })
tournament-next =
    Play in it: grundy tournament play { $tournament }
    With a bot: grundy bot run --tournament { $tournament } -- ./mybot
    Follow it:  grundy tournament watch { $tournament }

## Its events

tournament-created = { $name }: { $format }
tournament-entered = { $name } enters
tournament-begun = it begins with { $n } players
tournament-withdrew = { $name } withdraws
tournament-bye = { $name } has a bye
tournament-comma = { ", " }
tournament-paired = round { $round }: { $pairs }
tournament-game = { $match }  round { $round }, board { $board }, game { $game }: { $ending }   { $progress }
tournament-event = { $event ->
    [paused] paused
    [resumed] resumed
   *[cancelled] cancelled: { $reason }
}

## Playing in it

tournament-goes-on = Match { $match } goes on. Back to it: grundy tournament play { $tournament }
tournament-waiting = { $name }: waiting for your next game. Ctrl-C stops waiting; your place stays yours.
tournament-unconfirmed = --confirm { $confirm } does not name the tournament { $tournament }
tournament-unconfirmed-how = grundy tournament cancel { $tournament } --confirm { $tournament }
tournament-exported = Written: { $file } ({ $n } games)
tournament-not-over = the tournament is not over: it can be exported when it is
tournament-not-over-how = 'grundy tournament watch' waits for its end
tournament-bad-log = the server's log of the tournament is not valid: { $why }

## Schedules, pairings and standings

# The English is that of the check.
schedule-bad = { $case ->
   *[any] { $said }
}
schedule-bad-how = such as { $example }
schedule-round = round { $round }
schedule-games = round { $round }: { $games }
schedule-games-bye = round { $round }: { $games }   bye { $player }
schedule-bye = { $name } has a bye
schedule-next = winners of neighbouring lines meet next
pair-round = round { $round }, White first
pair-bye = bye
standings-rank = rank
standings-id = id
standings-name = name

## The arena

arena-rank = #
arena-bot = bot
arena-match-points = match
arena-points = points
arena-games = games
arena-won = won as 1st/2nd
arena-accuracy = accuracy
arena-elo = Elo
arena-faults = faults
# The English is the word of the record.
arena-fault = { $n } { $cause }
arena-out = withdrawn
arena-classes = { $upsets ->
    [none] {""}
    [one] {" "}({ $sound } sound, { $upsets } double upset)
   *[other] {" "}({ $sound } sound, { $upsets } double upsets)
}
arena-duel = { $a } against { $b }: pairs 0-2 { $lost }, 0.5-1.5 { $half-lost }, 1-1 { $level }{ arena-classes }, 1.5-0.5 { $half-won }, 2-0 { $won }
arena-difference = Elo { $elo } (95 %: { $low } to { $high }), normalised { $nelo }, superior with probability { $los }
arena-open-figure = {"  "}not determined: { $why }
arena-no-pair = no pair is complete
arena-verdict = { $verdict ->
    [h0] H0 accepted after { $pairs } pairs: no such difference
    [h1] H1 accepted after { $pairs } pairs: { $name } is stronger
   *[open] not decided after { $pairs } pairs
}
arena-test = SPRT elo0={ $elo0 } elo1={ $elo1 }: LLR { $llr } [{ $lower }, { $upper }], { arena-verdict }
arena-faultless = { $name }: no errors seen in { $won } won positions; error rate below { $bound } % (95 %)
arena-faults-so-far = { $faults ->
    [0] {""}
   *[other] , { $faults } faults
}
arena-time-left = { $left ->
    [none] {""}
   *[time] , { $left } left
}
arena-progress = games { $games }/{ $of }, { $rate }/s{ arena-faults-so-far }{ arena-time-left }
arena-commitment = Commitment { $commitment }: publish it now, and nobody can choose another seed, other starts or other bots later.
arena-stopping = Finishing the running games. Ctrl-C again ends them uncounted.
arena-cut-short = The tournament ends here: { $why }.
arena-summary = { $games } games, { $pairs } complete pairs, seed { $seed }, { $seconds } s, { $rate } games/s
arena-head = Head { $head }. Verify the results with: grundy verify arena { $directory }
arena-interrupted = Interrupted. Play the rest with: grundy arena --resume { $directory }
arena-lost = Interrupted. It cannot be resumed, because --out was not given.
arena-not-ready = The bot { $name } is not ready: { $why }. It loses each game for which it does not get ready.
arena-before = { $games } games were played before.
