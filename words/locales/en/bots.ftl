# Bots as programs, built-in bots, and the arena.

bot-name = { $directory }: a bot's name is made of letters, digits, - and _, a letter first
bot-name-how = for example: grundy bot new --lang python mybot
bot-new-how = name a directory in which there is no bot yet
bot-file-there = { $file } is there already
bot-file-unwritten = { $file } cannot be written: { $why }
bot-written =
    { $directory } is written. Try it:
    {"  "}cd { $directory } && { $build }grundy bot check { $command }
    {"  "}grundy arena --bot "cmd:{ $command }" --bot random --pairs 10
misread-time = '{ $text }': { $why }; write 100ms for each move, or 10s+100ms for a starting time and an increment
misread-time-long = the longest time is 7 days
misread-no-base = the starting time must be longer than 0
bot-about = { $name ->
   *[any] { $bot ->
       *[any] { $about }
    }
}
bot-option = { $said }
bot-option-how = { $said }

## Bots that play on a server

bot-waits = { $n ->
    [one] { $n } match without a clock still waits for its opponent; to play on: grundy bot run -- COMMAND
   *[other] { $n } matches without a clock still wait for their opponents; to play on: grundy bot run -- COMMAND
}
bot-taken-over = another program of yours has taken it over
bot-silence = the server has been silent for { $seconds } seconds
bot-takes = { $name } takes up to { $most } matches at once, id { $id }. Ctrl-C ends it.
bot-waits-for-server = { $why }. The bot waits and tries again; Ctrl-C ends it.
bot-connected = connected after { $seconds } s
bot-lost = connection lost: { $why }
bot-reconnected = reconnected after { $seconds } s, no event lost
bot-played = { $match }  { $outcome }
bot-played-review = { $match }  { $outcome }   again: grundy review { $match }
bot-tournament-over = { $tournament }  over: { $games } games, { $wins } won, { $losses } lost   standings: grundy tournament show { $tournament }
bot-does-not-start = the bot does not start: { $why }
bot-check-how = 'grundy bot check COMMAND' shows what it says and what is wrong
bot-game-over = the game is over
bot-started-again = the bot failed ({ $why }); started again
bot-failed = the bot failed: { $why }
bot-illegal = '{ $text }' is not legal: { $said }
bot-match = match { $match }: { $why }
bot-resigned = match { $match }: { $why }; the match is resigned
# The English is what the runner found.
bot-trouble = { $kind ->
   *[any] { $said }
}

## Checks

bot-no-code = the command does not say where the join code goes
bot-no-code-how = write {"{"}code{"}"} in its place, as in: python3 client.py --server {"{"}url{"}"} --join {"{"}code{"}"}
bot-check-ok = ok{"  "}
bot-check-fail = FAIL
bot-check-figure = {" "}({ $figure })
bot-check-passed = All { $n } checks passed.
bot-check-failed = { $failed } of { $n } checks failed.
bot-check = { $name ->
   *[any] { $about }
}
bot-check-online = { $name ->
   *[any] { $about }
}
check-figure = { $figure }
check-noise = '{ $line }' is no part of the greeting; print what is for people to stderr
check-no-name = it has no name; print 'bot name mybot author me' before ok
check-no-game = there is no game '{ $name }'; the games are { $games }
check-no-feature = '{ $name }' is not a feature; the only one is ready
check-option-key = an option has no { $key }; write 'option name depth type int default 5'
check-option-type = the option { $name } has the type '{ $type }'; types are int and text
check-unasked = it said '{ $line }' without being asked
check-answers-new = it said '{ $line }' to new; only a bot with the feature ready answers, and only with ready
check-says-more = after its answer it said '{ $line }'
check-moves = { $n } moves
check-moves-more = { $n } moves and more
check-of-game = { $game }: { $why }
check-games = { $n } games
check-no-sums = it does not play nim and kayles
check-speed = { $mean } ms a move, { $longest } ms the longest
check-slow = { $speed }, and { $slow } of { $of } took 100 ms or more: it will lose on time where moves are fast
check-ended = { $how }
check-not-ended = it did not end
check-not-running = it does not run any more
check-long-line = it wrote a line of more than 64 KiB
check-it-ended = it ended ({ $how })
check-last-words = { $wrong }; its last words on stderr: { $last }
check-no-start = { $quoted ->
    [yes] { $said }: the whole command is one word; write it without quotation marks
   *[no] { $said }
}
check-no-ok = no ok within { $seconds } s: { $flush }
check-not-ready = '{ $line }' came where ready was due
check-no-ready = it asked to be waited for, and did not say ready: { $flush }
check-no-position = { $position } is no position
check-resigned = it resigned
check-illegal = { $has ->
    [yes] '{ $text }' is not legal in { $position }: { $said }; legal is, for example, { $example }
   *[no] '{ $text }' is not legal in { $position }: { $said }
}
check-no-answer = no answer within 5 s: { $flush }
check-other-number = the answer has the number { $got }, the request had { $asked }
check-killed = { $after ->
    [quit] it was still there 1 s after quit, and was killed
   *[input] it was still there 1 s after the end of its input, and was killed
}
check-slip = { $said }
check-seat-late = nobody took the seat of { $code } within { $seconds } s
check-move-late = no move within { $seconds } s
check-server-move = the server sent a move that is not legal: { $said }
check-failure = { $code ->
   *[any] { $said }
}
check-person = it signed in as a person; send "bot": true in the first hello of a new identity
check-nobody = nobody took the seat
check-no-move = it made no move
check-no-move-ended = it made no move; the match ended by { $reason }
check-own-moves = { $n } moves of it
check-opponent-resigned = the opponent resigned
check-other-end = the match ended by { $reason } and not by the rules
check-no-end = the match did not come to its end
check-longest = { $ms } ms the longest
check-move-slow = a move took { $ms } ms: it will lose on time where moves are fast
check-still-there = it was still there { $seconds } s after the end of its match, and was killed

