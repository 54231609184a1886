# Tournaments, players, running matches, and programs.

page-busy = The server is busy.
page-busy-how = Try again in a moment.
page-failed = Something went wrong.
page-failed-how = The page could not be made. Try again in a moment.
page-unknown = There is no such page.
page-unknown-how = Check the address.
page-bad-address = This address cannot be read.
page-bad-address-how = Check what comes after the question mark.
page-no-record = There is no record yet.
page-no-record-how = The match is still going on. Its record can be downloaded when it is over.
page-banned = This server does not admit you.
page-banned-how = An operator has banned your address. Only the operator can lift the ban.
join-unknown = This link is not an invitation.
join-unknown-how = Check that the link is complete, or ask your friend for a new one.

## Tournaments

t-title = Tournaments
t-none = No tournaments yet. Start one in a terminal:
t-older = Older tournaments
t-all = All tournaments
t-unknown = There is no tournament at this address.
t-unknown-how = The tournaments page lists all of them.
t-entries = Players can enter.
t-running = Running.
t-paused = Paused.
t-over = Over.
t-cancelled = Cancelled.
t-round-robin = Round robin.
t-double-round-robin = Double round robin.
t-gauntlet =
    { $count ->
        [one] Gauntlet: { $n } player against all others.
       *[other] Gauntlet: { $n } players against all others.
    }
t-swiss =
    { $count ->
        [one] Swiss system, { $n } round.
       *[other] Swiss system, { $n } rounds.
    }
t-knockout = Knockout.
t-ladder =
    { $count ->
        [one] Ladder, { $n } round.
       *[other] Ladder, { $n } rounds.
    }
t-players =
    { $count ->
        [one] { $n } player.
       *[other] { $n } players.
    }
t-games-of-pairing =
    { $count ->
        [one] { $n } game per pairing.
       *[other] { $n } games per pairing.
    }
t-organiser = Organised by { $name }.
t-progress = { $ended } of { $planned } games have ended.
t-not-begun = It has not begun.
t-games = Games that have ended
t-round = Round { $round }
t-bye = { $name } has a bye
t-standings = Standings
t-rank = Rank
t-player = Player
t-points = Points
t-won = Won
t-drawn = Drawn
t-lost = Lost
t-withdrawn = withdrawn
t-grid = Cross-table
t-grid-about = Points that the player in each row scored against the player in each column, in the finished rounds. The darker the cell, the larger the share of the points.
t-picture = The cross-table as a picture
t-ended = Latest games
t-look = View
t-more = In a terminal:

## Players

u-unknown = There is no player with this name.
u-unknown-how = Names can change; open a match of the player to see the current name.
u-bot = bot
u-ratings = Ratings
u-no-ratings = No rated pairs yet.
u-pairs =
    { $count ->
        [one] { $n } rated pair.
       *[other] { $n } rated pairs.
    }
u-score = Of the latest pairs, { $won } won, { $drawn } drawn, { $lost } lost.
u-sum = Several games at once
u-history-of = Rating in { $game }, pair by pair
u-solving = Rating in puzzles: { $rating }
u-matches = Latest matches
u-no-matches = No matches yet.
u-match = Match
u-all = All matches and their records, in a terminal:
u-won = Won
u-lost = Lost
u-drawn = Draw
u-void = Does not count
u-live = In play
u-waiting = Waiting

## Running matches

tv-title = Running matches
tv-about = Up to six matches, live. Choose one to watch it alone.
tv-no-scripts = Without scripts the boards stand still: load the page again to see what has happened.
tv-start = Begun from
tv-delayed = rated: shown a few moves late
tv-begin = Begin one

## Programs

bots-title = Bots and programs
bots-run = Run a bot
bots-run-about = Three lines in a terminal write a bot in Python, check it, and let it play here. It gets an account of its own.
bots-tokens = Tokens
bots-tokens-about = A token lets a program act as you. Give it no more than it needs, and revoke it when you no longer use it.
bots-no-scripts = Tokens need scripts here. In a terminal:
bots-name = Name of the token
bots-scopes = What it may do
bots-scope-watch = read lists, records and running matches
bots-scope-play = play as you do
bots-scope-bot = play matches that others begin
bots-scope-tournament = create and control tournaments, if this server lets you
bots-life = Valid for
bots-week = 7 days
bots-quarter = 90 days
bots-year = 1 year
bots-forever = until it is revoked
bots-make = Make a token
bots-made = This is the token. It is shown only now: save it in a file that nobody else can read.
bots-copy = Copy
bots-use = With the token in the file my.token:
bots-list = Your tokens
live-token-until = valid until { $date }
live-token-forever = valid until it is revoked
live-token-here = this browser
live-token-revoke = Revoke
