"""Reads packing puzzles from TOML; see the package for the format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import factorial, prod
from typing import Annotated

from pydantic import BeforeValidator, Field

from dovetail.errors import DovetailError, FormatError, PuzzleError, how_many, shorten, unknown_name
from dovetail.files.text_file import TextFile
from dovetail.files.toml_file import (
    Location,
    Name,
    Strict,
    line_of,
    located,
    read_table,
)
from dovetail.models.lattices.protocol import LARGEST_COORDINATE, Cell, Cells, as_cells
from dovetail.models.lattices.square import MAX_DIMENSIONS, SquareLattice, require_squares
from dovetail.models.packing import MAX_COPIES, FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.models.text_drawing import OPEN, OPTIONAL, OUTSIDE
from dovetail.printable import is_printable
from dovetail.puzzles.formats.layered_text import (
    Picture,
    PictureError,
    at_origin,
    read_picture,
)
from dovetail.puzzles.piece_sets import Pieces, piece_set, set_lattice
from dovetail.puzzles.polyominoes import box

MAX_CELLS = 250_000
# Listed placements are compared with every turn of their piece: about a second for as many.
MAX_TURNED_CELLS = 600_000

ONE_SIDED_SETS = "one-sided-"

# How an error of a puzzle begins that is about the piece named next.
_ABOUT = re.compile("((fixed )?piece|(?P<listed>a placement of|a listed placement of piece)) ")


def _as_bounds(value: object) -> object:
    """A number of copies as the least and the most."""
    return [value, value] if isinstance(value, int) else value


Coordinate = Annotated[int, Field(strict=True, ge=-LARGEST_COORDINATE, le=LARGEST_COORDINATE)]
Point = list[Coordinate]
Side = Annotated[int, Field(strict=True, ge=1, le=MAX_CELLS)]
Copies = Annotated[
    list[Annotated[int, Field(strict=True, ge=0, le=MAX_COPIES)]],
    BeforeValidator(_as_bounds),
    Field(min_length=2, max_length=2),
]


class PieceTable(Strict):
    """A piece: what it looks like, how often it is used, how it may be turned and placed."""

    name: Name | None = None
    shape: str | None = None
    cells: list[Point] | None = None
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
    dimension: Annotated[int, Field(strict=True, ge=1, le=MAX_DIMENSIONS)] | None = None
    box: Annotated[list[Side], Field(min_length=1)] | None = None
    region: str | None = None
    cells: list[Point] | None = None
    origin: Point | None = None
    optional: list[Point] = Field(default_factory=list)
    motions: Motions | None = None
    sets: list[str] = Field(default_factory=list)
    without: list[str] = Field(default_factory=list)
    pieces: str | None = None
    fixed: list[FixedTable] = Field(default_factory=list)
    piece: list[PieceTable] = Field(default_factory=list)


@dataclass(frozen=True)
class _Region:
    """What is to be filled; `key` is the one that says so."""

    key: str
    dimension: int
    cells: Cells
    fixed: tuple[FixedPiece, ...] = ()
    optional: Cells = ()


def read_toml(file: TextFile) -> tuple[PackingPuzzle, ...]:
    """The one puzzle in `file`, by its own name or else named after the file.

    Raises `FormatError` at the first mistake.
    """
    table = read_table(file, PuzzleTable)
    region = _region(file, table)
    placed_pieces = list(_pieces(file, table, region.dimension))
    pieces = tuple(piece for _, piece in placed_pieces)
    fixed = tuple(FixedPiece(section.name, as_cells(section.cells)) for section in table.fixed)
    named: list[tuple[Location, str]] = [
        *(((region.key,), piece.name) for piece in region.fixed),
        *((("fixed", number), piece.name) for number, piece in enumerate(fixed)),
        *((at, piece.name) for at, piece in placed_pieces),
    ]
    _check_names(file, named)
    if turned_cells(region.dimension, pieces) > MAX_TURNED_CELLS:
        raise located(
            file,
            ("placements",),
            "too many listed placements to check; expected fewer, or smaller or flatter pieces",
        )
    try:
        puzzle = PackingPuzzle(
            name=file.stem if table.name is None else table.name,
            lattice=SquareLattice(region.dimension),
            region=region.cells,
            pieces=pieces,
            fixed=(*region.fixed, *fixed),
            optional=(*region.optional, *as_cells(table.optional)),
        )
    except PuzzleError as error:
        raise located(file, _place_of(str(error), table, region, named), str(error)) from None
    return (puzzle,)


def _check_names(file: TextFile, named: list[tuple[Location, str]]) -> None:
    """No name twice, wherever pieces are named; the error is in the later of the two lines."""
    places: dict[str, int] = {}
    for at, name in named:
        # Lines are looked for from the start of the file: only where an error is sure.
        if name in places:
            earlier = named[places[name]][0]
            where = max((earlier, at), key=lambda location: line_of(file, location) or 1)
            raise located(file, where, f"two pieces are called {shorten(name)}")
        places[name] = len(places)


def _place_of(
    error: str, table: PuzzleTable, region: _Region, named: list[tuple[Location, str]]
) -> Location:
    """The key or table that an error of the whole puzzle is about: the piece that it names."""
    if error.startswith("optional cell") and table.optional:
        return ("optional",)
    found = _ABOUT.match(error)
    rest = error[found.end() :] if found else ""
    about = [(at, name) for at, name in named if rest.startswith(f"{shorten(name)} ")]
    if found is None or not about:
        return (region.key,)
    at, _ = max(about, key=lambda place: len(place[1]))
    return (*at, "placements") if found["listed"] else at


def turned_cells(dimension: int, pieces: Iterable[Piece]) -> int:
    """About how many cells are turned to compare listed placements with their pieces."""
    turns = 2**dimension * factorial(dimension)
    return sum(turns * (20 + len(p.cells)) for p in pieces if p.placements is not None)


def _region(file: TextFile, table: PuzzleTable) -> _Region:
    key = _only(file, (), table, ("box", "region", "cells"))
    if table.box is not None:
        if len(table.box) > MAX_DIMENSIONS:
            message = f"a box of {len(table.box)} sides; expected at most {MAX_DIMENSIONS}"
            raise located(file, (key,), message)
        if prod(table.box) > MAX_CELLS:
            raise located(file, (key,), f"the box has more than {MAX_CELLS:,} cells")
        dimension = table.dimension or len(table.box)
        if len(table.box) != dimension:
            raise located(
                file, (key,), f"a box of {how_many(len(table.box), 'side')}; expected {dimension}"
            )
        return _Region(key, dimension, _moved(file, table, box(*table.box), dimension))
    if table.region is not None:
        return _drawn_region(file, table, table.region)
    cells = as_cells(table.cells or ())
    if table.origin is not None:
        raise located(
            file, ("origin",), "origin needs a box or a drawing; expected no origin with cells"
        )
    if not cells:
        raise located(file, (key,), "the region has no cells")
    # Unequal lengths are the puzzle's to refuse, but a cell must have some coordinates.
    dimension = table.dimension or max(len(cells[0]), 1)
    if dimension > MAX_DIMENSIONS:
        message = f"a cell of {dimension} coordinates; expected at most {MAX_DIMENSIONS}"
        raise located(file, (key,), message)
    return _Region(key, dimension, cells)


def _drawn_region(file: TextFile, table: PuzzleTable, drawing: str) -> _Region:
    """A drawing: `.` a cell, `?` one that may stay empty, `*` none, else a fixed piece."""
    at = ("region",)
    picture = _picture(file, at, drawing)
    dimension = table.dimension or (3 if picture.size[2] > 1 else 2)
    shapes = picture.shapes(blank=(OUTSIDE,))

    def placed(cells: Cells) -> Cells:
        return _moved(file, table, _in_dimension(file, at, cells, dimension), dimension)

    return _Region(
        key="region",
        dimension=dimension,
        cells=placed(tuple(cell for cells in shapes.values() for cell in cells)),
        fixed=tuple(
            FixedPiece(name, placed(cells))
            for name, cells in shapes.items()
            if name not in (OPEN, OPTIONAL)
        ),
        optional=placed(shapes.get(OPTIONAL, ())),
    )


def _moved(file: TextFile, table: PuzzleTable, cells: Cells, dimension: int) -> Cells:
    """`cells` moved by `origin`, where their cell with least coordinates is to lie."""
    if table.origin is None:
        return cells
    origin = table.origin
    if len(origin) != dimension:
        raise located(
            file,
            ("origin",),
            f"an origin of {how_many(len(origin), 'coordinate')}; expected {dimension}",
        )
    return tuple(tuple(c + o for c, o in zip(cell, origin, strict=True)) for cell in cells)


def _pieces(file: TextFile, table: PuzzleTable, dimension: int) -> Iterator[tuple[Location, Piece]]:
    """The pieces of whole sets, then those of the common drawing, then one by one.

    With each goes what says it.
    """
    sets = {name: _set(file, ("sets",), name) for name in dict.fromkeys(table.sets)}
    if len(sets) != len(table.sets):
        raise located(file, ("sets",), "a set is named twice; expected each once")
    left_out = set(table.without)
    unknown = left_out - {name for pieces in sets.values() for name in pieces}
    if unknown:
        names = (name for pieces in sets.values() for name in pieces)
        error = unknown_name("piece of the sets", min(unknown), names)
        raise located(file, ("without",), str(error))
    for set_name, pieces in sets.items():
        for name, cells in pieces.items():
            if name not in left_out:
                flat = _in_dimension(file, ("sets",), cells, dimension)
                yield ("sets",), Piece(name, flat, motions=_motions(table, set_name))
    if table.pieces is not None:
        at: Location = ("pieces",)
        shapes = _picture(file, at, table.pieces).shapes(blank=(OPEN, OUTSIDE))
        for name, cells in shapes.items():
            flat = _in_dimension(file, at, at_origin(cells), dimension)
            yield at, Piece(name, flat, motions=_motions(table))
    for number, section in enumerate(table.piece):
        yield ("piece", number), _piece(file, table, number, section, dimension)


def _piece(
    file: TextFile, table: PuzzleTable, number: int, section: PieceTable, dimension: int
) -> Piece:
    at: Location = ("piece", number)
    key = _only(file, at, section, ("shape", "cells", "like"))
    name, set_name = section.name, ""
    if section.like is not None:
        set_name, _, member = (part.strip() for part in section.like.partition(":"))
        pieces = _set(file, (*at, key), set_name)
        if member not in pieces:
            error = unknown_name(f"piece of the set {set_name}", member, pieces)
            raise located(file, (*at, key), str(error))
        name = member if name is None else name
        cells = _in_dimension(file, (*at, key), pieces[member], dimension)
    elif section.shape is not None:
        cells = _shape(file, (*at, key), section.shape, dimension)
    else:
        cells = as_cells(section.cells or ())
    if name is None:
        raise located(file, at, "the piece has no name")
    placements = None if section.placements is None else tuple(map(as_cells, section.placements))
    min_count, max_count = section.count
    motions = section.motions or _motions(table, set_name)
    try:
        return Piece(name, cells, min_count, max_count, motions, placements)
    except PuzzleError as error:
        raise located(file, at, str(error)) from None


def _motions(table: PuzzleTable, set_name: str = "") -> Motions:
    """How pieces may be turned that do not say: one-sided, if their set is."""
    usual = Motions.ONE_SIDED if set_name.startswith(ONE_SIDED_SETS) else Motions.FREE
    return table.motions or usual


def _set(file: TextFile, at: Location, name: str) -> Pieces:
    try:
        require_squares(set_lattice(name), "TOML")
        return piece_set(name)
    except DovetailError as error:
        raise located(file, at, str(error)) from None


def _shape(file: TextFile, at: Location, drawing: str, dimension: int) -> Cells:
    """A piece drawn alone, moved to least coordinates 0."""
    shapes = _picture(file, at, drawing).shapes(blank=(OPEN, OUTSIDE))
    if len(shapes) != 1:
        raise located(
            file,
            at,
            f"the drawing shows {how_many(len(shapes), 'label')} other than {OPEN}; "
            "expected one piece",
        )
    (cells,) = shapes.values()
    return _in_dimension(file, at, at_origin(cells), dimension)


def _only(file: TextFile, at: Location, table: Strict, keys: tuple[str, ...]) -> str:
    """The one of `keys` that `table` has."""
    given = [key for key in keys if getattr(table, key) is not None]
    if len(given) == 1:
        return given[0]
    named = " and ".join(given) or "none"
    where = (*at, *given[-1:])
    raise located(file, where, f"{named} given; expected one of {', '.join(keys)}")


def _picture(file: TextFile, at: Location, drawing: str) -> Picture:
    """A drawing with blank lines left out."""
    rows = [(row, line) for row, line in enumerate(drawing.split("\n")) if line.strip()]
    if not rows:
        raise located(file, at, "the drawing is empty")
    for row, line in rows:
        for label in re.split(r"[\s,]+", line.strip()):
            if len(label) > 1 and re.search(r"[.*?#]", label):
                raise _in_row(
                    file,
                    at,
                    row,
                    f"label {shorten(label)!r}; expected white space between cells",
                )
            if not is_printable(label):
                raise _in_row(
                    file, at, row, f"label {shorten(label)!a}; expected printable characters"
                )
    try:
        return read_picture([line for _, line in rows])
    except PictureError as error:
        raise _in_row(file, at, rows[error.row][0], str(error)) from None


def _in_row(file: TextFile, at: Location, row: int, message: str) -> FormatError:
    """An error in line `row` of the drawing at `at`."""
    start = line_of(file, at) or 1
    if re.search(r"\"\"\"|'''", file.lines[start - 1]):
        row += bool(re.search(r"(\"\"\"|''')\s*$", file.lines[start - 1]))
        start = min(start + row, len(file.lines))
    return file.error(message, start)


def _in_dimension(file: TextFile, at: Location, cells: Cells, dimension: int) -> Cells:
    """`cells` with zeros put behind their coordinates, or taken away there."""
    if any(any(cell[dimension:]) for cell in cells):
        raise located(
            file, at, f"the drawing has more dimensions than the puzzle; expected {dimension}"
        )
    return tuple(_filled(cell, dimension) for cell in cells)


def _filled(cell: Cell, dimension: int) -> Cell:
    return (*cell, *[0] * (dimension - len(cell)))[:dimension]
