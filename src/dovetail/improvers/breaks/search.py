"""A search by `breaks`: lists of the tiles that fit each cell, and restarts in another order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.improvers.base import ImprovingSearch
from dovetail.improvers.breaks.kernels import breaks as kernel
from dovetail.improvers.breaks.kernels.breaks import Apart, Lists, Rules, Stack
from dovetail.improvers.shared.board import BoardArrays, fill
from dovetail.kernels.layout import BUFFER_FULL, EXHAUSTED, NODES
from dovetail.models.board_geometry import opposite
from dovetail.models.edges import EAST, NORTH, SOUTH, WEST
from dovetail.random_stream import RandomStream, random_words

BY_COLOUR = 2  # so many neighbours' colours find a list

Known = tuple[int, ...]  # sides of a cell beyond which tiles lie when it is filled
# By entry: the pair of colours that it is for, as first · colours + second, ascending; whether it
# has a mismatch; and the orientation.
CellLists = tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]


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
    """Return the lists of all cells of an order.

    Each list is sorted: matching orientations, then mismatched; within both by the number of sides
    of `preferred` colours, shape (4 n,), most first; then at random by `seed`.
    """
    found: list[CellLists] = []
    numbers: dict[tuple[int, Known], int] = {}
    steps = np.zeros((len(order), 1 << int(kernel.STEP_BITS)), dtype=np.uint32)
    pairs = board.colours**2
    for row, cell, known in zip(steps, order, known_sides(board, order), strict=True):
        context = int(board.cell_frame[cell]), known[:BY_COLOUR]
        if context not in numbers:
            numbers[context] = len(found)
            found.append(_cell_lists(board, *context, preferred, seed))
        row[kernel.LISTS] = numbers[context] * pairs
        _write_step(row, board, cell, known)
    keys = np.concatenate([keys + number * pairs for number, (keys, _, _) in enumerate(found)])
    exact = ~np.concatenate([mismatched for _, mismatched, _ in found])
    begin = np.searchsorted(keys, np.arange(len(found) * pairs + 1))
    matching = np.concatenate([[0], np.cumsum(exact)])
    return Lists(
        sides=board.sides.astype(np.uint32).reshape(-1),
        steps=steps.reshape(-1),
        begin=begin.astype(np.uint32),
        mismatched=(begin[:-1] + matching[begin[1:]] - matching[begin[:-1]]).astype(np.uint32),
        entries=np.concatenate([orientations for *_, orientations in found]).astype(np.uint32),
        preferred=preferred,
    )


def entry_count(board: BoardArrays, order: Sequence[int]) -> int:
    """Return how many entries the lists would have, about."""
    contexts = {
        (int(board.cell_frame[cell]), known[:BY_COLOUR])
        for cell, known in zip(order, known_sides(board, order), strict=True)
    }
    fitting = np.bincount(board.frame, minlength=16)
    return sum(int(fitting[frame]) * board.colours * len(known) for frame, known in contexts)


def _write_step(row: NDArray[np.uint32], board: BoardArrays, cell: int, known: Known) -> None:
    """Write where in `shown` a cell's sides are, and the sides that face it."""
    nothing = 4 * board.cells  # where `shown` has the frame's colour for good
    facing = [4 * int(board.neighbours[cell, side]) + opposite(side) for side in known]
    facing += [nothing] * (BY_COLOUR - len(known))
    row[kernel.SHOWS_AT] = 4 * cell
    row[kernel.FIRST_KNOWN], row[kernel.SECOND_KNOWN] = facing[:BY_COLOUR]
    row[kernel.FURTHER] = max(0, len(known) - BY_COLOUR)
    at = int(kernel.FURTHER_KNOWN)
    for place, side in zip(facing[BY_COLOUR:], known[BY_COLOUR:], strict=True):
        row[at : at + 2] = place, side
        at += 2


def _cell_lists(
    board: BoardArrays, frame: int, known: Known, preferred: NDArray[np.uint32], seed: int
) -> CellLists:
    """Return the lists of cells with a frame and at most `BY_COLOUR` known sides."""
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
    return keys[order], mismatched[order], orientation[order]


@dataclass(frozen=True)
class Schedule:
    """Limits on a board after each step, and the nodes before a restart in a new order.

    The limits are on mismatches and on sides of preferred colours. With `apart`, no tile may have
    two sides that do not match.
    """

    allowed: Sequence[int]
    quota: Sequence[int]
    restart_nodes: int
    apart: bool = False


