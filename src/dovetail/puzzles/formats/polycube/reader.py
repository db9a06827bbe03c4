"""Reads polycube definition files; see the package for what they say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod

from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.files.text_file import TextFile
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.models.text_drawing import OUTSIDE
from dovetail.puzzles.formats.layered_text import (
    Picture,
    PictureError,
    at_origin,
    read_picture,
)
from dovetail.puzzles.polyominoes import box

MAX_SIDE = 1000
MAX_CELLS = 100_000
MAX_CHARACTERS = 500_000
AXES = ("xDim", "yDim", "zDim")


@dataclass
class _Definition:
    """One `D:` … `~D` as it is read; `taken` are the cells of `fixed` and `outside`."""

    line: int
    sides: Cell
    one_sided: bool
    moving: dict[str, Cells] = field(default_factory=dict)
    fixed: dict[str, Cells] = field(default_factory=dict)
    outside: Cells = ()
    taken: set[Cell] = field(default_factory=set)


def read_polycube(file: TextFile) -> tuple[PackingPuzzle, ...]:
    """The puzzles in `file`, named after it. Raises `FormatError` at the first mistake."""
    characters = sum(len(line) + 1 for line in file.lines)
    if characters > MAX_CHARACTERS:
        raise file.error(f"{characters:,} characters; expected at most {MAX_CHARACTERS:,}")
    definitions = list(_definitions(file))
    stem = file.stem
    if len(definitions) == 1:
        return (_puzzle(file, definitions[0], stem),)
    return tuple(
        _puzzle(file, definition, f"{stem}#{number}")
        for number, definition in enumerate(definitions, start=1)
    )


def _definitions(file: TextFile) -> Iterator[_Definition]:
    lines = file.content()
    for line, text in lines:
        directive, colon, rest = (part.strip() for part in text.partition(":"))
        if directive != "D" or not colon:
            raise file.error(f"{shorten(text)!r}; expected D: to begin a puzzle", line)
        definition = _begin(file, rest, line)
        _read_pieces(file, lines, definition)
        yield definition


def _read_pieces(file: TextFile, lines: Iterator[tuple[int, str]], definition: _Definition) -> None:
    """Everything up to `~D`."""
    for line, text in lines:
        directive, colon, rest = (part.strip() for part in text.partition(":"))
        if text == "~D":
            return
        if directive == "C" and colon:
            _add_listed(file, definition, rest, line)
        elif directive == "L":
            stationary = _stationary(file, rest, line) if colon else set()
            _add_drawn(file, lines, definition, stationary, line)
        else:
            raise file.error(
                f"{shorten(text)!r}; expected C: with a piece, L with a drawing, or ~D to end "
                f"the puzzle that begins on line {definition.line}",
                line,
            )
    raise file.error(
        f"the file ends; expected ~D to end the puzzle that begins on line {definition.line}",
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
        if not 1 <= side <= MAX_SIDE:
            raise file.error(f"{axis} is {side}; expected 1 to {MAX_SIDE}", line)
        sides.append(side)
    if prod(sides) > MAX_CELLS:
        raise file.error(f"the box has more than {MAX_CELLS:,} cells", line)
    if fields.get("oneSide"):
        raise file.error("oneSide has a value; expected the word alone", line)
    return _Definition(line, tuple(sides), "oneSide" in fields)


def _add_listed(file: TextFile, definition: _Definition, text: str, line: int) -> None:
    """A piece whose cells are listed: what follows `C:`."""
    fields = _fields(file, text, line, ("name", "type", "layout"))
    for key in ("name", "layout"):
        if not fields.get(key):
            raise file.error(f"the piece has no {key}", line)
    name, kind = fields["name"], fields.get("type", "M")
    if kind not in ("M", "S"):
        raise file.error(
            f"type {shorten(kind)!r}; expected M (it moves) or S (it is stationary)", line
        )
    cells = []
    for word in fields["layout"].split(","):
        numbers = word.split()
        if len(numbers) != 3:
            raise file.error(
                f"a cell of {how_many(len(numbers), 'coordinate')} in the layout; expected x y z",
                line,
            )
        cells.append(tuple(file.integer(number, line, "a coordinate") for number in numbers))
    if len(set(cells)) != len(cells):
        raise file.error(f"the layout of {shorten(name)!r} names a cell twice", line)
    _add(file, definition, name, tuple(cells), line, fixed=kind == "S")


def _stationary(file: TextFile, text: str, line: int) -> set[str]:
    """The labels of a drawing that are fixed: what follows `L:`."""
    names = _fields(file, text, line, ("stationary",))["stationary"].split()
    if not names:
        raise file.error("stationary= names no label; expected one or more of the drawing", line)
    return set(names)


def _add_drawn(
    file: TextFile,
    lines: Iterator[tuple[int, str]],
    definition: _Definition,
    stationary: set[str],
    line: int,
) -> None:
    """The pieces of a drawing: everything up to `~L`."""
    rows: list[tuple[int, str]] = []
    for number, text in lines:
        if text == "~L":
            break
        if ":" in text or "~" in text:
            raise file.error(
                f"{shorten(text)!r}; expected labels, or ~L to end the drawing that begins "
                f"on line {line}",
                number,
            )
        rows.append((number, text))
    else:
        raise file.error(
            f"the file ends; expected ~L to end the drawing that begins on line {line}",
            len(file.lines),
        )
    try:
        picture = read_picture([text for _, text in rows], ragged=not stationary)
    except PictureError as error:
        raise file.error(str(error), rows[error.row][0]) from None
    shapes = picture.shapes()
    if stationary:
        _check_stationary(file, definition, stationary, picture, line)
    for name, cells in shapes.items():
        fixed = name in stationary
        place = rows[picture.row_of(cells)][0]
        _add(file, definition, name, cells if fixed else at_origin(cells), place, fixed=fixed)


def _check_stationary(
    file: TextFile, definition: _Definition, stationary: set[str], picture: Picture, line: int
) -> None:
    """What stays where it is drawn must be drawn, in the box."""
    if picture.size != definition.sides:
        raise file.error(
            f"the drawing with a stationary piece is {_size(picture.size)}; "
            f"expected the size of the box, {_size(definition.sides)}",
            line,
        )
    # With nothing outside, an empty drawing for `*` is what people write.
    missing = stationary - {OUTSIDE, *picture.labels.values()}
    if missing:
        raise file.error(f"the drawing shows no stationary piece {shorten(min(missing))!r}", line)


def _add(
    file: TextFile, definition: _Definition, name: str, cells: Cells, line: int, *, fixed: bool
) -> None:
    file.check_name(name, line)
    outside = definition.outside and name == OUTSIDE
    if name in definition.moving or name in definition.fixed or outside:
        raise file.error(f"two pieces are called {shorten(name)!r}", line)
    if not fixed:
        _check_fit(file, definition, name, cells, line)
        definition.moving[name] = cells
        return
    _check_place(file, definition, name, cells, line)
    definition.taken.update(cells)
    if name == OUTSIDE:
        definition.outside = cells
    else:
        definition.fixed[name] = cells


def _check_fit(file: TextFile, definition: _Definition, name: str, cells: Cells, line: int) -> None:
    """A piece that moves must fit into the box, turned in some way."""
    extents = tuple(max(axis) - min(axis) + 1 for axis in zip(*cells, strict=True))
    if any(e > side for e, side in zip(sorted(extents), sorted(definition.sides), strict=True)):
        raise file.error(
            f"piece {shorten(name)!r} is {_size(extents)}: it does not fit into the box in any "
            f"orientation; expected a piece that fits into {_size(definition.sides)}",
            line,
        )


def _check_place(
    file: TextFile, definition: _Definition, name: str, cells: Cells, line: int
) -> None:
    """A stationary piece must lie in the box, where nothing else is."""
    for cell in cells:
        if not all(0 <= c < side for c, side in zip(cell, definition.sides, strict=True)):
            raise file.error(
                f"piece {shorten(name)!r} is outside the box: cell {cell}; "
                f"expected coordinates inside {_size(definition.sides)}",
                line,
            )
        if cell in definition.taken:
            raise file.error(
                f"stationary piece {shorten(name)!r} takes cell {cell}, which another "
                "stationary piece already takes",
                line,
            )


def _size(sides: Cell) -> str:
    return "x".join(map(str, sides))


def _puzzle(file: TextFile, definition: _Definition, name: str) -> PackingPuzzle:
    pieces = [*definition.moving.values(), *definition.fixed.values()]
    expected = prod(definition.sides) - len(definition.outside)
    filled = sum(map(len, pieces))
    if filled != expected:
        inside = "the cells of the box that are not outside"
        what = inside if definition.outside else "the volume of the box"
        raise file.error(
            f"the pieces fill {filled} cells; expected {expected}, {what}", definition.line
        )
    flat = definition.sides[2] == 1 and all(
        len({cell[2] for cell in cells}) == 1 for cells in pieces
    )
    dimension = 2 if flat else 3
    # In space a free piece is never reflected: oneSide says nothing more.
    motions = Motions.ONE_SIDED if definition.one_sided and flat else Motions.FREE
    outside = set(definition.outside)

    def cut(cells: Cells) -> Cells:
        return tuple(cell[:dimension] for cell in cells)

    try:
        return PackingPuzzle(
            name=name,
            lattice=SquareLattice(dimension),
            region=cut(tuple(c for c in box(*definition.sides) if c not in outside)),
            pieces=tuple(Piece(n, cut(c), motions=motions) for n, c in definition.moving.items()),
            fixed=tuple(FixedPiece(n, cut(c)) for n, c in definition.fixed.items()),
        )
    except PuzzleError as error:
        raise file.error(str(error), definition.line) from None
