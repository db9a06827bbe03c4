"""Drawings in TOML files: layered text, and the cells of a lattice that stand there.

On squares a cell stands where it lies. On any other lattice it stands at its place in text, and the
bottom left of the drawing is place 0 0, so that leading places without a cell count; spaces, which
separate places, never do.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from dovetail.errors import FormatError, how_many, shorten
from dovetail.files.text_file import TextFile
from dovetail.files.validation import Location, line_of, located
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.text_drawing import OPEN, OUTSIDE
from dovetail.printable import is_printable
from dovetail.puzzles.formats.layered_text import Picture, PictureError, read_picture

# Where a lattice has no cell, as at the points between edges, this stands for `*`.
POINT = "+"


class Drawing:
    """The drawing at the key `at` of `file`, its blank lines left out.

    Raises `FormatError` for what is no picture, in its line.
    """

    def __init__(self, file: TextFile, at: Location, text: str) -> None:
        self._file, self._at = file, at
        rows = [(row, line) for row, line in enumerate(text.split("\n")) if line.strip()]
        self._rows = [row for row, _ in rows]
        if not rows:
            raise located(file, at, "the drawing is empty")
        for number, (_, line) in enumerate(rows):
            for label in re.split(r"[\s,]+", line.strip()):
                if len(label) > 1 and re.search(r"[.*?#]", label):
                    raise self._error(
                        f"label {shorten(label)!r}; expected white space between cells", number
                    )
                if not is_printable(label):
                    raise self._error(
                        f"label {shorten(label)!a}; expected printable characters", number
                    )
        try:
            self._picture: Picture = read_picture([line for _, line in rows])
        except PictureError as error:
            raise self._error(str(error), error.row) from None

    @property
    def has_layers(self) -> bool:
        """Whether there are several."""
        return self._picture.size[2] > 1

    def shapes(self, lattice: Lattice, blank: Collection[str]) -> dict[str, Cells]:
        """The cells of each label but those in `blank`, sorted; labels in reading order.

        Raises `FormatError` for a label where the lattice has no cell.
        """
        cells: dict[str, list[Cell]] = {}
        labels = {
            place: label for place, label in self._picture.labels.items() if label not in blank
        }
        found = self._cells(lattice, list(labels))
        for (place, label), cell in zip(labels.items(), found, strict=True):
            if cell is not None:
                cells.setdefault(label, []).append(cell)
            elif label != POINT:
                raise self._error(
                    f"label {shorten(label)!r} where there is no cell {lattice.phrase}; expected "
                    f"{OUTSIDE} or {POINT} (leading {OUTSIDE} or {OPEN} count as places, spaces do "
                    "not)",
                    self._picture.row_of((place,)),
                )
        return {label: tuple(sorted(its)) for label, its in cells.items()}

    def piece(self, lattice: Lattice) -> Cells:
        """The one piece that is drawn, moved to a standard position."""
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
        """The cell at each place, None where the lattice has none."""
        if isinstance(lattice, SquareLattice):
            if any(any(place[lattice.dimension :]) for place in places):
                raise located(
                    self._file,
                    self._at,
                    "the drawing has more dimensions than the puzzle; expected "
                    f"{lattice.dimension}",
                )
            return [in_dimension(place, lattice.dimension) for place in places]
        axes = len(lattice.text_place(lattice.fundamental_cells[0]))
        if any(any(place[axes:]) for place in places):
            raise located(
                self._file, self._at, f"the drawing has layers; cells {lattice.phrase} have none"
            )
        return lattice.text_cells([place[:axes] for place in places])

    def _error(self, message: str, number: int) -> FormatError:
        """An error in a line of the drawing, counted without blank ones."""
        start = line_of(self._file, self._at) or 1
        first = self._file.lines[start - 1]
        if re.search(r"\"\"\"|'''", first):
            below = self._rows[number] + bool(re.search(r"(\"\"\"|''')\s*$", first))
            start = min(start + below, len(self._file.lines))
        return self._file.error(message, start)


def in_dimension(cell: Cell, dimension: int) -> Cell:
    """`cell` with zeros put behind its coordinates, or with some taken away there."""
    return (*cell, *[0] * (dimension - len(cell)))[:dimension]
