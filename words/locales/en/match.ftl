# What line mode and the full screen say in a match.

## Players

match-who = { $who ->
    [you] you
   *[name] { $name }
}
match-player = Player { $number }
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
match-rule = { $title }: { $rule }
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
match-is-paused = The match is paused.
match-is-adjourned = The match is adjourned.
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
match-to-answer = { $name } proposes { match-proposal }: y accepts, n declines.
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
