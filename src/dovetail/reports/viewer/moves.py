"""The moves that take an assembly apart, as the script of a viewer page plays them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dovetail.disassembly.plan import Assembly, Disassembly, Move
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.reports.describe.disassembly import describe_disassembly, move_text
from dovetail.reports.elements import shown

DIGITS = 5  # decimals of coordinates


def move_frames(
    puzzle: PackingPuzzle,
    solution: PackingSolution,
    found: Disassembly,
    rows: Sequence[Sequence[int]],
) -> list[dict[str, object]]:
    """Return what is seen of an assembly: at first, and after each move of its plan.

    `rows` have the numbers of the cells of each piece, in the order of the viewer. A frame has a
    text, the pieces that moved, the direction as a vector in space, and the vectors from the places
    in the assembly to the present ones. Pieces that left are a way off. An assembly without a plan
    has one frame, which says why.
    """
    assembly = Assembly.of(puzzle, solution)
    numbers = {cell: number for number, cell in enumerate(puzzle.region)}
    row_of = {tuple(sorted(cells)): row for row, cells in enumerate(rows)}
    places = [row_of[tuple(sorted(numbers[cell] for cell in its))] for its in assembly.cells]
    away = _steps_away(assembly)
    offsets = np.zeros((len(rows), 3))
    frames = [_frame(describe_disassembly(found), (), (0.0, 0.0, 0.0), offsets)]
    separations = found.plan.all() if found.plan else ()
    moves = [move for separation in separations for move in separation.moves]
    for number, move in enumerate(moves, 1):
        by = _step(assembly, move)
        its = [places[piece] for piece in move.pieces]
        offsets[its] += by * (away if move.steps is None else move.steps)
        text = f"Move {number} of {len(moves)}: {move_text(assembly, move)}"
        frames.append(_frame(text, sorted(its), by.tolist(), offsets))
    return frames


def _frame(
    text: str, moving: Sequence[int], by: Sequence[float], offsets: NDArray[np.float64]
) -> dict[str, object]:
    return {
        "text": shown(text),
        "moving": list(moving),
        "by": [round(along, DIGITS) for along in by],
        "offsets": offsets.round(DIGITS).tolist(),
    }


def _step(assembly: Assembly, move: Move) -> NDArray[np.float64]:
    """Return one step of a move as a vector in space."""
    lattice = assembly.lattice
    home = np.array(lattice.fundamental_cells[:1], dtype=np.int64)
    there = (lattice.positions(home + np.array(move.direction)) - lattice.positions(home))[0]
    step: NDArray[np.float64] = np.append(there, [0.0] * (3 - len(there)))
    return step


def _steps_away(assembly: Assembly) -> int:
    """Return the number of steps after which any piece has left the assembly."""
    cells = np.array([cell for cells in assembly.cells for cell in cells], dtype=np.int64)
    places = assembly.lattice.positions(cells)
    return int(np.ceil(np.ptp(places, axis=0).max())) + 2
