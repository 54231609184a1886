# What line mode and the full screen say in a match.

## Players

match-who = { $who ->
    [you] you
   *[name] { $name }
}
match-nobody = the { match-seat } player
match-seat = { $role ->
    [first] first
   *[second] second
}
match-role = { $role ->
    [first] first
    [second] second
    [left] Left (first)
   *[right] Right (second)
}
match-bot = { $strength } bot
match-you-are = You are { match-role }.

## The beginning

match-untimed = no clock
match-opening = { $case ->
    [local] You play { match-role } against { $other }; { $start }, { $clock }.
    [own] Match { $match }. You are { $name }, { match-role }, against { $other }; { $start }, { $clock }.
    [shared] Two players share this keyboard; { $start }, { $clock }.
    [shared-sides] Two players share this keyboard, Left (first) and Right (second); { $start }, { $clock }.
    [watched] Match { $match }. { $name } plays first, { $other } second; { $start }, { $clock }.
   *[watched-sides] Match { $match }. { $name } plays Left (first), { $other } Right (second); { $start }, { $clock }.
}
match-end-rule = { $end ->
    [normal] The player who makes the last move wins.
   *[misere] The player who makes the last move loses (misere).
}
match-rule-moves = A move: { $moves }.
match-with-sides = Only the moves of the player to move count: where only the opponent has a move, there is none.
match-series-of = { $rated ->
    [yes] game { $game } of a rated pair
   *[no] game { $game } of { $games }
}
match-series-first = This is { match-series-of }, sides swapped after each.
match-series-next = This is { match-series-of }. Score: { $score }.
match-series-over = { $end ->
    [over] Score after { match-series-of }: { $score }. The series is over.
    [ends] Score after { match-series-of }: { $score }. The series ends here.
   *[goes-on] Score after { match-series-of }: { $score }.
}
match-score = { match-who } { $points }
match-invited = Match { $match }. Join code: { $code }
match-friend-types = Your friend types:
match-qr = The QR code leads to a page that says the same:
match-waiting = Waiting for your friend. Ctrl-C cancels the invitation.
match-waiting-since = Waiting for your friend, { $time }. Ctrl-C cancels the invitation.
match-nobody-joined = Nobody has joined yet.
match-newer = The server is newer than this client, so some events are not shown. Update the client to see them.

## Turns

match-turn = { $case ->
    [own] Your move.
    [own-timed] Your move, { $time } left.
    [other] { $name } is to move.
   *[other-timed] { $name } is to move, { $time } left.
}
match-first-move = { $count ->
    [one] If no move is made within { $count } second, the match is called off.
   *[other] If no move is made within { $count } seconds, the match is called off.
}
match-clock-warning = You have { $time } left.
match-no-clock = This match has no clock.
match-clocks = { $seat ->
    [first] You { $first }, { $other } { $second }.
    [second] { $name } { $first }, you { $second }.
   *[none] { $name } { $first }, { $other } { $second }.
}
match-type = Type a move such as { $move }, or: { $words }.
match-type-any = Type a move, or: { $words }.
match-notation = Position: { $position }
match-cut = { $text } ... (cut; the whole is { $length } characters long)
match-moves = { $part ->
    [all] { $total ->
        [one] { $n } move: { $list }
       *[other] { $n } moves: { $list }
    }
    [last] Moves { $from } to { $to } of { $n }: { $list }
   *[some] Moves { $from } to { $to } of { $n }: { $list } ... and { $rest } more; type more for the next
}
match-moved = { $who ->
    [you] You { $what }.
    [you-planned] You { $what } as planned.
   *[name] { $name } { $what }.
}
match-moved-text = { $who ->
    [you] You played { $move }.
    [you-planned] You played { $move } as planned.
   *[name] { $name } played { $move }.
}
match-so-far = { $count ->
    [one] { $count } move so far.
   *[other] { $count } moves so far.
}
match-undone = Taken back.

## Between the players

match-joined = { $name } has joined.
match-is-back = { $name } is back.
match-gone = { $name } has disconnected or left; the match goes on.
match-away = { $name } is still away: type claim to claim the win or abort to call the match off, or wait.
match-away-until = If { $name } stays away, you can claim the win in { $time }.
match-outage-held = The server was down; each clock waits until its player is back.
match-outage = The server was down or busy; the running clock was credited { $time }.
match-taken-back-start = Taken back: the match is at its start again.
match-taken-back = Taken back: the match goes on after move { $ply }.
match-goes-on = The match goes on.
match-rematch-offered = { $name } offers a rematch, sides swapped.
match-rematch-withdrawn = { $name } no longer offers a rematch.
match-rematch-declined = { $name } declines the rematch.
match-delayed = This match is rated: each move is shown to you after two more were made. Clocks are those after the last move shown.
match-paused = { $type ->
    [yes] The match is paused, for at most { $time }. Type continue to play on.
   *[no] The match is paused, for at most { $time }.
}
match-adjourned = { $type ->
    [yes] The match is adjourned, for at most { $time }. Type continue to propose resuming; after that time the clock runs again. You can leave and come back with grundy resume.
   *[no] The match is adjourned, for at most { $time }.
}
match-no-plan = No replies are planned. 'if A-1 B-2' plays B-2 when your opponent plays A-1.
match-planned = Planned: { $lines }.
match-proposal = { $proposal ->
    [takeback] to take the last move back
    [draw] a draw
    [abort] to call the match off
    [pause] a pause of at most 15 minutes
    [adjourn] to adjourn the match, for at most 7 days
   *[resume] to resume the match
}
match-proposal-of = { $proposal ->
    [takeback] the proposal to take the last move back
    [draw] the proposal of a draw
    [abort] the proposal to call the match off
    [pause] the proposal of a pause
    [adjourn] the proposal to adjourn the match
   *[resume] the proposal to resume the match
}
match-proposal-own = { $proposal ->
    [takeback] your proposal to take the last move back
    [draw] your proposal of a draw
    [abort] your proposal to call the match off
    [pause] your proposal of a pause
    [adjourn] your proposal to adjourn the match
   *[resume] your proposal to resume the match
}
match-proposal-declined = { $proposal ->
    [takeback] to take the last move back
    [draw] the draw
    [abort] to call the match off
    [pause] the pause
    [adjourn] to adjourn the match
   *[resume] to resume the match
}
match-proposed = { $who ->
    [you] You propose { match-proposal }. { $name } can accept or decline. Type withdraw to take it back.
    [asked] { $name } proposes { match-proposal }. Type accept or decline.
   *[name] { $name } proposes { match-proposal }.
}
match-not-agreed = { $case ->
    [withdrawn-own] You have withdrawn { match-proposal-own }.
    [withdrawn] { $name } has withdrawn { match-proposal-of }.
    [declined-own] You have declined { match-proposal-of }.
   *[declined] { $name } declines { match-proposal-declined }.
}

