"""Which solvers are ranked against one another, on which questions.

Solvers with their default settings apart from those that were given settings, times with start-up
apart from those without, each family of puzzles apart. Of solvers that ran different puzzles, those
compare that ran most in common. A solver may refuse some of the questions, if fewer than half.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from dovetail.harness.evaluation.contest import (
    ALL_FAMILIES,
    Clock,
    Contest,
    Settings,
    time_limit_s,
)
from dovetail.harness.evaluation.solver_runs import SolverRuns
from dovetail.harness.records.questions import family_of, own_settings
from dovetail.harness.records.record import Record
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
            _contest(runs, solvers, families, settings, clock)
            for families in _by_family(runs, solvers)
        ]
        some = [contest for contest in made if contest is not None]
        found += sorted(some, key=lambda one: (one.family != ALL_FAMILIES, -one.seconds.size))
    return found


def is_default(result: Record) -> bool:
    """Whether a solver ran as it comes: its backend's settings, nothing asked of it alone."""
    return not (own_settings(result) or result.job.reductions or result.job.triggers)


def _taking_part(runs: SolverRuns, clock: Clock) -> list[str]:
    """The solvers whose runs have such a time; those of trials have none."""
    searched = {s: next(iter(runs.of(s).values())) for s in runs.solvers}
    searched = {solver: run for solver, run in searched.items() if run.job.trials is None}
    cold = [solver for solver, run in searched.items() if run.job.cold_start]
    if clock is Clock.COLD:
        return cold
    return [solver for solver in searched if solver not in cold] or cold


def _by_settings(runs: SolverRuns, solvers: Sequence[str]) -> dict[Settings, list[str]]:
    """The solvers of each kind of contest.

    A backend that was given no settings anywhere takes part in both: nothing was chosen for it.
    """
    default = {solver: all(map(is_default, runs.of(solver).values())) for solver in solvers}
    backends = {solver: next(iter(runs.of(solver).values())).job.backend for solver in solvers}
    tuned = {backends[solver] for solver in solvers if not default[solver]}
    groups = {Settings.DEFAULT: [solver for solver in solvers if default[solver]]}
    if tuned:
        groups[Settings.TUNED] = [
            solver for solver in solvers if not default[solver] or backends[solver] not in tuned
        ]
    return groups


def _by_family(runs: SolverRuns, solvers: Sequence[str]) -> list[dict[str, str]]:
    """The questions that any of `solvers` was asked, with their families: all, and of each family.

    All are there only if they are of several families.
    """
    families: dict[str, str] = {}
    for question in runs.questions:
        answers = [runs.runs[s, question] for s in solvers if (s, question) in runs.runs]
        if answers:
            families[question] = family_of(answers)
    names = dict.fromkeys(families.values())
    apart = [{q: own for q, own in families.items() if own == name} for name in names]
    return [families, *apart] if len(apart) > 1 else apart


@dataclass(frozen=True)
class Asked:
    """The questions that a solver was asked, those it accepted, and those its search answered."""

    asked: frozenset[str]
    accepted: frozenset[str]
    searched: frozenset[str]


def _contest(
    runs: SolverRuns,
    solvers: Sequence[str],
    families: Mapping[str, str],
    settings: Settings,
    clock: Clock,
) -> Contest | None:
    """The contest of those of `solvers` that compare on most of the questions in `families`.

    If these are of several families, so are the questions of the contest. None where no two
    solvers compare.
    """
    involved = [s for s in solvers if any((s, q) in runs.runs for q in families)]
    wrong = [
        s for s in involved if any(r.result.status is Status.WRONG for r in runs.of(s).values())
    ]
    asked = {s: _asked(runs, s, families) for s in involved if s not in wrong}
    fewest = min(2, len(set(families.values())))
    ranked, chosen = max_common(
        asked, lambda some: len({families[question] for question in some}) >= fewest
    )
    if not chosen:
        return None
    questions = [question for question in families if question in chosen]
    rows = [[runs.runs[s, q] for q in questions] for s in ranked]
    seconds = np.array([[clock.seconds(run) for run in row] for row in rows])
    limits = np.array([[time_limit_s(run) for run in row] for row in rows])
    is_answered = np.array([[run.result.is_answered for run in row] for row in rows])
    rest = [question for question in families if question not in chosen]
    apart = [solver for solver in asked if solver not in ranked]
    return Contest(
        ALL_FAMILIES if fewest > 1 else next(iter(families.values())),
        settings,
        clock,
        tuple(ranked),
        tuple(questions),
        np.array([[run.result.status is not Status.SKIPPED for run in row] for row in rows]),
        np.where(is_answered, seconds, np.inf),
        np.array([[clock.known_s(run) for run in row] for row in rows]),
        np.maximum(np.maximum(limits, seconds).max(axis=0), MIN_S),
        runs,
        tuple(families),
        tuple(wrong),
        left_out=tuple(solver for solver in apart if not asked[solver].asked >= chosen),
        refusing=tuple(solver for solver in apart if asked[solver].asked >= chosen),
        **_left_out(runs, rest, {solver: asked[solver] for solver in ranked}),
    )


