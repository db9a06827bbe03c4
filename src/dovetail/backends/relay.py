"""Searches that hand over to one another: each places some pieces, the next goes on from there.

A schedule is cut into stretches, each of them searched by one engine in one piece. Whenever a
stretch ends with some placements made, the next begins on what these leave, built anew: on the
open cells and the placements that are left.
Source: Busche 2018, where DLX hands over to FILA.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Search
from dovetail.backends.hooks import NO_TRACE
from dovetail.backends.stages import Stage, Stages
from dovetail.models.outcome import Counters, Status
from dovetail.models.placements import Placements
from dovetail.models.sub_problem import NOTHING


@dataclass(frozen=True)
class Stretch:
    """What one search does: pieces from `begins` remaining down to `ends` remaining.

    `heuristics` are those for `begins` pieces remaining, one fewer, and so on.
    """

    engine: str
    begins: int
    ends: int
    heuristics: tuple[str, ...]


def stretches(schedule: Stages, pieces: int, kind: Callable[[Stage], object]) -> list[Stretch]:
    """Cut a schedule where the `kind` of its stages changes."""
    stage_at: dict[int, Stage] = {}
    for stage in schedule.stages:
        first, last = stage.remaining(pieces)
        stage_at.update(dict.fromkeys(range(last, first + 1), stage))
    found: list[Stretch] = []
    for remaining in range(pieces, 0, -1):
        stage = stage_at[remaining]
        if found and kind(stage) == kind(stage_at[remaining + 1]):
            before = found.pop()
            found.append(
                replace(
                    before, ends=remaining - 1, heuristics=(*before.heuristics, stage.heuristic)
                )
            )
        else:
            found.append(Stretch(stage.engine, remaining, remaining - 1, (stage.heuristic,)))
    return found


class StretchSearch(Protocol):
    """The search of one stretch below some placements."""

    @property
    def counters(self) -> Counters:
        """As of a `Search`; by pieces remaining in the whole puzzle."""
        ...

    def advance(self, budget: Budget) -> Status | None:
        """As of a `Search`, solutions being sets of placements that end the stretch."""
        ...

    def take(self) -> NDArray[np.int32]:
        """What was found since: rows of placements by their numbers in the whole puzzle."""
        ...

    @property
    def left(self) -> NDArray[np.int32] | None:
        """Placements that may be made below what `take` returned last, in ascending order.

        None if these are all of those the stretch began with that the ones made leave.
        """
        ...

    def take_trace(self) -> NDArray[np.int32]:
        """What was recorded since the last call, see `Hooks.trace`; by numbers in the whole."""
        ...

    def progress(self) -> tuple[float, float] | None:
        """Shares of the stretch's tree: done before what `take` returned last, and of that."""
        ...


# Begins a stretch of the whole puzzle's placements, below those placed, with no others than
# those given, or with any (None).
Begin = Callable[[Placements, NDArray[np.int64], NDArray[np.int32] | None], StretchSearch]


@dataclass(frozen=True, eq=False)
class _Position:
    """Placements made, and those among which the ones to be made below them are (None: all)."""

    placed: NDArray[np.int64]
    left: NDArray[np.int32] | None


@dataclass(eq=False)
class _Open:
    """A stretch under way below a position, and positions where the next is to begin."""

    search: StretchSearch
    position: _Position
    waiting: deque[_Position]
    ended: bool = False


