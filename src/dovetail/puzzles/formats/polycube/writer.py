"""Writes polycube definition files; see the package for what they say.

Pieces are written as lists of cells, what is outside the region as a drawing of a stationary
piece called `*`. What is written is read as a puzzle with the same digest, save that

* the region is moved to where its least coordinates are 0;
* k copies of a piece A become k pieces A, A/2, A/3, …;
* one-sided pieces in space become free ones, which can be turned in the same ways there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import prod

from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.files.text_file import LONGEST_LINE
from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.square import require_squares
from dovetail.models.packing import Motions, PackingPuzzle, Piece
from dovetail.models.text_drawing import OPEN, OUTSIDE, draw_layers
from dovetail.printable import is_printable, printable
from dovetail.puzzles.formats.polycube.reader import AXES, MAX_CELLS, MAX_CHARACTERS, MAX_SIDE


def write_polycube(puzzles: Sequence[PackingPuzzle]) -> str:
    """A file with `puzzles`, which are known by their place in it; names are comments.

    Raises `PuzzleError` for what the format cannot say: other than squares and cubes,
    optional or marked cells, equal pieces that are not interchangeable, listed placements, ranges
    of copies, pieces that may not be turned or
    differ in how they may, a flat puzzle in space, and names that would be read otherwise.
    """
    if not puzzles:
        raise PuzzleError("no puzzles given; expected at least one")
    text = "\n".join(_definition(puzzle) for puzzle in puzzles)
    if len(text) > MAX_CHARACTERS or max(map(len, text.splitlines())) > LONGEST_LINE:
        raise PuzzleError(
            f"too large for a polycube definition file: more than {MAX_CHARACTERS:,} "
            f"characters, or {LONGEST_LINE:,} in a line"
        )
    return text


def _definition(puzzle: PackingPuzzle) -> str:
    _check_sayable(puzzle)
    corner = tuple(map(min, zip(*puzzle.region, strict=True)))
    region = _moved(puzzle.region, corner)
    sides = [max(axis) + 1 for axis in zip(*region, strict=True)]
    moving = [(name, _spatial(piece.cells)) for name, piece in _copies(puzzle.pieces)]
    fixed = [(piece.name, _spatial(_moved(piece.cells, corner))) for piece in puzzle.fixed]
    outside = len(region) < prod(sides)
    _check_box(sides, [cells for _, cells in moving])
    _check_names([name for name, _ in moving], [name for name, _ in fixed], outside=outside)
    flat = puzzle.lattice.dimension == 2
    head = ":".join(f"{axis}={side}" for axis, side in zip(AXES, [*sides, 1][:3], strict=True))
    one_sided = flat and any(piece.motions == Motions.ONE_SIDED for piece in puzzle.pieces)
    lines = [
        f"# {printable(shorten(puzzle.name))}",
        f"D:{head}:oneSide" if one_sided else f"D:{head}",
        *(f"C:name={name}:type=M:layout={_layout(cells)}" for name, cells in moving),
        *(f"C:name={name}:type=S:layout={_layout(cells)}" for name, cells in fixed),
    ]
    if outside:
        lines += [f"L:stationary={OUTSIDE}", draw_layers({}, region), "~L"]
    return "\n".join([*lines, "~D", ""])


def _check_sayable(puzzle: PackingPuzzle) -> None:
    """Refuse what the format has no words for, names and sizes aside."""
    require_squares(puzzle.lattice, "a polycube definition file")
    dimension = puzzle.lattice.dimension
    if dimension not in (2, 3):
        raise _unsayable(f"a puzzle of {how_many(dimension, 'dimension')}; expected two or three")
    distinct = not puzzle.interchangeable and len(set(puzzle.equal_pieces)) < len(puzzle.pieces)
    for what, present in (
        ("cells that may stay empty", puzzle.optional),
        ("marked cells", puzzle.markings),
        ("equal pieces that are not interchangeable", distinct),
    ):
        if present:
            raise _unsayable(what)
    for piece in puzzle.pieces:
        if piece.placements is not None:
            raise _unsayable(f"listed placements (piece {shorten(piece.name)!r})")
        if piece.min_count != piece.max_count:
            raise _unsayable(
                f"a variable number of copies (piece {shorten(piece.name)!r}: {piece.min_count} "
                f"to {piece.max_count})"
            )
        if piece.motions == Motions.FIXED:
            raise _unsayable(f"pieces that must not be turned ({shorten(piece.name)!r})")
    if dimension == 2 and len({piece.motions for piece in puzzle.pieces}) > 1:
        raise _unsayable("a mix of free and one-sided pieces")
    for fixed in puzzle.fixed:
        if not fixed.cells:
            raise _unsayable(f"fixed piece {shorten(fixed.name)!r} without cells")
    shapes = [puzzle.region, *(p.cells for p in puzzle.pieces), *(p.cells for p in puzzle.fixed)]
    if dimension == 3 and all(len({cell[2] for cell in cells}) == 1 for cells in shapes):
        raise _unsayable("a solid puzzle of a single layer, which would be read as flat")


def _unsayable(what: str) -> PuzzleError:
    return PuzzleError(f"polycube definition files do not support {what}")


def _moved(cells: Cells, corner: tuple[int, ...]) -> Cells:
    return tuple(
        tuple(c - min_count for c, min_count in zip(cell, corner, strict=True)) for cell in cells
    )


def _spatial(cells: Cells) -> Cells:
    """`cells` with three coordinates."""
    return tuple((*cell, 0)[:3] for cell in cells)


def _copies(pieces: tuple[Piece, ...]) -> Iterator[tuple[str, Piece]]:
    """Every copy of every piece under a name of its own."""
    if sum(piece.max_count for piece in pieces) > MAX_CELLS:
        raise _unsayable(f"more than {MAX_CELLS:,} pieces")
    for piece in pieces:
        for copy in range(1, piece.max_count + 1):
            yield piece.name if copy == 1 else f"{piece.name}/{copy}", piece


def _check_box(sides: list[int], moving: list[Cells]) -> None:
    """The box has bounds, and a reader expects of every piece that it fits into it."""
    size = "x".join(map(str, sides))
    if max(sides) > MAX_SIDE or prod(sides) > MAX_CELLS:
        raise _unsayable(
            f"a box of {size}; expected at most {MAX_CELLS:,} cells and sides of at most {MAX_SIDE}"
        )
    for cells in moving:
        extents = sorted(max(axis) - min(axis) + 1 for axis in zip(*cells, strict=True))
        if any(e > side for e, side in zip(extents, sorted([*sides, 1][:3]), strict=True)):
            raise _unsayable(f"a piece that does not fit into the box of {size}")


def _check_names(moving: list[str], fixed: list[str], *, outside: bool) -> None:
    """A name must be read as it is written, and name one thing."""
    seen: set[str] = set()
    for name in [*moving, *fixed]:
        if name in seen:
            raise _unsayable(
                f"copies of a piece whose name {shorten(name)!r} is taken by another piece"
            )
        seen.add(name)
        if not re.fullmatch(r"[^\s:#=,~]+", name) or not is_printable(name) or name == OPEN:
            raise _unsayable(f"the piece name {printable(shorten(name))!r}")
    if OUTSIDE in fixed or (outside and OUTSIDE in moving):
        raise _unsayable(f"the piece name {OUTSIDE!r}, which stands for cells outside the region")


def _layout(cells: Cells) -> str:
    return ", ".join(" ".join(map(str, cell)) for cell in cells)
