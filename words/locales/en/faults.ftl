# Faults of files, flags, settings, and what is kept on this computer.

# The English is the system's own.
system = { $kind ->
   *[any] { $said }
}
such-as = such as { $example }
failure-internal = { $said }

## Files

file-fault = { $file }: { $why }
file-open-how = run: chmod 600 { $file }
file-is-directory = { $file } is a directory, not a { $kind ->
    [draft] draft
    [deck] deck
    [certificate] certificate
    [tournament] tournament
    [report] tournament report
    [results] list of results
    [puzzles] file of puzzles
   *[record] record
} file
file-irregular = { $file } is not a regular file
file-irregular-how = move it away: only regular files are read there
file-not-overwritten = { $file } was not overwritten
file-different = { $file } exists and is different
file-different-how = choose another name, or overwrite it with --force
file-other-kind = { $kind ->
    [record] { $file } exists
    [svg] { $file } exists and is not an SVG picture
    [html] { $file } exists and is not an HTML page
    [player-table] { $file } exists and is not a table of 'grundy stats player'
    [standings-table] { $file } exists and is not a table of standings
    [tournament-file] { $file } exists and is not a tournament file
    [tournament] { $file } exists and is not an exported tournament
    [certificate] { $file } exists and is not a certificate
    [token] { $file } exists and is not a token
   *[identity] { $file } exists and is not a sealed identity
}
file-is-read = { $file } is read by this command, so it is not overwritten
file-kept-how = choose another name
file-other-content = { $file } has another content, and is kept
file-other-content-how = name a new file: --annotate OUT
file-exists-already = { $file } exists already
file-exists-force = replace it with --force

## What writes a file

made-by-export = 'grundy games export MATCH FILE' writes such a file
made-by-play = 'grundy play --local' writes such a file
made-by-learn = 'grundy learn' writes such a file
made-by-solve = 'grundy solve POSITION --certificate FILE' writes such a file
made-by-tournament = 'grundy tournament export TOURNAMENT FILE' writes such a file
made-by-puzzle-make = 'grundy puzzle make' writes such a file
made-by-results = a line looks like 'alice,bob,12': winner, loser, how often
made-by-trf =
    a player's line looks like
    {"  "}001    1      Tal, Mikhail                      2705                             1.5    1     3 w 1     2 b =

## Settings

config-setting = { $origin }: { $why }
config-default = default
config-syntax = { $file }, line { $line }, column { $column }: { $said }
config-syntax-how = fix the file; this program never changes it
config-file = file
config-path = path
config-settings = settings
config-secrets = secrets
config-matches = matches
config-no-home = (no home directory)
config-key = key
config-value = value
config-from = from
misread-profile = a profile name is 1 to 64 letters, digits, '-', '_' and '.'
misread-screen = '{ $text }' is no way to show a match: auto, full or lines
misread-language = { $said }
misread-address = '{ $text }' is not a server's address, such as http://127.0.0.1:7310
misread-duration = '{ $text }' is not a length of time, such as 10s, 500ms or 1m30s
misread-no-time = it must be longer than 0
no-home-library = the home directory is not known, so there is no library of matches
no-home-deck = the home directory is not known, so there is no practice deck
no-home-identities = the home directory is not known, so identities cannot be stored
no-home-data-how = set HOME or XDG_DATA_HOME
no-home-config-how = set HOME or XDG_CONFIG_HOME

## Values of flags

misread-clock = { $said }
misread-games = write 1, or an even number up to { $most }: both players move first equally often
misread-moment = expected a day such as 2026-11-30, a time such as 2026-11-30T18:00:00Z, or how long ago, such as 30d
misread-puzzle = expected the number of a puzzle, such as 17
misread-day = expected a day such as 2026-11-30
misread-mix = { $part } must be KIND=NUMBER with a number up to { $most }, as in guests=100
misread-mix-kind = { $kind } must be guests, matches, solve or watch
misread-theme = there is no such theme; the themes are { $names }
misread-mark = '{ $text }' is not a mark; the marks are { $names }
misread-scope = the scopes are { $names }
misread-player = { $said }
misread-players = write two players, such as 0.9,0.7 or best,skill:0.7
misread-heaps = write a range such as 2-4, or a number

## Flags that do not go together, and positions that are missing

