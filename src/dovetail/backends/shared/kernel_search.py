"""Searches by kernels that work in slices: limits, buffers, counters and parts of the tree.

A subclass for a solver builds the tables, runs a slice of the kernel, and reads and restores the
levels of the kernel's stack. The first entries of the state are the same for all kernels; see
`dovetail.kernels.layout`.
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
    """A level of the path from the root of a search tree to the current node of the search."""

    # Option whose branch the search is in; None on the last level.
    taken: int | None
    # For each unexplored part below the node: the options still to be tried, in the order of the
    # search; or None if the search has not branched at this node yet.
    untried: Sequence[Sequence[int] | None]
    # Options that were placed and counted, but whose branches were not entered.
    placed: Sequence[int] = ()


NOT_BRANCHED = Level(None, (None,))


def parts_below(levels: Iterable[Level]) -> tuple[SubProblem, ...]:
    """Return the unexplored parts of a path's levels, in the order of the search: deepest first."""
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
    """A search by a kernel that keeps its position in `state` and writes solutions to a buffer.

    A row of the buffer has `width` entries. `size` is the number of placements of a solution, or
    None if the number varies. Entry k of `fits` and `attempts` counts the placements made and
    tested after k placements; `attempts` is None for a kernel that counts no attempts.
    """

    # Fraction of the solutions in the tree that the search reports.
    reported: float = 1.0
    # Descents that the kernel makes instead of a search.
    _guide: Guide | None = None
    _kernel: Callable[..., int]
    # True if each slice of the kernel makes at least one node, even beyond the limit on nodes.
    makes_a_node: ClassVar[bool] = False
    # Entry of the state for each of the solver's own counters, by name.
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
        # Largest number of levels of a descent, for kernels that make descents. There is a level
        # for the root even if solutions are empty.
        self.levels = max(1, width)

    @abstractmethod
    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        """Run the kernel until `work` is done or the search has made `nodes` nodes in total.

        The slice ends earlier if `solutions` is full or the search has ended. Returns the reason,
        a constant of `dovetail.kernels.layout`. When descents end with `EXHAUSTED`, the tables are
        restored to their state before the first slice.
        """

    def _can_be_cut(self) -> bool:
        """Return whether `remaining` can return the unexplored parts at the current node."""
        return True

    @abstractmethod
    def _levels(self) -> Iterable[Level]:
        """Return the levels of the stack of a search that can be cut."""

    @abstractmethod
    def _keep(self, options: Sequence[int]) -> None:
        """Drop all branches but `options` at the node where the search is about to branch.

        Raises `ConfigError` if some of the options are not branches of this node.
        """

    @abstractmethod
    def _branches(self) -> Iterable[tuple[int, int]] | None:
        """Return the number of branches and of untried branches of each level, from the root.

        The result is None if the search has not reached the root yet.
        """

    @property
    def count(self) -> int:
        return int(self._state[SOLUTIONS])

    @property
    def nodes(self) -> int:
        """Number of nodes made."""
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
        values = figures[: self.size].tolist()
        return {self.size - before: int(figure) for before, figure in enumerate(values)}

    def _backtracks(self) -> Mapping[str, Mapping[int, int]] | None:
        """Return how often each trigger has fired, by pieces remaining; None without hooks."""
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
        """Begin within a part of this search, or of a search that follows one of its solutions.

        If this search finds a solution on the way to the part, the method returns the rest of the
        part, below that solution, and `take` returns the solution. The rest may be empty. If this
        search finds no solution on the way, the result is None.
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
        """Make the descents of `guide` in a search that has not begun, and return to the root.

        Yields the results of `take`. If the caller stops early, the remaining descents are still
        made. At the end, the state and the counters have their values from before the descents.
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
        """Return the share of the tree that is done, if all branches of a node are equally large.

        The result is None before the root.
        """
        shares = self.shares()
        if shares is None:
            return None
        return shares[0] if self._is_within_branch() else sum(shares)

    def _is_within_branch(self) -> bool:
        """Return whether the search is still within the branch that it began last."""
        return False

    def shares(self) -> tuple[float, float] | None:
        """Return the shares of the tree before and in the branch that was begun last.

        The result is None before the root.
        """
        branches = self._branches()
        if branches is None:
            return None
        share, done = 1.0, 0.0
        for width, untried in branches:
            share /= max(1, width)
            done += share * (width - untried - 1)
        return done, share

    def why_ended(self, reason: int, nodes: int) -> int:
        """Return `reason`, but `NODE_LIMIT` in place of `WORK_SPENT` if all `nodes` have been made.

        The method serves kernels that do not return `NODE_LIMIT` themselves.
        """
        return NODE_LIMIT if reason == WORK_SPENT and self.nodes >= nodes else reason

    def _finds_before_node(self, nodes: int) -> bool:
        """Make `nodes` nodes and go on until the next node is due.

        The search stops earlier at its end or at a solution. Returns whether it found a solution.
        """
        status: Status | None = None
        found = self.count
        while status is None and self.count == found:
            before = self.nodes
            status = self.advance(Budget(work=REPLAYED_WORK, nodes=nodes))
            nodes -= self.nodes - before
        return self.count != found

    def _clear_counts(self) -> None:
        """Reset the counters after the path to the part in which the search begins."""
        for counted in self._counted:
            counted[:] = 0
        for entry in (NODES, WORK, *self.native.values()):
            self._state[entry] = 0


def numbered_within(part: SubProblem, options: NDArray[np.integer]) -> SubProblem:
    """Return a part with each option replaced by its index in the ascending `options`.

    Raises `ConfigError` for an option that is not in `options`.
    """
    named = np.array([*part.taken, *(part.untried or ())], dtype=np.int64)
    found = np.searchsorted(options, named)
    if not np.isin(named, options).all():
        raise ConfigError("sub-problem: a taken option excludes another of its options")
    numbers = found.tolist()
    taken, untried = numbers[: len(part.taken)], numbers[len(part.taken) :]
    return SubProblem(tuple(taken), None if part.untried is None else tuple(untried))


def node_limit(budget: Budget, nodes: int) -> int:
    """Return the total number of nodes at which a search with `nodes` nodes so far stops."""
    return NO_LIMIT if budget.nodes is None else min(NO_LIMIT, nodes + max(0, budget.nodes))


def status_of(reason: int, budget: Budget, found: int) -> Status | None:
    """Return the status after a slice with `found` solutions; None if the search goes on."""
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
    """Return the number of rows, 1 to `max_rows`, of a buffer with rows of `placements` entries."""
    return max(1, min(max_rows, BUFFERED_PLACEMENTS // max(1, placements)))


class SolutionBuffer:
    """The solutions that a kernel has found since the last `take`, a solution in each row.

    `state[BUFFERED]` is the number of rows that the kernel has filled.
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
        """Return the buffer up to the last row that a slice may fill; None if there is no room."""
        filled, end = int(self._state[BUFFERED]), len(self._rows)
        if filled == end:
            return None
        if budget.solutions is not None:
            end = min(end, filled + budget.solutions)
        return self._rows[:end]

    def take(self) -> NDArray[Any]:
        """Return a copy of the filled rows and empty the buffer."""
        filled = int(self._state[BUFFERED])
        self._state[BUFFERED] = 0
        return self._rows[:filled].copy()
