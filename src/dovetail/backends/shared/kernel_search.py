"""Searches by kernels that work in slices: limits, buffers, counters and parts, for all solvers.

A solver builds its tables, runs a slice of its kernel, and reads and restores the levels of its
stack. All kernels share the first entries of their state; see `kernels.layout`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from dovetail.backends.base import Budget, Search
from dovetail.backends.shared.kernels.guide import Guide
from dovetail.errors import ConfigError
from dovetail.kernels.layout import (
    BUFFERED,
    EXHAUSTED,
    NODE_LIMIT,
    NODES,
    SOLUTIONS,
    STOPPED_AT_REMAINING,
    WORK,
    WORK_SPENT,
)
from dovetail.models.outcome import Counters, Status
from dovetail.models.sub_problem import SubProblem

REPLAYED_WORK = 1_000_000
NO_LIMIT = 2**63 - 1
BUFFERED_SOLUTIONS = 4096
BUFFERED_PLACEMENTS = 2**22


@dataclass(frozen=True)
class Level:
    """A level of a search tree, from the root to where the search is.

    `taken` is the option that the search has gone into, None on the last level. `untried` are the
    options still to be tried, in their order, in a tuple for each part that they leave; None in
    its place is a node that has not been branched on. `placed` are options that were made, and
    counted, but not gone into.
    """

    taken: int | None
    untried: Sequence[Sequence[int] | None]
    placed: Sequence[int] = ()


NOT_BRANCHED = Level(None, (None,))


def parts_below(levels: Iterable[Level]) -> tuple[SubProblem, ...]:
    """Return the parts that levels leave, in the order of the search: the deepest first."""
    parts: list[SubProblem] = []
    taken: tuple[int, ...] = ()
    for level in levels:
        here = [SubProblem((*taken, option)) for option in level.placed]
        for untried in level.untried:
            if untried is None:
                here.append(SubProblem(taken))
            elif len(untried):
                here.append(SubProblem(taken, tuple(untried)))
        parts = here + parts
        if level.taken is not None:
            taken += (level.taken,)
    return tuple(parts)


class KernelSearch(Search):
    """A search whose kernel goes on where its `state` says, and writes solutions into a buffer.

    A row of the buffer has `width` entries. Solutions have `size` placements; None where that
    varies. `fits` and `attempts` count the placements made and tried, by placements made before;
    `attempts` is None where they are not counted. `native` names the entries of the state that are
    counters of this solver.
    """

    # The share of the solutions in the tree that the search reports.
    reported: float = 1.0
    # The descents that the kernel makes in place of a search.
    _guide: Guide | None = None
    _kernel: Callable[..., int]
    # Whether a slice of the kernel makes at least one node.
    makes_a_node: ClassVar[bool] = False
    native: ClassVar[Mapping[str, int]] = MappingProxyType({})

    def __init__(
        self,
        state: NDArray[np.uint64],
        width: int,
        size: int | None,
        fits: NDArray[Any],
        attempts: NDArray[Any] | None = None,
        *,
        dtype: DTypeLike = np.int32,
        max_rows: int = BUFFERED_SOLUTIONS,
    ) -> None:
        self._state, self._solutions = state, SolutionBuffer(width, dtype, state, max_rows)
        self._fits, self._attempts, self.size = fits, attempts, size
        self._counted = (fits,) if attempts is None else (fits, attempts)
        # The most levels of a descent, for kernels that make descents.
        self.levels = width

    @abstractmethod
    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        """Run the kernel until this much work is done or `nodes` have been made in all.

        Returns why the slice ended, as of `dovetail.kernels.layout`. If it is `EXHAUSTED` after
        descents, the tables are as before the first slice.
        """

    def _can_be_cut(self) -> bool:
        """Return whether the levels of the stack leave parts of the tree."""
        return True

    @abstractmethod
    def _levels(self) -> Iterable[Level]:
        """Return the levels of the stack of a search that can be cut."""

    @abstractmethod
    def _keep(self, options: Sequence[int]) -> None:
        """Leave only some options to be tried where the search is about to branch.

        Raises `ConfigError` where it does not branch on them all.
        """

    @abstractmethod
    def _branches(self) -> Iterable[tuple[int, int]] | None:
        """Return the branches of each level and how many are untried; None before the root."""

    @property
    def count(self) -> int:
        return int(self._state[SOLUTIONS])

    @property
    def nodes(self) -> int:
        """How many nodes have been made."""
        return int(self._fits.sum())

    @property
    def counters(self) -> Counters:
        attempts = None if self._attempts is None else int(self._attempts.sum())
        return Counters(
            self.nodes,
            attempts,
            self._by_remaining(self._attempts),
            self._by_remaining(self._fits),
            {name: int(self._state[entry]) for name, entry in self.native.items()},
            self._backtracks(),
        )

    def _by_remaining(self, figures: NDArray[Any] | None) -> dict[int, int] | None:
        if figures is None or self.size is None:
            return None
        made = figures[: self.size].tolist()
        return {self.size - before: int(figure) for before, figure in enumerate(made)}

    def _backtracks(self) -> Mapping[str, Mapping[int, int]] | None:
        """Return the placements that each trigger removed, by pieces remaining."""
        return None

    def advance(self, budget: Budget) -> Status | None:
        if budget.solutions is not None and budget.solutions <= 0:
            return Status.SOLUTION_LIMIT
        solutions = self._solutions.open_for(budget)
        if solutions is None:
            return None
        found, nodes = self.count, node_limit(budget, self.nodes)
        if self.makes_a_node and self.nodes >= nodes:
            return Status.NODE_LIMIT
        reason = self._slice(solutions, budget.work, nodes)
        return status_of(reason, budget, self.count - found)

    def take(self) -> NDArray[np.int32]:
        return self._solutions.take()

    def begin_within(self, part: SubProblem) -> None:
        if self.begin_until_found(part) is not None:
            raise ConfigError("sub-problem: no search goes on below a solution")

    def begin_until_found(self, part: SubProblem) -> SubProblem | None:
        """Begin within a part of this search and of those that go on below what it finds.

        Returns the part below a solution found, which `take` returns; the part may have nothing
        taken and nothing untried. None where nothing is found on the way.
        """
        branches: list[tuple[int, ...]] = [(option,) for option in part.taken]
        branches += [] if part.untried is None else [part.untried]
        below = None
        for number, options in enumerate(branches):
            if self._finds_before_node(min(number, 1)):
                below = SubProblem(part.taken[number:], part.untried)
                break
            self._keep(options)
        else:
            if part.untried is None and part.taken:
                self._finds_before_node(1)
        self._clear_counts()
        return below

    def remaining(self) -> tuple[SubProblem, ...] | None:
        return parts_below(self._levels()) if self._can_be_cut() else None

    def descend(self, guide: Guide) -> Iterator[NDArray[np.int32]]:
        """Make all descents from the root of a search that has not begun, and return to the root.

        Yields the results of `take`. A caller that stops early has the other descents made, too.
        """
        kept = [(array, array.copy()) for array in (self._state, *self._counted)]
        self._guide, status = guide, None
        try:
            while status is None:
                status = self.advance(Budget(work=NO_LIMIT // 2))
                yield self.take()
        except GeneratorExit:
            while status is None:
                status = self.advance(Budget(work=NO_LIMIT // 2))
                self.take()
            raise
        finally:
            self._guide = None
            for array, before in kept:
                array[:] = before

    def progress(self) -> float | None:
        """Return the share of the tree, were all branches of a node equally large."""
        shares = self.shares()
        if shares is None:
            return None
        return shares[0] if self._is_within_branch() else sum(shares)

    def _is_within_branch(self) -> bool:
        """Return whether the branch begun last has not come to its end."""
        return False

    def shares(self) -> tuple[float, float] | None:
        """Return the shares of the tree done before the last branch, and of that branch."""
        branches = self._branches()
        if branches is None:
            return None
        share, done = 1.0, 0.0
        for width, untried in branches:
            share /= max(1, width)
            done += share * (width - untried - 1)
        return done, share

    def why_ended(self, reason: int, nodes: int) -> int:
        """Return why a slice ended, for a kernel that counts down `nodes` allowed in all."""
        return NODE_LIMIT if reason == WORK_SPENT and self.nodes >= nodes else reason

    def _finds_before_node(self, nodes: int) -> bool:
        """Make this many nodes, and go on until another node would be made.

        Returns whether the search has found something before that; it stops there, and at its end.
        """
        status: Status | None = None
        found = self.count
        while status is None and self.count == found:
            made = self.nodes
            status = self.advance(Budget(work=REPLAYED_WORK, nodes=nodes))
            nodes -= self.nodes - made
        return self.count != found

    def _clear_counts(self) -> None:
        """Count nothing of the way to where the search begins."""
        for counted in self._counted:
            counted[:] = 0
        for entry in (NODES, WORK, *self.native.values()):
            self._state[entry] = 0


def numbered_within(part: SubProblem, options: NDArray[np.integer]) -> SubProblem:
    """Return a part by the numbers of some options, given in ascending order.

    Raises `ConfigError` for an option that is missing.
    """
    named = np.array([*part.taken, *(part.untried or ())], dtype=np.int64)
    found = np.searchsorted(options, named)
    if not np.isin(named, options).all():
        raise ConfigError("sub-problem: a taken option excludes another one")
    numbers = found.tolist()
    taken, untried = numbers[: len(part.taken)], numbers[len(part.taken) :]
    return SubProblem(tuple(taken), None if part.untried is None else tuple(untried))


def node_limit(budget: Budget, nodes: int) -> int:
    """Return the number of nodes to stop at, when `nodes` have been made."""
    return NO_LIMIT if budget.nodes is None else min(NO_LIMIT, nodes + max(0, budget.nodes))


def status_of(reason: int, budget: Budget, found: int) -> Status | None:
    """Return why the search has ended after a slice with `found` solutions; None to go on."""
    if reason == EXHAUSTED:
        return Status.EXHAUSTED
    if reason == NODE_LIMIT:
        return Status.NODE_LIMIT
    if reason == STOPPED_AT_REMAINING:
        return Status.REMAINING_LIMIT
    if budget.solutions is not None and found >= budget.solutions:
        return Status.SOLUTION_LIMIT
    return None


def buffer_rows(placements: int, max_rows: int = BUFFERED_SOLUTIONS) -> int:
    """Return how many solutions of this many placements are buffered, at most `max_rows`."""
    return max(1, min(max_rows, BUFFERED_PLACEMENTS // max(1, placements)))


class SolutionBuffer:
    """The solutions that a kernel has found since the last `take`, a solution in each row.

    The kernel counts the rows that it has filled in `state[BUFFERED]`; see `kernels.layout`.
    """

    def __init__(
        self,
        placements: int,
        dtype: DTypeLike,
        state: NDArray[Any],
        max_rows: int = BUFFERED_SOLUTIONS,
    ) -> None:
        rows = buffer_rows(placements, max_rows)
        self._rows: NDArray[Any] = np.empty((rows, placements), dtype=dtype)
        self._state = state

    def open_for(self, budget: Budget) -> NDArray[Any] | None:
        """Return the rows that a slice may fill up to; None if there are none before `take`."""
        filled, end = int(self._state[BUFFERED]), len(self._rows)
        if filled == end:
            return None
        if budget.solutions is not None:
            end = min(end, filled + budget.solutions)
        return self._rows[:end]

    def take(self) -> NDArray[Any]:
        """Return the rows that are filled, which may be filled anew."""
        filled = int(self._state[BUFFERED])
        self._state[BUFFERED] = 0
        return self._rows[:filled].copy()