def _asked(runs: SolverRuns, solver: str, questions: Iterable[str]) -> Asked:
    """What a solver was asked of `questions`; runs that the user interrupted do not count."""
    own = {q: run for q in questions if (run := runs.runs.get((solver, q))) is not None}
    ended = {q: run for q, run in own.items() if run.result.status is not Status.INTERRUPTED}
    return Asked(
        frozenset(ended),
        frozenset(q for q, run in ended.items() if run.result.status is not Status.SKIPPED),
        # With a reason, the answer was known before any search.
        frozenset(
            q for q, run in ended.items() if run.result.is_answered and run.result.reason is None
        ),
    )


def max_common(
    asked: Mapping[str, Asked], is_suitable: Callable[[frozenset[str]], bool] = bool
) -> tuple[list[str], frozenset[str]]:
    """The solvers and questions that compare in most runs, then those with most questions, by name.

    All of the questions were asked of all of the solvers. Each is accepted by two of them or more
    and answered by a search of one; each solver accepts more than half. Candidates are the
    questions that each solver was asked or accepted, and those that two have in common. Both are
    empty where no two solvers compare on questions that are suitable.
    """
    sets = [questions for own in asked.values() for questions in (own.asked, own.accepted)]
    distinct = list(dict.fromkeys(sets))
    if len(distinct) <= MAX_INTERSECTED:
        shared = (one & other for one, other in combinations(distinct, 2))
        distinct = list(dict.fromkeys([*distinct, *shared]))
    best: tuple[list[str], frozenset[str]] = ([], frozenset())
    largest = (0, 0)
    for candidate in distinct:
        if (len(asked) * len(candidate), len(candidate)) < largest:
            continue
        solvers, questions = _narrowed(asked, candidate)
        size = sum(len(asked[s].accepted & questions) for s in solvers), len(questions)
        is_earlier = (solvers, sorted(questions)) < (best[0], sorted(best[1]))
        if (size > largest or (size == largest and is_earlier)) and is_suitable(questions):
            best, largest = (solvers, questions), size
    return best


def _narrowed(
    asked: Mapping[str, Asked], questions: frozenset[str]
) -> tuple[list[str], frozenset[str]]:
    """The solvers that take part, and those of `questions` on which they compare."""
    solvers = [solver for solver, own in asked.items() if own.asked >= questions]
    while True:
        accepting = Counter(q for solver in solvers for q in asked[solver].accepted & questions)
        searched = frozenset[str]().union(*(asked[solver].searched for solver in solvers))
        kept = frozenset(q for q in questions & searched if accepting[q] >= MIN_SOLVERS)
        left = [s for s in solvers if 2 * len(asked[s].accepted & kept) > len(kept)]
        if (left, kept) == (solvers, questions):
            return solvers, questions
        solvers, questions = left, kept


def _left_out(
    runs: SolverRuns, questions: Iterable[str], ranked: Mapping[str, Asked]
) -> dict[str, tuple[str, ...]]:
    """The `questions` that are not in the contest of the `ranked`, by the fields of `Contest`."""
    found: dict[str, list[str]] = {}
    for question in questions:
        if sum(question in own.accepted for own in ranked.values()) < MIN_SOLVERS:
            is_asked = all(question in own.asked for own in ranked.values())
            why = "refused" if is_asked else "uncommon"
        elif any(question in own.searched or question not in own.asked for own in ranked.values()):
            why = "uncommon"
        else:
            is_answered = any(runs.runs[solver, question].result.is_answered for solver in ranked)
            why = "unsearched" if is_answered else "unanswered"
        found.setdefault(why, []).append(question)
    return {why: tuple(own) for why, own in found.items()}
