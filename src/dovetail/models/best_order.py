"""The orders of filling a board compared by B. Owen's model of partial boards."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dovetail.models.board_orders import NAMES, cells_in_order, named_orders
from dovetail.models.edges import EdgePuzzle
from dovetail.models.expected_boards import Filling, filling_of

DEFAULT = NAMES[0]


def shortest_order(puzzle: EdgePuzzle, names: Iterable[str] | None = None) -> str:
    """Return the name of the order with fewest nodes expected, the first of several.

    The `names` are all of the board's unless given, and of identical tiles only the first unused
    one is tried. It is `DEFAULT` for a board that the model does not describe.
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
    """Return the model of each order, see `filling_of`; none if it does not describe the board."""
    found = {}
    for name in names:
        cells = cells_in_order((name,), puzzle.width, puzzle.height)
        filling = filling_of(puzzle, cells, hints_first=hints_first, identical_once=identical_once)
        if filling is not None:
            found[name] = filling
    return found


def nodes_log(filling: Filling) -> float:
    """Return the logarithm of the nodes expected."""
    return float(np.logaddexp.reduce(filling.logs()))
