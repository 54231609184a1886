"""Certificates: what they claim, and whether their proofs show it."""

import json

import theorems
from games import Illegal, counted, mex, xor
from games.heaps import Grundy, Octal, Subtraction
from quotient import Quotient, Wrong
from position import Position, live_parts, rules

SCHEMA = "grundy/certificate/1"
MOST_BYTES = 1 << 20
LARGEST_PLAIN = 2**53 - 1
WON, LOST, DRAWN = "N", "P", "D"
OUTCOMES = [WON, LOST, DRAWN, "L", "R"]


class Refused(Exception):
    """A certificate that is not accepted: the place in it, and why."""

    def __init__(self, place, message):
        super().__init__(f"{place}: {message}")


def fields(value, place, needed, optional=()):
    """The fields of an object, all that are needed and no unknown one."""
    if not isinstance(value, dict):
        raise Refused(place, "an object is expected")
    for name in value:
        if name not in needed and name not in optional:
            raise Refused(place, f"unknown field '{name}'")
    for name in needed:
        if name not in value:
            raise Refused(place, f"the field '{name}' is missing")
    return value


def whole(value, place):
    """A whole number; above 2^53-1 it is written as a string."""
    if isinstance(value, str) and len(value) <= 20 and value.isascii() and value.isdigit() and LARGEST_PLAIN < int(value) < 1 << 64:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_PLAIN:
        return value
    raise Refused(place, "a whole number is expected")


def text(value, place):
    if not isinstance(value, str):
        raise Refused(place, "a text is expected")
    return value


def items(value, place):
    if not isinstance(value, list):
        raise Refused(place, "a list is expected")
    return value


def pair(value, place):
    """The two items of a pair."""
    both = items(value, place)
    if len(both) != 2:
        raise Refused(place, "a pair is expected")
    return both


