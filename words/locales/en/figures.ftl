# Statistics and odds.

undetermined = { $why ->
    [all-lost] every game was lost, so the rating difference has no lower bound
    [all-won] every game was won, so the rating difference has no upper bound
    [no-variance] all results are the same, so the variance is zero
    [reaches-zero] the 95 % interval of the score reaches 0, so elo has no lower bound
    [reaches-one] the 95 % interval of the score reaches 1, so elo has no upper bound
    [no-data] there is nothing to count
   *[not-converged] the constrained maximum of the likelihood was not found
}
number-expected = { $kind ->
    [count] a count from 0 to { $most }
   *[number] a number
}
number-bad = { $flag }: '{ $text }' is not { $expected }
numbers-wanted = { $flag } takes { $wanted } numbers, got { $got }

## A match, and the sequential test

contest-unit = { $unit ->
    [pair-one] pair
    [pair-several] pairs
    [game-one] game
   *[game-several] games
}
contest-score = { $n } { contest-unit }   score { $score } %   variance { $variance }
contest-interval = { $elo }   95 %: { $low } to { $high }
contest-nothing = there is no { $unit }
contest-none = 0 { $unit }s   ? { $why }
contest-and = {"; "}
sprt-state = llr   { $llr }   bounds { $lower } and { $upper }
sprt-verdict = { $verdict ->
    [H0] H0 is accepted: elo { $elo0 } rather than { $elo1 }
    [H1] H1 is accepted: elo { $elo1 } rather than { $elo0 }
   *[continue] play more { $unit }s
}
sprt-bad = { $fault ->
   *[any] { $said }
}

## Ratings

glicko-too-many = a period has at most { $most } games, got { $got }
glicko-bad = { $fault ->
    [tau] tau must be between 0.1 and 2
    [rating] a rating must be between -10000 and 10000
    [deviation] a rating deviation must be above 0 and at most 1000
    [volatility] a volatility must be above 0 and at most 1
   *[extreme] the new rating cannot be computed from these figures
}
glicko-score = --games: the score in '{ $text }' is not 1, 0.5 or 0
glicko-after = rating { $rating }   deviation { $deviation }   volatility { $volatility }
ratings-name = name
ratings-empty = { $said }
ratings-line = { $file }, line { $line }: { $why }
ratings-too-large = the file is larger than 64 MiB
ratings-not-utf8 = this is not UTF-8 text
ratings-csv = { $said }
ratings-quote = a double quote is not closed
ratings-fields = 3 fields are expected, got { $got }
ratings-count = '{ $text }' is not a count of games: 0, or from { $least } to 10^12
ratings-itself = a player cannot meet itself
ratings-no-name = a name is missing
ratings-long-name = a name has at most { $most } characters
ratings-not-converged = { $said }
ratings-disconnected = { $more ->
    [0] { $said }: no chain of wins both ways between { $names } and the others
   *[other] { $said }: no chain of wins both ways between { $names } and { $more } more and the others
}

## Tournament files

start-bad = --start { $said }
start-bad-how = { $said }
tie-break-unknown = { $name ->
   *[any] { $said }
}
tie-break-twice = --tie-breaks names { $name } twice
trf-too-large = the file is larger than 128 MiB
trf-not-utf8 = line { $line }: this is not UTF-8 text
trf-problem = { $problem ->
   *[any] { $said }
}
trf-bad = { $column ->
   *[any] { $line ->
       *[any] { trf-problem }
    }
}
trf-points-how = columns 81-84 hold the points after the last finished round, such as ' 2.5'
trf-table-how = both players' lines must show the same game, such as '2 w 1' and '1 b 0'
trf-rounds-how = state the rounds of the whole tournament, such as 'XXR 9'
trf-unsupported-how = remove these lines, or use a program that supports them
trf-number-how = write a file with fewer players, such as one for each group
pair-no-rounds = the number of rounds is missing
pair-no-rounds-how = add a line with the rounds of the whole tournament, such as 'XXR 9'
pair-fault = { $fault ->
   *[any] { $n ->
       *[any] { $said }
    }
}
pair-fault-how = { $fault ->
    [finished] a tournament of more rounds needs a larger number in its line 'XXR 9'
    [few] the line 'XXZ' and byes of the next round say who is absent
    [many] divide the players into groups, and pair each group from a file of its own
   *[none] the organiser decides: play fewer rounds, or allow a rematch by hand
}

## Odds

odds-first = moves first
odds-second = moves second
odds-first-wins = first wins
odds-second-wins = second wins
odds-exactly = exactly
odds-below = below 0.01 %
odds-above = above 99.99 %
odds-refused = { $why ->
   *[any] { $said }
}
odds-refused-how = choose smaller positions of a game in which every line of play ends
fair-start = start
fair-progress = Comparing: { $number } of { $of } starts
fair-left-out = { $n ->
    [one] { $n } start was left out: too many positions, or not enough time. For fewer or smaller heaps: --heaps, --max.
   *[other] { $n } starts were left out: too many positions, or not enough time. For fewer or smaller heaps: --heaps, --max.
}
fair-none = None of { $compared } starts is between 49 and 51 %.
fair-closest = The most even one is { $start }: { $first } moves first and wins { $wins }.
fair-none-how = Try others with --heaps and --max.
fair-position = --fair chooses the start, so only the name of a game can be given
fair-position-how = such as: grundy play nim --fair 0.6
fair-no-start = no start of { $game } is fair to { $first } and { $second }
fair-no-start-how = choose other skills, or look for starts yourself: grundy fair --family { $game } --skills { $first },{ $second } --max 12
fair-family = { $said }
fair-family-how = { $said }
fair-refused-how = ask for fewer or smaller heaps with --heaps and --max, or for another game
