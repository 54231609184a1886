"""What every game offers to the verifier, and small tools that several games share."""


class Illegal(Exception):
    """A text that is no position or no move."""


class Game:
    """The rules of one game with its parameters. States are hashable.

    `identity` tells the rules apart: two components with equal identity and equal states are the same position.
    """

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
    if not (text.isascii() and text.isdigit()) or int(text) > most:
        raise Illegal(f"'{text}' is not a whole number up to {most}")
    return int(text)


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
