"""Orders in which the cells of an edge-matching board can be filled, by name or as a list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import numpy as np

from dovetail.errors import ConfigError, shorten
from dovetail.models.boards.edges import EdgePuzzle, repeated
from dovetail.models.boards.expected_boards import Filling, filling_of
from dovetail.models.boards.geometry import Position

NAMES = ("bottom-up", "top-down", "columns", "spiral")
DEFAULT = NAMES[0]
BEST = "best"  # replaced by the caller with the order that a model prefers

_STRIP = re.compile(r"bottom-up@([0-9]{1,6})")
_CELL = re.compile(r"([0-9]{1,6})\.([0-9]{1,6})")


def check_order(words: Sequence[str]) -> None:
    """Raise `ConfigError` unless `words` name an order or list cells."""
    if len(words) == 1 and (words[0] in (*NAMES, BEST) or _STRIP.fullmatch(words[0])):
        return
    for word in words or ("",):
        if _CELL.fullmatch(word) is None:
            raise ConfigError(
                f"order {shorten(word)!r}; valid: {', '.join(NAMES)}, bottom-up@ROWS, {BEST}, or "
                "every cell as x.y, separated by commas, as in 0.0,1.0"
            )


def cells_in_order(words: Sequence[str], width: int, height: int) -> list[Position]:
    """Return the cells (x, y) of a board in an order that `check_order` accepts.

    `top-down` and `bottom-up` go row by row, each row from the left. `columns` goes from the left,
    each column upwards. `spiral` begins at the bottom left, follows the bottom row and goes around
    inwards. `bottom-up@12` goes through up to 12 rows and then through the other cells by columns.
    Raises `ConfigError` for a list that does not have each cell once, and for `best`, which the
    caller has to replace first.
    """
    name = words[0] if len(words) == 1 else ""
    strip, rows = _STRIP.fullmatch(name), {"bottom-up": height, "columns": 0}.get(name)
    if strip is not None:
        rows = min(int(strip[1]), height)
    if rows is not None:
        first = [(x, y) for y in range(rows) for x in range(width)]
        return first + list(product(range(width), range(rows, height)))
    if name == "top-down":
        return [(x, y) for y in reversed(range(height)) for x in range(width)]
    if name == "spiral":
        return list(_spiral(width, height))
    if name == BEST:
        raise ConfigError(f"order {BEST} does not list cells; valid: {', '.join(NAMES)}")
    listed = [_cell(word) for word in words]
    _check_list(listed, width, height)
    return listed


def named_orders(height: int) -> list[str]:
    """Return the names of all orders of a board of this height."""
    return [*NAMES, *strips(height)[:-1]]


def strips(height: int) -> list[str]:
    """Return the names of the orders by some rows and then columns; the last is by rows alone."""
    return [*(f"bottom-up@{rows}" for rows in range(1, height)), "bottom-up"]


def shortest_order(puzzle: EdgePuzzle, names: Iterable[str] | None = None) -> str:
    """Return the name of the order with the fewest expected nodes, the first of equal orders.

    `names`: the orders to compare, by default those of `named_orders`. The model assumes that a
    search tries only one of several identical tiles in a cell. Returns `DEFAULT` for a board that
    the model does not describe.
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


def _spiral(width: int, height: int) -> Iterator[Position]:
    """Yield the cells of the rim anticlockwise, then those of the next rim inwards, and so on."""
    left, right, bottom, top = 0, width - 1, 0, height - 1
    while left <= right and bottom <= top:
        yield from ((x, bottom) for x in range(left, right + 1))
        yield from ((right, y) for y in range(bottom + 1, top + 1))
        if bottom < top:
            yield from ((x, top) for x in range(right - 1, left - 1, -1))
        if left < right:
            yield from ((left, y) for y in range(top - 1, bottom, -1))
        left, right, bottom, top = left + 1, right - 1, bottom + 1, top - 1


def _cell(word: str) -> Position:
    x, y = word.split(".")
    return int(x), int(y)


def _check_list(listed: Sequence[Position], width: int, height: int) -> None:
    """Raise `ConfigError` unless each cell of the board is listed once."""
    board = set(product(range(width), range(height)))
    for what, cells in (
        ("lists cells outside the board", [cell for cell in listed if cell not in board]),
        ("lists cells twice", repeated(listed)),
        ("lacks cells", sorted(board.difference(listed))),
    ):
        if cells:
            named = ", ".join(f"{x}.{y}" for x, y in cells)
            raise ConfigError(
                f"order {what}: {shorten(named)}; expected each cell of the {width} x {height} "
                "board once"
            )
