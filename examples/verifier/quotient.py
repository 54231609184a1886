"""Misere quotients: the theorem misere-quotient of docs/CERTIFICATES.md."""

from games import counted, spend


class Wrong(Exception):
    """A table that is no quotient."""


class Quotient:
    """A finite commutative monoid; class 0 is its unit. Row a has the products of class a with classes 0 to a."""

    def __init__(self, products, lost):
        self.order = len(products)
        for number, row in enumerate(products):
            if len(row) != number + 1 or row[0] != number or max(row) >= self.order:
                raise Wrong(f"row {number} is not one of products")
        self.products = products
        self.lost = set(lost)
        if not self.lost <= set(range(1, self.order)):
            raise Wrong("a lost class is not there, or is that of the empty sum")
        spend(self.order**3)
        every = range(self.order)
        for a in every:
            for b in every:
                for c in every:
                    if self.product(self.product(a, b), c) != self.product(a, self.product(b, c)):
                        raise Wrong("the products are not associative")

    def product(self, a, b):
        return self.products[a][b] if a >= b else self.products[b][a]

    def shifted(self, classes, by):
        """The classes whose product with this one is in the set."""
        return frozenset(z for z in range(self.order) if self.product(z, by) in classes)

    def check(self, game, classes):
        """Both conditions, for heaps 0, 1, 2, ... with these classes."""
        if max(classes, default=0) >= self.order:
            raise Wrong("a heap has a class that is not there")
        kinds = set()
        for heap, number in enumerate(classes):
            options = set()
            for _, left in counted(game.from_heap(heap)):
                product = 0
                for part in left:
                    product = self.product(product, classes[part])
                options.add(product)
            reach = frozenset().union(*(self.shifted(self.lost, option) for option in options))
            if not options and number != 0:
                raise Wrong(f"a heap of {heap} has no move, but is not of class 0")
            if reach & self.shifted(self.lost, number):
                raise Wrong(f"a heap of {heap} is lost beside a class beside which it has a move to a lost sum")
            if options:
                kinds.add((number, reach))
        self.check_sums(kinds)

    def check_sums(self, kinds):
        """A sum has more reach than another of its class, or nothing new follows from it: only the smallest reaches are kept."""
        smallest = {}
        waiting = list(kinds)
        while waiting:
            number, reach = waiting.pop()
            spend(len(kinds))
            known = smallest.setdefault(number, [])
            if any(other <= reach for other in known):
                continue
            if number not in self.lost and 0 not in reach:
                raise Wrong(f"a sum of class {number} is not lost and has no move to a lost one")
            known[:] = [other for other in known if not reach <= other] + [reach]
            for heap, of_heap in kinds:
                waiting.append((self.product(number, heap), self.shifted(reach, heap) | self.shifted(of_heap, number)))
