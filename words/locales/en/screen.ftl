# The full screen: its keys and signs.

## Keys

key-help = show this list; type to search, Enter runs an entry, Tab shows the notation
key-help-typing = the same while something is typed
key-enter = enter the line, or play the chosen move
key-clear = clear the line, undo the choice, or return to the board as it is now
key-leave = leave; on a server the match goes on
key-next-move = choose the next legal move
key-move-before = choose the legal move before
key-next-place = choose a move in the next heap or place
key-place-before = choose a move in the heap or place before
key-earlier = look at the board one move earlier
key-later = look at the board one move later
key-start = look at the start position
key-now = look at the board as it is now
key-pane = go to the next pane
key-scroll-up = scroll up in the pane
key-scroll-down = scroll down in the pane
key-mouse = mouse on or off; off, the terminal selects text
key-hint = hint: is there a winning move? more with each asking
key-why = why: the last move and the position explained
key-undo = take your last move back; another player must agree
key-accept = accept what the other player proposes
key-decline = decline it
key-resign = resign; you are asked first
key-moves = list the legal moves; 'more' lists the next ones
key-board = the position in words and in notation
key-rules = the rules of the game
key-clock = the time left
key-pre = pre MOVE: play a move as soon as it is your turn
key-if = if A-1 B-2: in slow matches, answer A-1 with B-2
key-draw = offer a draw
key-pause = propose to stop both clocks
key-adjourn = propose to stop the match for days
key-continue = end a pause
key-withdraw = withdraw what you have proposed
key-claim = claim the win if your opponent has gone
key-abort = call the match off before move 2
key-rematch = play again with sides swapped, when the match is over
key-say = say TEXT, or /TEXT: talk to the other player, or to the other watchers
key-chat = the last lines of the chat
key-mute = mute NAME, unmute NAME: hide or show a player's lines
key-recall-earlier = an earlier line that you typed
key-recall-later = a later line that you typed
key-left = move in the line
key-right = move in the line
key-line-start = to the beginning of the line
key-line-end = to the end of the line
key-delete-back = delete the character before the cursor
key-delete = delete the character at the cursor
key-delete-word = delete the word before the cursor
key-delete-line = delete the line
key-copy = copy the position on the board
key-copy-match = copy the link of the invitation, or else the position on the board
key-redraw = draw the screen anew
key-suspend = suspend the program; the shell's fg returns to it
key-interrupt = leave at once; an invitation is cancelled
key-review-back = one move back
key-review-on = one move on
key-review-before = the turning point before
key-review-next = the next turning point
key-review-start = the start
key-review-end = the end
key-reasons-up = scroll the reasons up
key-reasons-down = scroll the reasons down
key-review-mouse = mouse on or off; off, the terminal selects text
key-review-leave = leave; the review is then printed
key-review-redraw = draw the screen anew
key-review-suspend = suspend the program; the shell's fg returns to it
key-review-interrupt = leave at once
key-review = leave the match and look at its review
key-learn = leave the match and practise what was given away in it
foot-review = review
foot-learn = learn
foot-accept = accept
foot-decline = decline
foot-run = run
foot-close = close
foot-notation = notation
foot-moves = moves
foot-messages = messages
foot-board = board
foot-enter = send
foot-keys = keys
foot-play = play
foot-clear = clear
foot-leave = leave
foot-panes = panes
foot-mouse = mouse
foot-hint = hint
foot-back = back
foot-on = on
foot-turning-point-before = turning point before
foot-reasons = scroll
foot-next = next

## Signs of the screen

screen-connecting = Connecting ...
screen-over = The match is over.
screen-ends = { $end ->
    [misere] misere: the last move loses
   *[normal] the last move wins
}
screen-several = { $count } games
screen-series = { $rated ->
    [yes] { $clock }, game { $game } of { $games }, rated, { $first } to { $second }
   *[no] { $clock }, game { $game } of { $games }, { $first } to { $second }
}
screen-left = Left
screen-right = Right
screen-you = you
screen-away = away
screen-moves = Moves
screen-wins = wins now
screen-messages = Messages
screen-label = { $move }  ({ $label } on the board)
screen-moves-now = Moves now: { $moves }
screen-typed = A move is typed in any case, with or without spaces.
screen-help = Keys and words   type to search, Enter runs, Tab shows the notation, Esc closes
screen-help-keys = Keys and words   type to search, Enter runs, Esc closes
screen-help-notation = Notation   arrows scroll, Tab shows the keys, Esc closes
screen-help-none = Nothing has these words.
screen-lost = { $count ->
    [one] *** NOT CONNECTED for { $count } second: this may be out of date.
   *[other] *** NOT CONNECTED for { $count } seconds: this may be out of date.
}
screen-earlier = The board after move { $ply } of { $last }. Esc returns to the match.
screen-chosen = Enter plays { $move }, which leaves { $left }
screen-type = Type a move such as { $move }, or choose one with the arrows and Enter.
screen-search = search>
screen-move = move>
screen-ask-quit = Leave? The match ends with that. y/N
screen-ask-quit-kept = Leave? You can resume it. y/N
screen-ask-rematch = Rematch, sides swapped? y/n
screen-mouse-off = mouse off
screen-mouse-on = mouse on
screen-or-opens = or opens:
screen-reconnecting = Not connected: { $why }. Reconnecting ...
screen-no-position = The position cannot be shown.
screen-start = start
screen-no-moves = The review has no moves.
screen-move-made = Move { $ply }, { $name }: { $move } { $mark }
screen-about = { $count ->
    [one] { $start }   { $count } move   { $date }
   *[other] { $start }   { $count } moves   { $date }
}

