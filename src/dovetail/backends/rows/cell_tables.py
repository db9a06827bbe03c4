"""What the code of a board is written from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.rows.kernels import layout
from dovetail.backends.rows.slots import WordRange
from dovetail.backends.rows.tables import IdenticalTiles, OrderedBoard, tables_of
from dovetail.kernels.word_size import WORD_BITS
from dovetail.models.board_geometry import SIDES


@dataclass(frozen=True, eq=False)
class CellTables:
    """What the code of a board of n cells is written from, and reads as long as it is there.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `plan` | (n + 1, 16) | int64 | what is done at each depth, see `layout` |
    | `step`, `masks`, `shows`, `taken` | | | those of `layout.Tables` |
    | `fitting` | (states · colours,) | uint64 | the mask of the row that a step leads to |
    | `seen` | n times (entries of `shows`,) | uint16 | by depth: the colour the next cell sees |

    An array of `seen` is None where the next cell does not lie beside the cell.
    """

    plan: NDArray[np.int64]
    step: NDArray[np.uint32]
    masks: NDArray[np.uint64]
    fitting: NDArray[np.uint64]
    shows: NDArray[np.uint64]
    taken: NDArray[np.uint64]
    seen: list[NDArray[np.uint16] | None]

    def words_at(self, depth: int) -> WordRange:
        """The words of `free` that have the candidates of the cell at a depth."""
        first, count = self.plan[depth, [int(layout.WORD), int(layout.WORDS)]].tolist()
        return WordRange(first, count)

    def takes_own_bit(self, words: WordRange) -> bool:
        """Whether putting down a tile of some words changes nothing but the bit of its slot."""
        changes = self.taken[words.first * WORD_BITS :][: words.count * WORD_BITS]
        bits = np.tile(np.uint64(1) << np.arange(WORD_BITS, dtype=np.uint64), words.count)
        return bool(((changes == bits) | (changes == 0)).all())


def cell_tables(board: OrderedBoard, identical_tiles: IdenticalTiles) -> CellTables | None:
    """What the code of a board is written from, None where it can have none."""
    board_tables = tables_of(board, identical_tiles)
    tables, cells = board_tables.tables, len(board.cells)
    plan = tables.plan.reshape(cells + 1, -1).astype(np.int64)
    if board_tables.others is not None or len(tables.later) or cells == 1:
        return None
    colours = tables.shows.view(np.uint16).reshape(-1, len(SIDES))
    seen = {side: colours[:, side].copy() for side in board.side_at if side is not None}
    return CellTables(
        plan=plan,
        step=tables.step,
        masks=tables.masks,
        fitting=tables.masks.take(tables.step, mode="clip"),  # not every step leads to a row
        shows=tables.shows,
        taken=tables.taken,
        seen=[None if side is None else seen[side] for side in board.side_at],
    )
