"""Packings of boxes that may wrap and may have colours, by trying everything in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product
from math import prod

from dovetail.models.lattices.protocol import Cell, Cells

Shown = tuple[tuple[Cell, str], ...]  # cells of a piece with their colours
Placed = tuple[Shown, frozenset[Cell]]  # a piece up to its motions, and where it lies


@dataclass(frozen=True)
class Box:
    """A box of cells (x, y, …) with colours, wrapped along some axes; pieces are used once."""

    sides: Cell
    wrapped: tuple[bool, ...]
    colours: dict[Cell, str]
    pieces: tuple[Shown, ...]
    reflect: bool  # pieces may be reflected

    def cell(self, place: Cell) -> Cell:
        """The cell at a place of the unrolled box."""
        rows = zip(place, self.sides, self.wrapped, strict=True)
        return tuple(c % side if wraps else c for c, side, wraps in rows)

    def kind(self, piece: Shown) -> Shown:
        """The piece up to its motions."""
        return min(_normal(image) for image in _images(piece, reflect=self.reflect))

    def places(self, piece: Shown) -> set[frozenset[Cell]]:
        """Where a piece may lie."""
        found = set()
        for image in _images(piece, reflect=self.reflect):
            for vector in product(*map(range, self.sides)):
                moved = [(self.cell(_add(cell, vector)), its) for cell, its in _normal(image)]
                cells = frozenset(cell for cell, _ in moved)
                if len(cells) == len(moved) and all(
                    cell in self.colours and its in ("", self.colours[cell]) for cell, its in moved
                ):
                    found.add(cells)
        return found

    def solutions(self) -> set[frozenset[Placed]]:
        """All packings; equal pieces are interchangeable."""
        places = {self.kind(piece): self.places(piece) for piece in self.pieces}
        copies = Counter(map(self.kind, self.pieces))
        return set(map(frozenset, _packed(places, copies, frozenset(self.colours))))

    def classes(self, *, reflect: bool) -> int:
        """Packings up to the symmetries of the box that keep colours and the set of pieces."""
        todo, classes = self.solutions(), 0
        maps = list(self._maps(reflect=reflect))
        while todo:
            start = next(iter(todo))
            for pieces, cells in maps:
                todo.discard(
                    frozenset((pieces[k], frozenset(cells[c] for c in its)) for k, its in start)
                )
            classes += 1
        return classes

    def _maps(self, *, reflect: bool) -> Iterator[tuple[dict[Shown, Shown], dict[Cell, Cell]]]:
        """Images of the kinds of pieces and of the cells."""
        kinds = sorted(map(self.kind, self.pieces))
        for axes, signs in _isometries(len(self.sides), reflect=reflect):
            image = {kind: self.kind(_moved(kind, axes, signs)) for kind in kinds}
            periods = {
                tuple(side if wraps and axis == k else 0 for axis in range(len(self.sides)))
                for k, (side, wraps) in enumerate(zip(self.sides, self.wrapped, strict=True))
            }
            turned = {tuple(abs(p[a]) for a in axes) for p in periods}
            if turned != periods or sorted(image[kind] for kind in kinds) != kinds:
                continue
            for vector in product(*(range(-side, side) for side in self.sides)):
                cells = {
                    c: self.cell(_add(tuple(s * c[a] for a, s in zip(axes, signs)), vector))  # noqa: B905
                    for c in self.colours
                }
                if all(self.colours.get(d) == self.colours[c] for c, d in cells.items()):
                    yield image, cells


def _packed(
    places: dict[Shown, set[frozenset[Cell]]], copies: Counter[Shown], left: frozenset[Cell]
) -> Iterator[list[Placed]]:
    """Ways to fill the cells `left` with all copies, by the piece on the least cell."""
    if not left:
        if not copies.total():
            yield []
        return
    first = min(left)
    for kind in [kind for kind, number in copies.items() if number]:
        for place in places[kind]:
            if first in place and place <= left:
                for rest in _packed(places, copies - Counter([kind]), left - place):
                    yield [(kind, place), *rest]


def _isometries(dimension: int, *, reflect: bool) -> Iterator[tuple[Cell, Cell]]:
    for axes in permutations(range(dimension)):
        odd = sum(axes[i] > axes[j] for j in range(dimension) for i in range(j)) % 2
        for signs in product((1, -1), repeat=dimension):
            if reflect or prod(signs) == (-1 if odd else 1):
                yield axes, signs


def _images(piece: Shown, *, reflect: bool) -> Iterator[Shown]:
    for axes, signs in _isometries(len(piece[0][0]), reflect=reflect):
        yield _moved(piece, axes, signs)


def _moved(piece: Shown, axes: Cell, signs: Cell) -> Shown:
    return tuple(
        (tuple(s * cell[a] for a, s in zip(axes, signs, strict=True)), its) for cell, its in piece
    )


def _normal(piece: Shown) -> Shown:
    low = tuple(map(min, zip(*(cell for cell, _ in piece), strict=True)))
    return tuple(sorted((_add(cell, tuple(-c for c in low)), its) for cell, its in piece))


def _add(cell: Cell, vector: Cell) -> Cell:
    return tuple(map(int.__add__, cell, vector))


def cells_of(piece: Shown) -> Cells:
    """The cells of a piece without their colours."""
    return tuple(cell for cell, _ in piece)
