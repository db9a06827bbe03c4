"""The problems of an xmpuzzle file, their shapes looked up."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.files.text_file import TextFile
from dovetail.files.xml_tree import Element
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.puzzles.formats.burrtools.grids import Grid

MAX_POSITION = 1_000_000


@dataclass(frozen=True)
class Shape:
    """A voxel element: the positions of its cells, and the colours of all, 0 for none."""

    line: int
    name: str
    hotspot: Cell
    filled: Cells
    variable: Cells
    colours: dict[Cell, int]

    def __len__(self) -> int:
        """How many cells it has, variable ones included."""
        return len(self.filled) + len(self.variable)


@dataclass(frozen=True)
class Part:
    """A piece of a problem."""

    name: str
    shape: Shape
    min_count: int
    max_count: int


@dataclass(frozen=True)
class Problem:
    """A problem element; `allowed` has the pairs of its bitmap, a piece's colour and a result's."""

    element: Element
    grid: Grid
    parts: tuple[Part, ...]
    result: Shape
    allowed: frozenset[tuple[int, int]]


def coordinate(file: TextFile, word: str, line: int, what: str, limit: int = MAX_POSITION) -> int:
    """`word` as a coordinate within ±`limit`."""
    coordinate = file.integer(word, line, what)
    if abs(coordinate) > limit:
        raise file.error(f"{what} is {coordinate}; expected at most ±{limit:,}", line)
    return coordinate
