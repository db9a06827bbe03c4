"""Writes packing puzzles as TOML; see the package for the format.

What can be drawn is drawn: regions and pieces of two and three dimensions that are not
scattered. The rest is written as lists of cells. Either way the puzzle that is read has the
same name and the same digest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import prod

from dovetail.errors import PuzzleError, shorten
from dovetail.files.text_file import LONGEST_LINE
from dovetail.files.toml_file import MAX_CHARACTERS
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.lattices.square import require_squares
from dovetail.models.packing import FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.models.text_drawing import OPEN, OPTIONAL, OUTSIDE, draw_layers
from dovetail.printable import is_printable
from dovetail.puzzles.formats.toml_puzzle.reader import (
    MAX_CELLS,
    MAX_TURNED_CELLS,
    turned_cells,
)
from dovetail.puzzles.polyominoes import box

MARK = "#"
LINE_WIDTH = 96
# A drawing may show this many cells for one that belongs to the region or piece.
THINNEST = 8


def write_toml(puzzle: PackingPuzzle) -> str:
    """`puzzle` as a file.

    Raises `PuzzleError` when its cells are not square, it is too large to be read back, or it has
    names that are not printable.
    """
    require_squares(puzzle.lattice, "TOML")
    dimension = puzzle.lattice.dimension
    if turned_cells(dimension, puzzle.pieces) > MAX_TURNED_CELLS:
        raise PuzzleError("too many listed placements for TOML: reading them would take too long")
    motions = {piece.motions for piece in puzzle.pieces}
    common = motions.pop() if len(motions) == 1 else Motions.FREE
    lines = [f"name = {_string(puzzle.name)}"]
    if common != Motions.FREE:
        lines.append(f"motions = {_string(common)}")
    lines += _region(puzzle)
    for piece in puzzle.pieces:
        lines += ["", *_piece(piece, common)]
    text = "\n".join(lines) + "\n"
    # A line's length is bounded in bytes, of which a character has four at most.
    if len(text) > MAX_CHARACTERS or max(map(len, text.split("\n"))) > LONGEST_LINE // 4:
        raise PuzzleError(f"too large for TOML: more than {MAX_CHARACTERS:,} characters")
    return text


def _region(puzzle: PackingPuzzle) -> Iterator[str]:
    """The keys that say what is to be filled."""
    corner = tuple(map(min, zip(*puzzle.region, strict=True)))
    sides = [max(axis) - min(axis) + 1 for axis in zip(*puzzle.region, strict=True)]
    whole = prod(sides) == len(puzzle.region) <= MAX_CELLS
    drawable = _drawable(puzzle.region)
    drawn_fixed = drawable and bool(puzzle.fixed) and _drawable_fixed(puzzle)
    if drawable and (not whole or drawn_fixed or puzzle.optional):
        labels = dict.fromkeys(puzzle.optional, OPTIONAL)
        if drawn_fixed:
            labels |= {cell: piece.name for piece in puzzle.fixed for cell in piece.cells}
        if len(sides) == 3 and sides[2] == 1:
            yield "dimension = 3"
        if any(corner):
            yield f"origin = {_cell(corner)}"
        yield from _drawing("region", draw_layers(labels, puzzle.region))
    else:
        if whole:
            yield f"box = {_cell(tuple(sides))}"
            if any(corner):
                yield f"origin = {_cell(corner)}"
        else:
            yield from _cells("cells", puzzle.region)
        if puzzle.optional:
            yield from _cells("optional", puzzle.optional)
    for piece in () if drawn_fixed else puzzle.fixed:
        yield from ("", "[[fixed]]", f"name = {_string(piece.name)}")
        yield from _cells("cells", piece.cells)


def _drawable(cells: Cells) -> bool:
    """Whether a picture of `cells` is worth its size."""
    sides = [max(axis) - min(axis) + 1 for axis in zip(*cells, strict=True)]
    return len(sides) in (2, 3) and prod(sides) <= THINNEST * (8 + len(cells))


def _drawable_fixed(puzzle: PackingPuzzle) -> bool:
    """Whether a picture shows the fixed pieces by name, and in their order."""

    def first_seen(piece: FixedPiece) -> Cell:
        return min((-y, *z, x) for x, y, *z in piece.cells)

    fixed = puzzle.fixed
    return all(
        piece.cells
        and re.fullmatch(r"[^\s,\"\\]+", piece.name)
        and is_printable(piece.name)
        and piece.name not in (OPEN, OUTSIDE, OPTIONAL)
        and (len(piece.name) == 1 or not re.search(r"[.*?#]", piece.name))
        for piece in fixed
    ) and sorted(fixed, key=first_seen) == list(fixed)


def _piece(piece: Piece, common: Motions) -> Iterator[str]:
    yield from ("[[piece]]", f"name = {_string(piece.name)}")
    if (piece.min_count, piece.max_count) != (1, 1):
        same = piece.min_count == piece.max_count
        yield f"count = {piece.max_count if same else _cell((piece.min_count, piece.max_count))}"
    if piece.motions != common:
        yield f"motions = {_string(piece.motions)}"
    at_origin = not any(map(min, zip(*piece.cells, strict=True)))
    if at_origin and list(piece.cells) == sorted(piece.cells) and _drawable(piece.cells):
        sides = [max(axis) + 1 for axis in zip(*piece.cells, strict=True)]
        picture = draw_layers(dict.fromkeys(piece.cells, MARK), box(*sides))
        yield from _drawing("shape", picture)
    else:
        yield from _cells("cells", piece.cells)
    if piece.placements is not None:
        yield from _list("placements", _words(piece.placements))


def _drawing(key: str, picture: str) -> Iterator[str]:
    yield f'{key} = """'
    yield from picture.split("\n")
    yield '"""'


def _cells(key: str, cells: Cells) -> Iterator[str]:
    return _list(key, map(_cell, cells))


def _words(placements: Iterable[Cells]) -> Iterator[str]:
    """Lists of cells, cell by cell, so that a line can end after any of them."""
    for cells in placements:
        *first, last = map(_cell, cells)
        for number, word in enumerate([*first, f"{last}]"]):
            yield word if number else f"[{word}"


def _cell(cell: Cell) -> str:
    return f"[{', '.join(map(str, cell))}]"


def _list(key: str, values: Iterable[str]) -> Iterator[str]:
    """A list in lines of moderate width."""
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
    """`text` as a basic string of TOML; `PuzzleError` for one that would not be read."""
    if not is_printable(text):
        raise PuzzleError(
            f"the name {shorten(text)!a} is not printable; expected a printable name in TOML"
        )
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'
