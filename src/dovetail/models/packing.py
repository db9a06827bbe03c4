"""Packing puzzles: fill a region with pieces, each used a given number of times."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import chain

import numpy as np

from dovetail.errors import PuzzleError, how_many, list_first, shorten, unknown_name
from dovetail.models.arrays import content_digest
from dovetail.models.lattices.protocol import (
    LARGEST_COORDINATE,
    Cell,
    Cells,
    Lattice,
    Orientations,
    as_cells,
)
from dovetail.models.text_drawing import OPTIONAL, draw_to_be_read
from dovetail.printable import Shown, printable

# Bounds of the text of a puzzle.
MAX_CELLS_DRAWN, MAX_LINES, MAX_WIDTH = 200, 12, 160
MAX_COPIES = 1_000_000


class Motions(StrEnum):
    """Motions that a piece may make before it is translated.

    `FREE`: every rotation of its own dimension and, in two dimensions, turning face down, which
    reflects it. `ONE_SIDED`: rotations of its own dimension only. `FIXED`: none.

    >>> Piece("J", ((0, 0), (1, 0), (1, 1), (1, 2)), motions=Motions("one-sided")).motions
    <Motions.ONE_SIDED: 'one-sided'>
    """

    FREE = "free"
    ONE_SIDED = "one-sided"
    FIXED = "fixed"

    def orientations(self, lattice: Lattice, cells: Cells) -> Orientations:
        """Return the orientations of a piece on `cells` by these motions, as in `Lattice`."""
        match self:
            case Motions.FREE:
                return lattice.orientations(cells, reflections=lattice.flips)
            case Motions.ONE_SIDED:
                return lattice.orientations(cells, reflections=False)
            case Motions.FIXED:
                return Orientations(lattice, [np.array([cells], dtype=np.int64)])


@dataclass(frozen=True, repr=False)
class Piece(Shown):
    """A piece with bounds on its use and its allowed placements.

    >>> Piece("I", ((0, 0), (1, 0)), min_count=0, max_count=32).motions
    <Motions.FREE: 'free'>
    """

    name: str
    cells: Cells
    min_count: int = 1
    """Minimum number of copies used."""
    max_count: int = 1
    """Maximum number of copies used."""
    motions: Motions = Motions.FREE
    placements: tuple[Cells, ...] | None = None
    """If given, the only allowed placements, each a tuple of cells; they must be congruent to
    `cells` under `motions`."""
    weight: int = field(default=1, compare=False)
    """When pieces are taken apart, the heavier ones stay where they are; solutions are the same."""
    groups: tuple[tuple[int, int], ...] = field(default=(), compare=False)
    """Pieces of a group need not come apart: the numbers of groups, and how many copies may be in
    each."""

    def __str__(self) -> str:
        return printable(f"{self.title}: {list_first([*map(str, self.cells)], 8)}")

    @property
    def title(self) -> str:
        """Name, size, motions, and how often the piece is used."""
        fewest, most = self.min_count, self.max_count
        title = f"{self.name}: {how_many(len(self.cells), 'cell')}, {self.motions}"
        if (fewest, most) != (1, 1):
            title += f", used {fewest if fewest == most else f'{fewest} to {most}'} times"
        if self.placements is not None:
            title += f", only in {how_many(len(self.placements), 'listed place')}"
        return title

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", as_cells(self.cells))
        if self.motions not in list(Motions):
            raise unknown_name("motions", str(self.motions), Motions)
        object.__setattr__(self, "motions", Motions(self.motions))
        if self.placements is not None:
            listed = tuple(tuple(sorted(as_cells(cells))) for cells in self.placements)
            object.__setattr__(self, "placements", tuple(dict.fromkeys(listed)))
        if not self.name:
            raise PuzzleError("a piece needs a name")
        if not self.cells:
            raise PuzzleError(f"piece {shorten(self.name)} has no cells")
        if len(set(self.cells)) != len(self.cells):
            raise PuzzleError(f"piece {shorten(self.name)} names one of its cells twice")
        if not 0 <= self.min_count <= self.max_count or not 1 <= self.max_count <= MAX_COPIES:
            raise PuzzleError(
                f"piece {shorten(self.name)} is used {self.min_count} to {self.max_count} times; "
                f"expected 0 <= min <= max and 1 <= max <= {MAX_COPIES:,}"
            )
        if any(len(cells) != len(self.cells) for cells in self.placements or ()):
            raise PuzzleError(
                f"a listed placement of piece {shorten(self.name)} is not congruent to it: "
                f"expected {how_many(len(self.cells), 'cell')}"
            )


@dataclass(frozen=True, repr=False)
class FixedPiece(Shown):
    """A piece that already lies in the region and cannot be moved.

    >>> FixedPiece("wall", ((1, 0), (0, 0))).cells
    ((0, 0), (1, 0))
    """

    name: str
    cells: Cells

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", tuple(sorted(as_cells(self.cells))))


@dataclass(frozen=True)
class AssemblyCount:
    """Number of assemblies that a puzzle's file records."""

    recorded: int | None = None
    """The number in the file, None if it has none."""
    doubts: tuple[str, ...] = ()
    """Reasons why that number may differ from Dovetail's."""


