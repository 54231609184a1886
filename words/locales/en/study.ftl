# The pages for learning: rules and lab, and what leads from page to page.

## Every page

nav-pages = Pages
nav-play = Play
nav-rules = Rules
nav-lab = Lab
nav-tournaments = Tournaments
nav-tv = TV
nav-bots = Bots
page-too-many = Too many requests.
page-too-many-how =
    { $count ->
        [one] Too many requests came from your address. Try again in { $n } second.
       *[other] Too many requests came from your address. Try again in { $n } seconds.
    }

## Rules

rules-title = The rules of all games
rules-about = Each game has a page with its rules, a board, its notation and what is known about who wins.
rules-end = In normal play, the player who makes the last move wins. With @misere after a position, that player loses.
rules-all = All games
rules-unknown = There is no game with this name.
rules-unknown-how = The rules page lists all games.
rules-how = How to play
rules-written = How it is written
rules-example = A position
rules-move = Example of a move:
rules-try = Play this against a bot
rules-lab = Study it in the lab
rules-values = Values
rules-heaps = Grundy values of one heap of { $rules }: the number of the row plus that of the column is the size of the heap. The player to move loses where the value is 0.
rules-pairs = Grundy values of two heaps: the row is heap A, the column heap B. The player to move loses where the value is 0.
rules-period = From heap { $start } on, the values have period { $length } (proved).
rules-no-period = No period has been proved for heaps up to 2000.
rules-examples = Examples
rules-examples-about = Who wins in normal play if the first player is to move. Each position opens in the lab.
rules-rated = You are in a rated pair: until both games are over, no values and no winners are shown here.
rules-source = Source:
rules-together = Several games at once
rules-together-about = Join positions with +, and add a word for how they are played together.
compound-sum = A move is made in one component; the game ends when no component has a move.
compound-every = A move is made in every component that has one; the game ends when none has.
compound-selective = A move is made in one or more components; the game ends when no component has a move.
compound-conjunctive = A move is made in every component; the game ends as soon as one component has no move.
compound-shortsum = A move is made in one component; the game ends as soon as one component has no move.
compound-shortselective = A move is made in one or more components; the game ends as soon as one component has no move.
compound-zero = A move is made in one component; the game ends as soon as every component has nim-value 0.
family-heaps = Heaps and rows of pins
family-sliding = Steps and squares
family-coins = Rows of coins
family-boards = Boards
family-graphs = Graphs and orders
family-written = Values and strings

## Outcomes

outcome-n = The player to move wins.
outcome-p = The player to move loses.
outcome-l = Left, the first player, wins, whoever is to move.
outcome-r = Right, the second player, wins, whoever is to move.
outcome-d = With best play it is a draw.
outcome-unknown = Not solved within the limits of the server.
result-wins = wins
result-loses = loses
result-draws = draws
result-unknown = unknown

## The lab

lab-title = Lab
lab-about = Type a position, and see who wins, why, and what each move is worth. The address of the page is the position: share it.
lab-position = Position
lab-ask = Solve
lab-to-move = To move
lab-left = Left, the first player
lab-right = Right, the second player
lab-cannot-read = This position cannot be read:
lab-column = (character { $n })
lab-for-example = For example:
lab-back = Back one move
lab-verdict = Who wins
lab-nim-value = The nim-value is { $value }.
lab-number = The value is { $value }.
lab-winning =
    { $count ->
        [one] { $n } move wins.
       *[other] { $n } moves win.
    }
lab-length =
    { $count ->
        [one] The game lasts { $n } more move if the winner hurries and the loser delays.
       *[other] The game lasts { $n } more moves if the winner hurries and the loser delays.
    }
lab-over = There is no move: the game is over.
lab-why = Why
lab-more-why = In a terminal, with every step:
lab-longer = Not everything was solved within the limits of the server. A longer search in a terminal may solve it:
lab-rated = You are in a rated pair: until both games are over, the server shows you nothing that the solver finds. Afterwards, here or in a terminal:
lab-busy = The server is busy and cannot solve this now. Try again in a moment, or in a terminal:
lab-moves = Moves
lab-moves-about = What each move does for the player who makes it, and the value of the position that it leaves. A move opens the position after it.
lab-result = Result
lab-value = Value
lab-leaves = Leaves
lab-several = Several moves touch this part: see the list
lab-more =
    { $count ->
        [one] { $n } other move is not listed. In a terminal:
       *[other] { $n } other moves are not listed. In a terminal:
    }
lab-many-more = More moves than can be counted are not listed. In a terminal:
lab-starts = Positions to begin with
lab-rules = The rules of all games, and how positions are written
