"""The order in which an improver fills the cells that hints leave empty."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import log

from dovetail.improvers.shared.board_arrays import BoardArrays
from dovetail.improvers.shared.mismatches import allowed_by_model
from dovetail.models.best_order import DEFAULT, fillings, nodes_log
from dovetail.models.board_geometry import Position
from dovetail.models.board_orders import BEST, cells_in_order, strips
from dovetail.models.edges import EdgePuzzle

NODES, BOARDS = 10_000_000, 1_000.0  # of the search that the best order is chosen for
CLOSE = log(2.0)  # so many times the fewest nodes are few
TURNS = 8
MAX_CELLS = 400  # of boards whose orders are compared: it takes 0.2 s on 400 cells, 3 s on 1,600


def fill_order(
    board: BoardArrays,
    order: Sequence[str],
    nodes: int = NODES,
    boards: float = BOARDS,
    turn: int = 0,
) -> list[int]:
    """Return the cells without hints in an order of `board_orders`, or in the best one.

    That is of orders with few nodes the one whose boards need fewest mismatches by the model, for
    a search that makes so many nodes and sees so many `boards` at each depth. The order is turned
    or reflected by the symmetry of the rectangle with the number `turn`, below `TURNS`.
    """
    puzzle = board.puzzle
    names = (_best_order(puzzle, nodes, boards),) if tuple(order) == (BEST,) else order
    width, height = puzzle.width, puzzle.height
    if turn & 4 and width == height:
        cells: Iterable[Position] = ((y, x) for x, y in cells_in_order(names, width, height))
    else:
        cells = cells_in_order(names, width, height)
    numbers = (
        puzzle.geometry.cell((width - 1 - x if turn & 1 else x, height - 1 - y if turn & 2 else y))
        for x, y in cells
    )
    return [cell for cell in numbers if board.fixed[cell] < 0]


@lru_cache(maxsize=8)  # asked again for each search
def _best_order(puzzle: EdgePuzzle, nodes: int, boards: float) -> str:
    """The name of the best order; of several, the one that changes to columns first.

    On boards of more than `MAX_CELLS` it is `DEFAULT`: comparing would take longer than it wins.

    Orders with more nodes get stuck before they come to where mismatches unlock.
    """
    if len(puzzle.tiles) > MAX_CELLS:
        return DEFAULT
    found = fillings(puzzle, strips(puzzle.height), hints_first=True)
    if not found:
        return DEFAULT
    fewest = min(map(nodes_log, found.values()))
    allowed = {
        name: allowed_by_model(filling, nodes, boards)[-1]
        for name, filling in found.items()
        if nodes_log(filling) <= fewest + CLOSE
    }
    return min(allowed, key=allowed.__getitem__)
