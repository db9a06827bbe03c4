"""Polycube definition files.

    # comment
    D:xDim=4:yDim=2:zDim=1[:oneSide]
    C:name=A:type=M:layout=0 0 0, 1 0 0            # a piece that moves
    C:name=B:type=S:layout=0 0 0, 0 1 0            # a piece that is fixed there
    L                                              # pieces as drawn
    . C C . D
    . . . . D
    ~L
    L:stationary=*                                 # cells outside the region, as drawn
    . . . .
    . . . *
    ~L
    ~D

The format is that of Busche's solver polycube (polycube-busche, "Software"). A file may hold
several puzzles. A box with zDim=1 whose pieces are all flat is a puzzle in the plane. Its pieces
are free, or one-sided with `oneSide`. In space, `oneSide` has no effect.

A drawing is layered text (`layered_text`). Labels after `stationary=`, separated by white space,
are pieces that are fixed where they are drawn; a drawing with stationary pieces has the size of the
box. A stationary piece called `*` marks cells outside the region. Every other label but `.` is a
piece that moves, and that may be drawn anywhere. A drawing without stationary pieces may be ragged,
as in files that people have written: its lines need not be equally long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import prod

from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.files.text_file import LONGEST_LINE, TextFile, check_name, whole_number
from dovetail.models.lattices.kinds.square import SquareLattice, require_squares
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.packings.packing import FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.models.text_drawing import OPEN, OUTSIDE, draw_layers
from dovetail.printable import is_printable, printable
from dovetail.puzzles.formats.base import Format
from dovetail.puzzles.formats.layered_text import LayeredText, PictureError, read_picture
from dovetail.puzzles.polyominoes import box, extents, in_dimension, min_corner, moved_from

MAX_SIDE = 1000
MAX_CELLS = 100_000
MAX_CHARACTERS = 500_000
AXES = ("xDim", "yDim", "zDim")

Lines = Iterator[tuple[int, str]]


class Polycube(Format):
    """Polycube definition files."""

    name = "polycube"
    summary = "packing: definition file of Busche's polycube"
    suffixes = (".def", ".txt")
    begins = r"[DCL]\s*:|L$|~"
    first_line = "D:"
    several = True
    puzzle_type = PackingPuzzle

    def read_puzzles(self, file: TextFile) -> Sequence[PackingPuzzle]:
        """Return the puzzles in `file`, named after the file.

        If there are several puzzles, #1, #2 and so on follow the name.
        """
        characters = sum(len(line) + 1 for line in file.lines)
        if characters > MAX_CHARACTERS:
            raise file.error(f"the file has more than {MAX_CHARACTERS:,} characters")
        lines = file.content()
        definitions = [_Definition(file, lines, line, text) for line, text in lines]
        if len(definitions) == 1:
            return (definitions[0].puzzle(file.stem),)
        return tuple(
            definition.puzzle(f"{file.stem}#{number}")
            for number, definition in enumerate(definitions, start=1)
        )

    def write_puzzles(self, puzzles: Sequence[PackingPuzzle]) -> str:
        """Return the content of a file with `puzzles`; their names are comments.

        Pieces are written as lists of cells, and cells outside the region as a drawing of a
        stationary piece called `*`. The file is read as puzzles with the same digests, except that

        * the region is moved to least coordinates 0;
        * k copies of a piece A become k pieces A, A/2, A/3, …;
        * one-sided pieces in space become free pieces, which can be turned in the same ways there.

        Raises `PuzzleError` for properties that the format cannot express: a lattice other than
        squares and cubes, a large box or file, a piece that does not fit into the box, optional,
        marked or coloured cells, equal pieces that are not interchangeable, listed placements,
        ranges of copies, pieces that may not be turned, in the plane a mix of free and one-sided
        pieces, a flat puzzle in space, and names that the format cannot hold.
        """
        text = "\n".join(_definition_text(puzzle) for puzzle in puzzles)
        if len(text) > MAX_CHARACTERS or max(map(len, text.splitlines())) > LONGEST_LINE:
            raise PuzzleError(
                f"a polycube definition file would have more than {MAX_CHARACTERS:,} "
                f"characters, or more than {LONGEST_LINE:,} in a line"
            )
        return text


class _Definition:
    """A puzzle: the content of the lines from `D:` to `~D`."""

    def __init__(self, file: TextFile, lines: Lines, begin: int, head: str) -> None:
        self.file, self.begin = file, begin
        self.moving: dict[str, Cells] = {}
        self.fixed: dict[str, Cells] = {}
        self.outside: Cells = ()
        self.taken: set[Cell] = set()  # cells in `fixed` and `outside`
        with file.at(begin):
            directive, colon, rest = (part.strip() for part in head.partition(":"))
            if directive != "D" or not colon:
                raise PuzzleError(f"{shorten(head)!r}; expected D: to begin a puzzle")
            self._read_head(rest)
        for line, text in lines:
            if text == "~D":
                return
            with file.at(line):
                directive, colon, rest = (part.strip() for part in text.partition(":"))
                if directive == "C" and colon:
                    self._add_listed(rest)
                elif directive == "L":
                    self._add_drawn(lines, line, _stationary(rest) if colon else set())
                else:
                    raise PuzzleError(
                        f"{shorten(text)!r}; expected C: with a piece, L with a drawing, or ~D to "
                        f"end the puzzle that begins on line {begin}"
                    )
        raise file.error(
            f"the file ends; expected ~D to end the puzzle that begins on line {begin}",
            len(file.lines),
        )

    def puzzle(self, name: str) -> PackingPuzzle:
        """Return the puzzle; raise `FormatError` for pieces that cannot fill the box."""
        pieces = [*self.moving.values(), *self.fixed.values()]
        flat = self.sides[2] == 1 and all(len({cell[2] for cell in cells}) == 1 for cells in pieces)
        dimension = 2 if flat else 3
        # In space a free piece is never reflected, so oneSide has no effect.
        motions = Motions.ONE_SIDED if self.one_sided and flat else Motions.FREE
        outside = set(self.outside)
        region = tuple(cell for cell in box(*self.sides) if cell not in outside)
        with self.file.at(self.begin):
            return PackingPuzzle(
                name=name,
                lattice=SquareLattice(dimension),
                region=in_dimension(region, dimension),
                pieces=tuple(
                    Piece(name, in_dimension(cells, dimension), motions=motions)
                    for name, cells in self.moving.items()
                ),
                fixed=tuple(
                    FixedPiece(name, in_dimension(cells, dimension))
                    for name, cells in self.fixed.items()
                ),
            )

    def _read_head(self, text: str) -> None:
        """Read the text after `D:`."""
        fields = _fields(text, *AXES, "oneSide")
        sides = []
        for axis in AXES:
            if axis not in fields:
                raise PuzzleError(f"{axis} is missing; expected xDim, yDim and zDim")
            sides.append(whole_number(fields[axis], axis, (1, MAX_SIDE)))
        if prod(sides) > MAX_CELLS:
            raise PuzzleError(f"the box has more than {MAX_CELLS:,} cells")
        if fields.get("oneSide"):
            raise PuzzleError("oneSide has a value; expected the word alone")
        self.sides, self.one_sided = tuple(sides), "oneSide" in fields

    def _add_listed(self, text: str) -> None:
        """Add a piece whose cells are listed, from the text after `C:`."""
        fields = _fields(text, "name", "type", "layout")
        for key in ("name", "layout"):
            if not fields.get(key):
                raise PuzzleError(f"the piece has no {key}")
        name, kind = fields["name"], fields.get("type", "M")
        if kind not in ("M", "S"):
            raise PuzzleError(
                f"type {shorten(kind)!r}; expected M (it moves) or S (it is stationary)"
            )
        cells = []
        for word in fields["layout"].split(","):
            numbers = word.split()
            if len(numbers) != 3:
                raise PuzzleError(
                    f"a cell of {how_many(len(numbers), 'coordinate')} in the layout; "
                    "expected x y z"
                )
            cells.append(tuple(whole_number(number, "a coordinate") for number in numbers))
        if len(set(cells)) != len(cells):
            raise PuzzleError(f"the layout of {shorten(name)!r} names a cell twice")
        self._add(name, tuple(cells), fixed=kind == "S")

    def _add_drawn(self, lines: Lines, begin: int, stationary: set[str]) -> None:
        """Add the pieces of a drawing: everything up to `~L`."""
        rows: list[tuple[int, str]] = []
        for line, text in lines:
            if text == "~L":
                break
            if ":" in text or "~" in text:
                raise self.file.error(
                    f"{shorten(text)!r}; expected labels, or ~L to end the drawing that begins "
                    f"on line {begin}",
                    line,
                )
            rows.append((line, text))
        else:
            raise self.file.error(
                f"the file ends; expected ~L to end the drawing that begins on line {begin}",
                len(self.file.lines),
            )
        try:
            picture = read_picture([text for _, text in rows], ragged=not stationary)
        except PictureError as error:
            raise self.file.error(str(error), rows[error.row][0]) from None
        if stationary:
            self._check_stationary(stationary, picture)
        for name, cells in picture.shapes().items():
            fixed = name in stationary
            with self.file.at(rows[picture.row_of(cells)][0]):
                self._add(name, cells if fixed else SquareLattice(3).normalise(cells), fixed=fixed)

    def _check_stationary(self, stationary: set[str], picture: LayeredText) -> None:
        """Raise `PuzzleError` unless a drawing of the box's size shows all stationary pieces."""
        if picture.size != self.sides:
            raise PuzzleError(
                f"the drawing with a stationary piece is {_size(picture.size)}; "
                f"expected the size of the box, {_size(self.sides)}"
            )
        # `*` may be missing: if no cell is outside, people write a drawing without any `*`.
        missing = stationary - {OUTSIDE, *picture.labels.values()}
        if missing:
            raise PuzzleError(f"the drawing shows no stationary piece {shorten(min(missing))!r}")

    def _add(self, name: str, cells: Cells, *, fixed: bool) -> None:
        check_name(name)
        outside = self.outside and name == OUTSIDE
        if name in self.moving or name in self.fixed or outside:
            raise PuzzleError(f"two pieces are called {shorten(name)!r}")
        if not fixed:
            if not _fits(cells, self.sides):
                raise PuzzleError(
                    f"piece {shorten(name)!r} is {_size(extents(cells))}: it does not fit into "
                    "the box in any orientation; expected a piece that fits into "
                    f"{_size(self.sides)}"
                )
            self.moving[name] = cells
            return
        for cell in cells:
            inside = all(0 <= c < side for c, side in zip(cell, self.sides, strict=True))
            if not inside or cell in self.taken:
                raise PuzzleError(
                    f"stationary piece {shorten(name)!r} takes cell {cell}; expected a cell of "
                    f"the box of {_size(self.sides)} that no other stationary piece takes"
                )
        self.taken.update(cells)
        if name == OUTSIDE:
            self.outside = cells
        else:
            self.fixed[name] = cells