## The connection

match-stale = { $count ->
    [one] Not connected for { $count } second: this may be out of date.
   *[other] Not connected for { $count } seconds: this may be out of date.
}
match-back = { $count ->
    [one] Back after { $count } second.
   *[other] Back after { $count } seconds.
}
match-missed = { $moves ->
    [0] nothing
    [one] { $moves } move
   *[other] { $moves } moves
}
match-back-missed = { $count ->
    [one] Back after { $count } second: { match-missed } happened meanwhile.
   *[other] Back after { $count } seconds: { match-missed } happened meanwhile.
}
match-not-connected = *** NOT CONNECTED: { $why }. What you see may be out of date; reconnecting ...
match-pending = Your { $what } is pending; it will be made only once.
match-keeps-trying = The client keeps trying for { $n } minutes; after that, return with: { $command }
match-offline = offline

## The end

match-head = { $who ->
    [you] You win
   *[name] { $name } wins
}
match-by = { $by ->
    [last-move-own] you made the last move
    [last-move] { $name } made the last move
    [misere-own] you had to make the last move
    [misere] { $loser } had to make the last move
    [resignation-own] you resigned
    [resignation] { $loser } resigned
    [time-own] your time ran out
    [time] { $loser }'s time ran out
    [abandoned-own] you stayed away, and the win was claimed
    [abandoned] { $loser } stayed away
    [no-show-own] you did not come in time
    [no-show] { $loser } did not come in time
    [disconnected-own] you were away too long
    [disconnected] { $loser } was away too long
    [withdrawn-own] you left the tournament
    [withdrawn] { $loser } left the tournament
    [operator] an operator of the server decided so
   *[called-off] it was called off
}
match-result = { match-head }: { match-by }.
match-drawn = { $by ->
    [repetition] The position occurred for the third time: a draw.
    [agreement] Both players agreed: a draw.
   *[other] Nobody wins: a draw.
}
match-void = { $by ->
    [expired] Nobody joined in time; the match does not count.
    [outgrown] The match became too long to store; it does not count.
    [abandoned] The match was called off because a player stayed away; it does not count.
    [no-start] A player did not make the first move in time; the match does not count.
    [no-show] Neither player came in time: both lose.
    [disconnected] Both players were away too long: both lose.
    [withdrawn] Both players left the tournament.
    [cancelled] The tournament was cancelled.
    [operator] An operator of the server ended the match; it does not count.
   *[called-off] The match was called off; it does not count.
}
match-strange-won = { match-head }, for a reason that this client does not know: { $word }.
match-strange = The match ended in a way that this client does not know: { $outcome }, { $word }.
match-decided-conceded = { $how ->
    [time] Decided at the end: { match-who } ran out of time in a won position.
   *[other] Decided at the end: { match-who } gave up in a won position.
}
match-decided-start = Decided at the start: { match-who } had a won position and never gave it away.
match-decided-unknown = What decided the match was not found in the time available.
match-decided-never = Neither player ever had a won position.
match-decided-nothing = No move gave a win away.
match-decided-several = { $count ->
    [one] No single move decided the match; { $count } move gave a win or a draw away.
   *[other] No single move decided the match; { $count } moves gave a win or a draw away.
}
match-decided = Decided at move { $ply }, by { match-who }: { $move } gave the { match-given } away{ match-better }.
match-given = { $drawn ->
    [yes] draw
   *[no] win
}
match-better = { $better ->
    [none] {""}
    [one] ; { $kept } would have kept it
    [only] ; only { $kept } would have kept it{ match-of }
    [some] ; { $kept }, ... would have kept it{ match-of }
   *[all] ; { $kept } would have kept it{ match-of }
}
match-of = { $winning ->
    [none] {""}
   *[number] {" "}({ $winning } of { $legal })
}
match-list-or = { $list } or { $last }
match-earlier = { $count ->
    [one] { $count } earlier move also gave { match-earlier-what } away.
   *[other] { $count } earlier moves also gave { match-earlier-what } away.
}
match-earlier-what = { $what ->
    [wins] a win
    [draws] a draw
   *[both] a win or a draw
}
match-why = Why: { $reason }
match-why-leaves = { $case ->
    [reply] Why: the reply { $move } leaves { $position }. { $reason }
   *[move] Why: { $move } leaves { $position }. { $reason }
}
match-not-kept = This match is not kept on this computer: { $why }
match-left-kept = You have left; the match is unfinished. Return with: { $command }
match-left-ended = The match was local and has ended.
match-next-review = Review:
match-next-learn = Learn:
match-next-explain = Explain:
match-next-rematch = Rematch:

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
