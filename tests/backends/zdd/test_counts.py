"""Counts by whole runs where solutions are listed and sorted into classes."""

from __future__ import annotations

from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import Motions, PackingPuzzle, Piece
from dovetail.models.request import Request, Symmetry


def test_classes_of_solutions_with_different_numbers_of_pieces() -> None:
    """Up to ten rods in 3x6; by Burnside (2197 + 125 + 169 + 65) / 4, in several batches."""
    region = tuple((x, y) for x in range(6) for y in range(3))
    rod = Piece("D", ((0, 0), (1, 0)), min_count=0, max_count=10, motions=Motions.FIXED)
    puzzle = PackingPuzzle("rods", SquareLattice(2), region, (rod,), optional=region)
    finished = finish(execute(Job(puzzle, Request(Symmetry.UNIQUE), "zdd")))
    assert finished.count == (2197 + 125 + 169 + 65) // 4
