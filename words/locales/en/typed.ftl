# What a player types in a match, and the answers.

## Questions and answers

match-ask-resign = Resign? y/N
match-ask-abort = Call the match off? y/N
match-ask-quit = Quit? The match is local and ends with that. y/N
match-ask-rematch = Rematch, sides swapped? y/N
match-ask-leave = Enter leaves.
match-not-resigned = Not resigned.
match-not-aborted = Not called off.
match-rematch-sent = Rematch offered. Ctrl-C stops waiting.
match-over-enter = The match is over: Enter leaves.
match-over-answer = The match is over: please answer yes or no.

## What can be typed

match-help =
    Type a move, or one of these words:
      board    show the position
      moves    legal moves; more: next page
      pre MOVE play it when it is your turn
      if A-1 B-2  in slow matches: answer
               A-1 with B-2; if none: cancel
      hint     is there a winning move?
      why      the last move and the position
               explained, in game terms
      undo     take your last move back
      rules    show the rules
      clock    show the time left
      pause    stop both clocks
      adjourn  stop them for days
      continue end a pause
      draw     offer a draw
      abort    call the match off
               before move 2
      accept, decline, withdraw
      claim    win if your opponent is gone
      resign   give up
      rematch  play again, sides swapped
      quit     leave (back: grundy resume)
      help     show this text
    The other player must agree to undo,
    draw, pause, adjourn, to continue
    after adjourn, and to abort. Against
    another player there are no hints.
match-help-chat =
    {"  "}say TEXT talk to the other player;
               /TEXT does the same
      say      list ready-made phrases
      chat     show the last lines
      mute     hide the other's lines;
               unmute shows them again
match-help-watchers =
    You can type:
      say TEXT talk to the other watchers;
               /TEXT does the same
      say      list ready-made phrases
      chat     show the last lines
      mute NAME, unmute NAME
      board, moves, clock, rules
      quit     leave

## What waits

pending-resignation = resignation
pending-abort = request to call the match off
pending-undo = request to take a move back
pending-move = move { $move }
typed-waits = It will be sent when the connection is back.
typed-early = { $case ->
    [rematch] your rematch offer has not been answered yet; 'quit' stops waiting
    [away] your { $what } will be sent when the connection is back
    [sent] your { $what } has been sent; wait for the answer
    [waiting] nobody has joined yet
    [paused] the match is paused: type continue to play on
    [adjourned] the match is adjourned: type continue to propose resuming
   *[turn] it is not your turn: { $what }
}
typed-until-then = until then: { $words }
typed-premove = { $move } will be played as soon as it is your turn, if it is legal then. Type pre alone to take it back.
typed-premove-dropped = { $move } will not be played.
typed-impossible = { $move } is not possible now.

## What cannot be

typed-watching = you are watching this match and have no seat in it
typed-watching-how = 'say TEXT' talks to the other watchers, 'quit' leaves
typed-over = the match is over
typed-no-match = no match is being played
typed-not-started = the match has not started, so you cannot resign
typed-not-started-how = 'abort' cancels the invitation
typed-not-paused = the match is not paused
typed-nothing-to-withdraw = there is nothing to withdraw: you have proposed nothing
typed-nothing-to-answer = there is nothing to answer: the other player proposes nothing
typed-nothing-to-undo = no match is being played: there is nothing to take back
typed-no-own-move = you have made no move that could be taken back
typed-undo-clock = moves cannot be taken back while a clock runs
typed-undo-agreed = in a match on a server, a move is taken back if the other player agrees
typed-rematch-early = you can offer a rematch when the match is over
typed-no-premove = no move is waiting for your turn
typed-no-premove-how = 'pre A-1' plays A-1 as soon as it is your turn, if it is legal then
typed-no-move = '{ $text }' is not a move
typed-meant = did you mean '{ $word }'?
typed-help = 'help' lists what else you can type
typed-help-or-move = a legal move is { $example }; 'help' lists what else you can type
typed-plan-where = replies can be planned only in a match on a server
typed-plan-where-how = 'pre A-1' plays A-1 as soon as it is your turn
typed-plan-reply = after each move of your opponent, type your reply
typed-plan-reply-how = 'if A-1 B-2' plays B-2 when your opponent plays A-1
typed-hints-own = hints are for your own move: wait for your turn
typed-no-hints = there are no hints while you play against another player; 'grundy review' shows everything afterwards
typed-no-hints-tournament = there are no hints in a tournament; 'grundy review' shows everything afterwards
typed-solver-failed = the solver failed on this position
typed-mute-whom = name the player: mute NAME, or unmute NAME
typed-nobody-to-talk-to = this match is on this computer: there is nobody to talk to
typed-superseded = another of your terminals has taken over this match
typed-superseded-how = to continue here: grundy resume { $match }

## Chat

typed-muted = Muted: this player's lines are hidden.
typed-unmuted = Unmuted: this player's lines are shown again.
chat-unknown = (this client is too old to show this line; update it)
chat-nothing = Nothing has been said.
chat-semicolon = { "; " }
chat-presets = Type say and your text, or one of these: { $phrases }.

## Leaving

typed-left = { $state ->
    [waiting] You have left; the invitation stays open and its code stays valid. Return with: { $command }
    [adjourned] You have left; the match is adjourned. Return with: { $command }
    [paused] You have left; the match is paused. Return with: { $command }
   *[on] You have left; the match goes on. Return with: { $command }
}
typed-stays = You stay for a rematch. Ctrl-C leaves.
typed-opponent-left = { $name } has left: there is no rematch.
typed-record-written = The record was written to { $path }.
typed-cancelled = The invitation is cancelled.
typed-not-cancelled = The server did not confirm the cancellation; the invitation will expire by itself.
