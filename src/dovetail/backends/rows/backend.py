"""The backend `rows`: brute force for edge-matching puzzles, in numba.

The cells are filled in a fixed order, and every tile that fits is tried in each cell. The
community of Eternity II has refined this search since 2007. The candidates of a cell are bit sets,
looked up by the colours that the neighbours of the cell show.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import PLACEMENT_MADE, Config, setting
from dovetail.backends.rows.search import RowsSearch
from dovetail.backends.rows.tables import IdenticalTiles, OrderedBoard, ordered_board, too_large
from dovetail.backends.shared.kernel_backend import KernelBackend
from dovetail.backends.shared.tiles import tile_orientations, warm_up
from dovetail.errors import ConfigError
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.boards.expected_boards import expected_boards
from dovetail.models.boards.orders import BEST, cells_in_order, check_order, shortest_order
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.request import Representatives
from dovetail.models.task import Task


@dataclass(frozen=True)
class RowsConfig(Config):
    """Settings of `rows`; see `models.boards.orders.cells_in_order`."""

    order: tuple[str, ...] = setting(
        ("bottom-up",),
        "Order in which to fill the cells: bottom-up, top-down, columns, spiral, bottom-up@ROWS "
        "(ROWS rows, then columns), best (the named order with the fewest expected nodes), or "
        "every cell as x.y. On a square the redundancy filter puts a corner tile at the bottom "
        "left, or at the top left if the order starts there.",
    )
    identical_tiles: IdenticalTiles = setting(
        "once",
        "once tries only the first of the unused identical tiles. each tries all of them, like "
        "programs that distinguish identical tiles. The solutions are the same; the numbers of "
        "nodes differ.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_order(self.order)


class RowsBackend(KernelBackend[RowsConfig]):
    """Backend for edge-matching puzzles."""

    name = "rows"
    summary = (
        "brute force for edge matching: cells in a fixed order, candidates as bit sets (numba)"
    )
    node_meaning = PLACEMENT_MADE
    config_type = RowsConfig

    def refuses(self, task: Task, config: RowsConfig) -> str | None:
        if task.edges is None:
            return "it supports edge-matching puzzles only"
        if task.edges.puzzle.counts:
            if any(kind.least for kind in task.edges.types):
                return "it does not support tiles with a least number of copies"
            if config.identical_tiles == "each":
                return "identical_tiles=each does not support numbers of copies of tiles"
        try:
            board = _board(task.edges, config.order)
        except ConfigError as error:  # a wrong list of cells, or tiles that fit in too many ways
            return str(error)
        return too_large(board)

    def cuts_task(self, task: Task, config: RowsConfig) -> bool:
        return config.identical_tiles == "once"  # with `each`, several candidates are one option

    def warm_up(self) -> None:
        warm_up()  # The kernel is not compiled here, because it depends on the puzzle.

    def expected_levels(self, task: Task, config: RowsConfig) -> NDArray[np.float64] | None:
        """Return the expected number of partial boards by depth; None if the model does not apply.

        The numbers are divided by the number of symmetries that are broken. Source: B. Owen's
        model, see `models.boards.expected_boards`.
        """
        assert task.edges is not None
        puzzle = task.edges.puzzle
        cells = cells_in_order(_named_order(puzzle, config.order), puzzle.width, puzzle.height)
        once = config.identical_tiles == "once"
        boards = expected_boards(puzzle, cells, identical_once=once)
        if boards is None:
            return None
        breaking = None if task.reduced is None else task.reduced.symmetry_breaking
        images = 1 if breaking is None else len(breaking.group)
        return np.array(boards) / images

    def representatives(self, task: Task, config: RowsConfig) -> Representatives:
        """Return `TOP_LEFT` if the order of cells begins at the top left, else `FIRST`."""
        if task.edges is None:  # refused later
            return Representatives.FIRST
        puzzle = task.edges.puzzle
        order = _named_order(puzzle, config.order)
        begins_at_top = order[0] in ("top-down", f"0.{puzzle.height - 1}")
        return Representatives.TOP_LEFT if begins_at_top else Representatives.FIRST

    def prepare(self, task: Task, config: RowsConfig) -> RowsSearch:
        assert task.edges is not None
        return RowsSearch(_board(task.edges, config.order), config.identical_tiles)


@lru_cache(maxsize=1)  # `refuses` and then `prepare` need the board of the same task
def _board(options: EdgeOptions, order: tuple[str, ...]) -> OrderedBoard:
    """Return the board of a task with its cells in the order of a config.

    Raises `ConfigError` for a list that does not have each cell of the board once, and for tiles
    that fit in too many ways.
    """
    geometry = options.puzzle.geometry
    every = cells_in_order(_named_order(options.puzzle, order), geometry.width, geometry.height)
    cells = [cell for cell in every if cell in geometry]
    return ordered_board(tile_orientations(options), cells, geometry)


def _named_order(puzzle: EdgePuzzle, order: tuple[str, ...]) -> tuple[str, ...]:
    """Return `order`, or the named order with the fewest expected nodes if `order` is `best`."""
    return (_best_order(puzzle),) if order == (BEST,) else order


@lru_cache(maxsize=1)  # several methods of the backend need the order of the same puzzle
def _best_order(puzzle: EdgePuzzle) -> str:
    return shortest_order(puzzle)
