"""Games on graphs, on trees of strings, and with tokens."""

from functools import lru_cache

from .base import Game, Illegal, number, replaced, spend


def read_items(words):
    """The vertices and the edges of a graph, written as paths; an edge is a pair of numbers."""
    vertices, edges = set(), []
    for word in words:
        path = [number(end, 999_999_999) for end in word.split("-")]
        vertices.update(path)
        edges += zip(path, path[1:])
    return vertices, edges


def neighbours(vertices, edges):
    near = {vertex: set() for vertex in vertices}
    for edge in edges:
        near[edge[0]].add(edge[1])
        near[edge[1]].add(edge[0])
    return near


def connected(near, root, closed=()):
    """The vertices that can be reached from this one, without those that are closed."""
    met, stack = {root}, [root]
    while stack:
        for vertex in near[stack.pop()]:
            if vertex not in met and vertex not in closed:
                met.add(vertex)
                stack.append(vertex)
    return met


@lru_cache(maxsize=1 << 16)
def same_for_all_names(edges, fixed):
    """The edges (from, to, letter) of a connected graph with its vertices numbered anew: isomorphic graphs get the same.

    Vertices are told apart by their neighbours as far as that goes; where several are left alike, each is tried as the first of
    them, and the least result is taken; of those with the same neighbours one is enough. `fixed` keeps its number 0. Edges with
    the letter `<` have a direction.
    """
    vertices = sorted({end for edge in edges for end in edge[:2]} | {fixed} - {None})
    around = {vertex: [] for vertex in vertices}
    for one, other, letter in edges:
        around[one].append((letter, other))
        around[other].append((">" if letter == "<" else letter, one))
    around = {vertex: sorted(ways) for vertex, ways in around.items()}
    return _least_numbering(edges, around, {vertex: int(vertex != fixed) for vertex in vertices})


def _least_numbering(edges, around, kinds):
    spend(len(edges))
    count = 0
    while count < len(set(kinds.values())):
        count = len(set(kinds.values()))
        seen = {
            vertex: (kinds[vertex], tuple(sorted((letter, kinds[other]) for letter, other in around[vertex]))) for vertex in kinds
        }
        rank = {look: place for place, look in enumerate(sorted(set(seen.values())))}
        kinds = {vertex: rank[seen[vertex]] for vertex in kinds}
    if count == len(kinds):
        numbered = ((kinds[one], kinds[other], letter) for one, other, letter in edges)
        return tuple(sorted(edge if edge[2] == "<" else (*sorted(edge[:2]), edge[2]) for edge in numbered))
    alike = {}
    for vertex, kind in kinds.items():
        alike.setdefault(kind, []).append(vertex)
    several = next(alike[kind] for kind in sorted(alike) if len(alike[kind]) > 1)
    several = {tuple(around[vertex]): vertex for vertex in several}.values()
    doubled = {vertex: 2 * kind + 1 for vertex, kind in kinds.items()}
    return min(_least_numbering(edges, around, {**doubled, first: doubled[first] - 1}) for first in several)


