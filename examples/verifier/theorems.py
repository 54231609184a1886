"""The theorems that a certificate may name, evaluated as docs/CERTIFICATES.md states them."""

from functools import lru_cache
from math import isqrt

from games import Illegal, counted, mex, spend, xor
from games.coins import Flip


def node_facts(game, node):
    """The value of a token on a node of a graph without cycles, and whether it is tame."""
    stack = [node]
    while stack:
        at = stack[-1]
        unknown = [end for ends in game.arcs[at] for end in ends if end not in game.facts]
        if unknown:
            stack += unknown
            continue
        stack.pop()
        if at in game.facts:
            continue
        left = [xor(game.facts[end][0] for end in ends) for ends in game.arcs[at]]
        value = mex(left)
        quiet = value > 0 or not left or 1 in left
        tame = quiet and all(len(ends) == 1 and game.facts[ends[0]][1] for ends in game.arcs[at])
        game.facts[at] = (value, tame)
    return game.facts[node]


def is_lost_by_values(values, misere):
    """Whether the player to move loses a sum: sprague-grundy, or tame-sum in misere play."""
    total = xor(values)
    if misere and max(values, default=0) <= 1:
        return total == 1
    return total == 0


def nim_sum(game, state):
    return list(state)


def remainder(game, state):
    distances = [game.target - state] if game.name == "race" else state
    return [distance % (game.most + 1) for distance in distances]


def odd_steps(steps):
    """The heaps of Nim: steps 1, 3, 5, ..."""
    return list(steps[::2])


def alternate_gaps(coins):
    """Every other gap from the highest coin: the free squares between it and the next lower one, and so on."""
    below = (-1,) + coins[:-1]
    gaps = [coin - lower - 1 for coin, lower in zip(coins, below)]
    return gaps[::-1][::2]


def welter_value(coins):
    spend(len(coins) ** 2)
    value = xor(coins)
    for place, one in enumerate(coins):
        for other in coins[:place]:
            differ = one ^ other
            value ^= differ ^ (differ - 1)
    return value


def is_welter_lost(coins, misere):
    if not misere:
        return welter_value(coins) == 0
    double = 2 * len(coins)
    fickle = all(coin < double and double - 1 - coin not in coins for coin in coins)
    return welter_value(coins) == int(fickle)


