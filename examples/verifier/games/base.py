"""What every game offers to the verifier, and small tools that several games share."""


from functools import wraps

# The most steps for a certificate. A step is one listed move, or about as much other work.
MOST_STEPS = 1 << 22


class Illegal(Exception):
    """A text that is no position or no move."""


class Costly(Exception):
    """Checking takes too many steps."""


class Work:
    """Steps that are left for the current certificate."""

    left = MOST_STEPS


def spend(steps=1):
    Work.left -= steps
    if Work.left < 0:
        raise Costly


def counted(listed):
    """The items, at one step each."""
    for item in listed:
        spend()
        yield item


class Game:
    """The rules of one game with its parameters. States are hashable.

    `identity` tells the rules apart: two components with equal identity and equal states are the same position.
    """

    def __init_subclass__(cls):
        """Every move that is listed counts."""
        if "moves" in vars(cls):
            moves = cls.moves
            cls.moves = wraps(moves)(lambda self, state, player: counted(moves(self, state, player)))

    def __init__(self, name, parameters):
        self.name = name
        self.parameters = parameters
        self.identity = (name, tuple(parameters))

    def read(self, text):
        """The state that a text describes."""
        raise NotImplementedError

    def moves(self, state, player):
        """Every move of a player, "L" or "R", as pairs of its text and the state after it."""
        raise NotImplementedError

    def play(self, state, move, player):
        """The state after a move, given as text; `None` if it is not legal. Games with very many moves find it without a list of them."""
        return next((after for other, after in self.moves(state, player) if other == move), None)

    def parts(self, state):
        """States that together, as a disjunctive sum, are the same game. Positions that differ only by a symmetry have equal parts."""
        return [state]

    def spelling(self, move):
        """One text for all the spellings of a move."""
        return move

    def is_tame(self, state):
        """Whether the theorem tame-sum may be used of this component."""
        return False

    def is_coloured(self, state):
        """Whether the players may have different moves here or later."""
        return False

    def is_loopy(self, state):
        """Whether play need not end."""
        return False

    def is_alive(self, state):
        """Whether a player has a move."""
        return any(True for player in "LR" for _ in self.moves(state, player))


def number(text, most=10**18):
    """A whole number without a sign."""
    if not (text.isascii() and text.isdigit()) or len(text) > 19 or int(text) > most:
        raise Illegal(f"'{text:.40}' is not a whole number up to {most}")
    return int(text)


def plain_number(text):
    """A whole number as a move is written: without zeros in front. `None` if it is not one."""
    if text.isascii() and text.isdigit() and len(text) <= 19 and (text == "0" or text[0] != "0"):
        return int(text)
    return None


def numbers(text):
    """A list of numbers; `_` is the empty one."""
    return () if text == "_" else tuple(number(word) for word in text.split(","))


def heap_name(index):
    """A to Z, then AA, AB and so on."""
    name = ""
    index += 1
    while index > 0:
        index, letter = divmod(index - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def heap_index(name):
    """The place of a heap by its name. `None` if it is not a name."""
    if not (name.isascii() and name.isalpha() and name.isupper()) or len(name) > 5:
        return None
    index = 0
    for letter in name:
        index = 26 * index + ord(letter) - ord("A") + 1
    return index - 1


def replaced(items, index, *new):
    """The tuple with other items in one place; all but the first go to the end."""
    return items[:index] + new[:1] + items[index + 1 :] + new[1:]


def mex(values):
    """The least number that is not among them."""
    present = set(values)
    least = 0
    while least in present:
        least += 1
    return least


def xor(values):
    total = 0
    for value in values:
        total ^= value
    return total