## Lessons, walks, the lobby and tables

key-help-plain = show this list; type to search, Enter runs an entry
key-lesson-hint = hint: the idea first, then where to move, then a move
key-lesson-why = why: your last wrong move explained
key-solution = solution: show the winning moves
key-skip = skip: leave it for another time
key-forget = forget: never ask for this position again
key-desk-leave = leave
key-desk-clear = clear the line, undo the choice, or return to the last message
key-said-up = scroll up in what was said
key-said-down = scroll down in what was said
key-help-pages = in this help: keys or notation
key-desk-interrupt = leave at once
key-walk-back = back: one move back
key-walk-on = next: the next move of the match
key-walk-start = start: the start
key-walk-end = end: the end of the match
key-walk-why = why, or why MOVE: the position or a move explained
key-walk-ply = ply N: the position after so many moves
key-walk-match = match: leave a variation
key-lobby-enter = take the chosen seat, or watch the chosen match
key-lobby-play = play POSITION BOT: play a bot
key-lobby-open = open POSITION CLOCK: open a seat and wait for somebody
key-lobby-anyone = anyone: let the server find an opponent
key-lobby-join = join CODE: take the seat that a friend keeps for you
key-lobby-refresh = refresh: look again now
key-next-table = the next table
key-next-row = the next row
key-row-before = the row before
key-rows-on = some rows on
key-rows-back = some rows back
key-columns-on = move a wide table to the left
key-columns-back = move it back to the right
key-tables-enter = watch the chosen match, if it is being played
key-tables-leave = leave the tables; lines follow
key-tables-interrupt = stop
key-menu-enter = choose the row
key-menu-play = Play a bot
key-menu-friend = Play with a friend
key-menu-puzzle = Solve a puzzle
key-menu-learn = Learn from your own mistakes
key-menu-watch = Watch a match, or find an opponent
key-menu-bots = Choose a bot by its strength
key-menu-settings = Settings
key-menu-back = back; from the first table, leave
foot-choose = choose
foot-why = why
foot-solution = solution
foot-skip = skip
foot-join = join
foot-bot = bot
foot-open = open
foot-anyone = anyone
foot-tables = tables
foot-watch = watch

screen-lesson = Lesson
screen-puzzles = Puzzles
screen-rated-puzzles = Rated puzzles
screen-walk = Explore
screen-rest = Enter goes on; you can type quit:
screen-interrupted = interrupted

tables-arena = Arena: { $count } bots, { $pairs } pairs a pairing
tables-starts = Starts { $start }, seed { $seed }
tables-none = No game has ended yet.
tables-none-now = No game is being played now.
tables-now = Games now
tables-board = board
tables-round = round
tables-game = game
tables-games = games
tables-first = first
tables-second = second
tables-result = result
tables-match = match
tables-cause = how it ended
tables-start = start
tables-score = won-drawn-lost
tables-as = won as 1st/2nd
tables-accuracy = accuracy
tables-elo = Elo
tables-faults = faults
tables-how = { $cause ->
    [normal] by the rules
    [resign] resignation
    [time] too late
    [illegal] illegal move
    [malformed] no answer that can be read
    [crash] crash
    [stall] no answer
    [not_ready] not ready
    [withdrawn] withdrawn
    [adjudicated] too many moves
   *[decided] decided by the solver
}
tables-no-chart = there is no cross-table: no round is finished yet, or there are more than 50 players
screen-copied = Copied, if the terminal allows it: { $text }
screen-thinking = Thinking. Ctrl-C stops.
screen-thinks = Thinking.
screen-lines-above = { $count ->
    [one] { $count } more line above
   *[other] { $count } more lines above
}
screen-lines-below = { $count ->
    [one] { $count } more line below
   *[other] { $count } more lines below
}
