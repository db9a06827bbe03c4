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
from dovetail.harness.records.record import Record
from dovetail.harness.run.clock import MIN_S
from dovetail.models.outcome import Status

ALL_FAMILIES = "all puzzles"
PENALTY = 2.0  # PAR-2


class Clock(StrEnum):
    """Which time of a run counts: with or without start-up."""

    WARM = "prepare + solve"
    COLD = "start-up + prepare + solve"

    def seconds(self, run: Record) -> float:
        """The time of a run by this clock."""
        start_up = (run.result.warm_up_s or 0.0) if self is Clock.COLD else 0.0
        return run.result.total_s + start_up

    def known_s(self, run: Record) -> float:
        """The least that the time of an answer is known to be; 0 where nothing is known."""
        if run.result.status is Status.TIME_LIMIT:
            return self.seconds(run) + max(0.0, time_limit_s(run) - run.result.total_s)
        return self.seconds(run) if run.result.is_answered or run.result.status.is_limit else 0.0


class Settings(StrEnum):
    """Which solvers take part."""

    DEFAULT = "default settings"
    TUNED = "chosen settings"


def time_limit_s(run: Record) -> float:
    """The limit of time of a run, 0 where it had none."""
    limit = None if run.job.limits is None else run.job.limits.time_s
    return 0.0 if limit is None else float(limit)


@dataclass(frozen=True, eq=False)
class Contest:
    """The times of `solvers` on `questions` that all of them were asked.

    Each question was accepted by two of the solvers or more, and answered by a search of one of
    them. Each solver accepted more than half of the questions. The arrays have a row for each
    solver and a column for each question.
    """

    family: str
    settings: Settings
    clock: Clock
    solvers: tuple[str, ...]
    questions: tuple[str, ...]
    # Where a solver did not refuse the question.
    accepted: NDArray[np.bool_]
    # Infinite where a solver did not answer.
    seconds: NDArray[np.float64]
    # The least that is known of the time: the seconds of an answer, those after which a limit
    # stopped the run, 0 where the run was refused or failed.
    known_s: NDArray[np.float64]
    # The limit of time of each question: the longest of any run, and no less than the longest run.
    cutoffs: NDArray[np.float64]
    # All runs, those of the contest among them.
    runs: SolverRuns
    # The questions of the family that the contest was chosen from.
    candidates: tuple[str, ...] = ()
    # Solvers that are not ranked: with a wrong count of any puzzle, not asked all questions, or
    # refusing half of them or more.
    disqualified: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    refusing: tuple[str, ...] = ()
    # Candidates that are left out: not asked of all solvers, accepted by fewer than two, answered
    # by nobody, and answered without a search.
    uncommon: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    unanswered: tuple[str, ...] = ()
    unsearched: tuple[str, ...] = ()

    @cached_property
    def answered(self) -> NDArray[np.bool_]:
        """Where a solver answered, in the shape of `seconds`."""
        return np.isfinite(self.seconds)

    @cached_property
    def limited_s(self) -> NDArray[np.float64]:
        """Seconds, the limit where a solver did not answer, infinite where it refused."""
        return self._with_missing(self.cutoffs)

    @cached_property
    def par2_s(self) -> NDArray[np.float64]:
        """Seconds, twice the limit where a solver did not answer (PAR-2), infinite if refused."""
        return self._with_missing(PENALTY * self.cutoffs)

    @cached_property
    def best_s(self) -> NDArray[np.float64]:
        """The least time of any solver for each question: the virtual best solver's."""
        return np.asarray(self.limited_s.min(axis=0))

    def of(self, solver: str) -> int:
        """The row of a solver."""
        return self.solvers.index(solver)

    def run(self, solver: str, question: str) -> Record:
        """The run of a solver on a question."""
        return self.runs.runs[solver, question]

    def refusals(self, solver: str) -> int:
        """How many of the candidates a solver refused."""
        asked = (self.runs.runs.get((solver, question)) for question in self.candidates)
        return sum(run is not None and run.result.status is Status.SKIPPED for run in asked)

    def _with_missing(self, seconds: NDArray[np.float64]) -> NDArray[np.float64]:
        """The times of answers, with `seconds` where an accepted question was not answered."""
        missing = np.where(self.accepted, seconds, np.inf)
        return np.where(self.answered, np.maximum(self.seconds, MIN_S), missing)
