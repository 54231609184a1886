# Lessons and puzzles in a terminal.

practice-find = Find a winning move, or type hint, why, solution, skip, moves, rules, quit or ?.
practice-find-rated = Find a winning move. Your first answer counts, and there are no hints before it. You can also type solution to give up, moves, rules, quit or ?.
practice-help = Type a move: any winning move is right. hint gives a hint: the idea first, then where to move, then a move. why explains your last wrong move. solution shows the winning moves. skip leaves the exercise for another time, forget removes it for good, moves and more list the legal moves, rules shows the rules, board shows the position again, quit ends the lesson. Your progress is saved after each exercise.
practice-help-rated = Type a move: any winning move is right, and your first answer counts. There are no hints before it. solution gives up. why explains your last answer if it was wrong. moves and more list the legal moves, rules shows the rules, board shows the position again, quit ends the round.
practice-turn = { $side ->
    [left] You are Left, and it is your move.
    [right] You are Right, and it is your move.
   *[none] It is your move.
}
practice-verdict = { $right ->
    [yes] Right.
   *[no] That does not win.
}
practice-winning = { $case ->
    [only] Only { $moves } wins. Type why to see your move explained.
    [some] Winning: { $moves } and { $more } more. Type why to see your move explained.
   *[all] Winning: { $moves }. Type why to see your move explained.
}
practice-rated-done = { $count ->
    [one] { $count } puzzle answered, { $solved } solved.
   *[other] { $count } puzzles answered, { $solved } solved.
}
practice-next = Next:
practice-progress = Progress:
practice-begin = { $count ->
    [one] { $count } exercise. Each is a position that was won and thrown away: find a winning move.
   *[other] { $count } exercises. Each is a position that was won and thrown away: find a winning move.
}
practice-exercise = { $tries ->
    [0] Exercise { $number } of { $of }: { $family }, move { $ply } of match { $match }, new.
    [one] Exercise { $number } of { $of }: { $family }, move { $ply } of match { $match }, tried { $tries } time before.
   *[other] Exercise { $number } of { $of }: { $family }, move { $ply } of match { $match }, tried { $tries } times before.
}
practice-puzzle = Puzzle { $number }: { $family }, { $difficulty }{ practice-before }.
practice-puzzle-of = Puzzle { $number }, of { $day }: { $family }, { $difficulty }{ practice-before }.
practice-before = { $before ->
    [shown] , solution shown before
   *[solved] , solved before
    [no] {""}
}
practice-right-unknown = Right.
practice-solution-unknown = No winning move was found in the time available.
practice-shown = { $case ->
    [right] Right: { $move } wins. It leaves { $position }. { $reason }
   *[solution] Solution: { $move } wins. It leaves { $position }. { $reason }
}
practice-no-other = No other move wins.
practice-others = { $more ->
    [0] Also winning: { $moves }.
   *[other] Also winning: { $moves } and { $more } more.
}
practice-again = Try again.
practice-undecided = { $move } could not be judged in the time available, so it does not count. A longer --budget may help.
practice-refuted = { $case ->
    [draw] { $move } gives the win away: it leaves a draw.
    [loses] { $move } does not win. { $reason }
    [draw-to] { $move } gives the win away: after { $reply } neither player can force a win.
   *[loses-to] { $move } does not win: the reply { $reply } leaves { $position }. { $reason }
}
practice-then = { $case ->
    [over] Then the game is over.
    [line-over] Then for example: { $line }, and the game is over.
    [line-cut] Then for example: { $line } ...
   *[line] Then for example: { $line }
}
practice-leaves = { $case ->
    [draw] { $move } leaves { $position }, which is a draw:
    [reply] The reply { $move } leaves { $position }:
   *[loses] { $move } leaves { $position }, and the other player wins:
}
practice-hint = Hint { $number } of { $of }: { $hint }
practice-where = { $case ->
    [component-place] Move in component { $number }, { $place }.
    [component] Move in component { $number }.
    [place] Move { $place }.
   *[board] Look at the whole board.
}
place-heap = in heap { $name }
place-step = on step { $name }
place-gap = in gap { $name }, counted from the right
place-vertex = at an edge that goes up from vertex { $name }
place-piece = { $count ->
    [one] in a piece of { $count } vertex
   *[other] in a piece of { $count } vertices
}
practice-among = Exactly one of these moves wins: { $moves }.
practice-wins = { $move } wins.
practice-skipped = Skipped: it stays for another time.
practice-forgotten = Forgotten: it will not come back.
practice-due = { $days ->
    [0] It stays due today.
    [1] It is due again tomorrow.
   *[other] It is due again in { $days } days.
}
practice-share = To share:
practice-at-once = solved at once
practice-after-hints = solved after hints
practice-after-wrong = solved after a wrong move
practice-was-shown = solution shown
practice-end = { $count ->
    [one] { $count } exercise: { $how }.
   *[other] { $count } exercises: { $how }.
}
practice-end-puzzles = { $count ->
    [one] { $count } puzzle: { $how }.
   *[other] { $count } puzzles: { $how }.
}
practice-end-none = Nothing was solved.
practice-end-at-once = { $n } at once
practice-end-hints = { $n } after hints
practice-end-wrong = { $n } after a wrong move
practice-end-shown = { $n } by the solution
practice-left = { $n } left.
practice-not-saved = warning: your progress is not saved: { $why }
practice-no-mistake = Nothing to learn here: no player but bots gave a win away.
practice-no-mistake-draws = Nothing to learn here: no player but bots gave a win away, and draws are not practised.
practice-no-such-mistake = Nothing to learn here: no such win was given away in this match.
practice-not-judged = { $count ->
    [one] { $count } move was not judged in the time available; a longer --budget may help
   *[other] { $count } moves were not judged in the time available; a longer --budget may help
}
practice-nothing-so-far = Nothing to learn here so far: { $judged }.