usage-annotate = --annotate needs a file to write
usage-annotate-how = such as: grundy review MATCH --annotate annotated.ndjson
usage-both-players = both players have this name
usage-both-players-how = use --side first or --side second
usage-no-ply = --ply: there is no move { $ply }, for the match has { $moves ->
    [one] { $moves } move
   *[other] { $moves } moves
}
usage-smaller-ply = choose a smaller --ply
usage-stdout = '-' stands for stdout, which has other output here
usage-stdout-how = name a file
usage-without-server = { $flag } has no effect here: this command works without a server
usage-without-server-how = leave it out
usage-without-server-play = leave out --local to play on the server
usage-no-position = a position has a colon
usage-game-how = the rules of this game: grundy rules show { $game }
usage-term-how = to look up a term: grundy explain '{ $term }'
usage-moves = --move: at most { $most } moves can be explained at once
usage-moves-alone = moves can only follow a start position
usage-moves-alone-how = such as: grundy review nim:3,5,7 A-1 C-7
usage-certificate = --certificate needs a single position and cannot be used with '-'
usage-svg = --svg needs a single position and cannot be used with '-'
usage-no-start = a start position is missing
usage-opponents = --opponents needs --open or --anyone
usage-opponents-how = such as: grundy play nim:3,5,7 --open --opponents people
usage-rated-bot = a match against a built-in bot cannot be rated
usage-rated-bot-how = find another opponent with --anyone, --open, --invite or --against NAME
usage-fair-bot = it is not known how often { $bot } finds a winning move
usage-fair-bot-how = with --fair, --bot is perfect, random, a strength such as club, or skill:Q
no-such-bot = { $name ->
   *[any] --bot: { $said }
}
no-such-bot-how = the bots are { $strengths }, { $kinds }
not-a-player = '{ $name }' did not play in this match
not-a-player-how = the players were { $first } and { $second }
not-a-player-one = the players were { $names }
graph-too-large = { $said }
graph-too-large-how = choose a smaller position; 'grundy solve' and 'grundy explain' accept large ones
line-too-long = the line is longer than { $most } bytes
line-not-utf8 = the line is not UTF-8 from byte { $byte } on
no-command = '{ $command }' has no command '{ $text }'
no-command-how = 'grundy --help' lists the commands
man-read = To read the page: { $command }
man-written = { $pages ->
    [one] { $pages } page
   *[other] { $pages } pages
} written to { $directory }
no-screen = there is no full screen here
bad-seek = '{ $text }' is not the id of a seat
bad-seek-how = an id is ten letters and digits such as Tk8Ld4WnZe: 'grundy lobby' lists them
no-match-there = you have no match at { $server } (profile { $profile })
no-match-there-how = 'grundy games list' shows the matches on the server

## Secrets

secret-file = { $flag } { $file }: { $why }
secret-file-empty = its first line is empty
secret-file-long = its first line is too long
secrets-open = other users can read it, and it contains your secrets
secrets-syntax = it does not parse: { $said }
secrets-syntax-how = fix the file, or move it away to start as a new guest
secrets-unwritable-how = set XDG_CONFIG_HOME to use another directory for settings and identities
token-file-open = other users can read it, and it contains your token
token-file-empty = its first line has no token
token-file-empty-how = make one with: grundy token create NAME --scope play --to FILE
sealed-not-ours = not a sealed identity file
sealed-not-opened = the file is damaged or the passphrase is wrong
sealed-newer = it was written by a newer grundy; update this one

## Practice and puzzles

deck-in-use = another program is writing the practice deck
deck-in-use-how = try again when it is done
deck-damaged = { $place ->
    [file] the practice deck { $file }: { $said }
    [line] the practice deck { $file }, line { $line }: { $said }
   *[column] the practice deck { $file }, line { $line }, column { $column }: { $said }
}
deck-damaged-how = nothing was changed: correct the line, or move the file away to begin a new deck
deck-newer-how = a newer version wrote it: update grundy. Nothing was changed
puzzles-too-large = it has more than { $most } bytes
puzzles-not-utf8 = line { $line }: it is not UTF-8
puzzles-bad-line = line { $line }: { $said }
puzzles-none = there are no puzzles in this file
puzzles-numbers = the puzzles have the numbers from 1 to { $most }
puzzles-no-such = there is no such puzzle
puzzles-all-solved = you have solved all of these puzzles
puzzles-list-how = list them: grundy puzzle list
puzzles-again-how = solve them again with --again
puzzle-bad = { $problem ->
    [not-won] puzzle { $number }, { $key }: the player to move cannot force a win
   *[unsolved] puzzle { $number }, { $key }: it was not solved in the time available
}
puzzle-bad-how = 'grundy puzzle make' writes puzzles that are won; --budget gives more time
count-puzzles = { $n ->
    [one] { $n } puzzle
   *[other] { $n } puzzles
}
count-mistakes = { $n ->
    [one] { $n } mistake
   *[other] { $n } mistakes
}
count-matches = { $n ->
    [one] { $n } match
   *[other] { $n } matches
}
puzzle-made = { $puzzles } of { $mistakes } in { $matches }.
puzzle-made-others = { $n ->
    [one] { $n } other mistake does not meet the criteria within the budget, or come twice.
   *[other] { $n } other mistakes do not meet the criteria within the budget, or come twice.
}