class RelaySearch(Search):
    """A search in stretches, depth first; `begins` begin them, one after another."""

    def __init__(self, placements: Placements, pieces: int, begins: Sequence[Begin]) -> None:
        self._placements, self._pieces, self._begins = placements, pieces, begins
        self._open: list[_Open] = []
        self._taken = [np.empty((0, pieces), dtype=np.int32)]
        self._count = 0
        self._fits = dict.fromkeys(range(pieces, 0, -1), 0)
        self._attempts = self._fits.copy()
        self._fired: dict[str, dict[int, int]] = {}
        self._counts_attempts = True
        self._traced = [NO_TRACE]
        if begins:
            self._begin(_Position(NOTHING, None))  # no placement is made: tables only
        else:  # no piece, no cell: the one way to fill it
            self._found(np.empty((1, 0), dtype=np.int32))

    @property
    def count(self) -> int:
        return self._count

    @property
    def counters(self) -> Counters:
        fits, attempts = self._fits.copy(), self._attempts.copy()
        fired = {name: counts.copy() for name, counts in self._fired.items()}
        counts_attempts = self._counts_attempts
        for stretch in self._open:
            counts_attempts &= _added(stretch.search.counters, fits, attempts, fired)
        nodes = sum(fits.values())
        if not counts_attempts:
            return Counters(nodes, None, None, fits, fired=fired or None)
        return Counters(nodes, sum(attempts.values()), attempts, fits, fired=fired or None)

    def advance(self, budget: Budget) -> Status | None:
        if budget.solutions is not None and budget.solutions <= 0:
            return Status.SOLUTION_LIMIT
        while self._open:
            stretch = self._open[-1]
            if stretch.waiting:
                self._begin(stretch.waiting.popleft())
            elif stretch.ended:
                self._counts_attempts &= _added(
                    stretch.search.counters, self._fits, self._attempts, self._fired
                )
                self._open.pop()
            else:
                return self._search(stretch, budget)
        return Status.EXHAUSTED

    def take(self) -> NDArray[np.int32]:
        taken = np.concatenate(self._taken)
        self._taken = [taken[:0]]
        return taken

    def take_trace(self) -> NDArray[np.int32]:
        """What was recorded since the last call, see `Hooks.trace`."""
        traced = np.concatenate(self._traced)
        self._traced = [NO_TRACE]
        return traced

    def progress(self) -> float | None:
        """What is done in each stretch under way, as a share of the branch that it is below."""
        done, share = 0.0, 1.0
        for stretch in self._open:
            told = stretch.search.progress()
            if told is None:
                return None
            done += share * told[0]
            share *= told[1]
        return done if self._open else None

    def _begin(self, position: _Position) -> None:
        """Begin the next stretch at a position."""
        begin = self._begins[len(self._open)]
        search = begin(self._placements, position.placed, position.left)
        self._open.append(_Open(search, position, deque()))

    def _search(self, stretch: _Open, budget: Budget) -> Status | None:
        """Search on in the last stretch that was begun."""
        last = len(self._open) == len(self._begins)
        status = stretch.search.advance(budget if last else replace(budget, solutions=None))
        rows = stretch.search.take()
        traced = stretch.search.take_trace()
        if len(traced):
            self._traced.append(traced)
        placed = stretch.position.placed.astype(np.int32)
        reached = np.hstack([np.broadcast_to(placed, (len(rows), len(placed))), rows])
        if last:
            self._found(reached)
        elif len(reached):
            left = stretch.search.left
            left = stretch.position.left if left is None else left
            stretch.waiting.extend(_Position(row, left) for row in reached.astype(np.int64))
        stretch.ended = status == Status.EXHAUSTED
        return None if stretch.ended else status

    def _found(self, solutions: NDArray[np.int32]) -> None:
        self._count += len(solutions)
        self._taken.append(solutions)


def _added(
    counters: Counters,
    fits: dict[int, int],
    attempts: dict[int, int],
    fired: dict[str, dict[int, int]],
) -> bool:
    """Add figures by pieces remaining; whether attempts are among them."""
    for name, counts in (counters.fired or {}).items():
        known = fired.setdefault(name, {})
        for remaining, count in counts.items():
            known[remaining] = known.get(remaining, 0) + count
    for remaining, count in (counters.fits_by_remaining or {}).items():
        fits[remaining] += count
    for remaining, count in (counters.attempts_by_remaining or {}).items():
        attempts[remaining] += count
    return counters.attempts_by_remaining is not None