class Kayles(Game):
    """Node Kayles and Arc Kayles. The state is a set of vertices and a set of edges; parts are connected pieces."""

    def __init__(self, name, parameters):
        super().__init__(name, parameters)
        self.of_arcs = name == "arckayles"

    def read(self, text):
        vertices, edges = read_items([] if text == "_" else text.split(","))
        if any(one == other for one, other in edges):
            raise Illegal("an edge joins a vertex with itself")
        return frozenset(vertices), frozenset(tuple(sorted(edge)) for edge in edges)

    def parts(self, state):
        vertices, edges = state
        near = neighbours(vertices, edges)
        left = set(vertices)
        parts = []
        while left:
            spend(len(edges) // 16)
            piece = connected(near, min(left))
            left -= piece
            own = tuple((*edge, "-") for edge in sorted(edges) if edge[0] in piece)
            named = same_for_all_names(own, None) if own else ()
            parts.append((frozenset(range(len(piece))), frozenset(edge[:2] for edge in named)))
        return parts

    def without(self, state, gone):
        vertices, edges = state
        return vertices - gone, frozenset(edge for edge in edges if not gone.intersection(edge))

    def moves(self, state, player):
        vertices, edges = state
        if self.of_arcs:
            for edge in edges:
                yield edge, self.without(state, frozenset(edge))
        else:
            near = neighbours(vertices, edges)
            for vertex in vertices:
                yield vertex, self.without(state, near[vertex] | {vertex})

    def spelling(self, move):
        ends = tuple(sorted(number(end) for end in move.split("-")))
        return ends if self.of_arcs else ends[0]


class Nimstring(Game):
    """The state is the sorted list of strings; vertex 0 is the ground, the others are coins. A move is a whole turn."""

    def read(self, text):
        vertices, edges = read_items([] if text == "_" else text.split(","))
        if any(one == other for one, other in edges) or len({end for edge in edges for end in edge}) < len(vertices):
            raise Illegal("a string joins two coins, or a coin and the ground")
        return tuple(sorted(tuple(sorted(edge)) for edge in edges))

    def parts(self, state):
        if not state:
            return []
        # A loop at the ground keeps it in the graph, also if no string leads to it.
        named = same_for_all_names(tuple(sorted([(*string, "-") for string in state] + [(0, 0, "g")])), 0)
        return [tuple(edge[:2] for edge in named if edge[2] == "-")]

    def frees(self, left, string):
        """Whether the cut of one of the strings that are left frees a coin."""
        counts = [sum(end in other for other in left) for end in string]
        return any(end != 0 and count == 1 for end, count in zip(string, counts))

    def moves(self, state, player):
        begun, met = [((), state)], {state}
        for cuts, left in begun:
            for string in sorted(set(left)):
                place = left.index(string)
                after = left[:place] + left[place + 1 :]
                if not self.frees(left, string):
                    yield tuple(sorted((*cuts, string))), after
                elif after not in met:
                    met.add(after)
                    begun.append(((*cuts, string), after))

    def spelling(self, move):
        return tuple(sorted(tuple(sorted(number(end) for end in string.split("-"))) for string in move.split(",")))


class Painting(Game):
    """Col and Snort. The state is the vertices that are left, each with the players that may paint it, and the edges."""

    def __init__(self, name, parameters):
        super().__init__(name, parameters)
        self.shuts_out_painter = name == "col"

    def read(self, text):
        open_to, words = {}, []
        for path in [] if text == "_" else text.split(","):
            marked = path.split("-")
            words.append("-".join(vertex.rstrip("br") for vertex in marked))
            for vertex in marked:
                if vertex[-1:] in ("b", "r"):
                    open_to[number(vertex[:-1])] = "L" if vertex[-1] == "b" else "R"
        vertices, edges = read_items(words)
        edges = frozenset(tuple(sorted(edge)) for edge in edges)
        return frozenset((vertex, open_to.get(vertex, "LR")) for vertex in vertices), edges

    def is_coloured(self, state):
        return True

    def shut_out(self, painter):
        return painter if self.shuts_out_painter else "LR".replace(painter, "")

    def limits(self, one, other):
        """Whether painting one of two neighbours can limit the other, by the players that may paint them."""
        return any(
            player in first and self.shut_out(player) in second
            for first, second in ((one, other), (other, one))
            for player in "LR"
        )

    def parts(self, state):
        open_to, edges = dict(state[0]), state[1]
        acting = [edge for edge in edges if self.limits(*(open_to[end] for end in edge))]
        near = neighbours(open_to, acting)
        left = set(open_to)
        parts = []
        while left:
            piece = connected(near, min(left))
            left -= piece
            # A loop says to whom a vertex is open.
            own = [(*edge, "-") for edge in acting if edge[0] in piece] + [(vertex, vertex, open_to[vertex]) for vertex in piece]
            named = same_for_all_names(tuple(sorted(own)), None)
            parts.append(
                (
                    frozenset((edge[0], edge[2]) for edge in named if edge[0] == edge[1]),
                    frozenset(edge[:2] for edge in named if edge[0] != edge[1]),
                )
            )
        return parts

    def moves(self, state, player):
        vertices, edges = state
        closed_to = self.shut_out(player)
        for vertex, painters in vertices:
            if player not in painters:
                continue
            near = neighbours([label for label, _ in vertices], edges)[vertex]
            after = {
                (label, open_to.replace(closed_to, "") if label in near else open_to) for label, open_to in vertices if label != vertex
            }
            left = frozenset((label, open_to) for label, open_to in after if open_to)
            labels = {label for label, _ in left}
            yield vertex, (left, frozenset(edge for edge in edges if labels.issuperset(edge)))

    def spelling(self, move):
        return number(move.rstrip("br"))


class Poset(Game):
    """The state is the elements that are left, and the pairs of a lower and a higher one, with those that follow from others."""

    def read(self, text):
        vertices, edges = read_items([] if text == "_" else text.split(","))
        above = {vertex: set() for vertex in vertices}
        for lower, upper in edges:
            above[lower].add(upper)
        pairs = {(lower, upper) for lower in vertices for first in above[lower] for upper in reached(above, first)}
        if any(lower == upper for lower, upper in pairs):
            raise Illegal("an element stands above itself")
        return frozenset(vertices), frozenset(pairs)

    def parts(self, state):
        vertices, pairs = state
        near = neighbours(vertices, pairs)
        left = set(vertices)
        parts = []
        while left:
            piece = connected(near, min(left))
            left -= piece
            own = tuple((*pair, "<") for pair in sorted(pairs) if pair[0] in piece)
            named = same_for_all_names(own, None) if own else ()
            parts.append((frozenset(range(len(piece))), frozenset(edge[:2] for edge in named)))
        return parts

    def moves(self, state, player):
        vertices, pairs = state
        for vertex in vertices:
            gone = {vertex} | {upper for lower, upper in pairs if lower == vertex}
            yield vertex, (vertices - gone, frozenset(pair for pair in pairs if not gone.intersection(pair)))

    def spelling(self, move):
        return number(move)


def reached(above, root):
    """What can be reached upwards, the root among it."""
    met, stack = {root}, [root]
    while stack:
        for vertex in above[stack.pop()] - met:
            met.add(vertex)
            stack.append(vertex)
    return met


class Geography(Game):
    """The token goes to vertices that it has not visited. The state is what it has visited, and where it is; before it is placed None,
    with the vertices on which it may be placed, and whether the opponent of the player to move places it.

    What it cannot reach any more is as good as visited.
    """

    def __init__(self, name, parameters):
        super().__init__(name, parameters)
        vertices, edges = read_items(parameters)
        self.near = neighbours(vertices, edges)
        self.identity = (name, frozenset(vertices), frozenset(tuple(sorted(edge)) for edge in edges))

    def read(self, text):
        if text.startswith("_"):
            opponents = text.startswith("__")
            allowed = text[2 if opponents else 1 :]
            starts = frozenset(number(word) for word in allowed.split("/")) if allowed else frozenset(self.near)
            if starts - set(self.near):
                raise Illegal("the graph has no such vertex")
            return frozenset(), None, starts, opponents
        path = [number(word) for word in text.split(",")]
        steps = zip(path, path[1:])
        if len(set(path)) < len(path) or set(path) - set(self.near) or any(b not in self.near[a] for a, b in steps):
            raise Illegal("it is not a path of the graph")
        return frozenset(path), path[-1], frozenset(), False

    def parts(self, state):
        visited, token, *_ = state
        if token is None:
            return [state]
        reach = connected(self.near, token, visited)
        return [(frozenset(self.near) - reach | {token}, token, frozenset(), False)]

    def moves(self, state, player):
        visited, token, starts, opponents = state
        if opponents:
            yield "pass", (visited, None, starts, False)
            return
        for vertex in starts if token is None else self.near[token]:
            if vertex not in visited:
                yield vertex, (visited | {vertex}, vertex, frozenset(), False)

    def spelling(self, move):
        return move if move == "pass" else number(move)


class Tokens(Game):
    """Tokens on a graph whose arcs lead to one node, or (`fork`) to several at once. Each token is a part."""

    def __init__(self, name, parameters):
        super().__init__(name, parameters)
        self.arcs = {}
        for word in parameters:
            start, dash, ends = word.partition("-")
            start = number(start)
            arcs = self.arcs.setdefault(start, set())
            if dash:
                ends = tuple(sorted(number(end) for end in ends.split("/")))
                if name != "fork" and len(ends) > 1:
                    raise Illegal("an arc leads to one node")
                arcs.add(ends)
                for end in ends:
                    self.arcs.setdefault(end, set())
        self.identity = (name, frozenset((node, frozenset(arcs)) for node, arcs in self.arcs.items()))
        self.looping = self.nodes_before_cycles()
        if name != "loopy" and self.looping:
            raise Illegal("the graph has a cycle")
        self.facts = {}

    def nodes_before_cycles(self):
        """The nodes from which a cycle can be reached."""
        left = dict(self.arcs)
        while True:
            spend(len(left) // 16)
            ending = [node for node, arcs in left.items() if not any(end in left for ends in arcs for end in ends)]
            if not ending:
                return set(left)
            for node in ending:
                del left[node]

    def read(self, text):
        state = () if text == "_" else tuple(number(word) for word in text.split(","))
        if set(state) - set(self.arcs):
            raise Illegal("the graph has no such node")
        return state

    def parts(self, state):
        return [(node,) for node in state]

    def moves(self, state, player):
        for place, node in enumerate(state):
            if node not in state[:place]:
                for ends in self.arcs[node]:
                    yield (node, ends), replaced(state, place, *ends)

    def spelling(self, move):
        node, _, ends = move.partition("-")
        return number(node), tuple(sorted(number(end) for end in ends.split("/")))

    def is_loopy(self, state):
        return bool(self.looping.intersection(state))

    def is_tame(self, state):
        from theorems import node_facts

        return not self.looping.intersection(state) and all(node_facts(self, node)[1] for node in state)


class Hackenbush(Game):
    """The state is the sorted list of edges (from, to, letter): `-` green, `b` blue, `r` red. Vertex 0 is the ground."""

    def read(self, text):
        edges = []
        for path in [] if text == "_" else text.split(","):
            words = path.replace("b", " b ").replace("r", " r ").replace("-", " - ").split()
            if len(words) < 3 or len(words) % 2 == 0:
                raise Illegal(f"'{path}' is not a path")
            for place in range(0, len(words) - 2, 2):
                ends = sorted((number(words[place]), number(words[place + 2])))
                edges.append((*ends, words[place + 1]))
        edges = tuple(sorted(edges))
        if tied(edges) != edges:
            raise Illegal("an edge is not tied to the ground")
        return edges

    def raw_parts(self, state):
        """What hangs together without the ground; each edge at the ground alone is a piece of its own."""
        above = neighbours({end for edge in state for end in edge[:2]}, [edge for edge in state if edge[0] != 0])
        pieces = {}
        for place, edge in enumerate(state):
            # A loop at the ground hangs together with nothing.
            spend(len(state) // 16)
            piece = min(connected(above, edge[1])) if edge[1] != 0 else (0, place)
            pieces.setdefault(piece, []).append(edge)
        return [tuple(edges) for edges in pieces.values()]

    def parts(self, state):
        return [same_for_all_names(piece, 0) for piece in self.raw_parts(state)]

    def is_coloured(self, state):
        return any(edge[2] != "-" for edge in state)

    def is_tame(self, state):
        vertices = {end for edge in state for end in edge[:2]} | {0}
        return all(edge[2] == "-" for edge in state) and len(vertices) == len(state) + 1

    def moves(self, state, player):
        twins = {}
        for place, edge in enumerate(state):
            twins[edge] = twins.get(edge, 0) + 1
            if edge[2] in ("-", "b" if player == "L" else "r"):
                yield (edge, twins[edge]), tied(state[:place] + state[place + 1 :])

    def spelling(self, move):
        edge, _, twin = move.partition("_")
        for letter in "-br":
            if letter in edge:
                ends = sorted(number(end) for end in edge.split(letter))
                return (*ends, letter), number(twin or "1")
        raise Illegal(f"'{move}' is not an edge")


def tied(edges):
    """The edges that are tied to the ground."""
    near = neighbours({end for edge in edges for end in edge[:2]} | {0}, edges)
    held = connected(near, 0)
    return tuple(edge for edge in edges if edge[0] in held)


class Prefix(Game):
    """Strings of which none begins another. The state is the list of missing branches: how each begins, and its levels."""

    def __init__(self, name, parameters):
        super().__init__(name, parameters)
        (self.longest,) = (number(word) for word in parameters)

    def read(self, text):
        state = tuple((letter, self.longest) for letter in "01")
        for string in [] if text == "_" else text.split(","):
            if set(string) - set("01") or not 0 < len(string) <= self.longest:
                raise Illegal(f"'{string}' may not be added")
            found = next((branch for branch in state if string.startswith(branch[0])), None)
            if found is None:
                raise Illegal(f"'{string}' begins another string, or is begun by one")
            state = self.added(state, found, string)
        return state

    def added(self, state, branch, string):
        """After a string of a branch was added: branches that leave it later are missing now."""
        stem, _ = branch
        spend((len(string) - len(stem)) * len(string) // 64)
        flipped = {"0": "1", "1": "0"}
        later = tuple(
            (string[:place] + flipped[string[place]], self.longest - place) for place in range(len(stem), len(string))
        )
        return tuple(sorted(set(state) - {branch} | set(later)))

    def parts(self, state):
        return [(("0" * (self.longest - levels + 1), levels),) if self.longest < 10_000 else ((levels, levels),) for _, levels in state]

    def is_alive(self, state):
        return bool(state)

    def play(self, state, move, player):
        branch = next((branch for branch in state if move.startswith(branch[0])), None)
        fits = branch and not set(move) - set("01") and len(move) <= self.longest
        return self.added(state, branch, move) if fits else None

    def moves(self, state, player):
        for branch in state:
            strings = [branch[0]]
            for string in strings:
                yield string, self.added(state, branch, string)
                if len(string) < self.longest:
                    strings += [string + "0", string + "1"]