## The connection

failure-unanswered = the connection broke before the server answered: look what has happened, and ask again
failure-another-server = another server has taken the place of the one at { $address }
failure-another-server-how = 'grundy games list --mine' shows what that server has of yours
update-older = update the older of the two
update-older-server = update the older of client and server
not-understood = the server sent something that this client does not understand: { $said }
not-understood-review = the server sent a review that this client does not understand: { $said }
not-understood-record = the server's record of the match is not valid: { $said }
unknown-events = the match has events that this client does not know, so it cannot write the record
unknown-events-how = update this client, then: grundy games export
unknown-rules = the match does not follow the rules that this client knows: { $said }
unreachable-silent = it does not answer
unreachable-handshake = { $said }
unreachable-name = the server does not know itself by this name
unreachable-name-how = use another of its addresses, or ask its operator to add this name to allowed_hosts
unreachable-other = it answered { $status }, so it is not a grundy-server
unreachable-no-name = its name cannot stand in a certificate
unreachable-secure = { $fault ->
    [plain] it does not encrypt connections
    [name] it does not serve that name
    [other-name] its certificate is for another name
    [expired] its certificate has expired
    [authority] its certificate is that of an authority (CA:TRUE), which a server may not use
    [unknown-issuer] its certificate is not signed by an authority that this computer trusts
    [other-certificate] its certificate is not the one in { $said }, and not signed by it
   *[untrusted] its certificate is not trusted: { $said }
}
unreachable-secure-how = { $fault ->
    [plain] write http:// instead of https://, if you trust the network between you and the server
    [name] use the name that its operator gave you
    [other-name] use the name or the address for which the certificate was made
    [expired] ask its operator to renew the certificate; check the clock of this computer too
    [authority] make it with basicConstraints=CA:FALSE: openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 -subj /CN=grundy -addext subjectAltName={ $name } -addext basicConstraints=critical,CA:FALSE -keyout key.pem -out cert.pem
    [other-certificate] ask its operator for the certificate that the server uses now, and name that file with --ca
   *[untrusted] if the server is your own or a friend's, name its certificate with --ca FILE
}
trust-tls = TLS: { $said }
trust-system = the certificates that this system believes cannot be read: { $said }
trust-system-how = name the server's certificate with --ca FILE
trust-file = --ca: { $file }: { $why }
trust-file-how = name a PEM file with the server's certificate, or with that of the authority that signed it
trust-no-pem = not a PEM file: { $said }
trust-no-certificate = there is no certificate in it
trust-bad-certificate = { $said }

## Smaller remarks

screen-needs-terminal = The full screen needs stdin and stdout to be a terminal with a TERM that is not 'dumb': using lines.
moves-none = No moves: the game is over.
moves-more = There are more moves; list them with --from { $next }
nothing-done = Nothing was done.
review-fail-on = warning: --fail-on may have missed a mark: { $why }
no-proof = No proof: { $reason }
bot-server-sent = the server sent { $said }
puzzle-family = family
puzzle-puzzles = puzzles
puzzle-solved = solved
puzzle-at-once = at once
puzzle-hints = hints
puzzle-wrong = wrong
puzzle-shown = shown
puzzle-all = all
puzzle-number = number
puzzle-difficulty = difficulty
puzzle-position = position
puzzle-level = { $level ->
   *[any] { $level }
}
puzzle-none = There is no such puzzle.
puzzle-days = The puzzle of the day: solved on { $n ->
    [one] { $n } day
   *[other] { $n } days
} in a row.
puzzle-share =
    Grundy puzzle { $number } of { $day }: { $family }, { puzzle-level }
    { $performance }
    grundy puzzle --day { $day }
