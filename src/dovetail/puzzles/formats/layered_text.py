"""Layered text, in which several formats show pieces and regions.

Layered text is a picture of labelled cells in two or three dimensions. The first line is the
largest y, x runs to the right, and the comma-separated blocks of a line are z = 0, 1, 2, … The
lattice defines the place of a cell; on a square lattice, the place is the cell's position.
A cell is shown by its label: `.` is an open cell, `?` a cell that may stay empty and `*` a cell
outside the region. White space separates labels, which may differ in width. `models.text_drawing`
draws layered text.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.text_drawing import OPEN, OPTIONAL, OUTSIDE

# Characters that cannot occur in a label of several characters.
MARKS = frozenset({OPEN, OUTSIDE, OPTIONAL, "#"})


class PictureError(PuzzleError):
    """An invalid picture."""

    def __init__(self, message: str, row: int) -> None:
        super().__init__(message)
        self.row = row  # number of the invalid line, from 0


@dataclass(frozen=True)
class LayeredText:
    """The content of a picture."""

    # Extents along x, y and z.
    size: Cell
    # Label of every drawn cell, in reading order: line by line from the top, from left to right.
    labels: dict[Cell, str]

    def shapes(self, blank: Collection[str] = (OPEN,)) -> dict[str, Cells]:
        """Return the sorted cells of each label that is not `blank`, labels in reading order."""
        cells: dict[str, list[Cell]] = {}
        for cell, label in self.labels.items():
            if label not in blank:
                cells.setdefault(label, []).append(cell)
        return {label: tuple(sorted(members)) for label, members in cells.items()}

    def row_of(self, cells: Cells) -> int:
        """Return the number, from 0, of the uppermost line of the picture with any of `cells`."""
        return self.size[1] - 1 - max(y for _, y, _ in cells)


def separate_cells(lines: Sequence[str], *, named: bool = True) -> list[str]:
    """Return the lines of a picture with white space between cells.

    Lines with white space between cells are returned unchanged. A tight picture has no white space:
    each of its characters is a cell, as in `##.`. A single column of names looks the same. If
    labels are not `named`, as in the picture of a single piece, the picture is tight. With `named`
    labels, the picture is tight if a word of several characters contains `.`, `*`, `?` or `#`.
    Otherwise, the picture is a column if a word is one of these characters and all lines are
    aligned at the right.

    Raises `PictureError` if the picture can be either, and for lines of a tight picture that begin
    in different columns.
    """
    blocks = [[block.strip() for block in line.split(",")] for line in lines]
    words = [(word, row) for row, line in enumerate(blocks) for word in line]
    labels = [(word, row) for word, row in words if len(word) > 1]
    if not labels or any(len(word.split()) > 1 for word, _ in labels):
        return list(lines)
    if named and not any(MARKS & set(word) for word, _ in labels):
        is_aligned = len({len(line.rstrip()) for line in lines}) == 1
        if is_aligned and any(word in MARKS for word, _ in words):
            return list(lines)
        word, row = labels[0]
        raise PictureError(
            f"{shorten(word)!r} is the name of a cell or {len(word)} cells; expected white space "
            f"between cells, or a cell {OUTSIDE} in each line",
            row,
        )
    margins = [len(line) - len(line.lstrip()) for line in lines]
    for row, margin in enumerate(margins):
        if margin != margins[0]:
            spaces = f"begins with {how_many(margin, 'space')}, the first with {margins[0]}"
            raise PictureError(
                f"the line {spaces}; expected {OPEN} or {OUTSIDE} for a place without a cell", row
            )
    return [",".join(" ".join(word) for word in line) for line in blocks]


def read_picture(lines: Sequence[str], *, ragged: bool = False) -> LayeredText:
    """Return the picture in `lines`, including cells `.` and `*`; the least coordinates are 0.

    Raises `PictureError` if lines or their blocks differ in length, unless the picture may be
    `ragged`: then cells beyond the end of a short line are not drawn.
    """
    labels: dict[Cell, str] = {}
    width = depth = 0
    for row, line in enumerate(lines):
        blocks = [block.split() for block in line.split(",")]
        if row == 0:
            width, depth = len(blocks[0]), len(blocks)
        if not ragged and len(blocks) != depth:
            raise PictureError(
                f"the line has {how_many(len(blocks), 'layer')}; expected {depth} as in the first",
                row,
            )
        for z, block in enumerate(blocks):
            if not ragged and len(block) != width:
                raise PictureError(
                    f"{how_many(len(block), 'cell')} in a row; expected {width} as in the first",
                    row,
                )
            for x, label in enumerate(block):
                labels[x, len(lines) - 1 - row, z] = label
        width, depth = max(width, *map(len, blocks)), max(depth, len(blocks))
    return LayeredText((width, len(lines), depth), labels)
