"""Contests: solvers that were asked the same questions, and the time that each took for each.

Who is ranked against whom is decided here: solvers with their default settings apart from those
that were given settings, times apart with and without start-up, each family of puzzles by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.evaluation.solver_runs import SolverRuns, solver_runs
from dovetail.harness.records.families import family_of
from dovetail.harness.records.solver_names import own_settings
from dovetail.harness.records.summary import JobResult
from dovetail.models.outcome import Status

ALL_FAMILIES = "all puzzles"
MIN_SOLVERS = 2
MIN_S = 1e-6  # the resolution of clocks: a time of 0 has no ratio
PENALTY = 2.0  # PAR-2


class Clock(StrEnum):
    """What the time of a run includes besides preparing and solving."""

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
    no less than the longest time that an answer took.
    `disqualified` have a wrong count among all that they were asked, `left_out` were asked some of
    the questions only. `unanswered` questions were answered by nobody, and `unsearched` ones by
    nobody's search: it was known before that there is no solution.
    """

    family: str
    settings: Settings
    clock: Clock
    solvers: tuple[str, ...]
    questions: tuple[str, ...]
    seconds: NDArray[np.float64]
    cutoffs: NDArray[np.float64]
    disqualified: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
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


def contests(results: Sequence[JobResult], clock: Clock = Clock.WARM) -> list[Contest]:
    """The contests in `results`, one for each job, the one with most to decide first.

    With default settings before chosen ones; of each, all puzzles before every family of several.
    Trials are no contest: they stop long before an answer. Of the cold clock, those of runs that
    began with an empty cache of compiled kernels.
    """
    runs = solver_runs([result for result in results if _takes_part(result, clock)])
    found = []
    for settings, solvers in _by_settings(runs).items():
        for family, questions in _by_family(runs, solvers).items():
            taking_part = _taking_part(runs, solvers, questions)
            answers = [[runs.runs[s, q] for q in questions] for s in taking_part.solvers]
            times = _Times.of(answers, clock)
            if len(answers) >= MIN_SOLVERS and times.counts.any():
                found.append(times.contest(family, settings, questions, taking_part))
    return found


def is_default(result: JobResult) -> bool:
    """Whether a solver ran as it comes: its backend's settings, nothing asked of it alone."""
    return not (own_settings(result) or result.reductions or result.triggers)


def _takes_part(result: JobResult, clock: Clock) -> bool:
    """Whether a result counts: trials are none, and only a cold start has the time of one."""
    return result.trials is None and (clock is Clock.WARM or result.cold_start)


def _by_family(runs: SolverRuns, solvers: Sequence[str]) -> dict[str, list[str]]:
    """The questions that any of `solvers` was asked: all of them, and those of each family."""
    families: dict[str, list[str]] = {}
    for question in runs.questions:
        answers = [runs.runs[s, question] for s in solvers if (s, question) in runs.runs]
        if answers:
            families.setdefault(family_of(answers), []).append(question)
    if len(families) < 2:
        return families
    every = {question for questions in families.values() for question in questions}
    return {ALL_FAMILIES: [q for q in runs.questions if q in every], **families}


def _by_settings(runs: SolverRuns) -> dict[Settings, list[str]]:
    """The solvers of each kind of contest.

    A backend that was given no settings anywhere takes part in both: nothing was chosen for it.
    """
    default = {solver: all(map(is_default, runs.of(solver).values())) for solver in runs.solvers}
    backends = {solver: next(iter(runs.of(solver).values())).backend for solver in runs.solvers}
    tuned = {backends[solver] for solver in runs.solvers if not default[solver]}
    groups = {Settings.DEFAULT: [solver for solver in runs.solvers if default[solver]]}
    if tuned:
        groups[Settings.TUNED] = [
            solver
            for solver in runs.solvers
            if not default[solver] or backends[solver] not in tuned
        ]
    return groups


@dataclass(frozen=True)
class _TakingPart:
    """The solvers of a contest, and those that are not in it."""

    solvers: tuple[str, ...]
    disqualified: tuple[str, ...]
    left_out: tuple[str, ...]


def _taking_part(runs: SolverRuns, solvers: Sequence[str], questions: Sequence[str]) -> _TakingPart:
    """Who of `solvers` was asked all `questions`; a wrong count of any puzzle disqualifies."""
    asked = {s: sum((s, q) in runs.runs for q in questions) for s in solvers}
    some = {s for s, number in asked.items() if number}
    complete = {s for s in some if asked[s] == len(questions)}
    wrong = {s for s in some if any(r.status is Status.WRONG for r in runs.of(s).values())}
    return _TakingPart(
        tuple(s for s in solvers if s in complete - wrong),
        tuple(s for s in solvers if s in wrong),
        tuple(s for s in solvers if s in some - complete - wrong),
    )


@dataclass(frozen=True, eq=False)
class _Times:
    """Seconds and limits of runs, by solver and question; see `Contest`.

    `searched` is where an answer needed a search.
    """

    seconds: NDArray[np.float64]
    limits: NDArray[np.float64]
    searched: NDArray[np.bool_]
    clock: Clock

    @classmethod
    def of(cls, answers: Sequence[Sequence[JobResult]], clock: Clock) -> _Times:
        """The times of `answers`, a row of as many for each solver."""
        seconds = [
            [clock.seconds(run) if run.is_answered else np.inf for run in row] for row in answers
        ]
        limits = [[_time_limit(run) for run in row] for row in answers]
        searched = [[run.is_answered and run.reason is None for run in row] for row in answers]
        return cls(np.array(seconds), np.array(limits), np.array(searched), clock)

    @property
    def counts(self) -> NDArray[np.bool_]:
        """Which questions any solver answered by a search."""
        return np.asarray(self.searched.any(axis=0), dtype=np.bool_)

    def contest(
        self, family: str, settings: Settings, questions: Sequence[str], who: _TakingPart
    ) -> Contest:
        """The contest over the questions that count."""
        kept = self.counts
        answered = np.isfinite(self.seconds).any(axis=0)
        seconds, limits = self.seconds[:, kept], self.limits[:, kept]
        longest = np.where(np.isfinite(seconds), seconds, 0.0).max(axis=0)
        cutoffs = np.maximum(limits.max(axis=0), longest)
        named = np.array(questions, dtype=object)
        return Contest(
            family,
            settings,
            self.clock,
            who.solvers,
            tuple(named[kept]),
            seconds,
            cutoffs,
            who.disqualified,
            who.left_out,
            tuple(named[~answered]),
            tuple(named[answered & ~kept]),
        )


def _time_limit(run: JobResult) -> float:
    """The limit of time of a run, 0 where it had none."""
    limit = None if run.limits is None else run.limits.time_s
    return 0.0 if limit is None else float(limit)
