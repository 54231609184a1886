# Finding a match: the lobby, seeks, challenges, ratings.

## The lobby

lobby-seat = seat
lobby-who = who
lobby-game = game
lobby-clock = clock
lobby-since = since
lobby-id = id
lobby-you = { $name } (you)
lobby-bot = { $name } (bot)
lobby-rated = { $name }, { $rating }
lobby-terms = { $start }{ lobby-games }{ $side ->
    [first] , you first
    [second] , you second
   *[random] {""}
}
lobby-games = { $games ->
    [one] {""}
    [pair] , rated pair
   *[some] , { $n } games
}
lobby-wanted = { $start }, { $clock }{ $games ->
    [one] {""}
    [pair] , a rated pair
   *[some] , { $n } games
}
lobby-empty =
    Nobody is looking for an opponent. Open a seat: grundy play nim:3,5,7 --open
    Or let the server find somebody: grundy play --anyone
lobby-title = Lobby of { $server }
lobby-about = Arrows choose, Enter takes a seat or watches. Type play nim:3,5,7 to play a bot, open nim:3,5,7 to open a seat.
lobby-seats = Open seats: { $count }
lobby-live = Matches now: { $count }
lobby-none-open = Nobody is looking for an opponent now. F4 opens a seat, F3 plays a bot.
lobby-none-live = No match is being played now.
lobby-first = first
lobby-second = second
lobby-plies = moves
lobby-lost = *** NOT CONNECTED: { $why }. This may be out of date.
lobby-not-understood = '{ $line }' is not understood
lobby-words = type the number of a seat, play POSITION, open POSITION, anyone, watch MATCH, join CODE, refresh or quit
lobby-more = There are more seats; list them with --limit N
lobby-take = Take one with: grundy lobby ID
lobby-gone = Somebody else was quicker, or the seat is withdrawn. These are open now:
lobby-own = This is your own seat, so you join as your second guest.
lobby-takes = 'grundy lobby' lists the seats that you can take
lobby-ask = Number of a seat, r to look again, Enter to leave:
lobby-number = Type a number from 1 to { $last }, such as 1.

## Looking for an opponent

seek-opponent = Your opponent is { $name }.
seek-lost = The connection is lost, and with it your seat. Trying to reach the server again; Ctrl-C stops.
seek-too-many = stop looking in another terminal of yours (Ctrl-C), or use another identity: --profile NAME
seek-too-late = Too late: somebody is taking the seat. Ctrl-C again stops anyway.
seek-stopped = stopped looking for an opponent
seek-full = an opponent was found, but you already have the largest number of unfinished matches
seek-full-how = resign or cancel one first: 'grundy games list --mine'
seek-wider = { $window ->
    [near] { $seconds } s: now also other starts of this game, and similar clocks
   *[any] { $seconds } s: now also other games and other clocks
}
seek-looking = Looking for an opponent: { $what }. The server gives up after { $time }. Ctrl-C stops.
seek-open =
    Your seat is open: { $what }. Waiting for an opponent; Ctrl-C withdraws it.
    Others take it with: { $command }
seek-nobody = nobody came in { $time }
seek-nobody-how = try again, or play a bot: { $command }
seek-bot-instead = Sorry, nobody came in { $time }. Play the { $bot } instead?

## Coming to a match

join-own = This is your own invitation, so you join as your second guest.
join-other-server = the link is for the server { $server }, but --server names another one
join-other-server-how = leave --server out
join-own-seat = 'grundy resume' takes you back to your own seat
join-bad-code = { $kind ->
    [link] '{ $code }' is not the link of an invitation
   *[code] '{ $code }' is not a join code
}
join-bad-code-how = { $kind ->
    [link] a link is like https://grundy.example/j/KWQHRMTB; its last eight letters are the code
   *[code] a join code is eight letters such as KWQHRMTB
}
resume-not-yours = you have not played at { $server } with profile { $profile }, so match { $match } is not yours
resume-nothing = you have no running match at { $server } (profile { $profile })
resume-nothing-how = 'grundy play nim:3,5,7' starts one, 'grundy watch MATCH' watches one
resume-others = Resuming match { $match }. Your other unfinished matches:
resume-your-move = your move
resume-more = ... and more: { $command }
watch-waiting = { $player ->
    [none] Waiting for a match to begin. Ctrl-C ends it.
    [ours] Only matches of your own are being played, and you cannot watch those. Waiting for another one; Ctrl-C ends it.
   *[named] Waiting for a match of { $name } to begin. Ctrl-C ends it.
}
watch-own = { $name } is you: your own matches are played, not watched
watch-own-how = to return to one of them: grundy resume
watch-which = name the match to watch
watch-which-how = grundy watch MATCH; --tv watches the newest match, --player NAME the matches of a player
end-none = you have no running match on { $server }
end-which = you have { $count } running matches; name one: { $matches }
end-which-how = 'grundy games list --mine --status live' shows them
watch-own-over = match { $match } is your own, and it is over
watch-own-over-how = to look at it: grundy review { $match }
watch-own-match-how = to return to your seat: grundy resume { $match }
ask-overwrite = { $file } exists. Overwrite it?
invitation-here = This works only on this computer, because { $server } cannot be reached from another one. To play with somebody elsewhere, see "Two people at home" in the README.
invitation-certificate = Your friend also needs a copy of { $file }, to check that this is your server.

## Ratings

rating-game = game
rating-rating = rating
rating-pairs = pairs
rating-last-pair = last pair
rating-pair = pair
rating-date = date
rating-opponent = opponent
rating-theirs = their rating
rating-result = result
rating-change = change
rating-last-match = last match
rating-rank = rank
rating-player = player
rating-score = { $score ->
    [won] won
    [even] even
   *[lost] lost
}
rating-new = New ratings: { $first }, { $second }.
rating-puzzles = { $count ->
    [one] Puzzles: { $rating } after { $count } answer.
   *[other] Puzzles: { $rating } after { $count } answers.
}
rating-puzzle = { $count ->
    [one] Puzzle: { $family }, rated { $rating } after { $count } answer. You: { $own }.
   *[other] Puzzle: { $family }, rated { $rating } after { $count } answers. You: { $own }.
}
rating-after-answer = Your rating in puzzles: { $own }. The puzzle: { $puzzle }.
rating-none = { $name } has no rating yet.
rating-none-how = { $name } has no rating yet. Play a rated pair: grundy play nim:3,5,7 --clock 3+2 --rated --open
rating-no-pairs = { $before ->
    [none] { $name } has no rated pairs of { $game }.
   *[some] { $name } has no rated pairs of { $game } before number { $before }.
}
rating-older = There are older pairs; list them with --before { $next }
rating-more-players = There are more players; list them with --after={ $after }
rating-nobody = { $case ->
    [after-bot] No bot comes after this place.
    [after] No player comes after this place.
    [provisional-bot] No bot has a provisional rating in { $game }.
    [provisional] No player has a provisional rating in { $game }.
    [settled-bot] No bot has a settled rating in { $game } yet. List the others with: grundy leaderboard { $game } --bots --provisional
   *[settled] No player has a settled rating in { $game } yet. List the others with: grundy leaderboard { $game } --provisional
}
