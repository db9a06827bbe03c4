'''Packing puzzles in dovetail's TOML, which is easy to write by hand.

    name = "a corner"
    region = """
    . . .
    W . *
    """

    [[piece]]
    name = "L"
    shape = """
    # #
    # .
    """

    [[piece]]
    like = "dominoes:I2"
    count = [0, 1]

Drawings are layered text. docs/puzzles/formats.md has every key, with examples.
'''

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import factorial, prod

from dovetail.errors import PuzzleError
from dovetail.files.text_file import LONGEST_LINE, TextFile, check_name
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.lattices.wrapped import WrappedLattice
from dovetail.models.packings.colours import Colouring, colour_of, coloured_places
from dovetail.models.packings.packing import FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.models.text_drawing import OPEN, OPTIONAL, OUTSIDE, corner_of, draw_layers
from dovetail.printable import is_printable
from dovetail.puzzles.formats.base import Format
from dovetail.puzzles.formats.layered_text import PictureError, separate_cells
from dovetail.puzzles.polyominoes import extents, min_corner

MAX_CELLS = 250_000
# Maximum of `turned_cells`: listed placements are compared with every orientation of their piece.
MAX_TURNED_CELLS = 600_000

MARK = "#"
LINE_WIDTH = 96
# Maximum ratio of places to cells in a drawing. 8 cells are added, so that small drawings pass.
THINNEST = 8


class TomlPuzzle(Format):
    """TOML files of puzzles; pydantic is imported when a file is read."""

    name = "toml"
    summary = "packing: dovetail's TOML, easy to write by hand"
    suffixes = (".toml",)
    begins = r"[A-Za-z_\"'-]+\s*=|\["
    first_line = "key = value"
    puzzle_type = PackingPuzzle

    def read_puzzle(self, file: TextFile) -> PackingPuzzle:
        from dovetail.puzzles.formats.toml.reader import read_toml

        return read_toml(file)

    def write_puzzle(self, puzzle: PackingPuzzle) -> str:
        """Return the content of a file with `puzzle`.

        Regions and pieces are drawn, or written as lists of cells if they are scattered or text
        cannot show them. A box of squares may be written as its sides. In all cases the file is
        read as a puzzle with the same name and digest. Raises `PuzzleError` for a puzzle that is
        too large to be read, or has names that are not printable.
        """
        from dovetail.files.validation import MAX_CHARACTERS  # imports pydantic

        lattice = _unwrapped(puzzle)
        if turned_cells(lattice, puzzle.pieces) > MAX_TURNED_CELLS:
            raise PuzzleError("too many listed placements for TOML; reading would take too long")
        motions = {piece.motions for piece in puzzle.pieces}
        common = motions.pop() if len(motions) == 1 else Motions.FREE
        lines = [f"name = {_string(puzzle.name)}"]
        if not isinstance(lattice, SquareLattice):
            lines.append(f"lattice = {_string(lattice.name)}")
        if common != Motions.FREE:
            lines.append(f"motions = {_string(common)}")
        if not puzzle.interchangeable:
            lines.append("interchangeable = false")
        lines += _region(puzzle)
        for piece in puzzle.pieces:
            lines += ["", *_piece(lattice, piece, common, by_colours=_by_colours(puzzle, piece))]
        text = "\n".join(lines) + "\n"
        # The length of a line is bounded in bytes, and a character has at most four.
        if len(text) > MAX_CHARACTERS or max(map(len, text.split("\n"))) > LONGEST_LINE // 4:
            raise PuzzleError(
                f"too large for TOML: more than {MAX_CHARACTERS:,} characters, or a line too long"
            )
        return text


