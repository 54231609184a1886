"""Games of heaps, coins on a strip, and numbers."""

import re
from math import gcd

from .base import Game, Illegal, heap_index, heap_name, number, numbers, plain_number, replaced


class Heaps(Game):
    """A sum of heaps: a move replaces one heap by others."""

    tame = False

    def read(self, text):
        return numbers(text)

    def parts(self, state):
        return [(heap,) for heap in state]

    def is_tame(self, state):
        return self.tame

    def moves(self, state, player):
        for index, heap in enumerate(state):
            for text, left in self.from_heap(heap):
                yield heap_name(index) + text, replaced(state, index, *left)

    def from_heap(self, heap):
        """Each move from one heap: what is written after its letter, and the heaps left."""
        raise NotImplementedError

    def left(self, heap, taken, parts):
        """The heaps that a move from one heap leaves: `taken` from it, or `None` if the move takes nothing, and divided into `parts`, or `None`
        if it is not divided. `None` if the move is not legal."""
        raise NotImplementedError

    def play(self, state, move, player):
        match = HEAP_MOVE.fullmatch(move)
        index = heap_index(match[1]) if match else None
        if index is None or index >= len(state):
            return None
        taken = None if match[2] is None else plain_number(match[2])
        parts = None if match[3] is None else tuple(plain_number(part) for part in match[3].split(","))
        if (match[2] is not None and taken is None) or (parts and None in parts) or (taken, parts) == (None, None):
            return None
        left = self.left(state[index], taken, parts)
        return None if left is None else replaced(state, index, *left)


HEAP_MOVE = re.compile(r"([A-Z]+)(?:-([0-9]+))?(?:/([0-9,]+))?")


def reduced(heap, taken, parts, allowed=True):
    """A heap from which stones were taken, if it is not divided and this many may be taken."""
    return (heap - taken,) if parts is None and taken is not None and 1 <= taken <= heap and allowed else None


def divided(heap, parts):
    """A heap divided into non-empty parts in ascending order."""
    return parts if parts and sum(parts) == heap and parts[0] > 0 and list(parts) == sorted(parts) else None


class Nim(Heaps):
    tame = True

    def left(self, heap, taken, parts):
        return reduced(heap, taken, parts)

    def from_heap(self, heap):
        return ((f"-{taken}", (heap - taken,)) for taken in range(1, heap + 1))


class Bash(Heaps):
    tame = True

    def __init__(self, name, parameters):
        super().__init__(name, parameters)
        (self.most,) = (number(word) for word in parameters)

    def left(self, heap, taken, parts):
        return reduced(heap, taken, parts, taken is not None and taken <= self.most)

    def from_heap(self, heap):
        return ((f"-{taken}", (heap - taken,)) for taken in range(1, min(heap, self.most) + 1))


class Subtraction(Heaps):
    tame = True

    def __init__(self, name, parameters):
        super().__init__(name, parameters)
        self.set = sorted({number(word) for word in parameters} - {0})

    def left(self, heap, taken, parts):
        return reduced(heap, taken, parts, taken in self.set)

    def from_heap(self, heap):
        return ((f"-{taken}", (heap - taken,)) for taken in self.set if taken <= heap)


