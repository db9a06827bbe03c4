"""Expansion of boards of interchangeable tiles into boards of distinguished tiles.

A search need not distinguish identical tiles: each board that it finds stands for all ways to label
its tiles, the product of k! over the types with k tiles whose places are free.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import islice, permutations
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from dovetail.models.options.edges import EdgeOptions
from dovetail.models.request import Symmetry
from dovetail.models.symmetry import RowNumbers

NO_OPTION = -1
MAX_ENTRIES = 2**18  # array entries of a batch of labelled boards


class Labelling:
    """The options of a puzzle in two forms: by tile types, and with a type for every tile.

    Boards are rows of option numbers, shape (n, cells), int32.
    """

    def __init__(self, options: EdgeOptions, labelled: EdgeOptions) -> None:
        self._options, self._every = options, labelled
        hinted = {hint.tile for hint in options.puzzle.hints}
        places = {
            hint.x * options.puzzle.height + hint.y: hint.tile for hint in options.puzzle.hints
        }
        free = [
            [tile for tile in tile_type.tiles if tile not in hinted] for tile_type in options.types
        ]
        self._free = np.array([len(tiles) for tiles in free], dtype=np.int64)
        table = np.column_stack([labelled.cell, labelled.tile_type, labelled.sides])
        # Column c: the option with the c-th free tile.
        columns = []
        for copy in range(max(1, int(self._free.max(initial=0)))):
            tile = [
                places.get(
                    cell, free[tile_type][copy] if copy < len(free[tile_type]) else NO_OPTION
                )
                for cell, tile_type in zip(
                    options.cell.tolist(), options.tile_type.tolist(), strict=True
                )
            ]
            rows = np.column_stack([options.cell, np.array(tile, dtype=np.int32), options.sides])
            columns.append(RowNumbers(table).of(rows.astype(np.int32)))
        self._labelled = np.column_stack(columns).astype(np.int32)
        self._hinted_cell = np.isin(options.cell, list(places))
        self._plain = np.full(labelled.option_count, NO_OPTION, dtype=np.int32)
        named = self._labelled[self._labelled != NO_OPTION]
        self._plain[named] = np.nonzero(self._labelled != NO_OPTION)[0]

    @cached_property
    def factor(self) -> int:
        """Number of labelled boards per board."""
        return prod(map(factorial, self._free.tolist()))

    def turns(self, symmetry: Symmetry) -> NDArray[np.int32]:
        """Return the board's turns that keep hinted tiles apart, as unlabelled permutations."""
        return self._options.turned_options(self._every.quarter_turns(symmetry))

    def plain(self, labelled: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return labelled boards without their labels."""
        boards: NDArray[np.int32] = self._plain[labelled]
        return boards

    def first(self, boards: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return each board with its first labels: tiles of a type in the order of the options."""
        tile_type = self._options.tile_type[boards]
        tile_type = np.where(self._hinted_cell[boards], -1, tile_type)
        order = np.lexsort((boards, tile_type), axis=1)
        sorted_type = np.take_along_axis(tile_type, order, 1)
        number = np.arange(boards.shape[1])
        begins = np.ones(boards.shape, dtype=bool)
        begins[:, 1:] = sorted_type[:, 1:] != sorted_type[:, :-1]
        first = np.maximum.accumulate(np.where(begins, number, 0), axis=1)
        copy = np.empty(boards.shape, dtype=np.int64)
        np.put_along_axis(copy, order, number - first, 1)
        copy[tile_type == -1] = 0
        labelled: NDArray[np.int32] = self._labelled[boards, copy]
        return labelled

    def every(self, board: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        """Yield all labelled boards of a board, shape (cells,), in batches."""
        tile_type = np.where(self._hinted_cell[board], -1, self._options.tile_type[board])
        repeated = [t for t in np.unique(tile_type[tile_type >= 0]).tolist() if self._free[t] > 1]
        places = [np.flatnonzero(tile_type == t) for t in repeated]
        labels = _orders([len(where) for where in places])
        moving = np.concatenate([*places, np.empty(0, dtype=np.int64)]).astype(np.int64)
        rows = max(1, MAX_ENTRIES // max(1, len(board)))
        base = self.first(board[None, :])[0]
        while batch := list(islice(labels, rows)):
            boards = np.tile(base, (len(batch), 1))
            if len(moving):
                copies = np.array(batch, dtype=np.int64)
                boards[:, moving] = self._labelled[board[moving], copies]
            yield boards


def _orders(sizes: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield all combinations of permutations of ranges of the given sizes, concatenated."""
    if not sizes:
        yield ()
        return
    for first in permutations(range(sizes[0])):
        for others in _orders(sizes[1:]):
            yield first + others
