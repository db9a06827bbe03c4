"""Polycube definition files with coordinate layouts.

    # comment
    D:xDim=4:yDim=4:zDim=4[:oneSide]
    C:name=A:type=M:layout=0 0 2, 1 0 2, 2 0 2     # a piece that moves
    C:name=B:type=S:layout=0 0 0, 0 1 0            # one that is fixed there
    ~D

The format is that of Busche's solver polycube (polycube-busche, "Software"). A file may hold
several puzzles. A box with zDim=1 whose pieces are all flat is a puzzle in the plane, its
pieces free, or one-sided with `oneSide`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod

from dovetail.errors import PuzzleError, shorten
from dovetail.models.lattice import Cell, Cells, SquareLattice
from dovetail.models.packing import FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.puzzles.formats.text_file import TextFile
from dovetail.puzzles.polyominoes import box

MOST_SIDE = 1000
MOST_CELLS = 1_000_000
AXES = ("xDim", "yDim", "zDim")


@dataclass
class _Definition:
    """One `D:` … `~D` as it is read."""

    line: int
    sides: Cell
    one_sided: bool
    names: set[str] = field(default_factory=set)
    moving: list[tuple[str, Cells, int]] = field(default_factory=list)
    fixed: list[tuple[str, Cells, int]] = field(default_factory=list)


def read_polycube(file: TextFile) -> tuple[PackingPuzzle, ...]:
    """The puzzles in `file`, named after it. Raises `FormatError` at the first mistake."""
    definitions = list(_definitions(file))
    stem = file.path.stem
    if len(definitions) == 1:
        return (_puzzle(file, definitions[0], stem),)
    return tuple(
        _puzzle(file, definition, f"{stem}#{number}")
        for number, definition in enumerate(definitions, start=1)
    )


def _definitions(file: TextFile) -> Iterator[_Definition]:
    current: _Definition | None = None
    for line, text in file.content():
        directive, colon, rest = (part.strip() for part in text.partition(":"))
        if current is None:
            if directive != "D" or not colon:
                raise file.error(f"{shorten(text)!r}; expected D: to begin a puzzle", line)
            current = _begin(file, rest, line)
        elif text == "~D":
            yield current
            current = None
        elif directive == "C" and colon:
            _add_piece(file, current, rest, line)
        else:
            raise file.error(
                f"{shorten(text)!r}; expected C: with a piece, or ~D to end the puzzle that "
                f"begins in line {current.line}",
                line,
            )
    if current is not None:
        raise file.error(
            f"the file ends; expected ~D to end the puzzle that begins in line {current.line}",
            len(file.lines),
        )


def _fields(file: TextFile, text: str, line: int, valid: tuple[str, ...]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for part in text.split(":"):
        key, _, value = (word.strip() for word in part.partition("="))
        if key not in valid:
            raise file.error(
                f"unknown key {shorten(key)!r}; expected one of {', '.join(valid)}", line
            )
        if key in fields:
            raise file.error(f"key {key} is given twice", line)
        fields[key] = value
    return fields


def _begin(file: TextFile, text: str, line: int) -> _Definition:
    fields = _fields(file, text, line, (*AXES, "oneSide"))
    sides = []
    for axis in AXES:
        if axis not in fields:
            raise file.error(f"{axis} is missing; expected xDim, yDim and zDim", line)
        side = file.integer(fields[axis], line, axis)
        if not 1 <= side <= MOST_SIDE:
            raise file.error(f"{axis} is {side}; expected 1 to {MOST_SIDE}", line)
        sides.append(side)
    if sides[0] * sides[1] * sides[2] > MOST_CELLS:
        raise file.error(f"the box has more than {MOST_CELLS:,} cells", line)
    if fields.get("oneSide"):
        raise file.error("oneSide has a value; expected the word alone", line)
    return _Definition(line, tuple(sides), "oneSide" in fields)


def _add_piece(file: TextFile, definition: _Definition, text: str, line: int) -> None:
    fields = _fields(file, text, line, ("name", "type", "layout"))
    for key in ("name", "layout"):
        if not fields.get(key):
            raise file.error(f"the piece has no {key}", line)
    name = fields["name"]
    if name in definition.names:
        raise file.error(f"two pieces are called {shorten(name)!r}", line)
    definition.names.add(name)
    kind = fields.get("type", "M")
    if kind not in ("M", "S"):
        raise file.error(
            f"type {shorten(kind)!r}; expected M (it moves) or S (it is stationary)", line
        )
    cells = []
    for word in fields["layout"].split(","):
        numbers = word.split()
        if len(numbers) != 3:
            raise file.error(
                f"a cell of {len(numbers)} coordinates in the layout; expected x y z", line
            )
        cells.append(tuple(file.integer(number, line, "a coordinate") for number in numbers))
    if len(set(cells)) != len(cells):
        raise file.error(f"the layout of {shorten(name)!r} names a cell twice", line)
    pieces = definition.fixed if kind == "S" else definition.moving
    pieces.append((name, tuple(cells), line))
    _check_size(file, definition, name, tuple(cells), kind == "S", line)


def _check_size(
    file: TextFile, definition: _Definition, name: str, cells: Cells, fixed: bool, line: int
) -> None:
    """A piece must lie in the box, or fit it turned in some way."""
    sides = definition.sides
    size = "x".join(map(str, sides))
    if fixed:
        for cell in cells:
            if not all(0 <= c < side for c, side in zip(cell, sides, strict=True)):
                raise file.error(
                    f"piece {shorten(name)!r} is outside the box: cell {cell}; "
                    f"expected coordinates inside {size}",
                    line,
                )
        return
    extents = [max(axis) - min(axis) + 1 for axis in zip(*cells, strict=True)]
    if any(need > side for need, side in zip(sorted(extents), sorted(sides), strict=True)):
        need = "x".join(map(str, extents))
        raise file.error(
            f"piece {shorten(name)!r} is {need}: it lies outside the box however it is turned; "
            f"expected a piece that fits into {size}",
            line,
        )


def _puzzle(file: TextFile, definition: _Definition, name: str) -> PackingPuzzle:
    pieces = definition.moving + definition.fixed
    volume, filled = prod(definition.sides), sum(len(cells) for _, cells, _ in pieces)
    if volume != filled:
        raise file.error(
            f"the pieces fill {filled} cells; expected {volume}, the volume of the box",
            definition.line,
        )
    flat = definition.sides[2] == 1 and all(
        len({cell[2] for cell in cells}) == 1 for _, cells, _ in pieces
    )
    if definition.one_sided and not flat:
        raise file.error(
            "oneSide is for flat puzzles; expected zDim=1 and pieces with one z", definition.line
        )
    dimension = 2 if flat else 3
    motions = Motions.ONE_SIDED if definition.one_sided else Motions.FREE

    def cut(cells: Cells) -> Cells:
        return tuple(cell[:dimension] for cell in cells)

    try:
        return PackingPuzzle(
            name=name,
            lattice=SquareLattice(dimension),
            region=box(*definition.sides[:dimension]),
            pieces=tuple(Piece(n, cut(c), motions=motions) for n, c, _ in definition.moving),
            fixed=tuple(FixedPiece(n, cut(c)) for n, c, _ in definition.fixed),
        )
    except PuzzleError as error:
        raise file.error(str(error), definition.line) from None
