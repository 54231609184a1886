# Help in a match against a bot of the server, and the puzzle of the day.

advice-title = Help
advice-hint = Hint
advice-why = Why?
advice-coach = Warn me before a move that gives a win or a draw away
advice-win = You can win. Press “Hint” again for the idea.
advice-wins =
    { $count ->
        [one] You can win: { $n } move wins. Press “Hint” again for the idea.
       *[other] You can win: { $n } moves win. Press “Hint” again for the idea.
    }
advice-idea = This is why you can win. Press “Hint” again for a move.
advice-move = { $move } wins. It is shown on the board.
advice-draw = No move wins by force. With best play the match is a draw.
advice-lost = Every move loses against best play. Choose one that is hard to answer.
advice-hard = The solver could not decide this position in the time of a hint.
advice-loses-win = { $move } gives the win away. Look for another move, or:
advice-loses-win-to = { $move } gives the win away: it is answered by { $reply }. Look for another move, or:
advice-loses-draw = { $move } gives the draw away. Look for another move, or:
advice-loses-draw-to = { $move } gives the draw away: it is answered by { $reply }. Look for another move, or:
advice-anyway = Play { $move } anyway

today-title = Puzzle of the day
today-about = The same for everybody, until midnight UTC. It is not rated.
today-is = { $position }: the player to move can win.
today-task = You are to move, and you can win. Find a move that wins.
today-try = Solve it
