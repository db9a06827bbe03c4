"""Hybrid searches: each engine places some pieces and hands over to the next engine.

A schedule is cut into segments, each searched by a single engine. At each end of a segment, the
search of the next segment begins. The tables of this search are built for the open cells and the
placements that are left. `dlx` hands over only when every item has at least two options left. Until
then `dlx` goes on placing pieces, even beyond the start of the next segment. Source: Busche 2018,
where DLX hands over to FILA.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Search
from dovetail.backends.shared.hooks import NO_TRACE
from dovetail.backends.shared.segments import (
    EngineSegment,
    Position,
    SegmentFactory,
    SegmentSearch,
    segment_at,
)
from dovetail.models.outcome import Counters, Status, added
from dovetail.models.packings.placements import Placements
from dovetail.models.sub_problem import SubProblem
from dovetail.models.sums import NOTHING


@dataclass(eq=False)
class _Open:
    """A segment whose search has begun below a position."""

    search: SegmentSearch
    position: Position
    # Positions at which the next segment is to begin.
    waiting: deque[Position]
    is_last: bool
    ended: bool = False


class HybridSearch(Search):
    """A depth-first search in segments; `factories` has the function that begins each segment.

    `native` names the solver's own counters, which are summed over the segments.
    """

    def __init__(
        self,
        placements: Placements,
        pieces: int,
        factories: Mapping[EngineSegment, SegmentFactory],
        native: Sequence[str] = (),
    ) -> None:
        self._placements, self._pieces, self._factories = placements, pieces, factories
        self._open: list[_Open] = []
        self._taken = [np.empty((0, pieces), dtype=np.int32)]
        self._count = 0
        none = dict.fromkeys(range(pieces, 0, -1), 0)
        self._ended = Counters(0, 0, none, none)
        self._native = native
        self._traced = [NO_TRACE]
        if factories:
            self._begin(Position(NOTHING, None))  # builds tables only
        else:  # no pieces and no cells: the only solution is empty
            self._found(np.empty((1, 0), dtype=np.int32))

    @property
    def count(self) -> int:
        return self._count

    @property
    def counters(self) -> Counters:
        under_way = (segment.search.counters for segment in self._open)
        total = reduce(added, under_way, self._ended)
        native = {name: total.native.get(name, 0) for name in self._native}
        return replace(total, native=native)

    def advance(self, budget: Budget) -> Status | None:
        if budget.solutions is not None and budget.solutions <= 0:
            return Status.SOLUTION_LIMIT
        while self._open:
            segment = self._open[-1]
            if segment.waiting:
                self._begin(segment.waiting.popleft())
            elif segment.ended:
                self._ended = added(self._ended, segment.search.counters)
                self._open.pop()
            else:
                return self._search(segment, budget)
        return Status.EXHAUSTED

    def take(self) -> NDArray[np.int32]:
        taken = np.concatenate(self._taken)
        self._taken = [taken[:0]]
        return taken

    def take_trace(self) -> NDArray[np.int32]:
        """Return the rows of the trace since the last call; see `Hooks.trace`."""
        traced = np.concatenate(self._traced)
        self._traced = [NO_TRACE]
        return traced

    def begin_within(self, part: SubProblem) -> None:
        below: SubProblem | None = part
        while below is not None and self._open:
            segment, whole = self._open[-1], below
            below = segment.search.begin_within(whole)
            if below is None:
                self._take_from(segment)
            else:
                taken = whole.taken[: len(whole.taken) - len(below.taken)]
                row = np.array([*segment.position.placed.tolist(), *taken], dtype=np.int64)
                self._begin(Position(row, _left_below(segment)))

    def remaining(self) -> tuple[SubProblem, ...] | None:
        """Return the unexplored parts, with the parts of the last segment first.

        For each segment, the positions at which the next segment begins come before the rest of the
        segment's tree. The result is None if a segment cannot be cut, as in `dlx` while the search
        branches on an item with other bounds than exactly once.
        """
        parts: list[SubProblem] = []
        for segment in reversed(self._open):
            unexplored = () if segment.ended else segment.search.remaining()
            if unexplored is None:
                return None
            placed = segment.position.placed.tolist()
            parts += [SubProblem(tuple(position.placed.tolist())) for position in segment.waiting]
            parts += [SubProblem((*placed, *part.taken), part.untried) for part in unexplored]
        return tuple(parts)

    def progress(self) -> float | None:
        """Return the share of the tree that is done, from all segments begun; None if unknown."""
        done, share = 0.0, 1.0
        for segment in self._open:
            shares = segment.search.progress()
            if segment.ended and segment is self._open[-1] and not segment.waiting:
                shares = 1.0, 0.0
            if shares is None:
                return None
            done += share * shares[0]
            share *= shares[1]
        # Rounded, because the last digits of a sum depend on its order. At least 0, because the
        # share of a level is negative before its first branch.
        return max(0.0, round(done, 12)) if self._open else 1.0

    def _begin(self, position: Position) -> None:
        """Begin the next segment at a position."""
        segment = segment_at(list(self._factories), self._pieces - len(position.placed))
        make = self._factories[segment]
        search = make(self._placements, position.placed, position.left)
        self._open.append(_Open(search, position, deque(), segment.ends == 0))

    def _search(self, segment: _Open, budget: Budget) -> Status | None:
        """Continue the search of a segment; return the limit that was reached, or None."""
        segment_budget = budget if segment.is_last else replace(budget, solutions=None)
        status = segment.search.advance(segment_budget)
        traced = segment.search.take_trace()
        if len(traced):
            self._traced.append(traced)
        self._take_from(segment)
        segment.ended = status == Status.EXHAUSTED
        return None if segment.ended else status

    def _take_from(self, segment: _Open) -> None:
        """Record the rows that a segment has found: solutions, or where the next segment begins."""
        rows = segment.search.take()
        if len(rows):
            placed = segment.position.placed.astype(np.int32)
            rows = np.hstack([np.tile(placed, (len(rows), 1)), rows])
            if rows.shape[1] == self._pieces:
                self._found(rows)
            else:
                left = _left_below(segment)
                segment.waiting.extend(Position(row, left) for row in rows.astype(np.int64))

    def _found(self, solutions: NDArray[np.int32]) -> None:
        self._count += len(solutions)
        self._taken.append(solutions)


def _left_below(segment: _Open) -> NDArray[np.int32] | None:
    """Return the placements allowed below the last result of a segment; None for all."""
    left = segment.search.left
    return segment.position.left if left is None else left