## The files of bots

bot-file-absent-how = --bot takes cmd:./mybot, the name of a built-in bot, or a file such as mybot.toml
bot-file-syntax = { $file }, line { $line }: { $said }
bot-file-syntax-how = a bot's file needs: command = "./mybot", or builtin = "skill:0.7"
bot-file-time = time: { $why }
bot-file-builtin = builtin: { $said }
bot-file-no-command = command is empty: write command = "./mybot"
bot-file-directory = directory: there is no directory { $directory }; leave it out to use that of the file
bot-file-bound = { $key } = { $value }: it must be from { $least } to { $most }
bot-file-variable = { $said }
bot-file-option = { $said }
bot-file-both = it has both 'command' and 'builtin': keep one
bot-file-neither = it has neither 'command' nor 'builtin': write command = "./mybot"
entrant-bad = --bot { $text }: { $why }
entrant-bad-how = a bot is cmd:./mybot, a file such as mybot.toml, or a built-in bot such as perfect or skill:0.7
entrant-no-command = there is no command after 'cmd:'
entrant-no-bot = { $said }
entrant-no-name = '{ $name }' is not a name
entrant-name-how = a name has 1 to 40 letters A-Z a-z, digits, and . _ : -; give one with NAME=, such as fast=cmd:./mybot

## The arena

arena-no-pairs = --pairs 0: nothing would be played
arena-no-pairs-how = a pair is two games from one start; write --pairs 1 or more
arena-no-plies = --max-plies 0: every game would be a draw without a move
arena-no-plies-how = write --max-plies 1 or more, or leave it out
arena-too-many = { $bots } bots: at most { $most } can take part
arena-too-many-how = play qualifying groups first
arena-alone = one bot cannot play alone
arena-alone-how = name a second one, such as --bot random
arena-twice = two bots are called { $name }
arena-twice-how = give one of them another name: --bot other={ $bot }
arena-sprt = --sprt compares two bots
arena-sprt-how = name exactly two
arena-of-bot = the bot { $name }: { $why }
arena-check-how = 'grundy bot check COMMAND' shows what a bot says and what is wrong
arena-no-start = it cannot be started: { $why }
arena-ended-early = it ended before it said ok: { $why }
arena-does-not-play = it does not play { $game }, and the suite has it
arena-broken = { $said }
arena-unwritten = --out: { $file } cannot be written: { $why }
arena-unwritten-how = make room, or name another directory with --out
plan-rounds = { $most ->
    [one] --rounds { $rounds }: { $players } bots can play at most { $most } round without meeting twice
   *[other] --rounds { $rounds }: { $players } bots can play at most { $most } rounds without meeting twice
}
plan-rounds-how = { $most ->
    [one] write --rounds 1
   *[other] write --rounds with a number from 1 to { $most }
}
plan-games = { $meetings ->
    [one] --pairs { $pairs }: the bots meet { $meetings } time, and an arena has at most { $most } games
   *[other] --pairs { $pairs }: the bots meet { $meetings } times, and an arena has at most { $most } games
}
plan-games-how = write --pairs with a number from 1 to { $most }
plan-fewer-bots-how = name fewer bots, or write --format knockout or --format swiss
plan-schedule = { $fault ->
   *[any] { $said }
}
plan-schedule-how = { $fault ->
    [seeds] name more bots, or write --seeds 1
    [few] name a second bot, such as --bot random
    [games] play a Swiss tournament (up to { $most } bots), a knockout, or qualifying groups
   *[many] play a knockout, or qualifying groups first
}
suite-changed = the suite { $start } has other positions now than when the arena began
suite-changed-how = put the file back as it was, or begin a new arena
suite-recipe = { $recipe ->
   *[any] --start random:{ $said }
}
suite-recipe-how = --start random:RECIPE, where { $said }
suite-position = { $place }, column { $column }: { $said }
suite-position-how = a position looks like { $example }
suite-finished = { $place }: { $position } is over before the first move
suite-finished-how = remove it, or add an object, as in nim:3,5,7
suite-file = --start { $file }: { $why }
suite-file-how = name a file with one position a line, one position such as nim:3,5,7, or random:nim,heaps=3-5,max=15,seed=7
suite-too-long = { $file }: more than { $most } positions
suite-empty = { $file }: there is no position in it
suite-empty-how = write one position a line, such as nim:3,5,7
journal-elsewhere = --resume takes the directory that was given to --out
journal-written = name the directory that was given to 'grundy arena --out'
journal-empty-how = nothing was played: give the same directory to --out to begin anew
journal-there = --out { $directory }: there is an arena in it already
journal-there-how = go on with it: grundy arena --resume { $directory }; or name another directory
journal-damaged = { $file }, line { $line }: { $said }
journal-in-use = { $file }: another runner is playing this arena
journal-in-use-how = wait until it has ended, or end it
journal-unwritten = { $directory }: the journal cannot be written: { $why }
journal-unwritten-how = make room, then: grundy arena --resume { $directory }
journal-game = { $directory }: game { $game }: { $said }
journal-other = { $directory }: { $said }
journal-other-how = the journal was changed, or its lines are those of another arena
journal-delete-how = delete this line, and --resume plays its game again
journal-other-line-how = delete this line, or take the journal that belongs here
journal-many-how = delete this line
journal-twice-how = delete one of the two lines
journal-version-how = resume it with the version of grundy that began it
journal-settings-how = begin a new arena with --out for other settings
