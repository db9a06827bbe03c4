"""The search of `rows` in plain Python: lists of options, compared side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dovetail.models.options.edges import EdgeOptions


class Twin:
    """Counts tiles put down by cells remaining, and keeps the solutions in the order found.

    A solution is its options in the order of filling.
    """

    def __init__(
        self, options: EdgeOptions, order: Sequence[tuple[int, int]], identical_tiles: str
    ) -> None:
        self.sign = -1 if options.puzzle.signed else 1
        self.order, self.each = list(order), identical_tiles == "each"
        self.type_of = options.tile_type.tolist()
        self.sides = options.sides.tolist()
        self.here: dict[tuple[int, int], list[int]] = {cell: [] for cell in order}
        numbers = range(options.option_count)
        for o in sorted(numbers, key=lambda o: (self.type_of[o], self.sides[o])):
            x, y = divmod(int(options.cell[o]), options.puzzle.height)
            self.here[x, y].append(o)
        self.unused = [list(range(len(kind.tiles))) for kind in options.types]
        self.placed: dict[tuple[int, int], tuple[int, int]] = {}  # copy and option
        self.fits = Counter[int]()
        self.solutions: list[list[int]] = []
        self.solve()

    def solve(self) -> None:
        """Try all tiles in the next cell."""
        if len(self.placed) == len(self.order):
            if self.ascending():
                self.solutions.append([self.placed[cell][1] for cell in self.order])
            return
        cell = self.order[len(self.placed)]
        for copy, option in list(self.candidates(cell)):
            self.fits[len(self.order) - len(self.placed)] += 1
            self.placed[cell] = copy, option
            self.unused[self.type_of[option]].remove(copy)
            self.solve()
            self.unused[self.type_of[option]].append(copy)
            del self.placed[cell]

    def candidates(self, cell: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """The copies that fit, by type, copy and orientation; of copies the first or each."""
        for kind, unused in enumerate(self.unused):
            fitting = [
                o for o in self.here[cell] if self.type_of[o] == kind and self.matches(cell, o)
            ]
            for copy in sorted(unused)[: None if self.each else 1]:
                yield from ((copy, option) for option in fitting)

    def matches(self, cell: tuple[int, int], option: int) -> bool:
        """Whether an option agrees with the neighbours that are there."""
        x, y = cell
        for side, near in enumerate(((x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y))):
            if near in self.placed:
                other = self.sides[self.placed[near][1]][(side + 2) % 4]
                if self.sides[option][side] != self.sign * other:
                    return False
        return True

    def ascending(self) -> bool:
        """Whether copies of every type lie in their order."""
        used: dict[int, list[int]] = {}
        for cell in self.order:
            copy, option = self.placed[cell]
            used.setdefault(self.type_of[option], []).append(copy)
        return all(copies == sorted(copies) for copies in used.values())
