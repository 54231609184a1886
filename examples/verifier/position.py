"""Positions: components side by side, and the compound that says how they are played."""

import re
from collections import Counter
from functools import lru_cache
from itertools import product

from games import GAMES, Illegal, counted, mex

COMPOUNDS = {"sum", "every", "selective", "conjunctive", "shortsum", "shortselective", "zero"}


@lru_cache(maxsize=4096)
def rules(game):
    """The rules of a game by its name and parameters, such as `sub.1.3`."""
    name, *parameters = game.split(".")
    if name not in GAMES:
        raise Illegal(f"there is no game '{name}'")
    try:
        return GAMES[name](name, parameters)
    except ValueError as error:
        raise Illegal(f"'{game}' has other parameters") from error


class Position:
    """Components with their states. A move is a tuple of pairs: which component, counted from 0, and the move in it."""

    def __init__(self, components, compound, misere):
        self.components = components
        self.compound = compound
        self.misere = misere

    @classmethod
    def read(cls, text):
        body, *words = text.split("@")
        misere = bool(words) and words[-1] == "misere"
        if misere:
            words.pop()
        compound = words.pop() if words else "sum"
        if words or compound not in COMPOUNDS:
            raise Illegal(f"'{text}' is not a position")
        components = []
        for component in body.split("+"):
            game, colon, state = component.partition(":")
            if not colon:
                raise Illegal(f"'{component}' has no colon")
            game = rules(game)
            components.append((game, game.read(state)))
        return cls(tuple(components), compound, misere)

    def read_move(self, text):
        """The components and the moves in them that a text names."""
        if len(self.components) == 1:
            return ((0, self.components[0][0].spelling(text)),)
        chosen = []
        for item in text.split(","):
            opened = re.match(r"([1-9][0-9]{0,8})\.", item)
            if opened:
                chosen.append([int(opened[1]) - 1, item[opened.end() :]])
            elif chosen:
                chosen[-1][1] += "," + item
            else:
                raise Illegal("the component is missing")
        if any(not 0 <= index < len(self.components) for index, _ in chosen):
            raise Illegal("there is no such component")
        return tuple((index, self.components[index][0].spelling(move)) for index, move in chosen)

    def moves(self, player):
        """Every move of a player with the position after it."""
        of_each = [list(game.moves(state, player)) for game, state in self.components]
        if self.compound in ("conjunctive", "shortsum", "shortselective") and not all(of_each):
            return
        if self.compound == "zero" and not any(nim_value(*component) for component in self.components):
            return
        if self.compound in ("sum", "shortsum", "zero"):
            for index, moves in enumerate(of_each):
                for move, state in moves:
                    yield ((index, move),), self.after({index: state})
            return
        choices = []
        for index, moves in enumerate(of_each):
            may_rest = self.compound in ("selective", "shortselective") or not moves
            choices.append([None] * may_rest + [(index, move, state) for move, state in moves])
        for chosen in counted(product(*choices)):
            chosen = [choice for choice in chosen if choice]
            if chosen:
                yield tuple((index, move) for index, move, _ in chosen), self.after({index: state for index, _, state in chosen})

    def after(self, states):
        components = list(self.components)
        for index, state in states.items():
            components[index] = (components[index][0], state)
        return Position(tuple(components), self.compound, self.misere)

    def play(self, text, player):
        """The position after the move that a text names."""
        wanted = self.read_move(text)
        if self.compound == "sum":
            if len(wanted) != 1:
                raise Illegal(f"'{text}' moves in several components")
            ((index, move),) = wanted
            game, state = self.components[index]
            after = game.play(state, move, player)
            if after is not None:
                return self.after({index: after})
        else:
            for other, after in self.moves(player):
                if other == wanted:
                    return after
        raise Illegal(f"'{text}' is not a move")

    def is_over(self, player):
        if self.compound == "sum":
            return not any(True for game, state in self.components for _ in game.moves(state, player))
        return next(iter(self.moves(player)), None) is None

    def is_coloured(self):
        """Whether the players may have different moves here or later."""
        return any(game.is_coloured(state) for game, state in self.components)

    def is_loopy(self):
        """Whether play need not end."""
        return any(game.is_loopy(state) for game, state in self.components)

    def is_plain(self):
        return not self.is_coloured() and not self.is_loopy()

    def key(self):
        """The same for positions that are played alike: parts in any order, without those that nobody can move in."""
        of_each = [live_parts(game, state) for game, state in self.components]
        if self.compound == "sum":
            of_each = [[part for parts in of_each for part in parts]]
        return self.compound, self.misere, tuple(frozenset(Counter(parts).items()) for parts in of_each)


@lru_cache(maxsize=1 << 16)
def nim_value(game, state):
    """The value of a plain component: the least number that no option has."""
    return mex(nim_value(game, after) for _, after in game.moves(state, "L"))


def live_parts(game, state):
    """The parts in which somebody can move, each with what identifies its rules."""
    return [(game.identity, part) for part in game.parts(state) if game.is_alive(part)]
