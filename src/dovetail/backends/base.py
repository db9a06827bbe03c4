"""What a backend is: the contract between solvers and everything that drives them.

To add one, write a module with a config dataclass, a `Backend` and a `Search`, and give it a
line in `registry.py` (or, from another distribution, the entry-point group
`dovetail.backends`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.found import FoundSolutions
from dovetail.models.outcome import Counters, Status
from dovetail.models.request import Reduction, Trigger
from dovetail.models.task import Task

# What a node is to backends whose nodes compare: see `Backend.node_meaning`.
PLACEMENT_MADE = "a placement made"
PLACEMENT_TRIED = "a placement tried at a branching"


@dataclass(frozen=True)
class Config:
    """Base of every backend's config: a frozen dataclass of plain values with defaults."""


@dataclass(frozen=True)
class Budget:
    """What one call of `advance` may spend.

    `work` is in the backend's own small steps (about ten nanoseconds each); the driver
    adapts it so that a slice takes a few hundredths of a second. `nodes` and `solutions`
    are how many more of them the search may make in all, None for no limit; a search stops
    on them exactly. `seconds` is the time left, for searches that cannot be sliced.
    `memory_bytes` is how much memory a search may take in all, for those that can tell beforehand.
    """

    work: int
    nodes: int | None = None
    solutions: int | None = None
    seconds: float | None = None
    memory_bytes: int | None = None


class Search(Protocol):
    """One search under way."""

    @property
    def counters(self) -> Counters:
        """What has been counted so far."""
        ...

    @property
    def count(self) -> int | None:
        """Solutions found so far; None while not even a lower bound is known."""
        ...

    def advance(self, budget: Budget) -> Status | None:
        """Search on. The status that ended the search, or None: call again.

        A search that `take` has not emptied for long may return early.
        """
        ...

    def take(self) -> NDArray[np.int32]:
        """The options of the solutions found since the last call, shape (n, k).

        Rows with fewer than k options are padded with −1.
        """
        ...

    def progress(self) -> float | None:
        """The estimated share of the search tree that is done, or None."""
        ...


class ThreadedSearch(Search, Protocol):
    """A search that cannot be sliced: `advance` runs to its end, in a thread.

    What it finds goes into `found`, and `take` empties that.
    """

    @property
    def found(self) -> FoundSolutions: ...


@dataclass(frozen=True)
class Forecast:
    """What a search is expected to take: states to be visited, bytes at most, seconds."""

    states: int
    memory_bytes: int
    solve_s: float


@runtime_checkable
class StagedSearch(Search, Protocol):
    """A search that builds its tables in slices too, and forecasts what it will take.

    Until it is `prepared` the time that `advance` takes is that of preparing. The `forecast` is
    None until then. Where the search ends by itself because it would take more than a budget
    allows, `reason` says what it would take; it is None otherwise.
    """

    @property
    def prepared(self) -> bool: ...

    @property
    def forecast(self) -> Forecast | None: ...

    @property
    def reason(self) -> str | None: ...


@runtime_checkable
class CountingSearch(Search, Protocol):
    """A search that counts solutions without going through them, where they are not listed.

    `total` is how many solutions were asked for, up to symmetry if so, None until that is known.
    Where it is not None in the end, the rows of `take` are but a sample, to be verified.
    """

    @property
    def total(self) -> int | None: ...


@runtime_checkable
class DrawingSearch(StagedSearch, Protocol):
    """A search after which solutions have numbers, from 0 to `numbers` − 1.

    A solution has as many numbers as it stands for images where a piece is confined, else one.
    """

    @property
    def numbers(self) -> int: ...

    def unranked(self, number: int) -> tuple[NDArray[np.int32], int]:
        """The options of a solution, −1 behind the last, and which of its images is meant."""
        ...