def _fields(text: str, *valid: str) -> dict[str, str]:
    """Return the values in a text by key; raise `PuzzleError` for an unknown or repeated key."""
    fields: dict[str, str] = {}
    for part in text.split(":"):
        key, _, value = (word.strip() for word in part.partition("="))
        if key not in valid:
            raise PuzzleError(f"unknown key {shorten(key)!r}; expected one of {', '.join(valid)}")
        if key in fields:
            raise PuzzleError(f"key {key} is given twice")
        fields[key] = value
    return fields


def _stationary(text: str) -> set[str]:
    """Return the labels of a drawing that are fixed, from the text after `L:`."""
    names = _fields(text, "stationary")["stationary"].split()
    if not names:
        raise PuzzleError("stationary= names no label; expected labels of the drawing")
    return set(names)


def _fits(cells: Cells, sides: Sequence[int]) -> bool:
    """Return True if the box around a piece fits into a box with `sides` in some orientation."""
    pairs = zip(sorted(extents(cells)), sorted(sides), strict=True)
    return all(extent <= side for extent, side in pairs)


def _size(sides: Sequence[int]) -> str:
    return "x".join(map(str, sides))


def _definition_text(puzzle: PackingPuzzle) -> str:
    require_squares(puzzle.lattice, "a polycube definition file")
    for what in _unsupported(puzzle):
        raise _unsayable(what)
    corner, sides = min_corner(puzzle.region), extents(puzzle.region)
    region = moved_from(puzzle.region, corner)
    moving = [(name, in_dimension(piece.cells, 3)) for name, piece in _copies(puzzle.pieces)]
    fixed = [
        (piece.name, in_dimension(moved_from(piece.cells, corner), 3)) for piece in puzzle.fixed
    ]
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


