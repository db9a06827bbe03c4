"""Published counts of packings on these lattices; `polyforms.json` says where they come from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.packing import PackingPuzzle, Piece


@dataclass(frozen=True)
class Fact:
    """A puzzle, how many solutions it has, and how many up to its symmetries."""

    puzzle: PackingPuzzle
    every: int
    symmetries: int
    unique: int


def published() -> list[Fact]:
    """All of them, in the order of the file."""
    found = []
    text = Path(__file__).with_name("polyforms.json").read_text(encoding="utf-8")
    for one in json.loads(text)["puzzles"]:
        pieces = tuple(Piece(name, as_tuples(cells)) for name, cells in one["pieces"].items())
        puzzle = PackingPuzzle(
            one["name"], lattice_named(one["lattice"]), as_tuples(one["region"]), pieces
        )
        found.append(Fact(puzzle, one["all"], one["symmetries"], one["unique"]))
    return found


def as_tuples(cells: list[list[int]]) -> Cells:
    """Cells as they are in puzzles."""
    return tuple(map(tuple, cells))
