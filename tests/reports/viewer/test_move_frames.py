"""The frames of the viewer: where the pieces are after each move."""

from __future__ import annotations

from typing import Any

from dovetail.disassembly.plan import Disassembly, Move, Outcome, Separation
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.reports.moves import move_frames


def test_pieces_that_left_do_not_overlap() -> None:
    """The second piece leaves from the place of the first, in the same direction."""
    cells = tuple(((0, y),) for y in range(3))
    pieces = tuple(Piece(name, its) for name, its in zip("abc", cells, strict=True))
    region = tuple(cell for its in cells for cell in its)
    puzzle = PackingPuzzle("column", SquareLattice(2), region, pieces)
    solution = PackingSolution(tuple(zip("abc", cells, strict=True)), puzzle.lattice)
    away = Move((1,), (1, 0), None)
    rest = Separation((0, 1), (Move((1,), (0, 1), 1), away), None, None)
    plan = Separation((0, 1, 2), (Move((2,), (1, 0), None),), rest, None)
    found = Disassembly(Outcome.APART, 0, "", (1, 2), (1, 2), lambda: plan)
    frames: list[Any] = move_frames(puzzle, solution, found, [[0], [1], [2]])
    assert len(frames) == 4
    for frame in frames:
        places = [(x, y + number) for number, (x, y, _) in enumerate(frame["offsets"])]
        assert len(set(places)) == 3, frame["text"]
