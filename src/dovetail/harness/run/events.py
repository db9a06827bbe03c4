"""The events of a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.run.job import Chosen
from dovetail.harness.run.result import BestBoard, Parallel, Result, Searched
from dovetail.models.solution import Solution
from dovetail.models.task import LoweredPuzzle


@dataclass(frozen=True)
class Compiling:
    """Compilation of kernels starts (`under_way`) or has ended; its time does not count."""

    under_way: bool


@dataclass(frozen=True)
class Started:
    """The kernels are compiled; time and memory count after this event.

    Sent again after a later compilation, when time and memory are reset.
    """

    warm_up_s: float
    # Resident size of Python, the libraries and the kernels.
    baseline_bytes: int | None = None


@dataclass(frozen=True)
class Found:
    """New solutions of a request that lists solutions."""

    # Option numbers of each solution, shape (n, k), padded with −1.
    options: NDArray[np.int32]
    # The puzzle that defines the options. It is not sent between processes.
    lowered: LoweredPuzzle | None = None

    def solutions(self) -> Iterator[Solution]:
        """Yield the solutions as objects of the puzzle's solution class."""
        assert self.lowered is not None, "the puzzle is lowered before its solutions are read"
        for options in self.options:
            yield self.lowered.solution(options[options >= 0].tolist())


@dataclass(frozen=True)
class WorkerProgress:
    """The progress of a worker on its sub-problem."""

    name: str
    # Key of the sub-problem.
    key: str
    # Seconds since the worker began the sub-problem.
    since_s: float
    nodes: int


@dataclass(frozen=True)
class ParallelProgress:
    """The progress of a run on several workers."""

    # Totals of the sub-problems so far.
    totals: Parallel
    # Number of sub-problems that no worker has begun.
    waiting: int
    running: tuple[WorkerProgress, ...]
    # Nodes searched by earlier commands that worked on the run.
    nodes_before: int = 0
    # Range of the remaining seconds; None if unknown.
    left_s: tuple[float, float] | None = None


@dataclass(frozen=True)
class Progress:
    """The progress of a run."""

    # Number of solutions so far, a lower bound of the count.
    count: int | None
    nodes: int | None
    # Share of the search tree that is done, or share of the trials that have ended.
    share: float | None
    # Totals of the restarts or trials so far; None for a single search.
    searched: Searched | None = None
    # False while the search builds its tables.
    prepared: bool = True
    # Seconds of preparing, solving and verifying so far.
    prepare_s: float = 0.0
    solve_s: float = 0.0
    check_s: float = 0.0
    parallel: ParallelProgress | None = None


Event = Compiling | Started | Chosen | Found | BestBoard | Progress | Result
