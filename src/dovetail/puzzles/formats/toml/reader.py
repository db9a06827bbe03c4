"""Reader of packing puzzles in TOML; `toml.format` describes the format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import prod
from typing import Annotated, Literal

import numpy as np
from pydantic import BeforeValidator, Field

from dovetail.errors import DovetailError, FormatError, PuzzleError, how_many, shorten, unknown_name
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
from dovetail.models.lattices.kinds.square import MAX_DIMENSIONS, SquareLattice
from dovetail.models.lattices.protocol import LARGEST_COORDINATE, Cells, Lattice, as_cells
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.lattices.wrapped import WrappedLattice
from dovetail.models.packings.colours import (
    BLACK,
    WHITE,
    Colouring,
    as_colouring,
    chequered,
    colour_of,
    colour_pattern,
    normal_colours,
)
from dovetail.models.packings.packing import MAX_COPIES, FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.models.text_drawing import OPEN, OPTIONAL, OUTSIDE
from dovetail.plain_data import Flag
from dovetail.puzzles.formats.json_documents import BOUNDS, as_bounds
from dovetail.puzzles.formats.toml.drawing import TomlDrawing
from dovetail.puzzles.formats.toml.format import MAX_CELLS, MAX_TURNED_CELLS, turned_cells
from dovetail.puzzles.piece_sets import Pieces, piece_set, set_lattice, set_motions
from dovetail.puzzles.polyominoes import box, in_dimension, moved

# Beginning of a message of `PackingPuzzle` about a piece; the name of the piece follows.
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
Colours = Annotated[
    str | dict[str, list[Point]] | None,
    Field(description="a drawing in which each label is a colour, or lists of cells by colour"),
]
ONE = "one"  # value of `chequered`: one chequering of each piece, even if there are two
Copies = Annotated[list[Annotated[int, whole(0, MAX_COPIES)]], BeforeValidator(as_bounds), BOUNDS]


class PieceTable(Strict):
    """A piece: its shape, the number of copies, and how it may be turned and placed."""

    name: Name | None = None
    shape: Drawing = None
    cells: Points = None
    like: str | None = None
    colours: Colours = None
    count: Copies = Field(default_factory=lambda: [1, 1])
    motions: Motions | None = None
    placements: list[list[Point]] | None = None


class FixedTable(Strict):
    """A piece that already lies in the region."""

    name: Name
    cells: list[Point]


class PuzzleTable(Strict):
    """The content of a whole file."""

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
    colours: Colours = None
    chequered: Annotated[bool | Literal["one"], Field(description='true, false or "one"')] = False
    wrap: Annotated[
        list[str] | dict[str, Annotated[int, whole(1, 2 * LARGEST_COORDINATE + 1)]] | None,
        Field(description='a list of axes, such as ["x"], or periods by axis'),
    ] = None
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
    """Return the puzzle in `file`; if it has no name, it is named after the file.

    Raises `FormatError` at the first mistake.
    """
    return _Reader(file, read_table(file, PuzzleTable)).puzzle()


def packing_of(keys: Mapping[str, object]) -> PackingPuzzle:
    """Return the puzzle that keys of a file define; raise `PuzzleError` at the first mistake."""
    return _Reader(Arguments(keys), check_json(keys, PuzzleTable)).puzzle()


class _Reader:
    """Reader of the puzzle of a file; every method raises `FormatError` at the first mistake."""

    def __init__(self, file: TextFile, table: PuzzleTable) -> None:
        self._file, self._table = file, table

    def puzzle(self) -> PackingPuzzle:
        """Return the puzzle."""
        table = self._table
        region = self._region(self._lattice())
        lattice = self._wrapped(region)
        colours = self._region_colours(region, lattice)
        placed_pieces = list(self._chequered(region.lattice))
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
                lattice=lattice,
                region=region.cells,
                pieces=pieces,
                fixed=(*region.fixed, *fixed),
                optional=(*region.optional, *as_cells(table.optional)),
                interchangeable=table.interchangeable,
                markings=tuple(map(as_cells, table.markings)),
                colours=colours,
            )
        except PuzzleError as error:
            raise self._error(str(error), *self._place_of(str(error), region, named)) from None

    def _error(self, message: str, *at: int | str) -> FormatError:
        return located(self._file, at, message)

    @contextmanager
    def _at(self, *at: int | str) -> Iterator[None]:
        """Raise a `DovetailError` of the body as a `FormatError` at the key `at`."""
        try:
            yield
        except FormatError:
            raise
        except DovetailError as error:
            raise self._error(str(error), *at) from None

    def _place_of(self, error: str, region: _Region, named: list[tuple[Location, str]]) -> Location:
        """Return the key that an error of the whole puzzle is about; by default, the region's.

        If the error names a piece, returns the key of the piece or of its placements. Of two pieces
        with the same name, the later piece is meant.
        """
        if error.startswith("optional cell") and self._table.optional:
            return ("optional",)
        if error.startswith(("marked cell", "a marking")):
            return ("markings",)
        if error.startswith(("a coloured part", "colour ")) and self._table.colours is not None:
            return ("colours",)
        found = _ABOUT.match(error)
        rest = error[found.end() :] if found else ""
        about = [(at, name) for at, name in named if f"{rest} ".startswith(f"{shorten(name)} ")]
        if found is None or not about:
            return (region.key,)
        longest = max(len(name) for _, name in about)
        # Two candidates are enough, and finding the line of each takes time.
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
        if table.colours is not None and not (table.box or table.region or table.cells):
            return self._coloured_region(lattice)
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
            # The first cell gives the dimension; `PackingPuzzle` refuses other cells.
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
        """Return the drawn region; labels other than `.`, `?` and `*` are fixed pieces."""
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

    def _coloured_region(self, lattice: Lattice | None) -> _Region:
        """Return the region that consists of the coloured cells."""
        colours = self._table.colours
        if isinstance(colours, str):
            deep = TomlDrawing(self._file, ("colours",), colours).has_layers
            lattice = lattice or SquareLattice(3 if deep else 2)
        else:
            first = next((cell for cells in (colours or {}).values() for cell in cells), [0])
            lattice = lattice or SquareLattice(min(max(len(first), 1), MAX_DIMENSIONS))
        shown = self._colours(colours, lattice, "colours")
        return _Region("colours", lattice, tuple(cell for _, its in shown for cell in its))

    def _wrapped(self, region: _Region) -> Lattice:
        """Return the lattice, wrapped along `wrap`; a period not given is the region's length."""
        wrap, axes = self._table.wrap, region.lattice.axes
        if not wrap:
            return region.lattice
        lengths = {
            axis: max(along) - min(along) + 1
            for axis, along in zip(axes, zip(*region.cells, strict=True), strict=True)
        }
        with self._at("wrap"):
            unknown = [axis for axis in wrap if axis not in axes]
            if unknown:
                raise unknown_name("axis", unknown[0], axes)
            periods = wrap if isinstance(wrap, dict) else {axis: lengths[axis] for axis in wrap}
            for axis, period in periods.items():
                if period < lengths[axis]:
                    raise PuzzleError(
                        f"period {period} along {axis} is less than the region's length there; "
                        f"expected at least {lengths[axis]}"
                    )
            return WrappedLattice(region.lattice, tuple(periods.get(axis, 0) for axis in axes))

    def _region_colours(self, region: _Region, lattice: Lattice) -> Colouring:
        """Return the colours of the region, given or chequered; () without colours."""
        table = self._table
        if not table.chequered:
            return self._colours(table.colours, region.lattice, "colours")
        if table.colours is not None:
            raise self._error("both colours and chequered are given; expected one", "chequered")
        with self._at("chequered"):
            return chequered(lattice, region.cells)

    def _colours(
        self, colours: str | dict[str, list[Point]] | None, lattice: Lattice, *at: int | str
    ) -> Colouring:
        """Return the colours at the key `at`, of the region or a piece; () without colours."""
        if isinstance(colours, str):
            shown = TomlDrawing(self._file, at, colours).shapes(lattice, (OPEN, OUTSIDE))
            if at == ("colours",):
                shown = {name: self._moved(cells, lattice) for name, cells in shown.items()}
        else:
            shown = {name: as_cells(cells) for name, cells in (colours or {}).items()}
        with self._at(*at):
            return as_colouring(shown)

    def _moved(self, cells: Cells, lattice: Lattice) -> Cells:
        """Return `cells` moved by the file's `origin`, the place of a box's or drawing's corner."""
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
                f"{origin} is not a translation {lattice.phrase}; expected one of them", "origin"
            )
        return moved(cells, origin)

    def _chequered(self, lattice: Lattice) -> Iterator[tuple[Location, Piece]]:
        """Yield the pieces with their keys; chequer uncoloured pieces if the file has `chequered`.

        A piece with two different chequerings becomes two pieces, whose names end with b and w,
        unless the value of `chequered` is "one".
        """
        for at, piece in self._pieces(lattice):
            if not self._table.chequered or piece.colours:
                yield at, piece
                continue
            with self._at(*at):
                every = [
                    replace(piece, colours=chequered(lattice, piece.cells, first))
                    for first in (BLACK, WHITE)
                ]
                its = [
                    colour_pattern(lattice, variant.colours, piece.motions.isometries(lattice))
                    for variant in every
                ]
            if self._table.chequered == ONE or its[0] == its[1]:
                yield at, every[0]
            else:
                for variant, colour in zip(every, ("b", "w"), strict=True):
                    yield at, replace(variant, name=f"{piece.name}{colour}")

    def _pieces(self, lattice: Lattice) -> Iterator[tuple[Location, Piece]]:
        """Yield the pieces of `sets`, of the drawing `pieces` and of `piece`, with their keys."""
        table = self._table
        with self._at("sets"):
            sets = {name: piece_set(name) for name in dict.fromkeys(table.sets)}
        if len(sets) != len(table.sets):
            raise self._error("a set is named twice; expected each once", "sets")
        key = "without" if table.only is None else "only"
        if table.without is not None and table.only is not None:
            raise self._error("both only and without are given; expected one of them", key)
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
        name, set_name, key = section.name, "", "colours"
        colours = self._colours(section.colours, lattice, *at, "colours")
        if not colours or any((section.shape, section.cells, section.like)):
            key = self._only(at, section, "shape", "cells", "like")
        elif isinstance(section.colours, str):
            colours = normal_colours(lattice, colours)
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
        elif section.cells is not None:
            cells = as_cells(section.cells)
        else:
            cells = tuple(sorted(colour_of(colours)))
        if name is None:
            raise self._error("the piece has no name", *at)
        listed = section.placements
        placements = None if listed is None else tuple(map(as_cells, listed))
        min_count, max_count = section.count
        motions = section.motions or self._motions(set_name)
        with self._at(*at):
            return Piece(name, cells, min_count, max_count, motions, placements, colours)

    def _motions(self, set_name: str = "") -> Motions:
        """Return the motions of a piece without the key `motions`: the file's, else the set's."""
        return self._table.motions or set_motions(set_name)

    def _fitted(self, name: str, pieces: Pieces, lattice: Lattice, *at: int | str) -> Pieces:
        """Return pieces of the set `name` on `lattice`; on squares, cells may gain dimensions."""
        its = set_lattice(name)
        if its == lattice:
            return pieces
        if not (isinstance(its, SquareLattice) and isinstance(lattice, SquareLattice)):
            raise self._error(
                f"the set {name} has cells {its.phrase}; expected cells {lattice.phrase}", *at
            )
        if its.dimension > lattice.dimension:
            most = f"expected at most {lattice.dimension}"
            raise self._error(f"the set {name} has {its.dimension} dimensions; {most}", *at)
        return {piece: in_dimension(cells, lattice.dimension) for piece, cells in pieces.items()}

    def _only(self, at: Location, table: Strict, *keys: str) -> str:
        """Return the only key among `keys` in a table; raise `FormatError` for none or several."""
        given = [key for key in keys if getattr(table, key) is not None]
        if len(given) == 1:
            return given[0]
        named = " and ".join(given) or "none"
        raise self._error(f"{named} given; expected one of {', '.join(keys)}", *at, *given[-1:])
