"""Packing puzzles: fill a region with pieces, each used a given number of times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import chain
from operator import index

import numpy as np

from dovetail.errors import PuzzleError, how_many, list_first, shorten, show, span, unknown_name
from dovetail.models.arrays import content_digest
from dovetail.models.lattices.protocol import (
    LARGEST_COORDINATE,
    Cell,
    Cells,
    Isometry,
    Lattice,
    Orientations,
    as_cells,
)
from dovetail.models.packings.colours import (
    Colouring,
    as_colouring,
    colour_pattern,
    coloured_places,
)
from dovetail.models.text_drawing import OPTIONAL, draw_to_be_read
from dovetail.printable import Shown, printable

# Limits on the text of a puzzle.
MAX_CELLS_DRAWN, MAX_LINES, MAX_WIDTH = 200, 12, 160
MAX_COPIES = 1_000_000
MAX_WEIGHT = 1_000_000


class Motions(StrEnum):
    """Motions that a piece may make before it is translated.

    `FREE` allows every rotation in the lattice's dimension and, in two dimensions, turning the
    piece over, which reflects the piece. `ONE_SIDED` allows only the rotations, `FIXED` no motion.

    >>> Piece("J", ((0, 0), (1, 0), (1, 1), (1, 2)), motions=Motions("one-sided")).motions
    <Motions.ONE_SIDED: 'one-sided'>
    """

    FREE = "free"
    ONE_SIDED = "one-sided"
    FIXED = "fixed"

    def orientations(self, lattice: Lattice, cells: Cells) -> Orientations:
        """Return the orientations of a piece with these `cells` by the motions; see `Lattice`."""
        if self is Motions.FIXED:
            return lattice.fixed_orientation(cells)
        return lattice.orientations(cells, reflections=self is Motions.FREE and lattice.flips)

    def isometries(self, lattice: Lattice) -> Sequence[Isometry]:
        """Return the motions as maps of cells, up to translations."""
        if self is Motions.FIXED:
            return [lambda cells: cells]
        return lattice.isometries(reflections=self is Motions.FREE and lattice.flips)


@dataclass(frozen=True, repr=False)
class Piece(Shown):
    """A piece, bounds on the number of its copies, and its allowed placements.

    Raises `PuzzleError` for a piece without a name or cells, a repeated cell, a cell without a
    colour in a coloured piece, an invalid number of copies, weight or group, and a listed placement
    of another size. Raises `ConfigError` for unknown motions.

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
    colours: Colouring = ()
    """Cells by colour, () for a piece that may lie on any colour."""
    weight: int = field(default=1, compare=False)
    """For disassembly: heavier pieces stay where they are. Solutions do not depend on it."""
    groups: tuple[tuple[int, int], ...] = field(default=(), compare=False)
    """For disassembly: (group number, maximum number of copies in the group) for each group. Pieces
    of a group need not be separated."""

    def __str__(self) -> str:
        return printable(f"{self.title}: {list_first([*map(str, self.cells)], 8)}")

    @property
    def title(self) -> str:
        """Name, size and motions; copies, colours or listed places only if not the default."""
        title = f"{self.name}: {how_many(len(self.cells), 'cell')}, {self.motions}"
        if (self.min_count, self.max_count) != (1, 1):
            title += f", used {span(self.min_count, self.max_count)} times"
        if self.colours:
            title += f", colours {', '.join(name for name, _ in self.colours)}"
        elif self.placements is not None:
            title += f", only in {how_many(len(self.placements), 'listed place')}"
        return title

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", as_cells(self.cells))
        object.__setattr__(self, "min_count", index(self.min_count))
        object.__setattr__(self, "max_count", index(self.max_count))
        if self.motions not in list(Motions):
            raise unknown_name("motions", self.motions, Motions)
        object.__setattr__(self, "motions", Motions(self.motions))
        if self.placements is not None:
            listed = tuple(tuple(sorted(as_cells(cells))) for cells in self.placements)
            object.__setattr__(self, "placements", tuple(dict.fromkeys(listed)))
        if not self.name:
            raise PuzzleError("a piece needs a name")
        object.__setattr__(self, "colours", as_colouring(self.colours))
        coloured = {cell for _, cells in self.colours for cell in cells}
        if coloured and coloured != set(self.cells):
            raise PuzzleError(f"piece {shorten(self.name)} needs a colour for each of its cells")
        if not self.cells:
            raise PuzzleError(f"piece {shorten(self.name)} has no cells")
        if len(set(self.cells)) != len(self.cells):
            raise PuzzleError(f"piece {shorten(self.name)} names one of its cells twice")
        if not 0 <= self.min_count <= self.max_count or not 1 <= self.max_count <= MAX_COPIES:
            used = f"used {show(self.min_count)} to {show(self.max_count)} times"
            raise PuzzleError(
                f"piece {shorten(self.name)} is {used}; "
                f"expected 0 <= min <= max and 1 <= max <= {MAX_COPIES:,}"
            )
        if not -MAX_WEIGHT <= self.weight <= MAX_WEIGHT:
            raise PuzzleError(
                f"piece {shorten(self.name)} has weight {show(self.weight)}; "
                f"expected {-MAX_WEIGHT:,} to {MAX_WEIGHT:,}"
            )
        if not all(0 <= number <= MAX_COPIES for group in self.groups for number in group):
            raise PuzzleError(
                f"the groups of piece {shorten(self.name)} are {show(self.groups)}; "
                f"expected numbers from 0 to {MAX_COPIES:,}"
            )
        if any(len(cells) != len(self.cells) for cells in self.placements or ()):
            raise PuzzleError(
                f"a listed placement of piece {shorten(self.name)} is not congruent to it: "
                f"expected {how_many(len(self.cells), 'cell')}"
            )


