"""A contest: the times of several solvers on the same questions.

Who is ranked against whom is decided by `contests`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.evaluation.solver_runs import SolverRuns
from dovetail.harness.records.summary import JobResult
from dovetail.harness.run.clock import MIN_S

ALL_FAMILIES = "all puzzles"
PENALTY = 2.0  # PAR-2


class Clock(StrEnum):
    """Which time of a run counts: with or without start-up."""

    WARM = "prepare + solve"
    COLD = "start-up + prepare + solve"

    def seconds(self, run: JobResult) -> float:
        """The time of a run by this clock."""
        start_up = (run.warm_up_s or 0.0) if self is Clock.COLD else 0.0
        return run.total_s + start_up


class Settings(StrEnum):
    """Which solvers take part."""

    DEFAULT = "default settings"
    TUNED = "chosen settings"


@dataclass(frozen=True, eq=False)
class Contest:
    """The times of `solvers` on `questions` that all of them were asked and one of them answered.

    `seconds` has a row for each solver and a column for each question, infinite where the solver
    did not answer. `cutoffs` are the limits of time of the questions: the longest of any run, and
    no less than the longest time of any run. `runs` are those that the contest was made of.
    `disqualified` have a wrong count of any puzzle; `left_out` were not asked all questions.
    `uncommon` questions were not asked of all solvers, `unanswered` ones were answered by nobody,
    and `unsearched` ones by nobody's search: it was known before that there is no solution.
    """

    family: str
    settings: Settings
    clock: Clock
    solvers: tuple[str, ...]
    questions: tuple[str, ...]
    seconds: NDArray[np.float64]
    cutoffs: NDArray[np.float64]
    runs: SolverRuns
    disqualified: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    uncommon: tuple[str, ...] = ()
    unanswered: tuple[str, ...] = ()
    unsearched: tuple[str, ...] = ()

    @cached_property
    def answered(self) -> NDArray[np.bool_]:
        """Where a solver answered, in the shape of `seconds`."""
        return np.isfinite(self.seconds)

    @cached_property
    def par2_s(self) -> NDArray[np.float64]:
        """Seconds, twice the limit where a solver did not answer (PAR-2)."""
        return np.where(self.answered, np.maximum(self.seconds, MIN_S), PENALTY * self.cutoffs)

    @cached_property
    def best_s(self) -> NDArray[np.float64]:
        """The least time of any solver for each question: the virtual best solver's."""
        return np.asarray(self.par2_s.min(axis=0))

    def of(self, solver: str) -> int:
        """The row of a solver."""
        return self.solvers.index(solver)

    def run(self, solver: str, question: str) -> JobResult:
        """The run of a solver on a question."""
        return self.runs.runs[solver, question]
