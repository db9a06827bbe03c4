"""Drawings in TOML: the cells of each label.

Drawings are layered text. On squares, the place of a cell is its position. On any other lattice,
the lattice defines which places have cells, and the bottom left of the drawing is place 0 0.
Leading places are counted even if they have no cell. Spaces only separate places.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from dovetail.errors import FormatError, how_many, shorten
from dovetail.files.text_file import TextFile
from dovetail.files.validation import Arguments, Location, line_of, located
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.text_drawing import OPEN, OUTSIDE
from dovetail.printable import is_printable
from dovetail.puzzles.formats.layered_text import (
    MARKS,
    LayeredText,
    PictureError,
    read_picture,
    separate_cells,
)
from dovetail.puzzles.polyominoes import in_dimension

# Label that may be used instead of `*` at places without a cell, such as points between edges.
POINT = "+"


class TomlDrawing:
    """The drawing at the key `at` of `file`, without its blank lines.

    Labels are `named`, except in a drawing of a single piece, in which the label has no meaning.
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
        """True if the drawing has several layers."""
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
        """Return the cells of the single piece in the drawing, moved to the standard position."""
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
        cells = in_dimension(tuple(places), axes)
        return cells if squares else lattice.text_cells(cells)

    def _error(self, message: str, number: int) -> FormatError:
        """Return an error in line `number` of the drawing, counted from 0 without blank lines."""
        if isinstance(self._file, Arguments):
            return located(self._file, self._at, f"line {number + 1}: {message}")
        start = line_of(self._file, self._at) or 1
        first = self._file.lines[start - 1]
        if re.search(r"\"\"\"|'''", first):
            below = self._rows[number] + bool(re.search(r"(\"\"\"|''')\s*$", first))
            start = min(start + below, len(self._file.lines))
        return self._file.error(message, start)