def _unsupported(puzzle: PackingPuzzle) -> Iterator[str]:
    """Yield the properties of a puzzle that the format cannot express, except names and sizes."""
    dimension = puzzle.lattice.dimension
    if dimension not in (2, 3):
        yield f"a puzzle of {how_many(dimension, 'dimension')}; expected two or three"
    if puzzle.optional:
        yield "cells that may stay empty"
    if puzzle.markings:
        yield "marked cells"
    if puzzle.colours:
        yield "colours of cells"
    if not puzzle.interchangeable and puzzle.has_equal_pieces:
        yield "equal pieces that are not interchangeable"
    for piece in puzzle.pieces:
        yield from _unsupported_of(piece)
    if dimension == 2 and len({piece.motions for piece in puzzle.pieces}) > 1:
        yield "a mix of free and one-sided pieces"
    shapes = [puzzle.region, *(p.cells for p in puzzle.pieces), *(p.cells for p in puzzle.fixed)]
    if dimension == 3 and all(len({cell[2] for cell in cells}) == 1 for cells in shapes):
        yield "a solid puzzle of a single layer, which would be read as flat"


def _unsupported_of(piece: Piece) -> Iterator[str]:
    name, low, high = shorten(piece.name), piece.min_count, piece.max_count
    if piece.placements is not None:
        yield f"listed placements (piece {name!r})"
    if low != high:
        yield f"a variable number of copies (piece {name!r}: {low} to {high})"
    if piece.motions == Motions.FIXED:
        yield f"pieces that must not be turned ({name!r})"


