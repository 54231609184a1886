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
tournament-no-elo = Elo is not determined: { $why }.
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
