# The pages of the server.

## Every page

page-title = Grundy: play Nim and its relatives
page-name = Grundy
page-about = Play Nim and its relatives against bots and friends. An exact solver explains every finished match.
page-skip = Skip to the content
page-language = Language
page-home = Start page
page-no-scripts = This page needs scripts to play. You can still read it. In a terminal, use the program instead:
page-loading = The buttons work as soon as the page has loaded. If they stay grey, load it again.

## The first page

page-play-bot = Play a bot
page-invite = Invite a friend
page-game = Position
page-own-position = Or type a position
page-own-hint = For example nim:3,5,7 or kayles:9
page-bot = Bot
page-bot-easy = Easy: finds 3 of 10 wins
page-bot-medium = Medium: finds 7 of 10 wins
page-bot-hard = Hard: finds 9 of 10 wins
page-bot-teacher = Teacher: always leaves you one winning move
page-bot-perfect = Perfect: never misses a win
page-side = You move
page-side-random = first or second, by chance
page-side-first = first
page-side-second = second
page-clock = Clock
page-clock-none = none
page-clock-3-2 = 3 minutes + 2 seconds a move
page-clock-10-5 = 10 minutes + 5 seconds a move
page-play-now = Play now
page-make-link = Make a link
page-link-is = Send this link to your friend. The match begins when your friend opens it and joins:
page-copy = Copy the link
page-your-matches = Your matches
page-open-seats = Open seats
page-open-a-seat = Open a seat
page-close-the-seat = Withdraw the seat
page-running = Matches in play
page-first-moves = The players take turns. Unless the rules say otherwise, the player who makes the last move wins; with @misere that player loses.

## Invitations

join-from = { $name } invites you to a match
join-seat = { $seat ->
    [first] You move first.
    [second] You move second.
    [left] You play Left, who moves first.
   *[right] You play Right, who moves second.
}
join-clock = { $kind ->
    [untimed] There is no clock.
    [once] Each player has { $base }.
    [fischer] Each player has { $base }, plus { $more } for each move.
    [delay] Each player has { $base }; on each turn the clock waits { $more } before it starts.
    [bronstein] Each player has { $base }; after each move the player gets back the time used, up to { $more }.
    [per-move] Each move must be made within { $more }.
    [periods] Each player has { join-periods } of { $more }; a move made within a period does not use it up.
   *[byo-yomi] Each player has { $base }, then { join-periods } of { $more }.
}
join-periods = { $count ->
    [one] { $n } period
   *[other] { $n } periods
}
join-series = { $rated ->
    [yes] It is a rated pair of games; you swap sides for the second one.
   *[no] It is a series of { $n } games; you swap sides after each.
}
span-days = { $count ->
    [one] { $n } day
   *[other] { $n } days
}
span-hours = { $count ->
    [one] { $n } hour
   *[other] { $n } hours
}
span-minutes = { $count ->
    [one] { $n } minute
   *[other] { $n } minutes
}
span-seconds = { $count ->
    [one] { $n } second
   *[other] { $n } seconds
}
join-taken = Somebody has already joined this match.
join-taken-how = An invitation is for one player.
join-watch = See the match
join-over = This invitation is not valid.
join-over-how = It has expired, was withdrawn, or never existed. Check that the link is complete, or ask your friend for a new one.
join-name = Your name
join-name-hint = 1 to 32 characters. Leave it empty and the server makes up a name.
join-now = Join the match
join-terminal = Or join from a terminal:

## A match

match-unknown = There is no match at this address, or you are not allowed to see it.
match-board = Board
match-position = Position
match-your-move = Move
match-play = Play
match-all-moves = All legal moves
match-history = Moves
match-rules = Rules
match-resign = Resign
match-takeback = Take back
match-draw = Offer a draw
match-pause = Propose a pause
match-adjourn = Propose to adjourn
match-continue = Play on
match-resume = Propose to resume
match-abort = Call the match off
match-claim = Claim the win
match-accept = Accept
match-decline = Decline
match-withdraw = Withdraw
match-rematch = Rematch
match-first = First player
match-second = Second player
match-chat = Chat
match-line = Say something
match-say = Say
match-point = Point at the board to choose a move, or type it.
match-review = Review this match

## What scripts say

live-connecting = Connecting …
live-lost = The connection is lost. Trying again …
live-busy = The server is busy. Trying again …
live-queued = Waiting for a place on the server …
live-stopping = The server is restarting. This page reconnects by itself.
live-signed-out = You have been signed out. Load the page again.
live-superseded = You have opened this match elsewhere, so this page no longer follows it. To play here, load the page again.
live-refused = The server refuses: { $why }
live-your-move = It is your move.
live-their-move = { $name } is to move.
live-watching = You are watching. { $name } is to move.
live-watching-behind =
    { $count ->
        [one] You are watching a rated match, { $n } move behind the players. On this board { $name } is to move.
       *[other] You are watching a rated match, { $n } moves behind the players. On this board { $name } is to move.
    }
