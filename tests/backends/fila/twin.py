"""The fixed image list algorithm in plain Python, from the article."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dovetail.models.packings.placements import Placements


class Twin:
    """Counts attempts, fits by pieces remaining, and solutions."""

    def __init__(self, placements: Placements, rule: dict[int, str], *, nof: bool) -> None:
        self.p, self.rule, self.nof = placements, rule, nof
        self.cells = [frozenset(c for c in row if c >= 0) for row in placements.cells.tolist()]
        self.left = [shape.max_count for shape in placements.shapes]
        self.occupied: set[int] = set()
        self.taken: list[int] = []
        self.attempts, self.fits = Counter[int](), Counter[int]()
        self.solutions = 0
        self.solve(sum(self.left))

    def near(self, cell: int) -> list[int]:
        """The neighbours of a cell."""
        return [n for n in self.p.neighbours[cell].tolist() if n >= 0]

    def images(self, target: int, *, ordered: bool) -> Iterator[int]:
        """The placements of the lists for a target, in their order."""
        for shape, copies in enumerate(self.left):
            for number, cells in enumerate(self.cells):
                if self.p.shape[number] != shape or not copies or target not in cells:
                    continue
                if ordered and min(cells) < target:
                    continue  # priority occupancy filtering
                if self.nof and any(n in cells and n in self.occupied for n in self.near(target)):
                    continue
                yield number

    def fitting(self, target: int) -> int:
        """How many images fit over a cell."""
        images = self.images(target, ordered=False)
        return sum(not self.cells[image] & self.occupied for image in images)

    def target(self, remaining: int) -> int | None:
        """The cell that the heuristic picks; None where it has no fit at all."""
        open_cells = [c for c in range(self.p.cell_count) if c not in self.occupied]
        rule = self.rule[remaining]
        if rule == "f":
            return open_cells[0]
        if rule == "e":
            free = {c: len([n for n in self.near(c) if n not in self.occupied]) for c in open_cells}
            open_cells = [c for c in open_cells if free[c] == min(free.values())]
        chosen = min(open_cells, key=lambda c: (self.fitting(c), c))
        return chosen if self.fitting(chosen) else None

    def fires(self, remaining: int) -> bool:
        """Whether a trigger says that what is placed is in no solution."""
        del remaining
        return False

    def solve(self, remaining: int) -> None:
        """One level of the search."""
        if remaining == 0:
            self.solutions += 1
            return
        target = self.target(remaining)
        if target is None:
            return
        for image in list(self.images(target, ordered=self.rule[remaining] == "f")):
            self.attempts[remaining] += 1
            if self.cells[image] & self.occupied:
                continue
            self.fits[remaining] += 1
            self.taken.append(image)
            self.occupied |= self.cells[image]
            self.left[self.p.shape[image]] -= 1
            if not self.fires(remaining - 1):
                self.solve(remaining - 1)
            self.left[self.p.shape[image]] += 1
            self.occupied -= self.cells[image]
            self.taken.pop()
