"""The events of a run: compiling, started, chosen, found, best board, progress and the result."""

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
    """Kernels for this task are being compiled; while that is `under_way`, time does not count."""

    under_way: bool


@dataclass(frozen=True)
class Started:
    """The puzzle is read and everything is compiled; from here on time and memory count.

    Sent again, and the counts start again, after a later compilation.
    """

    warm_up_s: float
    # Resident size of Python, libraries and kernels.
    baseline_bytes: int | None = None


@dataclass(frozen=True)
class Found:
    """Solutions that the request asks for."""

    # Numbers of options, shape (n, k), padded with −1.
    options: NDArray[np.int32]
    # The puzzle that defines the options; it is not sent between processes.
    lowered: LoweredPuzzle | None = None

    def solutions(self) -> Iterator[Solution]:
        """Yield the solutions in the terms of the puzzle."""
        assert self.lowered is not None, "the puzzle is lowered before its solutions are read"
        for options in self.options:
            yield self.lowered.solution(options[options >= 0].tolist())


@dataclass(frozen=True)
class WorkerProgress:
    """The progress of a worker on its sub-problem."""

    name: str
    # Key of the sub-problem.
    key: str
    # Seconds since the sub-problem was begun.
    since_s: float
    nodes: int


@dataclass(frozen=True)
class ParallelProgress:
    """The progress of a run on several workers."""

    # Totals of the sub-problems so far.
    totals: Parallel
    # Number of sub-problems that wait.
    waiting: int
    running: tuple[WorkerProgress, ...]
    # Nodes made by earlier commands that worked on the run.
    nodes_before: int = 0
    # Range of the seconds left; None while unknown.
    left_s: tuple[float, float] | None = None


@dataclass(frozen=True)
class Progress:
    """The progress of a run."""

    # Solutions so far, a lower bound of the count.
    count: int | None
    nodes: int | None
    # Part of the tree that is done, or of trials the part that have ended.
    share: float | None
    # Totals of several searches so far; None for a single search.
    searched: Searched | None = None
    # False while the search builds its tables.
    prepared: bool = True
    # Seconds of preparing, solving and verifying so far.
    prepare_s: float = 0.0
    solve_s: float = 0.0
    check_s: float = 0.0
    parallel: ParallelProgress | None = None


Event = Compiling | Started | Chosen | Found | BestBoard | Progress | Result
