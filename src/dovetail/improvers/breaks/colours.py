"""Which colours are used up first: the tiles left at the end have fewer and match more easily."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dovetail.improvers.shared.board_arrays import BoardArrays

SPARE = 1.1  # times the sides that a quota asks for: colours with more are not used up by it


def rarest_colours(board: BoardArrays, count: int) -> list[int]:
    """So many colours away from the frame, the rarest."""
    inner = board.sides[board.frame == 0]
    times = np.bincount(inner.reshape(-1), minlength=board.colours)
    return [int(colour) for colour in np.argsort(times, kind="stable") if times[colour]][:count]


def colours_for_quota(board: BoardArrays, sides: int) -> list[int]:
    """One colour of the frame and two others that together have so many sides; none if none do.

    The frame's is one that the hinted tiles show least: where they lie on the frame, a colour that
    is used up does not reach them. Of those left, colours without many more sides than are asked
    for, and then those with most sides for each tile that shows one: they lie on few tiles, so a
    search that prefers these meets a quota which grows with the tiles.
    """
    shown = np.stack([(board.sides == one).sum(axis=1) for one in range(board.colours)])
    shown = shown.reshape(board.colours, board.cells, 4).mean(axis=2)  # a mate where it is turned
    times = shown.sum(axis=1)
    hinted = shown[:, board.fixed[board.fixed >= 0] // 4].sum(axis=1)
    of_frame, inner = _by_place(board)
    best, found = (np.inf, True, 0.0), []
    for first in of_frame:
        for others in combinations([one for one in inner if one != first], 2):
            chosen = [first, *others]
            have = times[chosen].sum()
            tiles = np.count_nonzero(shown[chosen].any(axis=0))
            if have >= sides:
                rank = (hinted[first], bool(have > SPARE * sides), -have / tiles)
                if rank < best:
                    best, found = rank, chosen
    return found


def sides_of_colours(board: BoardArrays, colours: Sequence[int]) -> NDArray[np.uint32]:
    """How many sides of each orientation, shape (4 n,), have one of some colours."""
    sides: NDArray[np.uint32] = np.isin(board.sides, colours).sum(axis=1).astype(np.uint32)
    return sides


def _by_place(board: BoardArrays) -> tuple[list[int], list[int]]:
    """Colours along the frame and away from it; those that are nowhere else, if there are any."""
    on_frame = board.frame[:, None] >> np.arange(4) & 1 == 1
    along = ~on_frame & (np.roll(on_frame, 1, axis=1) | np.roll(on_frame, -1, axis=1))
    of_frame = set(board.sides[along].tolist())
    inner = set(board.sides[~on_frame & ~along].tolist())
    return sorted(of_frame - inner or of_frame), sorted(inner - of_frame or inner)