def euclid_value(state):
    a, b = sorted(state)
    quotients = []
    while a > 0:
        quotients.append(b // a)
        a, b = b % a, a
    value = 0
    for quotient in reversed(quotients):
        value = quotient - 1 if quotient <= value else quotient
    return value


def is_euclid_lost(state, misere):
    a, b = sorted(state)
    if a == 0:
        return not misere
    if a == b:
        return misere
    return b * (b - a) < a * a


def lasker(heap):
    return {0: heap - 1, 3: heap + 1}.get(heap % 4, heap) if heap > 0 else 0


def partitions(heaps):
    """Multi-Nim. `met[n]` has bit x where x is the xor of the values of some heaps with n stones together."""
    spend(max(heaps, default=0) ** 2)
    values, met = [0], [1]
    places = 2048
    for heap in range(1, max(heaps, default=0) + 1):
        split = 0
        for first in range(1, heap):
            split |= moved_by_xor(met[heap - first], values[first], places)
        options = split | sum(1 << value for value in set(values))
        value = (~options & (options + 1)).bit_length() - 1
        values.append(value)
        met.append(split | 1 << value)
    return [values[heap] for heap in heaps]


def moved_by_xor(bits, value, places):
    """The set of x xor value for all x of a set of numbers below `places`, a power of two, as bits."""
    step = 1
    while step < places:
        if value & step:
            # The numbers without this binary digit change places with those that have it.
            without = every_other_run(step, places)
            bits = (bits & without) << step | (bits >> step) & without
        step *= 2
    return bits


@lru_cache(maxsize=64)
def every_other_run(step, places):
    """The numbers below `places` without the binary digit `step`, as bits."""
    return ((1 << places) - 1) // ((1 << step) + 1)


def odious(heap):
    """Number n, counted from 0, among those with an odd number of binary ones; a heap of 0 is worth 0."""
    if heap == 0:
        return 0
    return 2 * (heap - 1) + (1 - bin(heap - 1).count("1") % 2)


def head_values(game, coins):
    """The value of a single head on each place from 1."""
    values = [0]
    if isinstance(game, Flip):
        # met[c]: the xors of c different places so far.
        met = [{0}] + [set() for _ in range(max(game.counts))]
        for _ in range(coins):
            spend(sum(map(len, met)))
            value = mex(left for count in game.counts for left in met[count - 1])
            values.append(value)
            for count in range(len(met) - 1, 0, -1):
                met[count] |= {left ^ value for left in met[count - 1]}
        return values
    for right in range(1, coins + 1):
        values.append(mex(xor(values[other] for other in others) for others in counted(game.turns(right))))
    return values


def single_heads(game, state):
    values = head_values(game, max(state, default=0))
    return [xor(values[head] for head in state)]


def fusion(game, state):
    """The value of each piece of green Hackenbush."""
    if any(edge[2] != "-" for edge in state):
        raise Illegal("an edge is not green")
    return [piece_value(piece) for piece in game.raw_parts(state)]


def piece_value(edges):
    """Vertices of a ring are fused; its edges become loops, each worth 1; what a bridge carries is worth one more than that."""
    near = {}
    for place, (one, other, _) in enumerate(edges):
        near.setdefault(one, []).append((other, place))
        near.setdefault(other, []).append((one, place))
    # Depth first: `order` numbers the vertices, `low` is the earliest to which an edge leads from a vertex or above it.
    order, low, through, path, visited = {0: 0}, {0: 0}, {0: None}, [(0, iter(near[0]))], [0]
    while path:
        vertex, ways = path[-1]
        for other, place in ways:
            if place == through[vertex]:
                continue
            if other in order:
                low[vertex] = min(low[vertex], order[other])
                continue
            order[other] = low[other] = len(order)
            through[other] = place
            visited.append(other)
            path.append((other, iter(near[other])))
            break
        else:
            path.pop()
            if path:
                below = path[-1][0]
                low[below] = min(low[below], low[vertex])
    # A vertex that leads no lower than itself is the foot of what a bridge carries.
    foot, values = {}, {}
    for vertex in visited:
        is_foot = low[vertex] == order[vertex]
        below = None if vertex == 0 else next(o for o, place in near[vertex] if place == through[vertex])
        foot[vertex] = vertex if is_foot else foot[below]
        if is_foot:
            values[vertex] = 0
    for one, other, _ in edges:
        if foot[one] == foot[other]:
            values[foot[one]] ^= 1
    for vertex in reversed(visited):
        if vertex in values and vertex != 0:
            below = next(o for o, place in near[vertex] if place == through[vertex])
            values[foot[below]] ^= values[vertex] + 1
    return values[0]


def nodes(game, state):
    if game.looping.intersection(state):
        raise Illegal("a token can reach a cycle")
    return [node_facts(game, node)[0] for node in state]


VALUES = {
    "nim-sum": (("nim", "nimble"), nim_sum),
    "remainder": (("bash", "race"), remainder),
    "odd-steps": (("stairs",), lambda game, state: [xor(odd_steps(state))]),
    "alternate-gaps": (("silver",), lambda game, state: [xor(alternate_gaps(state))]),
    "welter": (("welter",), lambda game, state: [welter_value(state)]),
    "euclid": (("euclid",), lambda game, state: [euclid_value(state)]),
    "lasker": (("lasker",), lambda game, state: [lasker(heap) for heap in state]),
    "partitions": (("multi",), lambda game, state: partitions(state)),
    "odious": (("split",), lambda game, state: [odious(heap) for heap in state]),
    "single-heads": (
        ("flip", "turtles", "mockturtles", "moebius", "mogul", "moidores", "twins", "turnips", "grunt", "ruler"),
        single_heads,
    ),
    "missing-branches": (("prefix",), lambda game, state: [levels & -levels for _, levels in state]),
    "colon-and-fusion": (("hack",), fusion),
    "mex-of-nodes": (("dag",), nodes),
    "mex-of-arcs": (("fork",), nodes),
}


def is_moore_lost(game, state, misere):
    modulus = game.most + 1
    if misere and max(state) <= 1:
        return sum(state) % modulus == 1
    return all(sum(heap >> place & 1 for heap in state) % modulus == 0 for place in range(64))


def is_wythoff_lost(game, state, misere):
    low, high = sorted(state)
    if misere and high - low <= 1:
        return (low, high) in ((2, 2), (0, 1))
    k = high - low
    return low == (k + isqrt(5 * k * k)) // 2


def is_fibonacci_lost(game, state, misere):
    heap, quota = state
    rest = heap - misere
    least = None
    while rest > 0:
        large, small = 1, 1
        while large + small <= rest:
            large, small = large + small, large
        least, rest = large, rest - large
    return least is None or quota < least


def is_merge_lost(game, state, misere):
    if misere:
        raise Illegal("the theorem is about normal play")
    ones = sum(1 for heap in state if heap == 1)
    larger = [heap for heap in state if heap > 1]
    lasting = max(sum(larger) + len(larger) - 1, 0)
    return ones % 3 == 0 if lasting in (0, 2) else lasting % 2 == 0 and ones % 2 == 0


def is_treblecross_lost(game, state, misere):
    if misere or len(state) < 3:
        raise Illegal("the theorem is about normal play on three cells or more")
    if any("xxx" in after for _, after in game.moves(state, "L")):
        return False
    quiet = "".join("q" if "x" not in state[max(cell - 2, 0) : cell + 3] else "-" for cell in range(len(state)))
    runs = [len(run) for run in quiet.split("-") if run]
    values = [0, 0, 0]
    for heap in range(3, max(runs, default=0) + 3):
        spend(heap)
        values.append(mex(values[part] ^ values[heap - 3 - part] for part in range(heap - 2)))
    return xor(values[run + 2] for run in runs) == 0


OUTCOMES = {
    "odd-steps": (("stairs",), lambda game, state, misere: is_lost_by_values(odd_steps(state), misere)),
    "alternate-gaps": (("silver",), lambda game, state, misere: is_lost_by_values(alternate_gaps(state), misere)),
    "welter": (("welter",), lambda game, state, misere: is_welter_lost(state, misere)),
    "euclid": (("euclid",), lambda game, state, misere: is_euclid_lost(state, misere)),
    "columns": (("moore",), is_moore_lost),
    "golden-pairs": (("wythoff",), is_wythoff_lost),
    "zeckendorf": (("fib",), is_fibonacci_lost),
    "take-or-merge": (("merge",), is_merge_lost),
    "quiet-cells": (("treblecross",), is_treblecross_lost),
}


def find(table, name, game):
    """The closed form of a theorem about a game."""
    games, form = table.get(name, ((), None))
    if game.name not in games:
        raise Illegal(f"there is no theorem '{name}' about {game.name}")
    return form
