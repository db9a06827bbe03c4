"""The events of a run: compiling, started, chosen, found, best board, progress and the result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.run.result import BestBoard, Chosen, Parallel, Result, Searched
from dovetail.models.solution import Solution
from dovetail.models.task import LoweredPuzzle


@dataclass(frozen=True)
class Compiling:
    """What only this task needs is compiled; while that is `under_way`, time does not count."""

    under_way: bool


@dataclass(frozen=True)
class Started:
    """The puzzle is read and everything compiled; from here on time and memory count.

    It comes again, and they count anew, when more had to be compiled for what was asked.

    `baseline_bytes` is the resident size by now: what Python, libraries and kernels take.
    """

    warm_up_s: float
    baseline_bytes: int | None = None


@dataclass(frozen=True)
class Found:
    """Solutions that the request asks for, as options, shape (n, k) padded with −1.

    `lowered` has what the options are; it does not travel between processes.
    """

    options: NDArray[np.int32]
    lowered: LoweredPuzzle | None = None

    def solutions(self) -> Iterator[Solution]:
        """The solutions in the puzzle's own terms."""
        assert self.lowered is not None, "the puzzle is lowered before its solutions are read"
        for options in self.options:
            yield self.lowered.solution(options[options >= 0].tolist())


@dataclass(frozen=True)
class WorkerProgress:
    """A worker: the sub-problem it searches, since when, and the nodes it has made."""

    name: str
    key: str
    since_s: float
    nodes: int


@dataclass(frozen=True)
class ParallelProgress:
    """How far the sub-problems of a run are: those of `totals`, waiting, and of each worker.

    `nodes_before` are those of earlier commands that worked on the run, `left_s` the range of the
    seconds left, None while nothing is known.
    """

    totals: Parallel
    waiting: int
    running: tuple[WorkerProgress, ...]
    nodes_before: int = 0
    left_s: tuple[float, float] | None = None


@dataclass(frozen=True)
class Progress:
    """The progress of a run: a lower bound, the nodes made, the share of the tree done.

    Of trials, the share that have ended. And what became of several searches so far, where there
    are to be several. A search that still builds its tables is not `prepared`. `prepare_s`,
    `solve_s` and `check_s` are how long preparing, solving and verifying have taken so far.
    """

    count: int | None
    nodes: int | None
    share: float | None
    searched: Searched | None = None
    prepared: bool = True
    prepare_s: float = 0.0
    solve_s: float = 0.0
    check_s: float = 0.0
    parallel: ParallelProgress | None = None


Event = Compiling | Started | Chosen | Found | BestBoard | Progress | Result