@dataclass(frozen=True, repr=False)
class FixedPiece(Shown):
    """A piece that already lies in the region; a search for solutions does not move it.

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
    """Reasons why the number may differ from Dovetail's."""


@dataclass(frozen=True, repr=False)
class PackingPuzzle(Shown):
    """Puzzle: fill every cell of `region`, except optional cells, with the pieces.

    Raises `PuzzleError` for an empty region, cells that are not in the lattice, fixed pieces that
    have no cells, overlap, cross or lie outside, a listed placement that leaves the region or is
    not congruent to its piece, repeated names, optional cells that are not open, markings that
    overlap or leave the region, colours outside the region, a coloured piece if an open cell has no
    colour, or volumes of pieces that cannot add up to the region's.

    >>> square = tuple((x, y) for x in range(2) for y in range(2))
    >>> domino = Piece("I", ((0, 0), (1, 0)), min_count=2, max_count=2)
    >>> count(PackingPuzzle("square", SquareLattice(2), square, (domino,)), symmetry="all").count
    2
    """

    name: str
    lattice: Lattice
    region: Cells
    """All cells, including fixed pieces' cells and optional cells, sorted. Cells are numbered in
    this order, x slowest."""
    pieces: tuple[Piece, ...]
    fixed: tuple[FixedPiece, ...] = ()
    optional: Cells = ()
    """Cells that may stay empty."""
    interchangeable: bool = True
    """True if equal pieces may replace each other. Equal pieces have the same orientations, listed
    placements and colours."""
    markings: tuple[Cells, ...] = ()
    """Disjoint sets of cells; symmetries map each set to itself."""
    colours: Colouring = ()
    """Cells by colour. Coloured pieces lie only where the colours agree: they get listed
    placements. Symmetries preserve colours."""
    assembled: AssemblyCount | None = field(default=None, compare=False)
    """Recorded number of assemblies if solutions are assemblies, else None. Whether the pieces can
    be moved into an assembly is not part of the puzzle."""

    def __post_init__(self) -> None:
        if self.lattice.wraps:
            self._reduce()
        object.__setattr__(self, "region", tuple(sorted(set(as_cells(self.region)))))
        object.__setattr__(self, "optional", tuple(sorted(set(as_cells(self.optional)))))
        object.__setattr__(self, "pieces", tuple(self.pieces))
        object.__setattr__(self, "fixed", tuple(self.fixed))
        marked = sorted(tuple(sorted(set(as_cells(cells)))) for cells in self.markings)
        object.__setattr__(self, "markings", tuple(marked))
        object.__setattr__(self, "colours", as_colouring(self.colours))
        self._check_names()
        self._check_cells()
        self._check_fixed()
        self._check_markings()
        object.__setattr__(self, "pieces", tuple(map(self._where_colours_agree, self.pieces)))
        self._check_listed_placements()
        self._check_volume()

    def __str__(self) -> str:
        """Return the name and sizes, with a drawing of a small region with holes or labels."""
        lines = [f"{shorten(printable(self.name))}: packing, {self.sizes}"]
        drawn = (self.drawing() or "") if len(self.region) <= MAX_CELLS_DRAWN else ""
        if drawn.count("\n") < MAX_LINES and not set(drawn) <= set(". ,\n"):
            lines += drawn.splitlines()
        return "\n".join(shorten(line, MAX_WIDTH) for line in lines)

    @property
    def sizes(self) -> str:
        """Numbers of kinds of piece and of open cells, in words."""
        kinds = how_many(len(self.pieces), "kind of piece", "kinds of piece")
        return f"{kinds}, {how_many(len(self.open_cells), 'open cell')} {self.lattice.phrase}"

    def drawing(self) -> str | None:
        """Return the region and its fixed pieces as layered text; None if text cannot show them."""
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
        first: dict[object, int] = {}
        found = list[int]()
        for number, (piece, turned) in enumerate(zip(self.pieces, self.orientations, strict=True)):
            listed = None if piece.placements is None else frozenset(piece.placements)
            pattern = self.pattern(piece, piece.motions)
            found.append(first.setdefault((turned.identity, listed, pattern), number))
        return tuple(found)

    @property
    def has_equal_pieces(self) -> bool:
        """Whether two pieces are equal, see `equal_pieces`."""
        return len(set(self.equal_pieces)) < len(self.pieces)

    def pattern(self, piece: Piece, motions: Motions | None = None) -> object:
        """Return a value that is equal for pieces whose colours are equal up to `motions`.

        By default, the motions are all isometries. Returns None for a piece without colours.
        """
        if not piece.colours:
            return None
        every = (
            self.lattice.isometries(reflections=True)
            if motions is None
            else motions.isometries(self.lattice)
        )
        return colour_pattern(self.lattice, piece.colours, every)

    @cached_property
    def digest(self) -> str:
        """Digest of the content without the name, `assembled`, and the pieces' weights and groups.

        Whether equal pieces are interchangeable is included only if there are equal pieces.
        """
        distinct = not self.interchangeable and self.has_equal_pieces
        return content_digest(
            ({"interchangeable": False} if distinct else {})
            | ({"markings": self.markings} if self.markings else {})
            | (
                {"colours": (self.colours, [piece.colours for piece in self.pieces])}
                if self.colours
                else {}
            )
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
        """Return the same puzzle with piece `name` restricted to some placements.

        Raises `ConfigError` if there is no such piece.
        """
        if name not in {piece.name for piece in self.pieces}:
            raise unknown_name("piece", name, (piece.name for piece in self.pieces))
        pieces = (replace(p, placements=placements) if p.name == name else p for p in self.pieces)
        return replace(self, pieces=tuple(pieces))

    def _reduce(self) -> None:
        """Replace all cells, except `Piece.cells`, by their representatives on the lattice."""

        def reduced(cells: Cells) -> Cells:
            rows = np.array(as_cells(cells), dtype=np.int64).reshape(-1, len(self.lattice.axes))
            return as_cells(self.lattice.reduced(rows).tolist())

        def placed(piece: Piece) -> Piece:
            listed = piece.placements
            return piece if listed is None else replace(piece, placements=(*map(reduced, listed),))

        fixed = (replace(piece, cells=reduced(piece.cells)) for piece in self.fixed)
        colours = tuple((name, reduced(cells)) for name, cells in as_colouring(self.colours))
        for key, value in {
            "region": reduced(self.region),
            "pieces": tuple(map(placed, self.pieces)),
            "fixed": tuple(fixed),
            "optional": reduced(self.optional),
            "markings": tuple(map(reduced, self.markings)),
            "colours": colours,
        }.items():
            object.__setattr__(self, key, value)

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
        groups += [("a coloured part of the region", cells) for _, cells in self.colours]
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
        """Raise `PuzzleError` for invalid fixed pieces, and optional cells that are not open."""
        free, crossed = set(self.region), set[Cell]()
        for fixed in self.fixed:
            if not fixed.cells:
                raise PuzzleError(f"fixed piece {shorten(fixed.name)} has no cells")
            for cell in fixed.cells:
                if cell not in free:
                    raise PuzzleError(
                        f"fixed piece {shorten(fixed.name)} takes cell {cell}, which is "
                        "outside the region or already taken"
                    )
                free.discard(cell)
            crossings = self.lattice.crossings(fixed.cells)
            if not crossed.isdisjoint(crossings):
                raise PuzzleError(f"fixed piece {shorten(fixed.name)} crosses another fixed piece")
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
                        "disjoint sets of the region's cells"
                    )
                free.discard(cell)
        inside = set(self.region)
        for name, cells in self.colours:
            for cell in cells:
                if cell not in inside:
                    raise PuzzleError(f"colour {shorten(name)} is on {cell}, outside the region")

    def _where_colours_agree(self, piece: Piece) -> Piece:
        """Return a piece; a coloured piece is restricted to places where the colours agree."""
        if not piece.colours:
            return piece
        named = f"piece {shorten(piece.name)}"
        if not self.colours:
            raise PuzzleError(f"{named} has colours, but the region has none")
        try:
            every = piece.motions.isometries(self.lattice)
            places = coloured_places(
                self.lattice, self.open_cells, self.colours, piece.colours, every
            )
        except PuzzleError as error:
            raise PuzzleError(f"{named}: {error}") from None
        if piece.placements is not None:
            agreeing = set(places)
            places = tuple(place for place in piece.placements if place in agreeing)
        return replace(piece, placements=places)

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
            noun = "cell" if max_count == 1 else "cells"
            raise PuzzleError(
                f"the pieces fill {span(min_count, max_count)} {noun}; "
                f"expected {span(smallest, largest)}, the open cells of the region"
            )


def _are_cells(lattice: Lattice, cells: Cells) -> bool:
    """Return whether all `cells` are cells of the lattice, within `LARGEST_COORDINATE`."""
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
