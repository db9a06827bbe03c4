"""Which solvers are ranked against one another, on which questions.

Solvers with their default settings apart from those that were given settings, times with start-up
apart from those without, each family of puzzles apart. Of solvers that ran different puzzles, those
compare that ran most in common.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from dovetail.harness.evaluation.contest import ALL_FAMILIES, Clock, Contest, Settings
from dovetail.harness.evaluation.solver_runs import SolverRuns
from dovetail.harness.records.families import family_of
from dovetail.harness.records.solver_names import own_settings
from dovetail.harness.records.summary import JobResult
from dovetail.harness.run.clock import MIN_S
from dovetail.models.outcome import Status

MIN_SOLVERS = 2
MAX_INTERSECTED = 100  # sets of questions


def contests(runs: SolverRuns, clock: Clock = Clock.WARM) -> list[Contest]:
    """The contests among `runs`: with default settings first, and all puzzles before each family.

    Families are ordered by how many runs are compared. Trials are in no contest: they stop long
    before an answer. The cold clock has contests of cold starts only; these are in contests of the
    warm clock only where there are no others.
    """
    found = []
    for settings, solvers in _by_settings(runs, _taking_part(runs, clock)).items():
        made = [
            _contest(runs, _compared(runs, solvers, questions), family, settings, clock)
            for family, questions in _by_family(runs, solvers).items()
        ]
        some = [contest for contest in made if contest is not None]
        found += sorted(some, key=lambda one: (one.family != ALL_FAMILIES, -one.seconds.size))
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


def _by_family(runs: SolverRuns, solvers: Sequence[str]) -> dict[str, dict[str, str]]:
    """The questions that any of `solvers` was asked, with their families: all, and of each family.

    All are there only if they are of several families.
    """
    families: dict[str, str] = {}
    for question in runs.questions:
        answers = [runs.runs[s, question] for s in solvers if (s, question) in runs.runs]
        if answers:
            families[question] = family_of(answers)
    names = dict.fromkeys(families.values())
    apart = {name: {q: own for q, own in families.items() if own == name} for name in names}
    return {ALL_FAMILIES: families, **apart} if len(apart) > 1 else apart


@dataclass(frozen=True)
class _Compared:
    """Who is compared on which questions, and who and which are not; see `Contest`."""

    solvers: tuple[str, ...]
    questions: tuple[str, ...]
    disqualified: tuple[str, ...]
    left_out: tuple[str, ...]
    uncommon: tuple[str, ...]


def _compared(runs: SolverRuns, solvers: Sequence[str], families: Mapping[str, str]) -> _Compared:
    """Those of `solvers` that ran most in common of the questions in `families`.

    If the questions are of several families, so are those that are compared.
    """
    involved = [s for s in solvers if any((s, q) in runs.runs for q in families)]
    wrong = [s for s in involved if any(r.status is Status.WRONG for r in runs.of(s).values())]
    right = [solver for solver in involved if solver not in wrong]
    fewest = min(2, len(set(families.values())))
    complete, common = max_common(
        {s: frozenset(q for q in families if _is_ended(runs.runs.get((s, q)))) for s in right},
        lambda shared: len({families[question] for question in shared}) >= fewest,
    )
    return _Compared(
        tuple(complete),
        tuple(question for question in families if question in common),
        tuple(wrong),
        tuple(solver for solver in right if solver not in complete),
        tuple(question for question in families if question not in common),
    )


def _contest(
    runs: SolverRuns, compared: _Compared, family: str, settings: Settings, clock: Clock
) -> Contest | None:
    """The contest over those questions that a search answered; None if there are none."""
    ended = {q: [runs.runs[s, q] for s in compared.solvers] for q in compared.questions}
    kept = {question: row for question, row in ended.items() if any(map(_is_searched, row))}
    if not kept:
        return None
    left = {question: row for question, row in ended.items() if question not in kept}
    answered = {q for q, row in left.items() if any(run.is_answered for run in row)}
    seconds = np.array([[clock.seconds(run) for run in row] for row in kept.values()]).T
    limits = np.array([[_time_limit(run) for run in row] for row in kept.values()]).T
    is_answered = np.array([[run.is_answered for run in row] for row in kept.values()]).T
    return Contest(
        family,
        settings,
        clock,
        compared.solvers,
        tuple(kept),
        np.where(is_answered, seconds, np.inf),
        np.maximum(np.maximum(limits, seconds).max(axis=0), MIN_S),
        runs,
        compared.disqualified,
        compared.left_out,
        compared.uncommon,
        unanswered=tuple(question for question in left if question not in answered),
        unsearched=tuple(question for question in left if question in answered),
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
