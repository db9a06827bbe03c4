"""Regions of triangles, hexagons and edges whose counts were published."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dovetail.errors import PuzzleError, unknown_name
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.puzzles.polyform_sets import SETS

BLANKS = " ."


@dataclass(frozen=True)
class PublishedRegion:
    """What a whole set of pieces fills, and in how many ways up to symmetry.

    With `pieces_left_out` so many of the pieces remain, whichever they are.
    """

    set_name: str
    drawing: str
    solutions: int
    pieces_left_out: int = 0

    def puzzle(self, name: str) -> PackingPuzzle:
        """The puzzle, to be called `name`."""
        forms = SETS[self.set_name]
        min_count = 0 if self.pieces_left_out else 1
        pieces = (
            Piece(piece, cells, min_count, motions=forms.motions)
            for piece, cells in forms().items()
        )
        region = drawn_cells(forms.lattice, self.drawing)
        return PackingPuzzle(name, forms.lattice, region, tuple(pieces))


@cache
def published_regions() -> Mapping[tuple[str, str], PublishedRegion]:
    """All of them, by the names of the set and of the shape."""
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return {
        (set_name, shape): PublishedRegion(
            set_name,
            table["region"],
            table["solutions"],
            table.get("pieces_left_out", 0),
        )
        for set_name, shapes in tomllib.loads(text).items()
        for shape, table in shapes.items()
    }


def published_puzzle(set_name: str, shape: str) -> PackingPuzzle:
    """The puzzle SET-SHAPE.

    Raises `ConfigError` for an unknown shape, with those of the set.
    """
    found = published_regions().get((set_name, shape))
    if found is None:
        shapes = (shape for name, shape in published_regions() if name == set_name)
        raise unknown_name(f"region for {set_name}", shape, shapes)
    return found.puzzle(f"{set_name}-{shape}")


def drawn_cells(lattice: Lattice, drawing: str) -> Cells:
    """The cells at the marks of a drawing whose last line is row 0.

    Raises `PuzzleError` for a mark where the lattice has no cell.
    """
    cells = []
    for row, line in enumerate(reversed(drawing.splitlines())):
        for column, mark in enumerate(line):
            if mark not in BLANKS:
                cell = lattice.text_cell((column, row))
                if cell is None:
                    raise PuzzleError(f"{mark!r} in column {column}, row {row} is at no cell")
                cells.append(cell)
    return tuple(sorted(cells))
