# The first screens, and the rules of the games.

welcome =
    Nim and its relatives: play, solve, review.

      grundy play nim:3,5,7 --local
          play a bot right here; no server needed
      grundy solve wythoff:5,8
          who wins, and with which move
      grundy play nim:3,5,7 --invite
          play a friend on a server (start one with: grundy-server)

    { $games }

    Next: grundy play nim:3,5,7 --local
    All commands: grundy --help
welcome-which =
    Which game? Name a start position, such as nim:3,5,7:

      grundy play nim:3,5,7 --local
          against a bot, right here
      grundy play kayles:7 --local --two
          two players at this keyboard
      grundy play wythoff:5,8 --invite
          against a friend, on a server
      grundy play --anyone
          against anyone who is looking for a game

    { $games }

    Rules and starts of a game: grundy rules show kayles
    Next: grundy play nim:3,5,7 --local
welcome-games = Games:
welcome-heaps = Heaps
welcome-pins = Rows of pins
welcome-coins = Coins and strips
welcome-boards = Boards
welcome-graphs = Graphs
welcome-trees = Trees
welcome-values = Values
welcome-group = {"  "}{ $title }: { $names }

## The menu

menu-title = Nim and its relatives
menu-about = Arrows and Enter choose; so does the letter of a line.
menu-about-games = Choose a game to play against a bot.
menu-about-friend = An invitation needs a server: grundy-server starts one.
menu-about-bots = Choose a bot to play { $start } against.
menu-about-settings = The language holds until you leave; the file of settings keeps it.
menu-invite = Invite a friend to { $start }
menu-join = Join with a code or a link
menu-two = Two players at this keyboard
menu-bots-list = List all bots
menu-ask-code = Code or link:
menu-settings-show = Show the settings
menu-settings-path = Show the files of this program
menu-without-server = No server answers, so you play on this computer.
menu-pause = Press Enter for the menu, or type q and Enter to leave:

## Rules

list-game = game
list-example = example
list-rule = rule
list-combined = combined
list-how = Combine games with +, and add a word for how they are played together:
list-misere = With @misere at the end, the player who makes the last move loses.
details =
    Position  { $notation }
    Move      { $moves }
    Examples  { $examples }
    Method    { $method }
    Cost      { $cost }
    Limits    { $limits }
    Source    { $source }

    Add @misere to a position, and the player who makes the last move loses. Combine positions with + to play them as one (`grundy rules list` shows how).

    Try: grundy play { $example } --local
         grundy solve { $example }
rules-no-game = there is no game '{ $game }'
rules-no-game-how = 'grundy rules list' shows the games

## Values of heaps

period-proved = { $game }: period { $length } from heap { $start }, proved
period-open = { $game }: no period is proved
period-checked = values computed up to heap { $checked }
period-largest = largest value { $largest }
period-stopped = stopped at the time limit; a longer one is --budget 10m
period-no-table = no table holds more values of this game
values-progress = Computing values: { $seconds } s, heaps up to { $reach } of { $to }.
values-too-many = cannot list { $count } values: the limit is { $most }
values-known-to = the values of { $game } are known only up to heap { $known }
values-last-how = for example: grundy rules table { $game } --to { $to } --last 5
values-none = the heaps of '{ $game }' have no values of their own
values-none-how = for example: grundy rules period octal.0.77
