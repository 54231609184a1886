"""Games on boards and strips of squares. The state of a board is the tuple of its rows."""

from .base import Game, Illegal


def read_board(text, letters):
    rows = tuple(text.split("/"))
    if any(len(row) != len(rows[0]) or not row or set(row) - set(letters) for row in rows):
        raise Illegal(f"rows of one length with the letters {letters}")
    return rows


def with_letters(rows, changes):
    """The board with other letters on some squares."""
    cells = [list(row) for row in rows]
    for (row, column), letter in changes:
        cells[row][column] = letter
    return tuple("".join(row) for row in cells)


def squares(rows):
    return ((row, column) for row in range(len(rows)) for column in range(len(rows[0])))


def regions(rows, belongs):
    """The connected regions of the squares whose letter belongs."""
    left = {square for square in squares(rows) if belongs(rows[square[0]][square[1]])}
    while left:
        stack = [left.pop()]
        region = set(stack)
        while stack:
            row, column = stack.pop()
            for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                if near in left:
                    left.remove(near)
                    region.add(near)
                    stack.append(near)
        yield region


def cut_out(rows, region, outside):
    """A region on the smallest board that holds it."""
    top, left = min(row for row, _ in region), min(column for _, column in region)
    bottom, right = max(row for row, _ in region), max(column for _, column in region)
    return tuple(
        "".join(rows[row][column] if (row, column) in region else outside for column in range(left, right + 1))
        for row in range(top, bottom + 1)
    )


def least_position(rows, turned):
    """The least among the reflections of a board; among its eight positions if it may be turned."""
    boards = [rows]
    if turned:
        boards.append(tuple("".join(column) for column in zip(*rows)))
    boards += [board[::-1] for board in boards]
    boards += [tuple(row[::-1] for row in board) for board in boards]
    return min(boards)


class Dominoes(Game):
    """Cram and Domineering: two neighbouring free squares are covered."""

    def __init__(self, name, parameters):
        super().__init__(name, parameters)
        self.coloured = name == "domineering"

    def read(self, text):
        return read_board(text, ".x")

    def is_coloured(self, state):
        return self.coloured

    def parts(self, state):
        free = regions(state, lambda letter: letter == ".")
        return [least_position(cut_out(state, region, "x"), not self.coloured) for region in free]

    def moves(self, state, player):
        steps = [(0, 1), (1, 0)]
        if self.coloured:
            # Left covers squares of a column, Right of a row.
            steps = [(1, 0)] if player == "L" else [(0, 1)]
        for row, column in squares(state):
            for down, right in steps:
                other = (row + down, column + right)
                inside = other[0] < len(state) and other[1] < len(state[0])
                if inside and state[row][column] == "." == state[other[0]][other[1]]:
                    text = f"{row + 1}:{column + 1}-{other[0] + 1}:{other[1] + 1}"
                    yield text, with_letters(state, [((row, column), "x"), (other, "x")])


class Clobber(Game):
    def read(self, text):
        return read_board(text, "xo.")

    def is_coloured(self, state):
        return True

    def parts(self, state):
        groups = regions(state, lambda letter: letter != ".")
        return [least_position(cut_out(state, group, "."), True) for group in groups]

    def moves(self, state, player):
        own, other = ("x", "o") if player == "L" else ("o", "x")
        for row, column in squares(state):
            for near in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
                inside = 0 <= near[0] < len(state) and 0 <= near[1] < len(state[0])
                if inside and state[row][column] == own and state[near[0]][near[1]] == other:
                    text = f"{row + 1}:{column + 1}-{near[0] + 1}:{near[1] + 1}"
                    yield text, with_letters(state, [((row, column), "."), (near, own)])


class Northcott(Game):
    """A piece of each player in each row. Rows are parts; a reflected row is equal."""

    def read(self, text):
        rows = read_board(text, "xo.")
        if any(row.count("x") != 1 or row.count("o") != 1 for row in rows):
            raise Illegal("a row has one x and one o")
        return rows

    def is_coloured(self, state):
        return len(state[0]) > 2

    def is_loopy(self, state):
        return len(state[0]) > 2

    def parts(self, state):
        return [(min(row, row[::-1]),) for row in state]

    def moves(self, state, player):
        own, other = ("x", "o") if player == "L" else ("o", "x")
        for index, row in enumerate(state):
            place, wall = row.index(own), row.index(other)
            for to in range(wall) if place < wall else range(wall + 1, len(row)):
                if to != place:
                    text = f"{index + 1}:{place + 1}-{index + 1}:{to + 1}"
                    yield text, with_letters(state, [((index, place), "."), ((index, to), own)])


class Toads(Game):
    """Toads of Left go right, frogs of Right go left."""

    def read(self, text):
        if not text or set(text) - set("TF."):
            raise Illegal("places are T, F or .")
        return text

    def is_coloured(self, state):
        return True

    def parts(self, state):
        # TTFF never moves again, nor does it let anything pass; nor do frogs at the left end and toads at the right one.
        return [piece.lstrip("F").rstrip("T") for piece in state.split("TTFF")]

    def moves(self, state, player):
        own, other, step = ("T", "F", 1) if player == "L" else ("F", "T", -1)
        for place, animal in enumerate(state):
            if animal != own:
                continue
            for to, jumps in ((place + step, False), (place + 2 * step, True)):
                free = 0 <= to < len(state) and state[to] == "."
                if free and (not jumps or state[place + step] == other):
                    after = list(state)
                    after[place], after[to] = ".", own
                    yield f"{place + 1}-{to + 1}", "".join(after)


class Treblecross(Game):
    """A strip; it is over when three neighbours have an x. Its reflection is equal."""

    def read(self, text):
        if not text or set(text) - set(".x"):
            raise Illegal("cells are . or x")
        return text

    def parts(self, state):
        return [min(state, state[::-1])]

    def moves(self, state, player):
        if "xxx" in state:
            return
        for cell, letter in enumerate(state):
            if letter == ".":
                yield str(cell + 1), state[:cell] + "x" + state[cell + 1 :]


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Notakto(Game):
    """Boards of nine cells; each is a part, and its reflections and rotations are equal."""

    def read(self, text):
        boards = tuple(text.split("/"))
        if any(len(board) != 9 or set(board) - set(".x") for board in boards):
            raise Illegal("a board has nine cells, each . or x")
        return boards

    def parts(self, state):
        return [("".join(least_position((board[:3], board[3:6], board[6:]), True)),) for board in state]

    def moves(self, state, player):
        for index, board in enumerate(state):
            if any(all(board[cell] == "x" for cell in line) for line in LINES):
                continue
            for cell, letter in enumerate(board):
                if letter == ".":
                    after = board[:cell] + "x" + board[cell + 1 :]
                    yield f"{index + 1}:{cell + 1}", state[:index] + (after,) + state[index + 1 :]
