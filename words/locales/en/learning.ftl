# The pages of reviews, exercises and puzzles.

## A review

review-title = Review
review-start = Start
review-after = Position after move { $ply }
review-to-start = Start
review-back = Back
review-forward = Forward
review-to-end = End
review-mistake-before = Previous mistake
review-mistake-after = Next mistake
review-to-move = { $name } is to move.
review-has-won = { $name } has won.
review-wins = { $name } wins with best play.
review-wins-in =
    { $count ->
        [one] { $name } wins with best play, with { $n } move left.
       *[other] { $name } wins with best play, with { $n } moves left.
    }
review-draw = With best play it is a draw.
review-unknown = It is not known who wins here.
review-value = The value is { $value }.
review-next = { $name } played { $move }.
review-next-marked = { $name } played { $move } { $mark }.
review-gave-win = This gives the win away.
review-gave-draw = This gives the draw away.
review-kept-by =
    { $count ->
        [one] Only { $moves } keeps it ({ $total } of { $legal } moves).
       *[other] These moves keep it: { $moves } ({ $total } of { $legal } moves).
    }
review-kept-by-some = For example, this keeps it: { $moves }.
review-answer = It was answered by { $move }.
review-turn =
    { $what ->
        [draw] { $ply }. { $name } played { $move } and gave the draw away
       *[win] { $ply }. { $name } played { $move } and gave the win away
    }
review-nothing-known = No mistake was found. Some positions of this match are too large for the solver.
review-no-move-lost = No move gave a win away.
review-conceded = No move gave a win away. The loser gave up, or ran out of time, in a won position.
review-no-win = Neither player ever had a won position.
review-never-lost = The player with the win never gave it away.
review-ply = No.
review-mark = Mark
review-holds = Holds the win
review-left = Moves left
review-nim-value = Value
review-nobody = nobody
review-hinted = with a hint
review-earlier = Earlier moves
review-later = Later moves
review-why = Why
review-totals = What each player made of the match
review-kept = Chances kept
review-bits = Bits found
review-of = { $part } of { $whole }
review-bits-are = A chance is a move from a won position. Its bits say how hard it was: with m moves of which w win, log2(m/w). “Moves left” is the number of moves to the end with best play.
review-learn = Learn from the mistakes
review-to-match = To the match
review-no-scripts = The review is not ready yet. Come back in a minute, or ask for it in a terminal:
review-not-over = The match is still going on. It can be reviewed when it is over. A game of a rated pair can be reviewed when both games are over.
review-no-moves = This match ended before its first move, so there is nothing to review.
review-too-long = This match is too long to be reviewed here.
review-rated = You are in a rated pair. Until both games are over, the server shows you nothing that the solver finds.

## Marks

mark-brilliant = The only move that keeps the win, and one that a beginner would not try.
mark-only = The only move that keeps the win.
mark-trap = No move wins; this one makes it hardest for the opponent.
mark-soft = No move wins; another one would have made it harder for the opponent.
mark-blunder = A win or a draw was there, and this move gives it away.
mark-forced = The only legal move.

## Exercises

exercise-try = Try
exercise-solution = Show the solution
exercise-rules = Rules:
exercise-next = Next
exercise-again = Again
exercise-right = { $move } is right.
exercise-wrong = { $move } does not win. Try another move.
exercise-wrong-draw = { $move } does not keep the draw. Try another move.
exercise-refuted = { $move } does not win: your opponent replies { $reply }. Try another move.
exercise-refuted-draw = { $move } does not keep the draw: your opponent replies { $reply }. Try another move.
exercise-unknown = It is not known whether { $move } wins. Try another move.
exercise-unknown-draw = It is not known whether { $move } keeps the draw. Try another move.
exercise-winning = Winning moves: { $moves }.
learn-title = Learn from this match
learn-title-of = Learn from the mistakes of { $name }
learn-other-side = The mistakes of the other side
learn-task = { $number } of { $total }. At move { $ply }, { $move } gave the win away. Find a move that wins.
learn-task-draw = { $number } of { $total }. At move { $ply }, { $move } gave the draw away. Find a move that keeps it.
learn-done = Done: { $right } of { $total } at the first try.
learn-nothing = There is no mistake to learn from.

## Puzzles

puzzles-title = Puzzles
puzzles-about = Each position can be won. Find a winning move: any of them counts. Your first answer changes your rating and that of the puzzle.
puzzles-try = Try a puzzle
puzzles-task = You are to move and can win. This puzzle is rated { $rating }.
puzzles-rating = Your rating in puzzles: { $rating } ± { $deviation }
puzzles-rating-new = Your rating in puzzles: { $rating } ± { $deviation } (provisional)
puzzles-right = { $move } wins.
puzzles-wrong = { $move } does not win.
puzzles-change = Your rating: { $rating } ({ $change }).

live-reviewing = The solver is reviewing the match …
