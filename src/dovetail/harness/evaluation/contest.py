"""Contests: solvers that were asked the same questions, and the time that each took for each.

Who is ranked against whom is decided here: solvers with their default settings apart from those
that were given settings, times with start-up apart from those without, each family apart.
Of solvers that ran different puzzles, those compare that ran most in common.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.evaluation.solver_runs import SolverRuns
from dovetail.harness.records.families import family_of
from dovetail.harness.records.solver_names import own_settings
from dovetail.harness.records.summary import JobResult
from dovetail.models.outcome import Status

ALL_FAMILIES = "all puzzles"
MIN_SOLVERS = 2
MAX_INTERSECTED = 100  # sets of questions
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


def contests(runs: SolverRuns, clock: Clock = Clock.WARM) -> list[Contest]:
    """The contests among `runs`: with default settings first, and all puzzles before each family.

    Families are ordered by how many runs are compared. Trials are in no contest: they stop long
    before an answer. The cold clock has contests of cold starts only; these are in contests of the
    warm clock only where there are no others.
    """
    found = []
    taking_part = _taking_part(runs, clock)
    for settings, solvers in _by_settings(runs, taking_part).items():
        families = [
            contest
            for family, questions in _by_family(runs, solvers).items()
            if (contest := _contest(runs, family, settings, clock, solvers, questions)) is not None
        ]
        together = [one for one in families if one.family == ALL_FAMILIES]
        apart = [one for one in families if one.family != ALL_FAMILIES]
        found += together + sorted(apart, key=lambda one: -one.seconds.size)
    return found


def is_default(result: JobResult) -> bool:
    """Whether a solver ran as it comes: its backend's settings, nothing asked of it alone."""
    return not (own_settings(result) or result.reductions or result.triggers)


def _taking_part(runs: SolverRuns, clock: Clock) -> list[str]:
    """The solvers whose runs have such a time; those of trials have none."""
    searched = {s: next(iter(runs.of(s).values())) for s in runs.solvers}
    searched = {solver: run for solver, run in searched.items() if run.trials is None}
    cold = [solver for solver, run in searched.items() if run.cold_start]
    if clock is Clock.COLD:
        return cold
    return [solver for solver in searched if solver not in cold] or cold


def _by_settings(runs: SolverRuns, solvers: Sequence[str]) -> dict[Settings, list[str]]:
    """The solvers of each kind of contest.

    A backend that was given no settings anywhere takes part in both: nothing was chosen for it.
    """
    default = {solver: all(map(is_default, runs.of(solver).values())) for solver in solvers}
    backends = {solver: next(iter(runs.of(solver).values())).backend for solver in solvers}
    tuned = {backends[solver] for solver in solvers if not default[solver]}
    groups = {Settings.DEFAULT: [solver for solver in solvers if default[solver]]}
    if tuned:
        groups[Settings.TUNED] = [
            solver for solver in solvers if not default[solver] or backends[solver] not in tuned
        ]
    return groups


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


def _contest(
    runs: SolverRuns,
    family: str,
    settings: Settings,
    clock: Clock,
    solvers: Sequence[str],
    questions: Sequence[str],
) -> Contest | None:
    """The contest of those of `solvers` that ran most of `questions` in common.

    None if fewer than two solvers did, or if none of them answered any by a search. A contest of
    all families has questions of several.
    """
    involved = [s for s in solvers if any((s, q) in runs.runs for q in questions)]
    wrong = [s for s in involved if any(r.status is Status.WRONG for r in runs.of(s).values())]
    right = [solver for solver in involved if solver not in wrong]
    families = {
        q: family_of([runs.runs[s, q] for s in involved if (s, q) in runs.runs]) for q in questions
    }
    fewest = 2 if family == ALL_FAMILIES else 1
    complete, common = max_common(
        {s: frozenset(q for q in questions if _is_ended(runs.runs.get((s, q)))) for s in right},
        lambda shared: len({families[question] for question in shared}) >= fewest,
    )
    asked = [question for question in questions if question in common]
    times = [[runs.runs[s, q] for q in asked] for s in complete]
    kept = [q for place, q in enumerate(asked) if any(_is_searched(row[place]) for row in times)]
    if len(complete) < MIN_SOLVERS or not kept:
        return None
    ended = [[runs.runs[s, q] for q in kept] for s in complete]
    seconds = np.array([[clock.seconds(run) for run in row] for row in ended])
    limits = np.array([[_time_limit(run) for run in row] for row in ended])
    answered = np.array([[run.is_answered for run in row] for row in ended])
    left = [question for question in asked if question not in kept]
    by_nobody = [q for q in left if not any(runs.runs[s, q].is_answered for s in complete)]
    return Contest(
        family,
        settings,
        clock,
        tuple(complete),
        tuple(kept),
        np.where(answered, seconds, np.inf),
        np.maximum(np.maximum(limits, seconds).max(axis=0), MIN_S),
        runs,
        disqualified=tuple(wrong),
        left_out=tuple(solver for solver in right if solver not in complete),
        uncommon=tuple(question for question in questions if question not in common),
        unanswered=tuple(by_nobody),
        unsearched=tuple(question for question in left if question not in by_nobody),
    )


def max_common(
    asked: Mapping[str, frozenset[str]], is_suitable: Callable[[frozenset[str]], bool] = bool
) -> tuple[list[str], frozenset[str]]:
    """The solvers and the questions, all `asked` of each, with most runs; then most questions.

    Candidates are the questions of each solver and those that two have in common, if they are
    suitable. Both are empty where no two solvers were asked such questions.
    """
    distinct = list(dict.fromkeys(asked.values()))
    if len(distinct) <= MAX_INTERSECTED:
        shared = (one & other for one, other in combinations(distinct, 2))
        distinct = list(dict.fromkeys([*distinct, *shared]))
    best: tuple[list[str], frozenset[str]] = ([], frozenset())
    largest = (0, 0)
    for questions in distinct:
        solvers = [solver for solver, own in asked.items() if own >= questions]
        size = (len(solvers) * len(questions), len(questions))
        if len(solvers) >= MIN_SOLVERS and size > largest and is_suitable(questions):
            best, largest = (solvers, questions), size
    return best


def _is_ended(run: JobResult | None) -> bool:
    """Whether there is a run that came to an end of its own or by its limits."""
    return run is not None and run.status is not Status.INTERRUPTED


def _is_searched(run: JobResult) -> bool:
    """Whether a run answered by a search, and not by what was known before any."""
    return run.is_answered and run.reason is None


def _time_limit(run: JobResult) -> float:
    """The limit of time of a run, 0 where it had none."""
    limit = None if run.limits is None else run.limits.time_s
    return 0.0 if limit is None else float(limit)
