"""The moves that take a flat assembly apart, one picture after another."""

from __future__ import annotations

from collections.abc import Iterator
from operator import add

from dovetail.disassembly.plan import Assembly, Move, Separation
from dovetail.errors import PuzzleError
from dovetail.harness.disassembling import TakenApart
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.reports.describe.disassembly import describe_taken_apart, move_text
from dovetail.reports.pictures.drawing import Figure, SvgDrawing, sheet
from dovetail.reports.pictures.packing import filled_drawing

Places = dict[int, Cells]


def moves_drawing(puzzle: PackingPuzzle, taken: TakenApart) -> SvgDrawing:
    """Return a picture of the assembly and of each move of its plan, with what moved as caption.

    Pieces that have left are shown once more, and then no longer; the pieces of each part follow.
    Raises `PuzzleError` for solids, and for an assembly without a plan.
    """
    assembly, plan = taken.assembly, taken.disassembly.plan
    if puzzle.lattice.dimension != 2:
        raise PuzzleError(f"{puzzle.name} is not flat; its moves are played in .html")
    if plan is None:
        raise PuzzleError(f"assembly {describe_taken_apart(taken)}: there are no moves to draw")
    places = dict(enumerate(assembly.cells))
    names = [piece.name for piece in puzzle.pieces]
    figures = [_figure(assembly, places, names, describe_taken_apart(taken))]
    number = 0
    for separation in plan.all():
        for move, there in _played(places, separation):
            number += 1
            caption = f"{number}. {move_text(assembly, move)}"
            figures.append(_figure(assembly, there, names, caption))
    return sheet(figures, f"{puzzle.name} taken apart")


def _figure(assembly: Assembly, places: Places, names: list[str], caption: str) -> Figure:
    placed = tuple((assembly.names[piece], cells) for piece, cells in places.items())
    solution = PackingSolution(placed, assembly.lattice)
    covered = tuple(sorted(cell for cells in places.values() for cell in cells))
    return Figure(filled_drawing(covered, solution, names, caption, caption), caption)


def _played(places: Places, separation: Separation) -> Iterator[tuple[Move, Places]]:
    """Yield the moves of a separation and where its pieces are then; change `places`."""
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
    """Return the number of steps after which what moves has passed what stays, with a gap."""

    def along(cell: Cell) -> int:
        return sum(a * b for a, b in zip(cell, move.direction, strict=True))

    moving = min(along(cell) for piece in move.pieces for cell in places[piece])
    still = max(
        along(cell) for piece in places if piece not in move.pieces for cell in places[piece]
    )
    length = along(move.direction)
    return max(1, (still - moving) // length + 2)
