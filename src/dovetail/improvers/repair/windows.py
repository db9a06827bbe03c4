"""What `repair` takes off a board: parts in which edges do not match."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dovetail.improvers.base import Lies
from dovetail.improvers.shared.board_arrays import BoardArrays
from dovetail.models.board_geometry import opposite
from dovetail.models.edges import EAST, NORTH
from dovetail.random_stream import RandomStream

MIN_SHARE, MAX_SHARE = 0.24, 0.4  # of the cells, in a window
TRIES = 6  # rectangles of which that with most mismatches is taken
MIN_SIDE = 3
HALO = 3  # cells around each mismatch of a component

Window = Callable[[BoardArrays, Lies, RandomStream], list[int]]


def mismatched_cells(board: BoardArrays, lies: Lies) -> NDArray[np.int64]:
    """How many edges of each cell do not match, on a full board, shape (n,)."""
    found = np.zeros(board.cells, dtype=np.int64)
    for side in (NORTH, EAST):
        cells = np.flatnonzero(board.neighbours[:, side] >= 0)
        others = board.neighbours[cells, side]
        shown, facing = board.sides[lies[cells], side], board.sides[lies[others], opposite(side)]
        wrong = shown != facing
        np.add.at(found, cells[wrong], 1)
        np.add.at(found, others[wrong], 1)
    return found


def rectangle(board: BoardArrays, lies: Lies, random: RandomStream) -> list[int]:
    """The cells of a rectangle, of some random ones that with most mismatches.

    In the order of filling: across the short side first, from a random corner.
    """
    width, height = board.puzzle.width, board.puzzle.height
    wrong = mismatched_cells(board, lies).reshape(width, height)
    chosen, highest = (slice(0, width), slice(0, height)), -1.0
    for _ in range(TRIES):
        smallest, largest = (int(share * board.cells) for share in (MIN_SHARE, MAX_SHARE))
        area = smallest + random.below(largest - smallest + 1)
        across = min(width, MIN_SIDE + random.below(max(1, width - MIN_SIDE + 1)))
        down = min(height, max(MIN_SIDE, area // across))
        x, y = random.below(width - across + 1), random.below(height - down + 1)
        part = slice(x, x + across), slice(y, y + down)
        value = float(wrong[part].sum()) + random.below(1000) / 1000
        if value > highest:
            chosen, highest = part, value
    columns, rows = (list(range(part.start, part.stop)) for part in chosen)
    return _across(board, columns, rows, random)


def component(board: BoardArrays, lies: Lies, random: RandomStream) -> list[int]:
    """Mismatches that are near a random one, and the cells around them, in the order of rows."""
    width, height = board.puzzle.width, board.puzzle.height
    wrong = np.flatnonzero(mismatched_cells(board, lies))
    if not len(wrong):
        return []
    x, y = divmod(int(wrong[random.below(len(wrong))]), height)
    distance = np.abs(wrong // height - x) + np.abs(wrong % height - y)
    cells = set[int]()
    for near in wrong[np.argsort(distance, kind="stable")].tolist():
        column, row = divmod(near, height)
        around = {
            (column + right) * height + row + up
            for right in range(-HALO, HALO + 1)
            for up in range(abs(right) - HALO, HALO - abs(right) + 1)
            if 0 <= column + right < width and 0 <= row + up < height
        }
        if cells and len(cells | around) > MAX_SHARE * board.cells:
            break
        cells |= around
    every = _across(board, list(range(width)), list(range(height)), random)
    return [cell for cell in every if cell in cells]


def _across(
    board: BoardArrays, columns: list[int], rows: list[int], random: RandomStream
) -> list[int]:
    """The cells of some columns and rows, across the fewer of them first, from a random corner."""
    if random.below(2):
        columns.reverse()
    if random.below(2):
        rows.reverse()
    height = board.puzzle.height
    if len(columns) > len(rows):
        return [x * height + y for x in columns for y in rows]
    return [x * height + y for y in rows for x in columns]


WINDOWS: dict[str, Window] = {"rectangle": rectangle, "component": component}
