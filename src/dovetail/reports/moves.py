"""The moves that take an assembly apart: frames of the viewer, and drawings of flat assemblies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import add

import numpy as np
from numpy.typing import NDArray

from dovetail.disassembly.assemblies import assembly_of
from dovetail.disassembly.plan import Assembly, Disassembly, Move, Separation
from dovetail.errors import PuzzleError
from dovetail.harness.disassembling import TakenApart
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.reports.describe.disassembly import (
    describe_disassembly,
    describe_taken_apart,
    move_text,
)
from dovetail.reports.elements import shown
from dovetail.reports.pictures.colours import piece_style, placed_numbers
from dovetail.reports.pictures.drawing import Figure, SvgDrawing, sheet
from dovetail.reports.pictures.packing import solids_drawing

Array = NDArray[np.float64]
DIGITS = 5  # decimals of coordinates


def move_frames(
    puzzle: PackingPuzzle,
    solution: PackingSolution,
    found: Disassembly,
    rows: Sequence[Sequence[int]],
) -> list[dict[str, object]]:
    """Return the frames that the viewer shows: the assembly, and each move of its plan.

    `rows` has the numbers of the cells of each piece, in the order of the viewer. A frame has a
    text, the pieces that moved, one step of the move as a vector in space, and for each piece the
    vector from its place in the assembly to its present place. Pieces that left are beyond the
    assembly, and beside pieces that left before. Without a plan, the only frame has the outcome as
    its text.
    """
    assembly = assembly_of(puzzle, solution)
    numbers = {cell: number for number, cell in enumerate(puzzle.region)}
    row_of = {tuple(sorted(cells)): row for row, cells in enumerate(rows)}
    places = [row_of[tuple(sorted(numbers[cell] for cell in its))] for its in assembly.cells]
    away = _steps_away(assembly) if found.plan else 0
    points, offsets = assembly.lattice.positions(np.array(puzzle.region)), np.zeros((len(rows), 3))
    solids = [points[list(row)] for row in rows]
    frames = [_frame(describe_disassembly(found), (), (0.0, 0.0, 0.0), offsets)]
    separations = found.plan.all() if found.plan else ()
    moves = [move for separation in separations for move in separation.moves]
    for number, move in enumerate(moves, 1):
        by = _step(assembly, move)
        its = [places[piece] for piece in move.pieces]
        offsets[its] += by * (away if move.steps is None else move.steps)
        while move.steps is None and _overlap(solids, offsets, its):
            offsets[its] += by * away
        text = f"Move {number} of {len(moves)}: {move_text(assembly, move)}"
        frames.append(_frame(text, sorted(its), by.tolist(), offsets))
    return frames


def _overlap(solids: Sequence[Array], offsets: Array, its: Sequence[int]) -> bool:
    """Return whether the pieces `its` are where other pieces are."""
    moved, others = set[tuple[float, ...]](), set[tuple[float, ...]]()
    for number, (cells, offset) in enumerate(zip(solids, offsets, strict=True)):
        places = (cells + offset[: cells.shape[1]]).round(3).tolist()
        (moved if number in its else others).update(map(tuple, places))
    return not moved.isdisjoint(others)


def _frame(
    text: str, moving: Sequence[int], by: Sequence[float], offsets: Array
) -> dict[str, object]:
    return {
        "text": shown(text),
        "moving": list(moving),
        "by": [round(along, DIGITS) for along in by],
        "offsets": offsets.round(DIGITS).tolist(),
    }


def _step(assembly: Assembly, move: Move) -> Array:
    """Return one step of a move as a vector in space."""
    lattice = assembly.lattice
    home = np.array(lattice.fundamental_cells[:1], dtype=np.int64)
    there = (lattice.positions(home + np.array(move.direction)) - lattice.positions(home))[0]
    step: Array = np.append(there, [0.0] * (3 - len(there)))
    return step


def _steps_away(assembly: Assembly) -> int:
    """Return a number of steps after which a piece has left the assembly in any direction."""
    cells = np.array([cell for cells in assembly.cells for cell in cells], dtype=np.int64)
    places = assembly.lattice.positions(cells)
    return int(np.ceil(np.ptp(places, axis=0).max())) + 2


Places = dict[int, Cells]


def moves_drawing(puzzle: PackingPuzzle, taken: TakenApart) -> SvgDrawing:
    """Return a drawing of the assembly and of each move of its plan, with the move as caption.

    Pieces that leave are shown once beside the others. Later moves show only the part that they
    take apart. Raises `PuzzleError` for a lattice that does not have two dimensions, and for an
    assembly without a plan.
    """
    assembly, plan = taken.assembly, taken.disassembly.plan
    if puzzle.lattice.dimension != 2:
        raise PuzzleError(f"{puzzle.name} is not flat; use .html to play its moves")
    if plan is None:
        raise PuzzleError(f"assembly {describe_taken_apart(taken)}: there are no moves to draw")
    places = dict(enumerate(assembly.cells))
    # A piece has the same colour in all figures.
    styles = [piece_style(number) for number in placed_numbers(puzzle, taken.solution)]
    styles += ["fixed" for _ in puzzle.fixed]
    figures = [_figure(assembly, places, styles, describe_taken_apart(taken))]
    number = 0
    for separation in plan.all():
        for move, there in _played(places, separation):
            number += 1
            caption = f"{number}. {move_text(assembly, move)}"
            figures.append(_figure(assembly, there, styles, caption))
    return sheet(figures, f"{puzzle.name} taken apart")


def _figure(assembly: Assembly, places: Places, styles: list[str], caption: str) -> Figure:
    placed = [(assembly.names[piece], cells, styles[piece]) for piece, cells in places.items()]
    covered = tuple(sorted(cell for cells in places.values() for cell in cells))
    drawing = solids_drawing(assembly.lattice, covered, placed, (), caption, caption)
    return Figure(drawing, caption)


def _played(places: Places, separation: Separation) -> Iterator[tuple[Move, Places]]:
    """Yield each move of a separation, and the places of the separation's pieces after the move.

    Updates `places` for each move except the last, with which pieces leave the others.
    """
    for move in separation.moves:
        there = {piece: places[piece] for piece in separation.pieces}
        steps = _steps_past(there, move) if move.steps is None else move.steps
        vector = tuple(steps * along for along in move.direction)
        for piece in move.pieces:
            there[piece] = tuple(tuple(map(add, cell, vector)) for cell in there[piece])
        if move.steps is not None:
            places |= there
        yield move, there


def _steps_past(places: Places, move: Move) -> int:
    """Return the number of steps after which the moving pieces have passed the others by a gap."""

    def along(cell: Cell) -> int:
        return sum(a * b for a, b in zip(cell, move.direction, strict=True))

    moving = min(along(cell) for piece in move.pieces for cell in places[piece])
    still = max(
        along(cell) for piece in places if piece not in move.pieces for cell in places[piece]
    )
    length = along(move.direction)
    return max(1, (still - moving) // length + 2)