def once(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Refused("the file", "a field stands twice")
    return found


def load(line):
    """Reads the JSON of a certificate."""
    if len(line) > MOST_BYTES:
        raise Refused("the file", f"it is longer than {MOST_BYTES} bytes")
    try:
        return json.loads(line.decode("utf-8"), object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise Refused("the file", f"it is not JSON: {error}") from error


def verify(certificate):
    """Checks a certificate. Returns its position and its outcome, or raises `Refused`."""
    fields(
        certificate,
        "the file",
        ("schema", "position", "outcome", "nim_value", "winning_move", "proof"),
        ("reason",),
    )
    if certificate["schema"] != SCHEMA:
        raise Refused("schema", f"it is not {SCHEMA}")
    proof, outcome = certificate["proof"], certificate["outcome"]
    if proof is None or outcome is None:
        raise Refused("proof", "it is missing")
    if outcome not in OUTCOMES:
        raise Refused("outcome", "it is not one")
    if certificate.get("reason") is not None:
        raise Refused("reason", "it is given although there is a proof")
    try:
        position = Position.read(text(certificate["position"], "position"))
    except Illegal as error:
        raise Refused("position", str(error)) from error
    if not isinstance(proof, dict) or len(proof) != 1:
        raise Refused("proof", "one kind of proof is expected")
    ((kind, body),) = proof.items()
    claim = Claim(position, outcome, certificate["winning_move"])
    if kind not in KINDS:
        raise Refused("proof", f"unknown kind '{kind}'")
    try:
        value = KINDS[kind](claim, body)
    except Illegal as error:
        raise Refused(f"proof.{kind}", str(error)) from error
    if certificate["nim_value"] is not None and whole(certificate["nim_value"], "nim_value") != value:
        raise Refused("nim_value", f"the proof shows {value}")
    return certificate["position"], outcome


class Claim:
    """The position, who is said to win it, and the move that is said to win."""

    def __init__(self, position, outcome, move):
        self.position = position
        self.outcome = outcome
        self.move = move
        if move is not None:
            try:
                self.after = position.play(text(move, "winning_move"), "L")
                self.moved_in = position.read_move(move)[0][0]
            except Illegal as error:
                raise Refused("winning_move", str(error)) from error

    def must_be_plain(self):
        """N or P, in a position where both players have the same moves; with N a winning move, unless the game is over."""
        if self.position.is_coloured() or self.position.is_loopy():
            raise Refused("proof", "this kind of proof is for positions without colours and cycles")
        if self.outcome not in ("N", "P"):
            raise Refused("outcome", "it must be N or P")
        self.must_have_move(self.outcome == "N" and not self.position.is_over("L"))

    def must_have_move(self, needed):
        if needed != (self.move is not None):
            raise Refused("winning_move", "it is missing" if needed else "there is none")

    def shown(self, lost):
        """The outcome that a proof shows must be the one that is claimed. Returns the value that is known with it."""
        if lost != (self.outcome == "P"):
            raise Refused("outcome", "the proof shows the other one")
        return 0 if lost and not self.position.misere else None

    def shown_by(self, search):
        """The same for a search, which shows also who wins coloured and loopy positions."""
        position = self.position
        if self.move is None:
            left = search.fate(position, "L", "proof.search")
        elif search.fate(self.after, "R", "winning_move") == LOST:
            left = WON
        else:
            raise Refused("winning_move", "it leads to a position that is not lost")
        right = search.fate(position, "R", "proof.search") if position.is_coloured() else left
        shown = {(WON, LOST): "L", (LOST, WON): "R"}.get((left, right), left)
        if self.outcome != shown:
            raise Refused("outcome", f"the proof shows {shown}")
        self.must_have_move(left == WON and not position.is_over("L"))
        return 0 if shown == LOST and position.is_plain() and not position.misere else None

    def alone(self, position):
        """The state of the only component in which there is a move, before or after the winning move; `None` if there is none."""
        if self.position.compound != "sum":
            raise Refused("proof", "it is not a disjunctive sum")
        alive = [(game, state) for game, state in position.components if game.is_alive(state)]
        if len(alive) > 1:
            raise Refused("proof", "several components have a move")
        return alive[0] if alive else None


# Proofs by values.


def check_values(claim, body):
    claim.must_be_plain()
    place = "proof.values"
    fields(body, place, ("rule", "components", "after"), ("tables", "parts"))
    position = claim.position
    if position.compound != "sum":
        raise Refused(place, "it is not a disjunctive sum")
    if body["rule"] != ("tame-sum" if position.misere else "sprague-grundy"):
        raise Refused(f"{place}.rule", "it is not the theorem of this end rule")
    ledger = Ledger(body, place)
    alive = {index: component for index, component in enumerate(position.components) if component[0].is_alive(component[1])}
    if position.misere and not all(game.is_tame(state) for game, state in alive.values()):
        raise Refused(f"{place}.rule", "a component is not tame")
    claimed = items(body["components"], f"{place}.components")
    if len(claimed) != len(alive):
        raise Refused(f"{place}.components", "it must list the components that have a move")
    values = {}
    for (index, component), known in zip(alive.items(), claimed):
        values[index] = ledger.values_of(component, index, known, f"{place}.components[{len(values)}]")
    everything = [value for part in values.values() for value in part]
    if claim.move is not None:
        index = claim.moved_in
        component = claim.after.components[index]
        if component[0].is_alive(component[1]) != (body["after"] is not None):
            raise Refused(f"{place}.after", "it must be given where the component has moves after the winning move")
        others = [value for other, part in values.items() if other != index for value in part]
        if body["after"] is not None:
            others += ledger.values_of(component, index, body["after"], f"{place}.after")
        if not theorems.is_lost_by_values(others, position.misere):
            raise Refused("winning_move", "the values do not show that it wins")
    elif body["after"] is not None:
        raise Refused(f"{place}.after", "there is no winning move")
    claim.shown(theorems.is_lost_by_values(everything, position.misere))
    return None if position.misere else xor(everything)


class Ledger:
    """What the tables and rows of a proof show, by the identity of the rules and, in rows, the part."""

    def __init__(self, body, place):
        self.tables = {}
        self.rows = {}
        self.listed = set()
        for index, table in enumerate(items(body.get("tables", []), f"{place}.tables")):
            self.add_table(table, f"{place}.tables[{index}]")
        for index, row in enumerate(items(body.get("parts", []), f"{place}.parts")):
            self.add_row(row, f"{place}.parts[{index}]")

    def add_table(self, table, place):
        fields(table, place, ("game", "values", "period"))
        game = heap_game(table["game"], place)
        values = [whole(value, place) for value in items(table["values"], place)]
        if game.identity in self.tables:
            raise Refused(place, "an earlier table is for the same game")
        for heap, value in enumerate(values):
            if value != mex(xor(values[part] for part in left) for _, left in counted(game.from_heap(heap))):
                raise Refused(f"{place}.values[{heap}]", "it is not the least number that no move leaves")
        period = read_period(game, values, table["period"], f"{place}.period")
        self.tables[game.identity] = values, period

    def add_row(self, row, place):
        fields(row, place, ("part", "value", "options"))
        position = Position.read(text(row["part"], place))
        if row["part"] in self.listed:
            raise Refused(f"{place}.part", "it is listed twice")
        self.listed.add(row["part"])
        if len(position.components) != 1 or position.misere or position.compound != "sum" or not position.is_plain():
            raise Refused(place, "it is not a single part")
        game, state = position.components[0]
        moves = dict(game.moves(state, "L"))
        left = []
        for index, option in enumerate(items(row["options"], f"{place}.options")):
            spot = f"{place}.options[{index}]"
            move, value = pair(option, spot)
            after = moves.pop(game.spelling(text(move, spot)), None)
            if after is None:
                raise Refused(spot, "it is not a move, or it was listed before")
            left.append(self.value_by_rows((game, after), spot))
            if left[-1] != whole(value, spot):
                raise Refused(spot, f"the move leaves {left[-1]}")
        if moves:
            raise Refused(f"{place}.options", "a move is missing")
        value = whole(row["value"], f"{place}.value")
        if value != mex(left):
            raise Refused(f"{place}.value", f"the least number that no move leaves is {mex(left)}")
        parts = live_parts(game, state)
        if len(parts) == 1:
            self.rows[parts[0]] = value

    def value_by_rows(self, component, place):
        return xor(self.by_rows(component, place))

    def by_rows(self, component, place):
        parts = live_parts(*component)
        if any(part not in self.rows for part in parts):
            raise Refused(place, "a part is in no earlier row")
        return [self.rows[part] for part in parts]

    def by_table(self, component, place):
        game, state = component
        if game.identity not in self.tables:
            raise Refused(place, "there is no table of this game")
        values, period = self.tables[game.identity]
        found = []
        for heap in state:
            heap = folded(heap, period)
            if heap >= len(values):
                raise Refused(place, f"a heap of {heap} is beyond the table")
            found.append(values[heap])
        return found

    def values_of(self, component, index, claimed, place):
        """The values of a component, which must be those that are claimed, in any order."""
        fields(claimed, place, ("component", "by", "values"))
        if whole(claimed["component"], f"{place}.component") != index + 1:
            raise Refused(f"{place}.component", f"this is component {index + 1}")
        by = claimed["by"]
        if by == "table":
            values = self.by_table(component, place)
        elif by == "options":
            values = self.by_rows(component, place)
        else:
            fields(by, f"{place}.by", ("theorem",))
            form = theorems.find(theorems.VALUES, text(by["theorem"], f"{place}.by"), component[0])
            values = form(*component)
        listed = [whole(value, place) for value in items(claimed["values"], f"{place}.values")]
        if sorted(listed) != sorted(values):
            raise Refused(f"{place}.values", f"the values are {values}")
        return values


def folded(heap, period):
    """The heap in the table that has the value or the class of this one."""
    if period and heap >= period[0] + period[1]:
        heap = period[0] + (heap - period[0]) % period[1]
    return heap


def read_period(game, values, period, place):
    """The start and the length of a period that these values prove, if there is one."""
    if period is None:
        return None
    fields(period, place, ("start", "length"))
    start, length = whole(period["start"], place), whole(period["length"], place)
    check_period(game, values, start, length, place)
    return start, length


def heap_game(name, place):
    """The rules of a game whose heaps may have a table."""
    game = rules(text(name, place))
    if not isinstance(game, (Octal, Subtraction, Grundy)):
        raise Refused(place, "games of this kind have no tables")
    return game


def check_period(game, values, start, length, place):
    """Guy and Smith: values that repeat for long enough repeat for ever."""
    if isinstance(game, Octal):
        most = 3 if any(digit & 8 for digit in game.digits) else 2 if any(digit & 4 for digit in game.digits) else 1
        reach = len(game.digits) - 1
    elif isinstance(game, Subtraction):
        most, reach = 1, max(game.set)
    else:
        raise Refused(place, "no bound is known for this game")
    until = most * max(start, 1) + (most - 1) * length + reach
    if length == 0 or until + length > len(values):
        raise Refused(place, "the table is too short for it")
    if any(values[heap] != values[heap + length] for heap in range(start, until)):
        raise Refused(place, "the values do not repeat")


# Proofs by one theorem or one matching.


def check_theorem(claim, body):
    claim.must_be_plain()
    misere = claim.position.misere
    name = text(body, "proof.theorem")

    def is_lost(component):
        if component is None:
            return not misere
        form = theorems.find(theorems.OUTCOMES, name, component[0])
        return form(*component, misere)

    before = claim.alone(claim.position)
    if before is None:
        raise Refused("proof.theorem", "no component has a move")
    value = claim.shown(is_lost(before))
    if claim.move is not None and not is_lost(claim.alone(claim.after)):
        raise Refused("winning_move", "it does not win")
    return value


def check_matching(claim, body):
    claim.must_be_plain()
    place = "proof.matching"
    fields(body, place, ("pairs", "barrier"))
    if claim.position.misere:
        raise Refused(place, "it proves nothing in misere play")
    before = claim.alone(claim.position)
    if before is None or before[0].name != "geo":
        raise Refused(place, "it is not a position of Geography")
    game = before[0]
    after = claim.position if claim.move is None else claim.after
    visited, token, starts, opponents = next(state for other, state in after.components if other is game)
    present = set(game.near) - visited | ({token} - {None})
    free = set(present)
    for ends in items(body["pairs"], f"{place}.pairs"):
        one, other = (whole(end, place) for end in pair(ends, f"{place}.pairs"))
        if one not in free or other not in free or other not in game.near[one]:
            raise Refused(f"{place}.pairs", f"{one}-{other} is not an edge between two vertices that are left")
        free -= {one, other}
    barrier = {whole(vertex, place) for vertex in items(body["barrier"], f"{place}.barrier")}
    if len(barrier) < len(body["barrier"]) or not barrier <= present:
        raise Refused(f"{place}.barrier", "a vertex is listed twice, or is not there")
    odd, left, covered = 0, present - barrier, set(barrier)
    while left:
        stack = [left.pop()]
        piece = set(stack)
        while stack:
            near = game.near[stack.pop()] & left
            left -= near
            piece |= near
            stack += near
        odd += len(piece) % 2
        if len(piece) % 2 == 0:
            covered |= piece
    if len(free) + len(barrier) > odd:
        raise Refused(place, "it is not shown to be maximum")
    if token is not None:
        loses = token in free
    elif opponents:
        loses = bool(starts & free)
    else:
        loses = not free or starts <= covered
    if not loses:
        raise Refused(place, "it does not show that the player to move loses")
    return claim.shown(claim.move is None)


# Proofs by symmetry and strategy stealing.


def check_mirror(claim, body):
    claim.must_be_plain()
    place = "proof.mirror"
    fields(body, place, ("pairs",))
    if claim.position.misere:
        raise Refused(place, "it proves nothing in misere play")
    before = claim.alone(claim.position)
    if before is None or before[0].name != "cram":
        raise Refused(place, "it is not a board of Cram")
    game = before[0]
    after = claim.position if claim.move is None else claim.after
    board = next(state for other, state in after.components if other is game and (len(after.components) == 1 or game.is_alive(state)))
    image = {}
    for ends in items(body["pairs"], f"{place}.pairs"):
        one, other = (text(square, place) for square in pair(ends, f"{place}.pairs"))
        if one == other or one in image or other in image:
            raise Refused(f"{place}.pairs", "a square is listed twice")
        image[one], image[other] = other, one
    moves = {frozenset(move.split("-")) for move, _ in game.moves(board, "L")}
    for move in moves:
        mirrored = frozenset(image.get(square) for square in move)
        if mirrored not in moves or mirrored & move:
            raise Refused(place, "a move has no image that leaves it alone")
    return claim.shown(claim.move is None)


def check_stealing(claim, body):
    position = claim.position
    fields(body, "proof.stealing", ("move",))
    if not position.is_plain() or claim.move is not None or claim.outcome != "N":
        raise Refused("proof.stealing", "it shows N without a winning move, in a position without colours and cycles")
    after = position.play(text(body["move"], "proof.stealing.move"), "L")
    if position.misere and after.is_over("L"):
        raise Refused("proof.stealing.move", "it ends the game, which loses in misere play")
    at_once = {reached.key() for _, reached in position.moves("L")}
    if not all(reached.key() in at_once for _, reached in after.moves("L")):
        raise Refused("proof.stealing.move", "a reply cannot be made at once")
    return None


# Proofs by a misere quotient.


def check_quotient(claim, body):
    claim.must_be_plain()
    place = "proof.quotient"
    fields(body, place, ("game", "classes", "period", "products", "lost"))
    if claim.position.compound != "sum" or not claim.position.misere:
        raise Refused(place, "it proves something only of sums in misere play")
    game = heap_game(body["game"], f"{place}.game")
    classes = [whole(number, place) for number in items(body["classes"], f"{place}.classes")]
    products = [[whole(number, place) for number in items(row, place)] for row in items(body["products"], f"{place}.products")]
    lost = [whole(number, place) for number in items(body["lost"], f"{place}.lost")]
    period = read_period(game, classes, body["period"], f"{place}.period")
    try:
        quotient = Quotient(products, lost)
        quotient.check(game, classes)
    except Wrong as error:
        raise Refused(place, str(error)) from error

    def is_lost(position):
        product = 0
        for own, state in position.components:
            if not own.is_alive(state):
                continue
            heaps = [folded(heap, period) for heap in state] if own.identity == game.identity else [len(classes)]
            if max(heaps) >= len(classes):
                raise Refused(f"{place}.classes", "a heap is of another game, or not in it")
            for heap in heaps:
                product = quotient.product(product, classes[heap])
        return product in quotient.lost

    if claim.move is not None and not is_lost(claim.after):
        raise Refused("winning_move", "it leads to a position that is not lost")
    return claim.shown(is_lost(claim.position))


# Proofs by a finished search.

class Search:
    """The fates of positions for the player to move, by their keys and, where it matters, whose turn it is."""

    def __init__(self):
        self.fates = {}

    def fate(self, position, player, place):
        if position.is_over(player):
            return WON if position.misere else LOST
        key = position.key()
        # What is left of a coloured position may be the same for both players: its row has no turn.
        for turn in (player, None):
            if (key, turn) in self.fates:
                return self.fates[key, turn]
        raise Refused(place, "a position is in no row that may be referred to")

    def fates_after(self, position, player, place):
        return {self.fate(after, other(player), place) for _, after in position.moves(player)}

    def follows(self, position, player, row, place):
        """Whether the outcome of a row that is not drawn follows from earlier rows."""
        if row["outcome"] == WON:
            move = text(row.get("move"), f"{place}.move")
            return self.fate(position.play(move, player), other(player), place) == LOST
        return row["outcome"] == LOST and "move" not in row and self.fates_after(position, player, place) == {WON}


def other(player):
    return "R" if player == "L" else "L"


def check_search(claim, body):
    search = Search()
    drawn, listed = [], set()
    for index, row in enumerate(items(body, "proof.search")):
        place = f"proof.search[{index}]"
        fields(row, place, ("position", "outcome"), ("turn", "move"))
        position = Position.read(text(row["position"], place))
        if (row["position"], row.get("turn")) in listed:
            raise Refused(place, "it is listed twice")
        coloured = position.is_coloured()
        if row.get("turn") not in (("left", "right") if coloured else (None,)) or "turn" in row and not coloured:
            raise Refused(f"{place}.turn", "coloured positions, and no others, have a turn")
        listed.add((row["position"], row.get("turn")))
        player = "R" if row.get("turn") == "right" else "L"
        if position.is_over(player):
            raise Refused(place, "the game is over")
        if row["outcome"] == DRAWN and position.is_loopy() and "move" not in row:
            drawn.append((place, position, player))
        elif not search.follows(position, player, row, place):
            raise Refused(place, "the outcome does not follow")
        search.fates[position.key(), player if coloured else None] = row["outcome"]
    for place, position, player in drawn:
        after = search.fates_after(position, player, place)
        if DRAWN not in after or LOST in after:
            raise Refused(place, "it is not a draw")
    return claim.shown_by(search)


KINDS = {
    "values": check_values,
    "theorem": check_theorem,
    "matching": check_matching,
    "mirror": check_mirror,
    "stealing": check_stealing,
    "quotient": check_quotient,
    "search": check_search,
}