def _unsayable(what: str) -> PuzzleError:
    return PuzzleError(f"polycube definition files do not support {what}")


def _copies(pieces: tuple[Piece, ...]) -> Iterator[tuple[str, Piece]]:
    """Yield every copy of every piece with its name: A, A/2, A/3, … for the copies of A."""
    if sum(piece.max_count for piece in pieces) > MAX_CELLS:
        raise _unsayable(f"more than {MAX_CELLS:,} pieces")
    for piece in pieces:
        for copy in range(1, piece.max_count + 1):
            yield piece.name if copy == 1 else f"{piece.name}/{copy}", piece


def _check_box(sides: Sequence[int], moving: list[Cells]) -> None:
    """Raise `PuzzleError` for a box that is too large, and for a piece that does not fit in it."""
    size = _size(sides)
    if max(sides) > MAX_SIDE or prod(sides) > MAX_CELLS:
        raise _unsayable(
            f"a box of {size}; expected at most {MAX_CELLS:,} cells and sides of at most {MAX_SIDE}"
        )
    for cells in moving:
        if not _fits(cells, [*sides, 1][:3]):
            raise _unsayable(f"a piece that does not fit into the box of {size}")


def _check_names(moving: list[str], fixed: list[str], *, outside: bool) -> None:
    """Raise `PuzzleError` for a name that the format cannot hold, or that two pieces have."""
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
