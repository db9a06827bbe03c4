"""Triggers and filters from their definitions, for twins: by trying all sets of pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, product

from dovetail.models.packings.placements import Placements


class Rules:
    """What pieces may still do when some placements have been made."""

    def __init__(self, placements: Placements) -> None:
        self.p = placements
        self.cells = [frozenset(c for c in row if c >= 0) for row in placements.cells.tolist()]
        colour = [2 * (sum(cell) % 2) - 1 for cell in placements.coordinates.tolist()]
        self.everywhere = frozenset(range(placements.cell_count))
        self.colour = colour
        self.parities = [
            {sum(colour[c] for c in self.cells[o]) for o in self.of_shape(s)}
            for s in range(len(placements.shapes))
        ]
        # of each shape, the sizes of its connected parts
        self.sizes = [
            [len(part) for o in self.of_shape(s)[:1] for part in self.parts(self.cells[o])]
            for s in range(len(placements.shapes))
        ]

    def of_shape(self, shape: int) -> list[int]:
        """The placements of a shape."""
        return [o for o in range(len(self.p)) if self.p.shape[o] == shape]

    def pieces_left(self, taken: Iterable[int]) -> list[int]:
        """The shape of every piece that remains."""
        used = Counter(int(self.p.shape[o]) for o in taken)
        return [
            s for s, shape in enumerate(self.p.shapes) for _ in range(shape.max_count - used[s])
        ]

    def open_cells(self, taken: Iterable[int]) -> frozenset[int]:
        """The cells that are not filled."""
        return self.everywhere.difference(*(self.cells[o] for o in taken))

    def parity_holds(self, taken: list[int]) -> bool:
        """Whether some choice of the remaining pieces' parities adds up to the open cells'.

        As many optional cells stay empty as pieces cannot fill.
        """
        empty = len(self.everywhere) - sum(sum(self.sizes[s]) for s in self.pieces_left([]))
        stays = combinations([self.colour[c] for c in self.everywhere if self.p.optional[c]], empty)
        left = [{sum(chosen) for chosen in stays}]
        left += [self.parities[s] for s in self.pieces_left(taken)]
        parity = sum(self.colour[c] for c in self.open_cells(taken))
        return any(sum(chosen) == parity for chosen in product(*left))

    def volumes_hold(self, taken: list[int], min_cells: int | None = None) -> bool:
        """Whether every connected part of the open cells has the volume of some pieces.

        With `min_cells`: whether there are not two parts of so many cells that have none.
        """
        left = [(0, size) for s in self.pieces_left(taken) for size in self.sizes[s]]
        volumes = {sum(chosen) for chosen in product(*left)}
        bad = [
            part
            for part in self.parts(self.open_cells(taken))
            if not volumes & {*range(sum(not self.p.optional[c] for c in part), len(part) + 1)}
        ]
        return not bad if min_cells is None else sum(len(part) >= min_cells for part in bad) < 2

    def all_can_follow(self, taken: list[int], left: Iterable[int]) -> bool:
        """Whether all cells to fill and pieces to place have one of `left` beside those taken."""
        used, filled = Counter(int(self.p.shape[o]) for o in taken), self.open_cells(taken)
        wanted: set[object] = {("cell", c) for c in filled if not self.p.optional[c]}
        wanted |= {("shape", s) for s, its in enumerate(self.p.shapes) if its.min_count > used[s]}
        for other in left:
            shape = int(self.p.shape[other])
            if used[shape] < self.p.shapes[shape].max_count and self.cells[other] <= filled:
                wanted -= {*(("cell", c) for c in self.cells[other]), ("shape", shape)}
        return not wanted

    def fitting(self, taken: list[int], left: Iterable[int]) -> list[int]:
        """Those of `left` after which all can follow: one pass from the last to the first."""
        kept = sorted(left)
        for option in reversed(kept.copy()):
            if not self.all_can_follow([*taken, option], kept):
                kept.remove(option)
        return kept

    def parts(self, cells: frozenset[int]) -> list[frozenset[int]]:
        """The connected parts of some cells."""
        found = []
        while cells:
            part = {min(cells)}
            while near := {n for c in part for n in self.p.neighbours[c].tolist()} & cells - part:
                part |= near
            found.append(frozenset(part))
            cells -= part
        return found