def _region(puzzle: PackingPuzzle) -> Iterator[str]:
    """Yield the lines that define the region."""
    lattice, sides = _unwrapped(puzzle), _box_sides(puzzle)
    labels = dict.fromkeys(puzzle.region, OPEN) | dict.fromkeys(puzzle.optional, OPTIONAL)
    fixed, drawing = puzzle.fixed, _drawing(lattice, labels)
    if drawing is not None and fixed and _drawable(lattice, fixed):
        labels |= {cell: piece.name for piece in fixed for cell in piece.cells}
        named = _drawing(lattice, labels)
        # `separate_cells` refuses long names in a single column, which look like a tight drawing.
        with suppress(PictureError):
            separate_cells(named[0].split("\n") if named else ())
            fixed, drawing = (), named
    if drawing is not None and (not sides or puzzle.optional or fixed != puzzle.fixed):
        text, origin = drawing
        if lattice == SquareLattice(3) and len({z for *_, z in puzzle.region}) == 1:
            yield "dimension = 3"
        if any(origin):
            yield f"origin = {_cell(origin)}"
        yield from _block("region", text)
    else:
        if sides:
            yield f"box = {_cell(sides)}"
            corner = min_corner(puzzle.region)
            if any(corner):
                yield f"origin = {_cell(corner)}"
        else:
            yield from _cells("cells", puzzle.region)
        if puzzle.optional:
            yield from _cells("optional", puzzle.optional)
    if puzzle.colours:
        yield from _colours(lattice, puzzle.colours, puzzle.region)
    if puzzle.markings:
        yield from _list("markings", _words(puzzle.markings))
    yield from _wrap(puzzle.lattice)
    for piece in fixed:
        yield from ("", "[[fixed]]", f"name = {_string(piece.name)}")
        yield from _cells("cells", piece.cells)


def _box_sides(puzzle: PackingPuzzle) -> Cell:
    """Return the sides of a box of squares; () for any other region and for a box too large."""
    sides = extents(puzzle.region)
    whole = prod(sides) == len(puzzle.region) <= MAX_CELLS
    return sides if whole and isinstance(_unwrapped(puzzle), SquareLattice) else ()


def _unwrapped(puzzle: PackingPuzzle) -> Lattice:
    """Return the lattice without its wrap."""
    lattice = puzzle.lattice
    return lattice.base if isinstance(lattice, WrappedLattice) else lattice


def _wrap(lattice: Lattice) -> Iterator[str]:
    """Yield the line with the key `wrap`, which has the periods, if the lattice is wrapped."""
    if isinstance(lattice, WrappedLattice):
        periods = zip(lattice.axes, lattice.periods, strict=True)
        yield f"wrap = {{{', '.join(f'{axis} = {period}' for axis, period in periods if period)}}}"


def _drawing(lattice: Lattice, labels: Mapping[Cell, str]) -> tuple[str, Cell] | None:
    """Return a drawing of `labels`, and the translation from the place 0 0 to its bottom left.

    Returns None if text cannot show the lattice, or if the drawing would be too large for its
    cells.
    """
    try:
        places = lattice.text_places(tuple(labels))
    except PuzzleError:
        return None
    corner, origin = corner_of(lattice, tuple(places))
    top = map(max, zip(*places, strict=True))
    size = prod(high - low + 1 for high, low in zip(top, corner, strict=True))
    if size > THINNEST * (8 + len(places)):
        return None
    labelled = dict(zip(places, labels.values(), strict=True))
    return draw_layers(labelled, tuple(places), corner), origin


def _block(key: str, text: str) -> Iterator[str]:
    yield f'{key} = """'
    yield from text.split("\n")
    yield '"""'


def _drawable(lattice: Lattice, fixed: Sequence[FixedPiece]) -> bool:
    """Return True if a reader of the drawn region finds the fixed pieces by name in their order."""

    def first_seen(piece: FixedPiece) -> Cell:
        return min((-y, *z, x) for x, y, *z in lattice.text_places(piece.cells))

    return all(
        re.fullmatch(r"[^\s,\"\\]+", piece.name)
        and is_printable(piece.name)
        and piece.name not in (OPEN, OUTSIDE, OPTIONAL)
        and (len(piece.name) == 1 or not re.search(r"[.*?#]", piece.name))
        for piece in fixed
    ) and sorted(fixed, key=first_seen) == list(fixed)