class Lasker(Heaps):
    tame = True

    def left(self, heap, taken, parts):
        if parts is None:
            return reduced(heap, taken, parts)
        return divided(heap, parts) if taken is None and len(parts) == 2 else None

    def from_heap(self, heap):
        for taken in range(1, heap + 1):
            yield f"-{taken}", (heap - taken,)
        for part in range(1, heap // 2 + 1):
            yield f"/{part},{heap - part}", (part, heap - part)


class MultiNim(Heaps):
    tame = True

    def left(self, heap, taken, parts):
        if parts is None:
            return reduced(heap, taken, parts)
        return divided(heap, parts) if taken is None and len(parts) > 1 else None

    def from_heap(self, heap):
        for taken in range(1, heap + 1):
            yield f"-{taken}", (heap - taken,)
        for split in partitions(heap, 1):
            if len(split) > 1:
                yield "/" + ",".join(map(str, split)), split


def partitions(total, least):
    """The ways to write a number as a sum of ascending numbers, none below `least`."""
    for first in range(least, total // 2 + 1):
        for rest in partitions(total - first, first):
            yield (first,) + rest
    if total >= least:
        yield (total,)


class Split(Heaps):
    tame = True

    def left(self, heap, taken, parts):
        fits = taken is None and len(parts) == 2 and parts[0] <= parts[1] < heap
        return parts if fits else None

    def from_heap(self, heap):
        for high in range(heap):
            for low in range(high + 1):
                yield f"/{low},{high}", (low, high)


class Grundy(Heaps):
    def left(self, heap, taken, parts):
        fits = taken is None and len(parts) == 2 and parts[0] != parts[1]
        return divided(heap, parts) if fits else None

    def from_heap(self, heap):
        for part in range(1, (heap + 1) // 2):
            yield f"/{part},{heap - part}", (part, heap - part)


NAMED_CODES = {"kayles": "0.77", "dawsonkayles": "0.07", "dawsonchess": "0.137"}


class Octal(Heaps):
    """Digit i says what may be left of a heap from which i are taken: 1 nothing, 2 one heap, 4 two, 8 three."""

    def __init__(self, name, parameters):
        super().__init__(name, parameters)
        words = NAMED_CODES[name].split(".") if name in NAMED_CODES else parameters
        digits = "".join(words)
        if not all(digit in "0123456789abcdef" for digit in digits):
            raise Illegal(f"'{digits}' is not an octal code")
        self.digits = [int(digit, 16) for digit in digits]
        self.identity = ("octal", tuple(self.digits))
        # Nothing splits and any rest may be left: a subtraction game.
        self.tame = all(digit in (0, 3) for digit in self.digits)

    def left(self, heap, taken, parts):
        if taken is None or taken >= len(self.digits) or taken > heap:
            return None
        digit, rest = self.digits[taken], heap - taken
        if parts is None:
            return (rest,) if taken > 0 and digit & (1 if rest == 0 else 2) else None
        return divided(rest, parts) if digit & {2: 4, 3: 8}.get(len(parts), 0) else None

    def from_heap(self, heap):
        for taken, digit in enumerate(self.digits):
            rest = heap - taken
            if rest < 0:
                break
            if taken > 0 and digit & (1 if rest == 0 else 2):
                yield f"-{taken}", (rest,)
            if digit & 4:
                for part in range(1, rest // 2 + 1):
                    yield f"-{taken}/{part},{rest - part}", (part, rest - part)
            if digit & 8:
                for split in partitions(rest, 1):
                    if len(split) == 3:
                        yield f"-{taken}/" + ",".join(map(str, split)), split


class Whole(Game):
    """Several numbers that are one part: their order does not matter, and empty heaps count for nothing."""

    def read(self, text):
        return numbers(text)

    def parts(self, state):
        return [tuple(sorted(heap for heap in state if heap > 0))]


class Moore(Whole):
    def __init__(self, name, parameters):
        super().__init__(name, parameters)
        (self.most,) = (number(word) for word in parameters)

    def is_tame(self, state):
        filled = [heap for heap in state if heap > 0]
        return len(filled) <= self.most or max(filled) <= 1

    def play(self, state, move, player):
        after, last = list(state), -1
        items = move.split(",")
        for item in items:
            name, _, taken = item.partition("-")
            index, taken = heap_index(name), plain_number(taken)
            if index is None or taken is None or not last < index < len(state) or not 1 <= taken <= state[index]:
                return None
            after[index] -= taken
            last = index
        return tuple(after) if len(items) <= self.most else None

    def moves(self, state, player):
        def choose(index, changed, text, after):
            if index == len(state):
                if changed > 0:
                    yield ",".join(text), after
                return
            yield from choose(index + 1, changed, text, after + (state[index],))
            if changed < self.most:
                for taken in range(1, state[index] + 1):
                    word = f"{heap_name(index)}-{taken}"
                    yield from choose(index + 1, changed + 1, text + [word], after + (state[index] - taken,))

        return choose(0, 0, [], ())


class Merge(Whole):
    def moves(self, state, player):
        filled = [index for index, heap in enumerate(state) if heap > 0]
        for place, first in enumerate(filled):
            yield f"{heap_name(first)}-1", replaced(state, first, state[first] - 1)
            for second in filled[place + 1 :]:
                poured = replaced(state, first, state[first] + state[second])
                yield f"{heap_name(first)}+{heap_name(second)}", replaced(poured, second, 0)


class Wythoff(Game):
    def read(self, text):
        state = numbers(text)
        if len(state) != 2:
            raise Illegal("there must be two heaps")
        return state

    def parts(self, state):
        return [tuple(sorted(state))]

    def play(self, state, move, player):
        name, _, taken = move.partition("-")
        taken = plain_number(taken)
        if taken is None or taken == 0 or not self.allows(state, name, taken):
            return None
        after = tuple(heap - taken * (letter in name) for letter, heap in zip("AB", state))
        return after if min(after) >= 0 else None

    def allows(self, state, name, taken):
        return name in ("A", "B", "AB")

    def moves(self, state, player):
        a, b = state
        for taken in range(1, a + 1):
            yield f"A-{taken}", (a - taken, b)
        for taken in range(1, b + 1):
            yield f"B-{taken}", (a, b - taken)
        for taken in range(1, min(a, b) + 1):
            yield f"AB-{taken}", (a - taken, b - taken)


class Euclid(Wythoff):
    """Only the ratio of the numbers matters."""

    def parts(self, state):
        unit = max(gcd(*state), 1)
        return [tuple(sorted(value // unit for value in state))]

    def allows(self, state, name, taken):
        a, b = state
        return min(a, b) > 0 and (name == "A" and taken % b == 0 or name == "B" and taken % a == 0)

    def moves(self, state, player):
        a, b = state
        if min(a, b) == 0:
            return
        if a >= b:
            for times in range(1, a // b + 1):
                yield f"A-{times * b}", (a - times * b, b)
        if b >= a:
            for times in range(1, b // a + 1):
                yield f"B-{times * a}", (a, b - times * a)


class Fibonacci(Game):
    """A heap and a quota; the quota of a new heap is all but one stone."""

    def read(self, text):
        heap, slash, quota = text.partition("/")
        heap = number(heap)
        return (heap, min(number(quota), heap) if slash else max(heap - 1, 0))

    def parts(self, state):
        return [state if state[1] > 0 else (0, 0)]

    def play(self, state, move, player):
        heap, quota = state
        taken = plain_number(move[2:]) if move.startswith("A-") else None
        if taken is None or not 1 <= taken <= quota:
            return None
        return (heap - taken, min(2 * taken, heap - taken))

    def moves(self, state, player):
        heap, quota = state
        for taken in range(1, quota + 1):
            yield f"A-{taken}", (heap - taken, min(2 * taken, heap - taken))


class Race(Game):
    def __init__(self, name, parameters):
        super().__init__(name, parameters)
        self.most, self.target = (number(word) for word in parameters)

    def read(self, text):
        return number(text, self.target)

    def is_tame(self, state):
        return True

    def play(self, state, move, player):
        step = plain_number(move[1:]) if move.startswith("+") else None
        fits = step is not None and 1 <= step <= min(self.most, self.target - state)
        return state + step if fits else None

    def moves(self, state, player):
        for step in range(1, min(self.most, self.target - state) + 1):
            yield f"+{step}", state + step


class Staircase(Game):
    """Stones on steps, the lowest first. Empty steps at the top count for nothing."""

    def read(self, text):
        return numbers(text)

    def parts(self, state):
        while state and state[-1] == 0:
            state = state[:-1]
        return [state]

    def play(self, state, move, player):
        step, _, moved = move.partition(":")
        step, moved = plain_number(step), plain_number(moved)
        if not step or not moved or step > len(state) or moved > state[step - 1]:
            return None
        after = list(state)
        after[step - 1] -= moved
        if step > 1:
            after[step - 2] += moved
        return tuple(after)

    def moves(self, state, player):
        for index, stones in enumerate(state):
            for moved in range(1, stones + 1):
                after = list(state)
                after[index] -= moved
                if index > 0:
                    after[index - 1] += moved
                yield f"{index + 1}:{moved}", tuple(after)


class Coins(Game):
    """Coins on squares of a strip; a move brings one to a lower square. Their order does not matter."""

    def read(self, text):
        state = tuple(sorted(numbers(text)))
        if len(set(state)) < len(state) and self.name != "nimble":
            raise Illegal("two coins share a square")
        return state

    def play(self, state, move, player):
        coin, _, to = move.partition("-")
        coin, to = plain_number(coin), plain_number(to)
        if coin not in state or to is None or to >= coin:
            return None
        blocked = {"nimble": False, "silver": any(to <= other < coin for other in state)}.get(self.name, to in state)
        return None if blocked else tuple(sorted(replaced(state, state.index(coin), to)))

    def moves(self, state, player):
        for place, coin in enumerate(state):
            if place > 0 and state[place - 1] == coin:
                continue
            for to in range(coin - 1, -1, -1):
                if to in state and self.name == "silver":
                    break
                if to not in state or self.name == "nimble":
                    yield f"{coin}-{to}", tuple(sorted(replaced(state, place, to)))


class Nimble(Coins):
    """Coins may share a square, and each is a part."""

    def parts(self, state):
        return [(coin,) for coin in state]

    def is_tame(self, state):
        return True


class Chomp(Game):
    """A bar by the lengths of its rows. Reflected bars are equal, and two arms are two bars of one row."""

    def read(self, text):
        state = numbers(text)
        if list(state) != sorted(state, reverse=True):
            raise Illegal("a row is longer than the one before")
        return state

    def arms(self, state):
        """The squares to the right of the corner and those below it, if there are no others."""
        rows = [row for row in state if row > 0]
        if len(rows) > 1 and rows[1] > 1:
            return None
        return (max(rows[0] - 1, 0), len(rows) - 1) if rows else (0, 0)

    def is_tame(self, state):
        return self.arms(state) is not None

    def parts(self, state):
        arms = self.arms(state)
        if arms is not None:
            return [(arm + 1,) for arm in arms if arm > 0]
        rows = tuple(row for row in state if row > 0)
        if rows[0] > 1000:
            return [rows]
        mirrored = tuple(sum(1 for row in rows if row >= column) for column in range(1, rows[0] + 1))
        return [min(rows, mirrored)]

    def play(self, state, move, player):
        row, _, column = move.partition(":")
        row, column = plain_number(row), plain_number(column)
        if not row or not column or (row, column) == (1, 1) or row > len(state) or column > state[row - 1]:
            return None
        return state[: row - 1] + tuple(min(length, column - 1) for length in state[row - 1 :])

    def moves(self, state, player):
        for index, row in enumerate(state):
            for column in range(1, row + 1):
                if (index, column) != (0, 1):
                    after = state[:index] + tuple(min(length, column - 1) for length in state[index:])
                    yield f"{index + 1}:{column}", after
