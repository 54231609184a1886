"""Games written by their options.

A form is ("plain", number, nimber), ("ups", count, nimber) with a count below 0 for downs, or ("bar", options of Left, options of Right).
One that has the options of a well-known value is that value.
"""

import re
from fractions import Fraction

from .base import Game, Illegal

NAME = re.compile(r"(-?\d+(?:/\d+)?)?(?:([ud])(\d+)?)?(?:(s)(\d+)?)?")


def options(form, player):
    """What a player may move to."""
    kind = form[0]
    left = player == "L"
    if kind == "bar":
        return form[1] if left else form[2]
    _, size, nimber = form
    if kind == "plain":
        if nimber > 0:
            return frozenset(("plain", size, smaller) for smaller in range(nimber))
        return number_options(size, left)
    sign = 1 if size > 0 else -1
    if (size > 0) == left:
        starred = abs(size) == 1 and nimber == 1
        return frozenset(("plain", Fraction(0), n) for n in ((0, 1) if starred else (0,)))
    if abs(size) == 1 and nimber == 1:
        return frozenset({("plain", Fraction(0), 0)})
    return frozenset({ups(size - sign, nimber ^ 1)})


def number_options(number, left):
    step = Fraction(1, number.denominator)
    if number.denominator == 1 and (number <= 0 if left else number >= 0):
        return frozenset()
    return frozenset({("plain", number - step if left else number + step, 0)})


def ups(count, nimber):
    return ("ups", count, nimber) if count else ("plain", Fraction(0), nimber)


def of_options(left, right):
    """The form with these options."""
    for name in candidates(left, right):
        if options(name, "L") == left and options(name, "R") == right:
            return name
    return ("bar", left, right)


def candidates(left, right):
    """Names that may be those of a form with these options."""
    one_left, one_right = (next(iter(side)) if len(side) == 1 else None for side in (left, right))
    if not left and not right:
        yield ("plain", Fraction(0), 0)
    if one_left and one_left[0] == "plain":
        yield ("plain", one_left[1] + 1, 0)
    if one_right and one_right[0] == "plain":
        yield ("plain", one_right[1] - 1, 0)
    if one_left and one_right and one_left[0] == one_right[0] == "plain":
        yield ("plain", (one_left[1] + one_right[1]) / 2, 0)
    if left and left == right:
        yield from (("plain", form[1], len(left)) for form in left if form[0] == "plain")
    for far, sign in ((one_right, 1), (one_left, -1)):
        if far and far[0] == "plain" and far[1] == 0:
            yield ("ups", sign, far[2] ^ 1)
        if far and far[0] == "ups":
            yield ("ups", far[1] + sign, far[2] ^ 1)


def read_form(text):
    """A name, or the longest run of colons as a bar, with as many commas between the options beside it."""
    longest = max((len(run) for run in re.findall(":+", text)), default=0)
    if longest == 0:
        return read_name(text)
    sides = re.split(f"(?<!:):{{{longest}}}(?!:)", text)
    if len(sides) != 2 or longest > 20:
        raise Illegal(f"'{text}' is not a value")
    commas = f"(?<!,),{{{longest}}}(?!,)"
    left, right = (
        frozenset() if side == "_" else frozenset(read_form(option) for option in re.split(commas, side)) for side in sides
    )
    return of_options(left, right)


def read_name(text):
    match = NAME.fullmatch(text)
    if not text or not match:
        raise Illegal(f"'{text}' is not the name of a value")
    number, arrow, arrows, star, stars = match.groups()
    nimber = int(stars or 1) if star else 0
    if arrow:
        count = int(arrows or 1)
        if number:
            raise Illegal(f"'{text}' has a number beside ups or downs")
        return ups(count if arrow == "u" else -count, nimber)
    value = Fraction(number or 0)
    if value.denominator & (value.denominator - 1):
        raise Illegal("denominators are powers of two")
    return ("plain", value, nimber)


def is_same_for_both(form):
    """Whether the players have the same moves here and wherever play may lead."""
    if form[0] == "bar":
        return form[1] == form[2] and all(is_same_for_both(option) for option in form[1])
    return form[0] == "plain" and form[1] == 0


class Value(Game):
    def read(self, text):
        return read_form(text)

    def is_coloured(self, state):
        return not is_same_for_both(state)

    def moves(self, state, player):
        return ((form, form) for form in options(state, player))

    def spelling(self, move):
        return read_form(move)
