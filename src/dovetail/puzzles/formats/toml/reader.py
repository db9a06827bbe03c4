"""Reader of packing puzzles in TOML; `toml.format` describes the format.

Drawings are layered text. On squares the place of a cell is its position. On any other lattice it
is the cell's place in text, and the bottom left of the drawing is place 0 0, so that leading places
without a cell count; spaces separate places and do not count.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import Annotated

import numpy as np
from pydantic import BeforeValidator, Field

from dovetail.errors import (
    DovetailError,
    FormatError,
    PuzzleError,
    how_many,
    shorten,
    unknown_name,
)
from dovetail.files.text_file import TextFile
from dovetail.files.validation import (
    Arguments,
    Location,
    Name,
    Strict,
    check_json,
    line_of,
    located,
    read_table,
    whole,
)
from dovetail.models.lattices.protocol import LARGEST_COORDINATE, Cell, Cells, Lattice, as_cells
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.lattices.square import MAX_DIMENSIONS, SquareLattice
from dovetail.models.packing import MAX_COPIES, FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.models.text_drawing import OPEN, OPTIONAL, OUTSIDE
from dovetail.plain_data import Flag
from dovetail.printable import is_printable
from dovetail.puzzles.formats.json_documents import as_bounds
from dovetail.puzzles.formats.polycube import (
    MARKS,
    LayeredText,
    PictureError,
    read_picture,
    separate_cells,
)
from dovetail.puzzles.formats.toml.format import MAX_CELLS, MAX_TURNED_CELLS, turned_cells
from dovetail.puzzles.piece_sets import Pieces, piece_set, set_lattice, set_motions
from dovetail.puzzles.polyominoes import box

# Replaces `*` at places without a cell, such as the points between edges.
POINT = "+"

# Beginning of an error of a puzzle about the piece named next.
_ABOUT = re.compile(
    "((fixed )?piece|two pieces are called|(?P<listed>a placement of|a listed placement of piece)) "
)


Coordinate = Annotated[int, whole(-LARGEST_COORDINATE, LARGEST_COORDINATE)]
Point = list[Coordinate]
Side = Annotated[int, whole(1, MAX_CELLS)]
Points = Annotated[
    list[Point] | None, Field(description="a list of cells, such as [[0, 0], [1, 0]]")
]
Drawing = Annotated[str | None, Field(description="a drawing, as text")]
Copies = Annotated[
    list[Annotated[int, whole(0, MAX_COPIES)]],
    BeforeValidator(as_bounds),
    Field(min_length=2, max_length=2, description="a number, or [minimum, maximum]"),
]


class PieceTable(Strict):
    """A piece: its shape, the number of copies, and how it may be turned and placed."""

    name: Name | None = None
    shape: Drawing = None
    cells: Points = None
    like: str | None = None
    count: Copies = Field(default_factory=lambda: [1, 1])
    motions: Motions | None = None
    placements: list[list[Point]] | None = None


class FixedTable(Strict):
    """A piece that already lies in the region."""

    name: Name
    cells: list[Point]


class PuzzleTable(Strict):
    """A whole file."""

    name: Name | None = None
    lattice: str = "square"
    dimension: Annotated[int | None, whole(1, MAX_DIMENSIONS)] = None
    box: Annotated[
        list[Side] | None,
        Field(min_length=1, max_length=MAX_DIMENSIONS, description="a list of sides: [10, 6]"),
    ] = None
    region: Drawing = None
    cells: Points = None
    origin: Point | None = None
    optional: list[Point] = Field(default_factory=list)
    markings: list[list[Point]] = Field(default_factory=list)
    interchangeable: Flag = True
    motions: Motions | None = None
    sets: list[str] = Field(default_factory=list)
    only: Annotated[list[str], Field(min_length=1)] | None = None
    without: list[str] | None = None
    pieces: Drawing = None
    fixed: list[FixedTable] = Field(default_factory=list)
    piece: list[PieceTable] = Field(default_factory=list)


@dataclass(frozen=True)
class _Region:
    """The region of a puzzle, with its fixed pieces and optional cells."""

    key: str  # key that defines the region
    lattice: Lattice
    cells: Cells
    fixed: tuple[FixedPiece, ...] = ()
    optional: Cells = ()


def read_toml(file: TextFile) -> PackingPuzzle:
    """Return the puzzle in `file`, by its own name or else named after the file.

    Raises `FormatError` at the first mistake.
    """
    return _Reader(file, read_table(file, PuzzleTable)).puzzle()


def packing_of(keys: Mapping[str, object]) -> PackingPuzzle:
    """Return the puzzle with the keys of a file; raise `PuzzleError` at the first mistake."""
    return _Reader(Arguments(keys), check_json(keys, PuzzleTable)).puzzle()


class _Reader:
    """Makes the puzzle of a file; every method raises `FormatError` at the first mistake."""

    def __init__(self, file: TextFile, table: PuzzleTable) -> None:
        self._file, self._table = file, table

    def puzzle(self) -> PackingPuzzle:
        """Return the puzzle."""
        table = self._table
        region = self._region(self._lattice())
        placed_pieces = list(self._pieces(region.lattice))
        pieces = tuple(piece for _, piece in placed_pieces)
        fixed = tuple(FixedPiece(section.name, as_cells(section.cells)) for section in table.fixed)
        named: list[tuple[Location, str]] = [
            *(((region.key,), piece.name) for piece in region.fixed),
            *((("fixed", number), piece.name) for number, piece in enumerate(fixed)),
            *((at, piece.name) for at, piece in placed_pieces),
        ]
        if turned_cells(region.lattice, pieces) > MAX_TURNED_CELLS:
            raise self._error(
                "too many listed placements to check; expected fewer, or smaller or flatter pieces",
                "placements",
            )
        try:
            return PackingPuzzle(
                name=self._file.stem if table.name is None else table.name,
                lattice=region.lattice,
                region=region.cells,
                pieces=pieces,
                fixed=(*region.fixed, *fixed),
                optional=(*region.optional, *as_cells(table.optional)),
                interchangeable=table.interchangeable,
                markings=tuple(map(as_cells, table.markings)),
            )
        except PuzzleError as error:
            raise self._error(str(error), *self._place_of(str(error), region, named)) from None

    def _error(self, message: str, *at: int | str) -> FormatError:
        return located(self._file, at, message)

    @contextmanager
    def _at(self, *at: int | str) -> Iterator[None]:
        """Raise another error in the body as a `FormatError` at the key `at`."""
        try:
            yield
        except FormatError:
            raise
        except DovetailError as error:
            raise self._error(str(error), *at) from None

    def _place_of(self, error: str, region: _Region, named: list[tuple[Location, str]]) -> Location:
        """Return the place of an error of the whole puzzle: the piece that it names.

        If two pieces share the name, it is the place of the later piece.
        """
        if error.startswith("optional cell") and self._table.optional:
            return ("optional",)
        if error.startswith(("marked cell", "a marking")):
            return ("markings",)
        found = _ABOUT.match(error)
        rest = error[found.end() :] if found else ""
        about = [(at, name) for at, name in named if f"{rest} ".startswith(f"{shorten(name)} ")]
        if found is None or not about:
            return (region.key,)
        longest = max(len(name) for _, name in about)
        # Finding a line takes time proportional to the size of the file.
        first_two = [at for at, name in about if len(name) == longest][:2]
        at = max(first_two, key=lambda place: line_of(self._file, place) or 1)
        return (*at, "placements") if found["listed"] else at

    def _lattice(self) -> Lattice | None:
        """Return the named lattice; None for squares whose dimension follows from the cells."""
        name, dimension = self._table.lattice, self._table.dimension
        if name == "square":
            return None if dimension is None else SquareLattice(dimension)
        with self._at("lattice"):
            lattice = lattice_named(name)
        if dimension is not None and lattice != SquareLattice(dimension):
            raise self._error(
                f"dimension = {dimension} and lattice {lattice.name}; expected one of them",
                "dimension",
            )
        return lattice

    def _region(self, lattice: Lattice | None) -> _Region:
        table = self._table
        key = self._only((), table, "box", "region", "cells")
        if table.box is not None:
            return self._box(table.box, lattice)
        if table.region is not None:
            return self._drawn_region(table.region, lattice)
        cells = as_cells(table.cells or ())
        if table.origin is not None:
            raise self._error(
                "origin needs a box or a drawing; expected no origin with cells", "origin"
            )
        if not cells:
            raise self._error("the region has no cells", key)
        if lattice is None:
            # The puzzle refuses unequal lengths, but a cell must have some coordinates.
            dimension = max(len(cells[0]), 1)
            if dimension > MAX_DIMENSIONS:
                raise self._error(
                    f"a cell of {dimension} coordinates; expected at most {MAX_DIMENSIONS}", key
                )
            lattice = SquareLattice(dimension)
        return _Region(key, lattice, cells)

    def _box(self, sides: list[int], lattice: Lattice | None) -> _Region:
        squares = lattice or SquareLattice(len(sides))
        if prod(sides) > MAX_CELLS:
            message = f"the box has more than {MAX_CELLS:,} cells"
        elif not isinstance(squares, SquareLattice):
            message = f"a box has squares, not cells {squares.phrase}; expected region or cells"
        elif len(sides) != squares.dimension:
            message = f"a box of {how_many(len(sides), 'side')}; expected {squares.dimension}"
        else:
            return _Region("box", squares, self._moved(box(*sides), squares))
        raise self._error(message, "box")

    def _drawn_region(self, text: str, lattice: Lattice | None) -> _Region:
        """Read a drawing: `.` is a cell, `?` an optional cell, `*` no cell, others are pieces."""
        drawing = TomlDrawing(self._file, ("region",), text)
        lattice = lattice or SquareLattice(3 if drawing.has_layers else 2)
        drawn = drawing.shapes(lattice, (OUTSIDE,))
        shapes = {label: self._moved(cells, lattice) for label, cells in drawn.items()}
        return _Region(
            key="region",
            lattice=lattice,
            cells=tuple(cell for cells in shapes.values() for cell in cells),
            fixed=tuple(
                FixedPiece(name, cells)
                for name, cells in shapes.items()
                if name not in (OPEN, OPTIONAL)
            ),
            optional=shapes.get(OPTIONAL, ()),
        )

    def _moved(self, cells: Cells, lattice: Lattice) -> Cells:
        """Return `cells` moved by `origin`, the place of the bottom left of a box or drawing."""
        if self._table.origin is None:
            return cells
        origin = tuple(self._table.origin)
        if len(origin) != len(lattice.axes):
            raise self._error(
                f"an origin of {how_many(len(origin), 'coordinate')}; expected {len(lattice.axes)}",
                "origin",
            )
        home = lattice.fundamental_cells[0]
        target = np.array([home], dtype=np.int64) + origin
        if not len(lattice.translations(home, target)):
            raise self._error(
                f"{origin} is not a translation {lattice.phrase}; expected one", "origin"
            )
        return tuple(tuple(c + o for c, o in zip(cell, origin, strict=True)) for cell in cells)

    def _pieces(self, lattice: Lattice) -> Iterator[tuple[Location, Piece]]:
        """Yield the pieces of sets, of the common drawing, and the others, each with its place."""
        table = self._table
        with self._at("sets"):
            sets = {name: piece_set(name) for name in dict.fromkeys(table.sets)}
        if len(sets) != len(table.sets):
            raise self._error("a set is named twice; expected each once", "sets")
        key = "without" if table.only is None else "only"
        if table.without is not None and table.only is not None:
            raise self._error("only and without given; expected one of them", key)
        chosen = set(table.only or table.without or ())
        names = {name: None for pieces in sets.values() for name in pieces}
        if not chosen <= names.keys():
            with self._at(key):
                raise unknown_name("piece of the sets", min(chosen - names.keys()), names)
        for set_name, pieces in sets.items():
            for name, cells in self._fitted(set_name, pieces, lattice, "sets").items():
                if (name in chosen) == (key == "only"):
                    yield ("sets",), Piece(name, cells, motions=self._motions(set_name))
        if table.pieces is not None:
            at: Location = ("pieces",)
            shapes = TomlDrawing(self._file, at, table.pieces).shapes(lattice, (OPEN, OUTSIDE))
            for name, cells in shapes.items():
                yield at, Piece(name, lattice.normalise(cells), motions=self._motions())
        for number, section in enumerate(table.piece):
            yield ("piece", number), self._piece(section, lattice, "piece", number)

    def _piece(self, section: PieceTable, lattice: Lattice, *at: int | str) -> Piece:
        key = self._only(at, section, "shape", "cells", "like")
        name, set_name = section.name, ""
        if section.like is not None:
            set_name, _, member = (part.strip() for part in section.like.partition(":"))
            with self._at(*at, key):
                pieces = piece_set(set_name)
                if member not in pieces:
                    raise unknown_name(f"piece of the set {set_name}", member, pieces)
            name = member if name is None else name
            cells = self._fitted(set_name, {member: pieces[member]}, lattice, *at, key)[member]
        elif section.shape is not None:
            cells = TomlDrawing(self._file, (*at, key), section.shape, named=False).piece(lattice)
        else:
            cells = as_cells(section.cells or ())
        if name is None:
            raise self._error("the piece has no name", *at)
        listed = section.placements
        placements = None if listed is None else tuple(map(as_cells, listed))
        min_count, max_count = section.count
        motions = section.motions or self._motions(set_name)
        with self._at(*at):
            return Piece(name, cells, min_count, max_count, motions, placements)

    def _motions(self, set_name: str = "") -> Motions:
        """Return the motions of pieces that have no such key."""
        return self._table.motions or set_motions(set_name)

    def _fitted(self, name: str, pieces: Pieces, lattice: Lattice, *at: int | str) -> Pieces:
        """Return pieces of the set `name`; squares may have fewer dimensions than the puzzle."""
        its = set_lattice(name)
        if its == lattice:
            return pieces
        if not (isinstance(its, SquareLattice) and isinstance(lattice, SquareLattice)):
            raise self._error(
                f"the set {name} has cells {its.phrase}; expected cells {lattice.phrase}", *at
            )
        if its.dimension > lattice.dimension:
            raise self._error(
                f"the set {name} has more dimensions than the puzzle; expected {lattice.dimension}",
                *at,
            )
        return {
            piece: tuple(in_dimension(cell, lattice.dimension) for cell in cells)
            for piece, cells in pieces.items()
        }

    def _only(self, at: Location, table: Strict, *keys: str) -> str:
        """Return the key among `keys` that a table has."""
        given = [key for key in keys if getattr(table, key) is not None]
        if len(given) == 1:
            return given[0]
        named = " and ".join(given) or "none"
        raise self._error(f"{named} given; expected one of {', '.join(keys)}", *at, *given[-1:])


class TomlDrawing:
    """The drawing at the key `at` of `file`, without its blank lines.

    Its labels are `named`, except in a drawing of a single piece: there the label has no meaning.
    Raises `FormatError` with the line of an invalid picture.
    """

    def __init__(self, file: TextFile, at: Location, text: str, *, named: bool = True) -> None:
        self._file, self._at = file, at
        rows = [(row, line) for row, line in enumerate(text.split("\n")) if line.strip()]
        self._rows = [row for row, _ in rows]
        if not rows:
            raise located(file, at, "the drawing is empty")
        try:
            self._picture = self._read([line for _, line in rows], named=named)
        except PictureError as error:
            raise self._error(str(error), error.row) from None

    def _read(self, lines: Sequence[str], *, named: bool) -> LayeredText:
        """Return the picture that `lines` show; raise `PictureError` for an invalid label."""
        lines = separate_cells(lines, named=named)
        for row, line in enumerate(lines):
            for label in re.split(r"[\s,]+", line.strip()):
                if len(label) > 1 and MARKS & set(label):
                    raise PictureError(
                        f"label {shorten(label)!r}; expected white space between cells", row
                    )
                if not is_printable(label):
                    raise PictureError(
                        f"label {shorten(label)!a}; expected printable characters", row
                    )
        return read_picture(lines)

    @property
    def has_layers(self) -> bool:
        """True if there are several layers."""
        return self._picture.size[2] > 1

    def shapes(self, lattice: Lattice, blank: Collection[str]) -> dict[str, Cells]:
        """Return the cells of each label that is not in `blank`, sorted; labels in reading order.

        Raises `FormatError` for a label where the lattice has no cell.
        """
        shapes = dict[str, Cells]()
        for label, places in self._picture.shapes(blank).items():
            found = self._cells(lattice, places)
            if None in found and label != POINT:
                raise self._error(
                    f"label {shorten(label)!r} where there is no cell {lattice.phrase}; expected "
                    f"{OUTSIDE} or {POINT} (leading {OUTSIDE} or {OPEN} count as places, spaces do "
                    "not)",
                    self._picture.row_of((places[found.index(None)],)),
                )
            if cells := tuple(sorted(cell for cell in found if cell is not None)):
                shapes[label] = cells
        return shapes

    def piece(self, lattice: Lattice) -> Cells:
        """Return the single piece of the drawing, moved to a standard position."""
        shapes = self.shapes(lattice, (OPEN, OUTSIDE))
        if len(shapes) != 1:
            raise located(
                self._file,
                self._at,
                f"the drawing shows {how_many(len(shapes), 'label')} other than {OPEN}; "
                "expected one piece",
            )
        (cells,) = shapes.values()
        return lattice.normalise(cells)

    def _cells(self, lattice: Lattice, places: Sequence[Cell]) -> Sequence[Cell | None]:
        """Return the cell at each place, None where the lattice has no cell."""
        squares = isinstance(lattice, SquareLattice)
        home = lattice.fundamental_cells[0]
        axes = len(home if squares else lattice.text_place(home))
        if any(any(place[axes:]) for place in places):
            raise located(
                self._file,
                self._at,
                f"the drawing has more dimensions than the puzzle; expected {axes}",
            )
        cells = [in_dimension(place, axes) for place in places]
        return cells if squares else lattice.text_cells(cells)

    def _error(self, message: str, number: int) -> FormatError:
        """Return an error in a line of the drawing, counted without blank lines."""
        if isinstance(self._file, Arguments):
            return located(self._file, self._at, f"line {number + 1}: {message}")
        start = line_of(self._file, self._at) or 1
        first = self._file.lines[start - 1]
        if re.search(r"\"\"\"|'''", first):
            below = self._rows[number] + bool(re.search(r"(\"\"\"|''')\s*$", first))
            start = min(start + below, len(self._file.lines))
        return self._file.error(message, start)


def in_dimension(cell: Cell, dimension: int) -> Cell:
    """Return `cell` with zeros appended to its coordinates, or without the last of them."""
    return (*cell, *[0] * (dimension - len(cell)))[:dimension]