class Backend(Protocol):
    """A solver.

    `control` says how it can be stopped: one that works in `slices` runs where it is called;
    one that only a `process` can hold runs in a child that is killed if need be, and its
    searches are `ThreadedSearch`. `extra` is
    the optional dependency that brings it, None if it is always there. `node_meaning` completes
    "a node is …" in a few words, the same words for backends whose nodes mean the same; None if it
    counts none.
    """

    @property
    def name(self) -> str: ...

    @property
    def summary(self) -> str: ...

    @property
    def node_meaning(self) -> str | None: ...

    @property
    def control(self) -> Literal["slices", "process"]: ...

    @property
    def extra(self) -> str | None: ...

    @property
    def config_type(self) -> type[Config]: ...

    def missing(self) -> str | None:
        """The package that has to be installed first, or None when it is there."""
        ...

    def refuses(self, task: Task, config: Config) -> str | None:
        """Why this task cannot be taken, or None when it can."""
        ...

    def warm_up(self) -> None:
        """Import and compile what a search needs, so that neither preparing nor solving pays."""
        ...

    def warm_up_for(self, task: Task, config: Config) -> None:
        """Compile what only this task and config need; only for tasks that are not refused."""
        ...

    def prepare(self, task: Task, config: Config) -> Search:
        """Build the backend's own tables for a task that it does not refuse."""
        ...


def node_meaning(backend: Backend) -> str | None:
    """What a node is to `backend`; None too for one of another distribution that does not say."""
    meaning: str | None = getattr(backend, "node_meaning", None)
    return meaning


class Dives(Protocol):
    """Random descents through the tree that a search goes through; see `harness.estimate`."""

    @property
    def descents(self) -> int:
        """How many have been made; all estimates take the same number of them."""
        ...

    def dive(self, estimates: int) -> NDArray[np.float64]:
        """So many estimates of the tree, independent and unbiased, shape (estimates, d + 1).

        Column k is the number of nodes with k placements made before, the last one the number of
        solutions that the search finds.
        """
        ...


@runtime_checkable
class Diver(Protocol):
    """What a `Backend` is besides when the size of its trees can be estimated."""

    def dives(self, task: Task, config: Config, seed: int, fan: int) -> Dives:
        """The descents for a task that it does not refuse.

        They begin below the nodes of the last level that has at most `fan` of them, and none above
        it has more.
        """
        ...


# So many estimates of the nodes of a search, and the nodes made for them.
TreeSizes = Callable[[int], tuple[NDArray[np.float64], int]]


@runtime_checkable
class Sizer(Protocol):
    """What a `Backend` is besides when it makes random descents in a few microseconds."""

    def tree_sizes(self, task: Task, config: Config, seed: int) -> TreeSizes | None:
        """Independent, unbiased estimates of the nodes of the search for a task.

        None where it has none for such a task. The same seed gives the same estimates.
        """
        ...


@runtime_checkable
class Confining(Protocol):
    """What a `Backend` is besides when it would have a piece confined.

    It is asked where a request says nothing of confining: the answer stays the same.
    """

    def confinement(self, task: Task, config: Config) -> Reduction | None:
        """The reduction to be added to the task's request, None for none."""
        ...


@runtime_checkable
class Drawer(Protocol):
    """What a `Backend` is besides when it can draw random solutions."""

    def drawing(self, task: Task, config: Config) -> DrawingSearch:
        """The search after which solutions of a task that it does not refuse have numbers."""
        ...


@runtime_checkable
class ByOptionOrder(Protocol):
    """What a `Backend` is besides when its searches try options in the order of their numbers.

    Then the options of a task may be in any order, and each order makes a search of its own; see
    `harness.random_order`.
    """

    @property
    def by_option_order(self) -> Literal[True]: ...


def cannot_watch(task: Task) -> str | None:
    """Why a solver that places pieces by its own means refuses a task, None if it need not."""
    if task.request.trace is not None:
        return "it cannot record what it places"
    if task.request.removal is not None:
        return "it does not tell when it takes a placement back, which ends a trial"
    for watch in task.watches:
        if isinstance(watch, Trigger):
            return f"it has no triggers ({watch})"
        return f"it cannot filter placements while it searches ({watch}); expected {watch.name}"
    return None