live-waiting = Waiting for the other player.
live-invitation-elsewhere = You have opened your invitation in another tab or window. It waits there; if you close that one, it waits here.
live-friend-came = Your friend has joined. Go to the match.
live-paused = The match is paused until { $time } at the latest.
live-adjourned = The match is adjourned until { $time } at the latest.
live-you-won = You won { $how }.
live-you-lost = You lost { $how }.
live-won = { $name } won { $how }.
live-drawn = The match is a draw { $how }.
live-void = The match does not count { $how }.
live-moved = { $name } played { $move }.
live-moves =
    { $count ->
        [one] { $n } legal move
       *[other] { $n } legal moves
    }
live-more-moves =
    { $count ->
        [one] … and { $n } more: type it
       *[other] … and { $n } more: type them
    }
live-play-this = Play { $move }
live-choose = Several moves are possible here. Choose one:
live-offline = { $name } is offline.
live-away = { $name } (offline)
live-proposes-takeback = { $name } asks to take back a move.
live-proposes-draw = { $name } offers a draw.
live-proposes-abort = { $name } proposes to call the match off.
live-proposes-pause = { $name } proposes a pause.
live-proposes-adjourn = { $name } proposes to adjourn the match.
live-proposes-resume = { $name } proposes to resume the match.
live-you-propose = Your proposal is sent.
live-declined = { $name } has declined your proposal.
live-claim-in = If { $name } stays away, you can claim the win in { $time }.
live-claim = { $name } is still away: claim the win, call the match off, or wait.
live-clock-left =
    { $count ->
        [one] You have { $n } second left.
       *[other] You have { $n } seconds left.
    }
live-clock-days = { $days } days { $hours } h
live-clock-periods = { $time } + { $periods }×{ $seconds } s
live-rematch-offered = { $name } offers a rematch.
live-rematch-sent = You have offered a rematch.
live-resign-sure = Press again to resign.
live-move-waits = { $move } is sent as soon as there is a connection.
live-move-unsure = Your move may have been played already. If not, { $move } is sent as soon as there is a connection.
live-move-instead = Another move of yours was played before. { $move } was not sent.
live-unsent = There was no connection. What you pressed was not sent.
live-copied = Copied.
live-copy-yourself = This browser lets no page copy here. The text is marked: copy it yourself.
live-invitation-over = This invitation has ended. Make a new link.
live-you = { $name } (you)
live-bot = { $name } (bot)
live-free-seat = free seat
live-no-seats = Nobody is looking for an opponent now.
live-no-matches = No match is in play now.
live-no-others = Nobody else is playing now.
live-take = Play
live-watch = Watch
live-back-to = Go on
live-own-match = { $position } against { $name }.
live-own-invitation = { $position }: nobody has joined yet.
live-versus = { $first } against { $second }
live-no-socket = This browser has no WebSocket, so it cannot play here. Another browser can.
live-blocked = The server is there, but something in between, such as a proxy, lets no WebSocket through. Trying again …
live-no-cookies = This browser keeps no cookies for this page, so the server does not know you on the next one. Allow cookies to play.
live-upgraded = The server has been upgraded. Reload the page to get the new version.
live-seeking = You are waiting for an opponent. Keep this page open.
live-seat-too_many_matches = An opponent came, but you have as many unfinished matches as you may have. Finish one, then open a seat again.
live-seat-gave_up = Nobody took your seat in time. Open it again, or play a bot.
live-seat-other = The server has closed your seat. Open it again to go on waiting.

## How a match ended, after "won", "lost", "is a draw" and "does not count"

how-last_move = by making the last move
how-last_move_misere = because the other player had to make the last move
how-resignation = by resignation
how-time = on time
how-aborted = because it was called off
how-expired = because nobody came in time
how-outgrown = because it became too long
how-repetition = by repetition
how-agreement = by agreement
how-abandoned = because the other player stayed away
how-no_start = because the first move was not made in time
how-no_show = because a player did not come
how-disconnected = because a player was away too long
how-withdrawn = because a player withdrew
how-cancelled = because the tournament was cancelled
how-operator = by decision of an operator of the server
how-other = for another reason

# The same after "You lost", where it says something else.
how-own-resignation = by resignation
how-own-time = on time
how-own-last_move = because the other player made the last move
how-own-last_move_misere = because you had to make the last move
how-own-abandoned = because you stayed away
how-own-no_show = because you did not come in time
how-own-disconnected = because you were away too long
how-own-withdrawn = because you withdrew

# The same after "The match does not count", where it says something else.
how-void-abandoned = because a player stayed away
how-void-no_show = because neither player came
how-void-disconnected = because both players were away too long
how-void-withdrawn = because both players withdrew

# What players say to each other.
said-hello = Hello
said-good_luck = Good luck
said-have_fun = Have fun
said-you_too = You too
said-one_moment = One moment, please
said-nice_move = Nice move
said-oops = Oops
said-good_game = Good game
said-well_played = Well played
said-thanks = Thank you
said-sorry = Sorry
said-goodbye = Goodbye
said-other = (a phrase that this page does not know)
