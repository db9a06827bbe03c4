"""One beam search under way: it fills the empty cells of a board in an order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.improvers.shared.beam.kernels import layout
from dovetail.improvers.shared.beam.kernels.layout import Candidates
from dovetail.improvers.shared.beam.plan import FillPlan, empty_states
from dovetail.improvers.shared.board_arrays import BoardArrays
from dovetail.models.edges import BORDER
from dovetail.random_stream import RandomStream

CANDIDATES = 4  # for each state of the width; fewer are kept once the bar is known
WANTED = 1.6  # for each state, so that enough are left without duplicates
NOISE = 0.1  # matched edges, by which children are ranked at random
MIN_CANDIDATES = 2_000
MAX_BYTES = 2**30
MADE_PER_EXPANDED = 3  # candidates that are looked at in the time of expanding a state
WORK_PER_STATE = 32  # expanding a state takes as long as so many placements of other improvers


class BeamFill:
    """A beam of a width. `done` when the board is full; `placed` (n,) is then the best board.

    Kept is what lies on the board at first, whether it matches or not. The level has the first
    `count` of `states`, by descending rank; `candidates` are their children so far.
    """

    def __init__(
        self,
        board: BoardArrays,
        placed: NDArray[np.int32],
        order: Sequence[int],
        potential: NDArray[np.float64],
        width: int,
        seed: int,
    ) -> None:
        from dovetail.improvers.shared.beam.kernels.expand import expand
        from dovetail.improvers.shared.beam.kernels.select import rank, select

        self._kernels: tuple[Any, Any, Any] = expand, rank, select
        self._board, self._first, self._order = board, placed, np.array(order)
        plan = FillPlan(board, placed, order, potential)
        self._tiles, self.states = plan.tiles, plan.start
        slots = len(plan.tiles.slot_hash)
        self._levels = [empty_states(width, board, slots) for _ in range(2)]
        self._width, self.count, self._step = width, 1, 0
        self._seed = np.uint64(RandomStream(seed).word())
        self.candidates = empty_candidates(width, board.colours)
        self._parents: list[NDArray[np.int32]] = []
        self._laid: list[NDArray[np.int32]] = []
        self._next = np.zeros((2, width), dtype=np.int32)  # parents and what was laid, of `after`
        self.nodes = 0
        self._begin_step()

    @property
    def done(self) -> bool:
        """Whether the board is full."""
        return self._step == len(self._order)

    @property
    def placed(self) -> NDArray[np.int32]:
        """The board with most matched edges among the states."""
        found = self._first.copy()
        state = int(np.argmax(self.states.matched[: self.count]))
        for step in reversed(range(self._step)):
            found[self._order[step]] = self._laid[step][state]
            state = int(self._parents[step][state])
        return found

    def advance(self, states: int) -> int:
        """Expand at most so many states of this level; returns how many.

        Once all are expanded, make about so many of the next level, and return 0; in the same call
        where there are few.
        """
        expand, rank, _ = self._kernels
        progress = self.candidates.progress
        first = int(progress[layout.NEXT])
        if first == self.count:
            self._make(states)
            return 0
        last = min(self.count, first + states)
        expand(
            self._tiles,
            self.states,
            self.candidates,
            self._step,
            first,
            last,
            NOISE,
            self._seed,
        )
        progress[layout.NEXT] = last
        if last == self.count:
            rank(self.candidates)
            if states >= 2 * self.count:
                self._make(states - self.count)
        return last - first

    def _begin_step(self) -> None:
        """Allow one mismatch inside, two where hints lie around, and any on the frame."""
        if self.done:
            return
        known = int(self._tiles.steps[self._step, layout.KNOWN])
        inner = self._board.cell_frame[self._order[self._step]] == BORDER
        self._allow(min(known, 1 + (known > 2)) if inner else known)

    def _allow(self, mismatches: int) -> None:
        self.candidates.counts[:] = 0
        self.candidates.base[:] = 0.0
        self.candidates.progress[:] = 0
        self.candidates.progress[layout.WANTED] = int(self._width * WANTED) + 1
        self.candidates.progress[layout.MISMATCHES] = mismatches

    def _make(self, states: int) -> None:
        """Make states of the next level in about the time that expanding so many takes."""
        _, _, select = self._kernels
        parents, laid = self._next
        all_made = select(
            self._tiles,
            self.states,
            self.candidates,
            self._step,
            self._levels[self._step % 2],
            parents,
            laid,
            MADE_PER_EXPANDED * states,
        )
        if all_made:
            self._end_step(int(self.candidates.progress[layout.MADE]))

    def _end_step(self, made: int) -> None:
        """Go on to the next cell, or try this one again with more mismatches."""
        if not made:
            mismatches = int(self.candidates.progress[layout.MISMATCHES])
            assert mismatches < 4, "a cell of which everything is tried has a tile"
            self._allow(mismatches + 1)
            return
        self.nodes += made
        parents, laid = self._next
        self._parents.append(parents[:made].copy())
        self._laid.append(laid[:made].copy())
        self.states, self.count = self._levels[self._step % 2], made
        self._step += 1
        self._begin_step()


def max_width(board: BoardArrays) -> int:
    """The widest beam whose states take about `MAX_BYTES`."""
    words, slots = -(-board.cells // 64), 2 * board.cells
    level = 8 * words + slots + 8 * board.colours + 20
    candidates = CANDIDATES * (24 + 16)
    return max(1, MAX_BYTES // (2 * level + candidates + 8 * board.cells))


def empty_candidates(width: int, colours: int) -> Candidates:
    """No candidates yet, with space for those of a beam of a width."""
    size = max(MIN_CANDIDATES, CANDIDATES * width)
    entries = 1 << (size + 1).bit_length()
    return Candidates(
        parent=np.zeros(size, dtype=np.int32),
        orientation=np.zeros(size, dtype=np.int32),
        rank=np.zeros(size, dtype=np.int32),
        hash=np.zeros(size, dtype=np.uint64),
        counts=np.zeros(layout.RANKS, dtype=np.int64),
        order=np.zeros(size, dtype=np.int32),
        table=np.zeros(entries, dtype=np.uint64),
        progress=np.zeros(layout.PROGRESS_SIZE, dtype=np.int64),
        gain=np.zeros((2, colours), dtype=np.float64),
        base=np.zeros(2, dtype=np.float64),
    )
