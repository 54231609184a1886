"""Write a Grundy bot in Python 3.9 or newer, without other packages.

    from grundy_bot import run

    def choose(turn):
        return turn.moves()[0]

    run(choose, name="first")

`run` speaks the line protocol of docs/BOTS.md on stdin and stdout until the runner says quit. `choose` gets a `Turn` and returns a
legal move, or None to resign. Print to stderr, never to stdout: stdout belongs to the protocol.
"""

import random
import sys

__all__ = ["Turn", "Game", "run"]


class Game:
    """A game that is being played. `memory` is yours, and empty at its begin."""

    def __init__(self, fields):
        self.number = int(fields.get("game", 0))
        self.start = fields.get("position", "")
        self.side = fields.get("side", "first")
        self.opponent = fields.get("opponent", "")
        self.random = random.Random(int(fields.get("seed", 0)))
        self.memory = {}


class Turn:
    """A move that is wanted.

    position   the whole position as text, such as nim:3,0,7
    side       yours: first or second
    last       the opponent's last move, or None
    game       the Game; its `random` gives the same numbers in every run
    movetime   seconds for this move, or None if you have a starting time
    time, opponent_time, increment
               seconds of the stock, or None
    """

    def __init__(self, fields, game, ask):
        self.id = fields["id"]
        self.position = fields["position"]
        self.side = fields.get("side", "first")
        self.last = fields.get("last")
        self.game = game
        self.movetime = _seconds(fields.get("movetime"))
        self.time = _seconds(fields.get("time"))
        self.opponent_time = _seconds(fields.get("opptime"))
        self.increment = _seconds(fields.get("inc"))
        self._ask = ask

    @property
    def rules(self):
        """The game's name with its parameters: nim, sub.1.3.4. Of a sum, that of its first component."""
        return self.position.split(":", 1)[0]

    @property
    def misere(self):
        """Whether the player who makes the last move loses."""
        return self.position.endswith("@misere")

    @property
    def heaps(self):
        """The heaps of a position that is a list of heaps; ValueError otherwise."""
        state = self.position.split("@", 1)[0].split(":", 1)[1]
        return [] if state == "_" else [int(heap) for heap in state.split(",")]

    def moves(self, start=0):
        """Legal moves from number `start` on: at most a thousand, the runner's list in its order."""
        return self._ask(self.id, start)[1]

    def move_count(self):
        """How many legal moves there are: up to 10**18 and more."""
        return self._ask(self.id, 0)[0]

    def any_move(self):
        """One of the first thousand legal moves."""
        return self.game.random.choice(self.moves())


def _seconds(text):
    return None if text is None else int(text) / 1000


def _fields(words):
    return dict(zip(words[::2], words[1::2]))


class _Runner:
    """The other side: lines in, lines out."""

    def __init__(self, source, sink):
        self.source = source
        self.sink = sink

    def say(self, *words):
        # Without the flush the line would stay in the buffer, and the runner would wait in vain.
        self.sink.write(" ".join(str(word) for word in words) + "\n")
        self.sink.flush()

    def hear(self):
        """The next line as words; ["quit"] at the end of the input."""
        for line in self.source:
            words = line.split()
            if words:
                return words
        return ["quit"]

    def ask(self, request, start):
        """Asks for legal moves: how many there are, and some of them."""
        self.say("moves", request, start)
        while True:
            words = self.hear()
            if words[0] == "moves" and words[1] == request:
                return int(words[2]), words[3:]
            if words[0] == "quit":
                raise SystemExit(0)


def run(choose, name, author="me", version="0.1", games=None, options=None, source=None, sink=None):
    """Plays until the runner says quit.

    choose     called with a Turn; returns a move as text, or None to resign
    games      names of the games that it plays; None for all
    options    numbers and texts that the runner may set before the first game, with their defaults: {"depth": 5}; the dictionary is
               changed when the runner sets one
    """
    runner = _Runner(source or sys.stdin, sink or sys.stdout)
    options = options if options is not None else {}
    game = Game({})
    while True:
        verb, *words = runner.hear()
        if verb == "grundy":
            about = ["bot", "name", name, "author", author, "version", version]
            runner.say(*about, *(["games", ",".join(games)] if games else []))
            for option, default in options.items():
                kind = "int" if isinstance(default, int) else "text"
                runner.say("option", "name", option, "type", kind, "default", default)
            runner.say("ok")
        elif verb == "set" and words and words[0] in options:
            default = options[words[0]]
            options[words[0]] = type(default)(" ".join(words[1:]))
        elif verb == "new":
            game = Game(_fields(words))
        elif verb == "go":
            turn = Turn(_fields(words), game, runner.ask)
            move = choose(turn)
            runner.say("resign", turn.id) if move is None else runner.say("move", turn.id, move)
        elif verb == "ping":
            runner.say("pong", *words)
        elif verb == "quit":
            return
