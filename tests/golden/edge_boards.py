"""The boards with ground truth: `edges/README.md` says where they come from."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dovetail.models.boards.edges import BORDER, EdgePuzzle, Hint, canonical_turn, turned
from dovetail.models.boards.geometry import NORTH, SOUTH, WEST
from dovetail.puzzles.loading import load

FOLDER = Path(__file__).with_name("edges")
COMMUNITY = (
    Path(__file__).resolve().parents[3] / "shared" / "data" / "edge" / "community"
) / "brendan-06x06.txt"
needs_community = pytest.mark.skipif(
    not COMMUNITY.is_file(), reason=f"third-party data: the community's board is not at {COMMUNITY}"
)


def board(name: str) -> EdgePuzzle:
    """A board by the name of its file."""
    return edge_puzzle(FOLDER / f"{name}.txt")


def edge_puzzle(path: Path) -> EdgePuzzle:
    """A board from a file."""
    puzzle = load(path)
    assert isinstance(puzzle, EdgePuzzle)
    return puzzle


def truth(name: str) -> dict[str, str]:
    """The row of the ground truth for a board."""
    lines = (FOLDER / "groundtruth.csv").read_text().splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return next(row for row in rows if row["file"] == f"{name}.txt")


def with_first_corner(puzzle: EdgePuzzle, order: str = "bottom-up") -> EdgePuzzle:
    """The first corner tile of the file at the left end of the row where an order begins."""
    return _cornered(puzzle, next(_corner_tiles(puzzle)), order)


def with_single_corner(puzzle: EdgePuzzle, order: str = "bottom-up") -> EdgePuzzle:
    """The same with the first corner tile that has no twin: one of each board's turns is left."""
    kinds = Counter(map(canonical_turn, puzzle.tiles))
    tile = next(t for t in _corner_tiles(puzzle) if kinds[canonical_turn(puzzle.tiles[t])] == 1)
    return _cornered(puzzle, tile, order)


def _corner_tiles(puzzle: EdgePuzzle) -> Iterator[int]:
    return (number for number, tile in enumerate(puzzle.tiles) if tile.count(BORDER) == 2)


def _cornered(puzzle: EdgePuzzle, tile: int, order: str) -> EdgePuzzle:
    y, outside = (0, SOUTH) if order == "bottom-up" else (puzzle.height - 1, NORTH)
    orientations = [turned(puzzle.tiles[tile], rotation) for rotation in range(4)]
    rotation = next(
        r
        for r, orientation in enumerate(orientations)
        if orientation[WEST] == orientation[outside] == BORDER
    )
    return replace(puzzle, hints=(Hint(0, y, tile, rotation),))