def _piece(lattice: Lattice, piece: Piece, common: Motions, *, by_colours: bool) -> Iterator[str]:
    yield from ("[[piece]]", f"name = {_string(piece.name)}")
    if (piece.min_count, piece.max_count) != (1, 1):
        same = piece.min_count == piece.max_count
        yield f"count = {piece.max_count if same else _cell((piece.min_count, piece.max_count))}"
    if piece.motions != common:
        yield f"motions = {_string(piece.motions)}"
    drawing = _drawing(lattice, dict.fromkeys(piece.cells, MARK))
    if piece.colours:
        if piece.cells != lattice.normalise(piece.cells):
            drawing = None
            yield from _cells("cells", piece.cells)
        yield from _colours(lattice, piece.colours, drawn=drawing is not None)
    elif drawing is not None and piece.cells == lattice.normalise(piece.cells):
        yield from _block("shape", drawing[0].replace(OUTSIDE, OPEN))
    else:
        yield from _cells("cells", piece.cells)
    if piece.placements is not None and not by_colours:
        yield from _list("placements", _words(piece.placements))


def _by_colours(puzzle: PackingPuzzle, piece: Piece) -> bool:
    """Return True if the placements of a piece follow from its colours."""
    if not piece.colours:
        return False
    every = piece.motions.isometries(puzzle.lattice)
    return piece.placements == coloured_places(
        puzzle.lattice, puzzle.open_cells, puzzle.colours, piece.colours, every
    )


def _colours(
    lattice: Lattice, colours: Colouring, region: Cells = (), *, drawn: bool = True
) -> Iterator[str]:
    """Yield lines with the colours of a region or piece; with `drawn`, a drawing if possible.

    A drawing of colours also shows the other cells of the `region`, so that it begins at the same
    place as the drawing of the region.
    """
    named = all(
        re.fullmatch(r"[^\s,\"\\.*?#+]+", name) and is_printable(name) for name, _ in colours
    )
    labels = dict.fromkeys(region, OPEN) | colour_of(colours)
    drawing = _drawing(lattice, labels) if drawn and named else None
    if drawing is not None:
        with suppress(PictureError):  # long names in a single column
            separate_cells(drawing[0].split("\n"))
            yield from _block("colours", drawing[0])
            return
    for name, cells in colours:
        yield from _list(f"colours.{_string(name)}", map(_cell, cells))


def _cells(key: str, cells: Cells) -> Iterator[str]:
    return _list(key, map(_cell, cells))


def _words(placements: Iterable[Cells]) -> Iterator[str]:
    """Yield the cells of placements as words, so that a line can break after any cell."""
    for cells in placements:
        *first, last = map(_cell, cells)
        for number, word in enumerate([*first, f"{last}]"]):
            yield word if number else f"[{word}"


def _cell(cell: Cell) -> str:
    return f"[{', '.join(map(str, cell))}]"


def _list(key: str, values: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a list, which are broken at about `LINE_WIDTH` characters."""
    yield f"{key} = ["
    line = "   "
    for value in values:
        if len(line) + len(value) > LINE_WIDTH and line.strip():
            yield line
            line = "   "
        line += f" {value},"
    if line.strip():
        yield line
    yield "]"


def _string(text: str) -> str:
    """Return `text` as a basic string of TOML; raise `PuzzleError` if it is not printable."""
    check_name(text)
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'


def turned_cells(lattice: Lattice, pieces: Iterable[Piece]) -> int:
    """Return the approximate number of cells that are turned to check listed placements."""
    turns = 2**lattice.dimension * factorial(lattice.dimension)  # other lattices have a few more
    return sum(turns * (20 + len(p.cells)) for p in pieces if p.placements is not None)