@dataclass(frozen=True, repr=False)
class PackingPuzzle(Shown):
    """Puzzle: fill every cell of `region`, save the optional cells, with the pieces.

    Raises `PuzzleError` for cells that are not in the lattice, fixed pieces that overlap, cross or
    lie outside, a listed placement that is not congruent to its piece, repeated names, markings
    that overlap or leave the region, or volumes of pieces that cannot add up to the region's.

    >>> square = tuple((x, y) for x in range(2) for y in range(2))
    >>> domino = Piece("I", ((0, 0), (1, 0)), min_count=2, max_count=2)
    >>> count(PackingPuzzle("square", SquareLattice(2), square, (domino,)), symmetry="all").count
    2
    """

    name: str
    lattice: Lattice
    region: Cells
    """All cells, including fixed pieces' cells and optional cells; kept sorted, which numbers
    the cells x slowest."""
    pieces: tuple[Piece, ...]
    fixed: tuple[FixedPiece, ...] = ()
    optional: Cells = ()
    """Cells that may stay empty."""
    interchangeable: bool = True
    """True if equal pieces, with the same orientations and listed placements, may replace each
    other."""
    markings: tuple[Cells, ...] = ()
    """Disjoint sets of cells; symmetries map each set to itself."""
    assembled: AssemblyCount | None = field(default=None, compare=False)
    """Set if solutions are assemblies; whether pieces can be moved into them is another
    question."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "region", tuple(sorted(set(as_cells(self.region)))))
        object.__setattr__(self, "optional", tuple(sorted(set(as_cells(self.optional)))))
        object.__setattr__(self, "pieces", tuple(self.pieces))
        object.__setattr__(self, "fixed", tuple(self.fixed))
        marked = sorted(tuple(sorted(set(as_cells(cells)))) for cells in self.markings)
        object.__setattr__(self, "markings", tuple(marked))
        self._check_names()
        self._check_cells()
        self._check_fixed()
        self._check_markings()
        self._check_listed_placements()
        self._check_volume()

    def __str__(self) -> str:
        """Return the name and sizes, with a drawing of a region that has holes or labels."""
        lines = [f"{shorten(printable(self.name))}: packing, {self.sizes}"]
        drawn = (self.drawing() or "") if len(self.region) <= MAX_CELLS_DRAWN else ""
        if drawn.count("\n") < MAX_LINES and not set(drawn) <= set(". ,\n"):
            lines += drawn.splitlines()
        return "\n".join(shorten(line, MAX_WIDTH) for line in lines)

    @property
    def sizes(self) -> str:
        """The numbers of pieces and cells, in words."""
        kinds = how_many(len(self.pieces), "kind of piece", "kinds of piece")
        return f"{kinds}, {how_many(len(self.open_cells), 'open cell')} {self.lattice.phrase}"

    def drawing(self) -> str | None:
        """Return the region and its fixed pieces as layered text; None if it cannot show them."""
        labels = dict.fromkeys(self.optional, OPTIONAL)
        for fixed in self.fixed:
            labels |= dict.fromkeys(fixed.cells, printable(fixed.name))
        try:
            return draw_to_be_read(self.lattice, labels, self.region)
        except PuzzleError:
            return None

    @cached_property
    def open_cells(self) -> Cells:
        """Cells that pieces can take, sorted: the region without its fixed pieces."""
        taken = {cell for piece in self.fixed for cell in piece.cells}
        return tuple(cell for cell in self.region if cell not in taken)

    @cached_property
    def orientations(self) -> tuple[Orientations, ...]:
        """Orientations of each piece."""
        return tuple(piece.motions.orientations(self.lattice, piece.cells) for piece in self.pieces)

    @cached_property
    def equal_pieces(self) -> tuple[int, ...]:
        """For each piece, the number of the first piece that is equal to it."""
        first: dict[tuple[object, frozenset[Cells] | None], int] = {}
        found = list[int]()
        for number, (piece, turned) in enumerate(zip(self.pieces, self.orientations, strict=True)):
            listed = None if piece.placements is None else frozenset(piece.placements)
            found.append(first.setdefault((turned.identity, listed), number))
        return tuple(found)

    @cached_property
    def digest(self) -> str:
        """Digest of the content without the name.

        Whether equal pieces are interchangeable is included only if there are equal pieces.
        """
        distinct = not self.interchangeable and len(set(self.equal_pieces)) < len(self.pieces)
        return content_digest(
            ({"interchangeable": False} if distinct else {})
            | ({"markings": self.markings} if self.markings else {})
            | {
                "kind": "packing",
                "lattice": self.lattice.name,
                "region": self.region,
                "optional": self.optional,
                "fixed": [(piece.name, piece.cells) for piece in self.fixed],
                "pieces": [
                    (p.name, p.cells, p.min_count, p.max_count, str(p.motions), p.placements)
                    for p in self.pieces
                ],
            }
        )

    def restricted(self, name: str, placements: tuple[Cells, ...]) -> PackingPuzzle:
        """Return the same puzzle with piece `name` restricted to a list of placements."""
        if name not in {piece.name for piece in self.pieces}:
            raise unknown_name("piece", name, (piece.name for piece in self.pieces))
        pieces = (replace(p, placements=placements) if p.name == name else p for p in self.pieces)
        return replace(self, pieces=tuple(pieces))

    def _check_names(self) -> None:
        seen: set[str] = set()
        for name in [*(p.name for p in self.pieces), *(p.name for p in self.fixed)]:
            if name in seen:
                raise PuzzleError(f"two pieces are called {shorten(name)}")
            seen.add(name)

    def _check_cells(self) -> None:
        if not self.region:
            raise PuzzleError("the region has no cells")
        wanted = len(self.lattice.axes)
        groups = [("the region", self.region), ("the optional cells", self.optional)]
        groups += [("a marking", cells) for cells in self.markings]
        groups += [(f"piece {shorten(p.name)}", p.cells) for p in self.pieces]
        groups += [(f"fixed piece {shorten(p.name)}", p.cells) for p in self.fixed]
        groups += [
            (f"a placement of {shorten(p.name)}", tuple(chain.from_iterable(p.placements)))
            for p in self.pieces
            if p.placements
        ]
        for what, cells in groups:
            if _are_cells(self.lattice, cells):
                continue
            for cell in cells:
                if len(cell) != wanted:
                    raise PuzzleError(
                        f"{what} has a cell of {how_many(len(cell), 'coordinate')}; expected "
                        f"{wanted}"
                    )
                if any(abs(coordinate) > LARGEST_COORDINATE for coordinate in cell):
                    raise PuzzleError(
                        f"{what} has a coordinate beyond ±{LARGEST_COORDINATE}: {cell}"
                    )
                if not self.lattice.is_cell(cell):
                    homes = shorten(", ".join(map(str, self.lattice.fundamental_cells)))
                    raise PuzzleError(
                        f"{what} has {cell}, which is not a cell {self.lattice.phrase}; expected "
                        f"{homes}, or one of them translated"
                    )

    def _check_fixed(self) -> None:
        """Check that fixed and optional cells are in the region and fixed pieces are disjoint."""
        free, crossed = set(self.region), set[Cell]()
        for fixed in self.fixed:
            for cell in fixed.cells:
                if cell not in free:
                    raise PuzzleError(
                        f"fixed piece {shorten(fixed.name)} takes cell {cell}, which is "
                        "outside the region or already taken"
                    )
                free.discard(cell)
            crossings = self.lattice.crossings(fixed.cells)
            if not crossed.isdisjoint(crossings):
                raise PuzzleError(f"fixed piece {shorten(fixed.name)} crosses another one")
            crossed.update(crossings)
        for cell in self.optional:
            if cell not in free:
                raise PuzzleError(f"optional cell {cell} is not an open cell of the region")

    def _check_markings(self) -> None:
        free = set(self.region)
        for cells in self.markings:
            for cell in cells:
                if cell not in free:
                    raise PuzzleError(
                        f"marked cell {cell} is outside the region or marked twice; expected "
                        "disjoint sets of its cells"
                    )
                free.discard(cell)

    def _check_listed_placements(self) -> None:
        inside = set(self.open_cells)
        for piece in self.pieces:
            if piece.placements is None:
                continue
            allowed = piece.motions.orientations(self.lattice, piece.cells)
            listed = np.array(piece.placements, dtype=np.int64)
            listed = listed.reshape(-1, len(piece.cells), len(self.lattice.axes))
            for cells, number in zip(piece.placements, allowed.find(listed), strict=True):
                if number < 0:
                    raise PuzzleError(
                        f"a listed placement of piece {shorten(piece.name)} is not congruent "
                        f"to it ({piece.motions} motions): {shorten(str(cells))}"
                    )
                if not inside.issuperset(cells):
                    raise PuzzleError(
                        f"a listed placement of piece {shorten(piece.name)} leaves the region: "
                        f"{shorten(str(cells))}"
                    )

    def _check_volume(self) -> None:
        min_count = sum(piece.min_count * len(piece.cells) for piece in self.pieces)
        max_count = sum(piece.max_count * len(piece.cells) for piece in self.pieces)
        largest = len(self.open_cells)
        smallest = largest - len(self.optional)
        if min_count > largest or max_count < smallest:
            raise PuzzleError(
                f"the pieces fill {_span(min_count, max_count)} cells; "
                f"expected {_span(smallest, largest)}, the open cells of the region"
            )


def _are_cells(lattice: Lattice, cells: Cells) -> bool:
    """Return whether all are cells of the lattice, within `LARGEST_COORDINATE`."""
    if any(len(cell) != len(lattice.axes) for cell in cells):
        return False
    flat = list(chain.from_iterable(cells))
    if (
        not -LARGEST_COORDINATE
        <= min(flat, default=0)
        <= max(flat, default=0)
        <= LARGEST_COORDINATE
    ):
        return False
    array = np.array(flat, dtype=np.int64).reshape(-1, len(lattice.axes))
    homes = lattice.fundamental_cells
    return sum(len(lattice.translations(home, array)) for home in homes) == len(array)


def _span(min_count: int, max_count: int) -> str:
    return str(min_count) if min_count == max_count else f"{min_count} to {max_count}"