class BreaksSearch(ImprovingSearch):
    """Fills the free cells of a board in an order."""

    def __init__(
        self,
        board: BoardArrays,
        order: Sequence[int],
        schedule: Schedule,
        preferred: NDArray[np.uint32],
        seed: int,
    ) -> None:
        super().__init__(board)
        self._board, self._order, self._schedule = board, order, schedule
        self._preferred, self._random = preferred, RandomStream(seed)
        self._restarts, self._restart_at = 0, schedule.restart_nodes
        self._stack = empty_stack(board, len(order))
        self._rules = make_rules(board, order, schedule)
        self._apart = empty_apart(board, len(order)) if schedule.apart else None
        self._lists = self._new_lists()
        self._begin()

    @property
    def nodes(self) -> int:
        return int(self._stack.state[NODES])

    @property
    def counters(self) -> dict[str, int]:
        return {"restarts": self._restarts}

    def advance(self, budget: Budget) -> bool:
        nodes = max(1, min(budget.work, self._restart_at - self.nodes))
        tables = self._lists, self._rules, self._stack, self._apart
        ended = kernel.search(*tables, np.uint64(self._board.colours), np.uint64(nodes))
        over = self.nodes >= self._restart_at
        if ended == BUFFER_FULL or over:
            self._take_record()
        if ended == EXHAUSTED:
            return self._allow_more()
        if over:
            self._restarts += 1
            self._restart_at = self.nodes + self._schedule.restart_nodes
            self._lists = self._new_lists()
            self._begin()
        return True

    def _allow_more(self) -> bool:
        """Allow another mismatch after all allowed boards were tried; False if there is none.

        Neither quotas nor the rule that mismatches do not touch hold any longer. In another order
        of the lists the same boards would be found.
        """
        rules = self._rules
        any_board = rules.allowed[-1] >= rules.joined[-1] and not rules.quota.any()
        if any_board and self._apart is None:
            return False
        rules.allowed[:] += np.uint64(1)
        rules.quota[:] = 0
        self._apart = None
        self._begin()
        return True

    def _new_lists(self) -> Lists:
        return make_lists(self._board, self._order, self._preferred, self._random.word())

    def _begin(self) -> None:
        """Take all tiles off."""
        self._stack.used[:] = 0
        if self._apart is not None:
            self._apart.touched[:] = 0
        kernel.begin(self._lists, self._rules, self._stack, np.uint64(self._board.colours))

    def _take_record(self) -> None:
        """Complete the best partial board, if it is new, and keep it if that is better.

        Not after each slice: the result must not depend on where slices end.
        """
        filled = int(self._stack.state[kernel.IMPROVED])
        if not filled:
            return
        self._stack.state[kernel.IMPROVED] = 0
        placed = self._board.fixed.copy()
        placed[np.array(self._order[:filled])] = self._stack.record[:filled]
        self.keep(placed, fill(self._board, placed))


def empty_stack(board: BoardArrays, steps: int) -> Stack:
    """Return a stack for this many steps, on which only the hints lie."""
    shown = np.zeros(4 * board.cells + 1, dtype=np.uint32)
    for cell in np.flatnonzero(board.fixed >= 0):
        shown[4 * cell : 4 * cell + 4] = board.sides[board.fixed[cell]]
    at, mismatch_begin, end, missed, reached = np.zeros((5, steps + 1), dtype=np.uint64)
    return Stack(
        shown=shown,
        used=np.zeros(board.cells, dtype=np.uint8),
        at=at,
        mismatch_begin=mismatch_begin,
        end=end,
        missed=missed,
        reached=reached,
        chosen=np.zeros(steps, dtype=np.uint32),
        record=np.zeros(steps, dtype=np.uint32),
        state=np.zeros(kernel.STATE_SIZE, dtype=np.uint64),
    )


def empty_apart(board: BoardArrays, steps: int) -> Apart:
    """No mismatches yet, for this many steps."""
    return Apart(np.zeros(board.cells, dtype=np.uint8), np.zeros(steps, dtype=np.uint32))


def make_rules(board: BoardArrays, order: Sequence[int], schedule: Schedule) -> Rules:
    """Return the rules of a schedule for the cells of an order."""
    joined = np.cumsum([len(known) for known in known_sides(board, order)])
    return Rules(
        allowed=np.array(schedule.allowed, dtype=np.uint64),
        quota=np.array(schedule.quota, dtype=np.uint64),
        joined=joined.astype(np.uint64),
    )
