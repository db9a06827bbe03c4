"""The lists that `breaks` goes through: what fits a cell, by what its neighbours show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.improvers.breaks.kernels import layout
from dovetail.improvers.breaks.kernels.layout import Lists
from dovetail.improvers.shared.board_arrays import BoardArrays
from dovetail.models.board_geometry import opposite
from dovetail.models.edges import EAST, NORTH, SOUTH, WEST
from dovetail.random_stream import random_words

BY_COLOUR = 2  # so many neighbours' colours find a list

Known = tuple[int, ...]  # sides of a cell beyond which tiles lie when it is filled


@dataclass(frozen=True, eq=False)
class CellLists:
    """The lists of cells with one frame and the same known sides, one for each pair of colours.

    `keys` (ascending), `mismatched` and `orientations` have shape (e,): the pair of colours that an
    entry is for, as first · colours + second, whether it has a mismatch, and what it is.
    """

    keys: NDArray[np.int64]
    mismatched: NDArray[np.bool_]
    orientations: NDArray[np.int64]


def known_sides(board: BoardArrays, order: Sequence[int]) -> list[Known]:
    """For each cell of an order, the sides beyond which there are tiles by then, hints' included.

    West and south come first, from where most boards are filled.
    """
    placed = set(np.flatnonzero(board.fixed >= 0).tolist())
    found = []
    for cell in order:
        sides = (WEST, SOUTH, EAST, NORTH)
        found.append(tuple(side for side in sides if int(board.neighbours[cell, side]) in placed))
        placed.add(cell)
    return found


def make_lists(
    board: BoardArrays, order: Sequence[int], preferred: NDArray[np.uint32], seed: int
) -> Lists:
    """The lists of all cells of an order.

    Each is sorted: what matches, then what has a mismatch; either by how many sides are of
    `preferred` colours, shape (4 n,), most first; then at random by `seed`.
    """
    found: list[CellLists] = []
    numbers: dict[tuple[int, Known], int] = {}
    steps = np.zeros((len(order), 1 << int(layout.STEP_BITS)), dtype=np.uint32)
    pairs = board.colours**2
    for row, cell, known in zip(steps, order, known_sides(board, order), strict=True):
        context = int(board.cell_frame[cell]), known[:BY_COLOUR]
        if context not in numbers:
            numbers[context] = len(found)
            found.append(_cell_lists(board, *context, preferred, seed))
        row[layout.LISTS] = numbers[context] * pairs
        _write_step(row, board, cell, known)
    keys = np.concatenate([one.keys + number * pairs for number, one in enumerate(found)])
    exact = ~np.concatenate([one.mismatched for one in found])
    begin = np.searchsorted(keys, np.arange(len(found) * pairs + 1))
    matching = np.concatenate([[0], np.cumsum(exact)])
    return Lists(
        sides=board.sides.astype(np.uint32).reshape(-1),
        steps=steps.reshape(-1),
        begin=begin.astype(np.uint32),
        mismatched=(begin[:-1] + matching[begin[1:]] - matching[begin[:-1]]).astype(np.uint32),
        entries=np.concatenate([one.orientations for one in found]).astype(np.uint32),
        preferred=preferred,
    )


def entry_count(board: BoardArrays, order: Sequence[int]) -> int:
    """How many entries the lists would have, about."""
    contexts = {
        (int(board.cell_frame[cell]), known[:BY_COLOUR])
        for cell, known in zip(order, known_sides(board, order), strict=True)
    }
    fitting = np.bincount(board.frame, minlength=16)
    return sum(int(fitting[frame]) * board.colours * len(known) for frame, known in contexts)


def _write_step(row: NDArray[np.uint32], board: BoardArrays, cell: int, known: Known) -> None:
    """Write where in `shown` a cell's sides are, and those that face it."""
    nothing = 4 * board.cells  # where `shown` has the frame's colour for good
    facing = [4 * int(board.neighbours[cell, side]) + opposite(side) for side in known]
    facing += [nothing] * (BY_COLOUR - len(known))
    row[layout.SHOWS_AT] = 4 * cell
    row[layout.FIRST_KNOWN], row[layout.SECOND_KNOWN] = facing[:BY_COLOUR]
    row[layout.FURTHER] = max(0, len(known) - BY_COLOUR)
    at = int(layout.FURTHER_KNOWN)
    for place, side in zip(facing[BY_COLOUR:], known[BY_COLOUR:], strict=True):
        row[at : at + 2] = place, side
        at += 2


def _cell_lists(
    board: BoardArrays, frame: int, known: Known, preferred: NDArray[np.uint32], seed: int
) -> CellLists:
    """The lists of cells with a frame and at most `BY_COLOUR` known sides."""
    held = board.fixed[board.fixed >= 0] // 4
    free = board.distinct & (board.frame == frame)
    fitting = np.flatnonzero(free & ~np.isin(np.arange(len(free)) // 4, held))
    colours = np.unique(board.sides[board.sides > 0])
    pair = np.zeros((len(fitting), BY_COLOUR), dtype=np.int64)
    pair[:, : len(known)] = board.sides[fitting][:, list(known)]
    pairs, flags, orientations = [pair], [np.zeros(len(fitting), dtype=bool)], [fitting]
    for place in range(len(known)):
        other = np.repeat(pair, len(colours), axis=0)
        other[:, place] = np.tile(colours, len(fitting))
        differs = other[:, place] != np.repeat(pair[:, place], len(colours))
        pairs.append(other[differs])
        flags.append(np.ones(int(differs.sum()), dtype=bool))
        orientations.append(np.repeat(fitting, len(colours))[differs])
    keys = np.concatenate(pairs) @ np.array([board.colours, 1])
    mismatched, orientation = np.concatenate(flags), np.concatenate(orientations)
    ties = random_words(seed, 0, len(keys))
    order = np.lexsort((ties, -preferred[orientation].astype(np.int64), mismatched, keys))
    return CellLists(keys[order], mismatched[order], orientation[order])
