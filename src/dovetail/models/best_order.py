"""Choice of the filling order of a board by B. Owen's model of partial boards."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dovetail.models.board_orders import NAMES, cells_in_order, named_orders
from dovetail.models.edges import EdgePuzzle
from dovetail.models.expected_boards import Filling, filling_of

DEFAULT = NAMES[0]


def shortest_order(puzzle: EdgePuzzle, names: Iterable[str] | None = None) -> str:
    """Return the name of the order with the fewest expected nodes, the first of equals.

    `names` are the orders to compare, by default all orders of the board. The model assumes a
    search that tries only the first unused tile of several identical tiles. Returns `DEFAULT` for a
    board that the model does not describe.
    """
    orders = named_orders(puzzle.height) if names is None else names
    found = fillings(puzzle, orders, identical_once=True)
    return min(found, key=lambda name: nodes_log(found[name]), default=DEFAULT)


def fillings(
    puzzle: EdgePuzzle,
    names: Iterable[str],
    *,
    hints_first: bool = False,
    identical_once: bool = False,
) -> dict[str, Filling]:
    """Return the model of each order (see `filling_of`); empty if the model does not apply."""
    found = {}
    for name in names:
        cells = cells_in_order((name,), puzzle.width, puzzle.height)
        filling = filling_of(puzzle, cells, hints_first=hints_first, identical_once=identical_once)
        if filling is not None:
            found[name] = filling
    return found


def nodes_log(filling: Filling) -> float:
    """Return the natural logarithm of the expected number of nodes."""
    return float(np.logaddexp.reduce(filling.logs()))