## Progress

progress-family = family
progress-exercises = exercises
progress-new = new
progress-due = due
progress-tries = tries
progress-at-once = at once
progress-hints = hints
progress-wrong = wrong
progress-shown = shown
progress-recall = recall
progress-next = next
progress-all = all
progress-in = { $days ->
    [0] today
    [1] tomorrow
   *[other] in { $days } days
}

## Ideas

idea-parity = Only the number of parts counts here: leave an even number.
idea-pairs = Equal values cancel in pairs: make what is left over cancel, too.
idea-nim_sum = Write the values in binary: after your move, each column needs an even number of ones.
idea-splitting = Split: leave two parts that balance each other and the rest.
idea-mirror = Make the board symmetric under half a turn. Then each move has its mirror image as the answer.
idea-misere_ending = The last move loses: when no large part would be left, leave an odd number of parts of size 1.
idea-misere_classes = In misere play the class of the whole sum decides: get into a lost class.
idea-coloured_edges = Count how many moves each player is ahead in every piece. The total must not favour the other player after your move.
idea-stakes = Move where the most is at stake.
idea-spare_moves = Nothing is hot: make the move that costs you the fewest of your spare moves.
idea-remainder = Leave a multiple of one more than the largest step.
idea-losing_pairs = Leave a losing pair: the golden ratio makes them, such as 1 and 2, 3 and 5, 4 and 7.
idea-counted_steps = Only every other step or gap counts. Treat these as heaps of Nim.
idea-fibonacci_parts = Write the number as a sum of Fibonacci numbers that are not neighbours, and look at the least.
idea-golden_ratio = The ratio of the numbers decides: leave one below 1.618.
idea-columns = Write the heaps in binary: each column must become a multiple of one more than the heaps you may change.
idea-branches = Branches that meet at a vertex are heaps: replace them by one branch as long as their xor.
idea-matching = Pair neighbours so that as many vertices as possible have a partner, and move to the partner.
idea-safe_cells = Find the cells where a mark is safe. Each run of them is a heap.
idea-rows = With two rows, leave the first one longer by one.
idea-mates = Pair the coins whose squares agree in the most low binary digits.
idea-heads = Each head has a value of its own. Their xor must become 0.
idea-longest_component = The component that lasts longest decides.
idea-shortest_component = The component that is over first decides.
idea-won_components = Move in every component that you would win alone, and in no other.
idea-opening = A player who must let the other finish a component loses. Count the moves that both can afford.
idea-cycles = Play can cycle: head for a position that the other player cannot leave without losing.
idea-search = No theory helps here: look ahead, and leave the other player without a good answer.

## What cannot be, and what is left

learn-none-of-match = you have no exercise from this match
learn-none-of-position = you have no exercise with this position
learn-none-how = 'grundy learn --all --json' shows the positions of your exercises
learn-forget-one = Forget the exercise { $position }? It will not come back.
learn-forget-many = Forget { $count } exercises? It will not come back.
learn-forget-this = Forget this exercise? It will not come back. y/N
learn-kept = Nothing was forgotten.
learn-stays = It stays.
learn-forgotten = { $count ->
    [one] { $count } exercise forgotten.
   *[other] { $count } exercises forgotten.
}
learn-more-of = { $count ->
    [one] Match { $match }: { $count } exercise is left out for now. To add more: grundy learn { $match }
   *[other] Match { $match }: { $count } exercises are left out for now. To add more: grundy learn { $match }
}
learn-more = { $count ->
    [one] { $count } exercise is left out for now. Run the command again to add more.
   *[other] { $count } exercises are left out for now. Run the command again to add more.
}
learn-left = { $count ->
    [one] { $count } more match will be gone through in the next lesson.
   *[other] { $count } more matches will be gone through in the next lesson.
}
learn-online = Your matches on a server can be added: grundy learn --online
learn-only-forgotten = Nothing to learn here but exercises that you had forgotten.
learn-no-match = { $online ->
    [yes] there is no finished match on this computer or the server yet
   *[no] there is no finished match on this computer yet
}
learn-no-match-how = play one: grundy play nim:3,5,7 --local
learn-no-win-lost = Nothing to learn here: no such win was given away.
learn-nothing-due = { $count ->
    [one] Nothing is due today. 'grundy learn --all' practises { $count } exercise now.
   *[other] Nothing is due today. 'grundy learn --all' practises { $count } exercises now.
}
learn-some = { $some } of { $all } exercises; --limit changes that.
learn-none-yet = No exercises yet. Play a match, then: grundy learn
practice-not-won = warning: { $position } is not won for the player to move, so this exercise was removed
practice-not-forgettable = only exercises of 'grundy learn' can be forgotten
practice-why-early = 'why' explains your last wrong move: try one, or type hint
practice-why-rated = 'why' explains your last answer if it was wrong
practice-no-hint = no hint was found in the time available; it does not count
practice-no-hint-how = give more time with --budget
practice-counts = there are no hints and no skipping: your first answer counts
practice-counts-how = type a move, or solution to give up
practice-ask-why = Type why, or nothing to end >
practice-such-as = such as { $move }
