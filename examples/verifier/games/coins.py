"""Rows of coins that are turned. The state is the list of the places of the heads, from 1."""

from itertools import combinations

from .base import Game, Illegal, number, plain_number

NAMED_COUNTS = {
    "turtles": (1, 2),
    "mockturtles": (1, 2, 3),
    "moebius": (1, 2, 3, 4, 5),
    "mogul": (1, 2, 3, 4, 5, 6, 7),
    "moidores": (1, 2, 3, 4, 5, 6, 7, 8, 9),
    "twins": (2,),
}


class CoinRow(Game):
    def read(self, text):
        if not text or set(text) - set("HT."):
            raise Illegal("coins are H, T or .")
        return tuple(place for place, coin in enumerate(text, 1) if coin == "H")

    def turns(self, right):
        """The coins that may be turned together with the coin on this place, the rightmost."""
        raise NotImplementedError

    def text(self, others, right):
        return ",".join(str(place) for place in (*others, right))

    def moves(self, state, player):
        for right in state:
            for others in self.turns(right):
                after = set(state) ^ {right, *others}
                yield self.text(others, right), tuple(sorted(after))


class Flip(CoinRow):
    """So many coins as one of the numbers says."""

    def __init__(self, name, parameters):
        super().__init__(name, parameters)
        counts = NAMED_COUNTS.get(name) or {number(word, 64) for word in parameters} - {0}
        self.counts = sorted(counts)

    def play(self, state, move, player):
        places = [plain_number(place) for place in move.split(",")]
        if None in places or sorted(set(places)) != places or places[0] == 0 or places[-1] not in state:
            return None
        return tuple(sorted(set(state) ^ set(places))) if len(places) in self.counts else None

    def turns(self, right):
        for count in self.counts:
            yield from combinations(range(1, right), count - 1)


class Turnips(CoinRow):
    """Three coins equally far apart."""

    def turns(self, right):
        for distance in range(1, (right - 1) // 2 + 1):
            yield right - 2 * distance, right - distance


class Grunt(CoinRow):
    """Four coins in mirror image, the first of the row among them."""

    def turns(self, right):
        for second in range(2, right):
            third = 1 + right - second
            if second < third:
                yield 1, second, third


class Ruler(CoinRow):
    """A run of neighbours, at most so long as the parameter says."""

    def __init__(self, name, parameters):
        super().__init__(name, parameters)
        self.longest = number(parameters[0]) if parameters else None

    def turns(self, right):
        most = right if self.longest is None else min(right, self.longest)
        for length in range(1, most + 1):
            yield tuple(range(right - length + 1, right))

    def text(self, others, right):
        return f"{others[0] if others else right}..{right}"
