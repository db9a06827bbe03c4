"""Contests: the times of several solvers on the same questions.

A solver is a backend with its settings, reductions and triggers. A backend with cold starts is a
separate solver. A solver has the same name as in the table of results. Runs with different seeds
are runs of the same solver, and their median counts.

There are separate contests for default and for chosen settings, for times with and without
start-up, and for each family of puzzles, besides a contest over all families. If the solvers ran
different puzzles, a contest compares the solvers and questions with the most runs. A solver takes
part if it has no wrong result and refuses fewer than half of the questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import chain, combinations, count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import shorten
from dovetail.harness.records.record import Record, grouped
from dovetail.harness.records.summary import (
    SEED,
    Question,
    by_question,
    family_of,
    own_settings,
    question_of,
    solver_name,
)
from dovetail.harness.run.clock import MIN_S
from dovetail.models.outcome import Status

LONGEST_NAME = 100
DIGEST_SHOWN = 8
ALL_FAMILIES = "all puzzles"
# PAR-2: a run without an answer counts as this multiple of the time limit of its question.
PENALTY = 2.0
MIN_SOLVERS = 2
# Maximum number of sets of questions for which `max_common` also tries the intersections.
MAX_INTERSECTED = 100


@dataclass(frozen=True)
class SolverRuns:
    """The runs of solvers on questions."""

    # Names of the solvers and of the questions.
    solvers: tuple[str, ...]
    questions: tuple[str, ...]
    # The runs by the names of the solver and of the question.
    runs: Mapping[tuple[str, str], Record]
    # The questions by name.
    asked: Mapping[str, Question]

    def of(self, solver: str) -> dict[str, Record]:
        """Return the runs of a solver by question, in the order of the questions."""
        asked = ((question, self.runs.get((solver, question))) for question in self.questions)
        return {question: run for question, run in asked if run is not None}

    def finished(self, solver: str) -> dict[str, Record]:
        """Return the runs of a solver that answered the question and are not wrong."""
        return {
            question: run for question, run in self.of(solver).items() if run.result.is_answered
        }

    def values(self, solver: str, figure: Callable[[Record], float | None]) -> dict[str, float]:
        """Return `figure(run)` for the finished runs of a solver, by question.

        Runs for which `figure` returns None are omitted.
        """
        values = ((question, figure(run)) for question, run in self.finished(solver).items())
        return {question: value for question, value in values if value is not None}

    def finished_by_some(self) -> list[str]:
        """Return the questions that at least one solver finished."""
        finished = {question for (_, question), run in self.runs.items() if run.result.is_answered}
        return [question for question in self.questions if question in finished]


def solver_runs(results: Sequence[Record]) -> SolverRuns:
    """Return the runs in `results` by solver and question.

    `results` has a result for each job, such as the results of `plan_results`. If a solver has
    several runs on a question, the last wrong run counts. If no run is wrong, a run is chosen for
    each seed: the median by total time of the runs with an answer (without answers, of all runs),
    or the faster of the two middle runs. The median of these runs counts, or the slower of the two
    middle runs. Runs without an answer are the slowest.
    """
    questions = by_question(results)
    titles = dict(zip(questions, _shortened(_titles(questions)), strict=True))
    styles = solver_styles(results)
    names = dict(zip(styles, _shortened(styles), strict=True))
    several = grouped(results, lambda run: (names[solver_name(run)], titles[question_of(run)]))
    runs = {key: _representative(answers) for key, answers in several.items()}
    asked = {title: question for question, title in titles.items()}
    return SolverRuns(tuple(names.values()), tuple(titles.values()), runs, asked)


def solver_styles(results: Iterable[Record]) -> dict[str, int]:
    """Return the style number of each solver by its full name.

    The style number is the index of the solver in `SolverRuns.solvers`, so that it is the same in
    all charts of `results`.
    """
    return {name: style for style, name in enumerate(dict.fromkeys(map(solver_name, results)))}


def _representative(runs: Sequence[Record]) -> Record:
    """Return the run that represents several runs of a solver on a question; see `solver_runs`."""
    wrong = [run for run in runs if run.result.status is Status.WRONG]
    if wrong:
        return wrong[-1]
    ordered = sorted(runs, key=_order)
    seeds = grouped(ordered, lambda run: (str(run.job.config.get(SEED)), run.job.random))
    medians = []
    for same in seeds.values():  # runs with the same seed may differ in their limits
        answered = [run for run in same if run.result.is_answered] or same
        medians.append(answered[(len(answered) - 1) // 2])
    return sorted(medians, key=_order)[len(medians) // 2]


def _order(run: Record) -> tuple[int, float]:
    """Return a sort key by status (answered, stopped by a limit, other), and then by total time."""
    return (
        0 if run.result.is_answered else 1 if run.result.status.is_limit else 2,
        run.result.total_s,
    )


def _titles(questions: Iterable[Question]) -> list[str]:
    """Return a title for each question; equal titles get digits of the puzzles' digests."""
    shared = Counter(question.title for question in questions)
    return [
        question.title
        if shared[question.title] == 1
        else f"{question.title} [{question.digest[:DIGEST_SHOWN]}]"
        for question in questions
    ]


def _shortened(names: Iterable[str]) -> list[str]:
    """Return each name as one short line; the second and further equal lines get a number."""
    unique: dict[str, None] = {}
    for name in names:
        cut = shorten(" ".join(name.split()), LONGEST_NAME)
        numbered = (f"{cut} ({number})" for number in count(2))
        unique[next(name for name in chain([cut], numbered) if name not in unique)] = None
    return list(unique)


class Clock(StrEnum):
    """The definition of the time of a run: without or with start-up."""

    WARM = "prepare + solve"
    COLD = "start-up + prepare + solve"

    def seconds(self, run: Record) -> float:
        """Return the time of a run in seconds, with start-up if the clock is `COLD`."""
        start_up = (run.result.warm_up_s or 0.0) if self is Clock.COLD else 0.0
        return run.result.total_s + start_up

    def known_s(self, run: Record) -> float:
        """Return a lower bound of the seconds until an answer; 0 if nothing is known."""
        if run.result.status is Status.TIME_LIMIT:
            return self.seconds(run) + max(0.0, time_limit_s(run) - run.result.total_s)
        return self.seconds(run) if run.result.is_answered or run.result.status.is_limit else 0.0


class SolverSettings(StrEnum):
    """The kind of settings of the solvers in a contest."""

    DEFAULT = "default settings"
    TUNED = "chosen settings"


def time_limit_s(run: Record) -> float:
    """Return the time limit of a run in seconds, or 0 if it has no time limit."""
    limit = None if run.job.limits is None else run.job.limits.time_s
    return 0.0 if limit is None else float(limit)


@dataclass(frozen=True, eq=False)
class Contest:
    """The times of `solvers` on `questions` that all of them were given.

    At least two solvers accepted each question, and at least one solver answered it by a search.
    Each solver accepted more than half of the questions. The arrays have a row for each solver and
    a column for each question; `cutoffs` and `best_s` have only a value for each question. Times
    are in seconds.
    """

    family: str
    settings: SolverSettings
    clock: Clock
    solvers: tuple[str, ...]
    questions: tuple[str, ...]
    # False where a solver refused the question.
    accepted: NDArray[np.bool_]
    # Time of each answer; infinite where a solver did not answer.
    seconds: NDArray[np.float64]
    # Lower bounds of the time until an answer: the time of the answer, the time until a limit
    # stopped the run, or 0 for a refusal or a failure.
    known_s: NDArray[np.float64]
    # Time limit of each question: the longest limit or duration of a run that was not refused.
    cutoffs: NDArray[np.float64]
    # All runs, including runs of other questions and solvers.
    runs: SolverRuns
    # Questions of the family, from which `questions` were chosen.
    candidates: tuple[str, ...] = ()
    # Solvers with a wrong result for any puzzle; these solvers are not ranked.
    disqualified: tuple[str, ...] = ()
    # Solvers that were not given all questions.
    left_out: tuple[str, ...] = ()
    # Solvers that refused half of the questions or more.
    refusing: tuple[str, ...] = ()
    # Candidates that at least one of the solvers was not given, and candidates with which fewer
    # runs could be compared.
    uncommon: tuple[str, ...] = ()
    # Candidates that fewer than two solvers accepted.
    refused: tuple[str, ...] = ()
    # Candidates that no solver answered.
    unanswered: tuple[str, ...] = ()
    # Candidates that were answered, but not by a search of any solver.
    unsearched: tuple[str, ...] = ()

    @cached_property
    def answered(self) -> NDArray[np.bool_]:
        """Whether each solver answered each question, in the shape of `seconds`."""
        return np.isfinite(self.seconds)

    @cached_property
    def limited_s(self) -> NDArray[np.float64]:
        """Times in seconds; the time limit for runs without an answer, infinite for refusals."""
        return self._with_missing(self.cutoffs)

    @cached_property
    def par2_s(self) -> NDArray[np.float64]:
        """PAR-2 times; twice the time limit for runs without an answer, infinite for refusals."""
        return self._with_missing(PENALTY * self.cutoffs)

    @cached_property
    def best_s(self) -> NDArray[np.float64]:
        """Times of the virtual best solver: the shortest time of any solver for each question."""
        return np.asarray(self.limited_s.min(axis=0))

    @cached_property
    def fastest(self) -> NDArray[np.bool_]:
        """Whether each solver answered and no solver was faster, in the shape of `seconds`."""
        return np.asarray(self.answered & (self.limited_s == self.best_s))

    def of(self, solver: str) -> int:
        """Return the index of a solver in `solvers`."""
        return self.solvers.index(solver)

    def run(self, solver: str, question: str) -> Record:
        """Return the run of a solver on a question."""
        return self.runs.runs[solver, question]

    def refusals(self, solver: str) -> int:
        """Return the number of candidates that a solver refused."""
        runs = (self.runs.runs.get((solver, question)) for question in self.candidates)
        return sum(run is not None and run.result.status is Status.SKIPPED for run in runs)

    def _with_missing(self, seconds: NDArray[np.float64]) -> NDArray[np.float64]:
        missing = np.where(self.accepted, seconds, np.inf)
        return np.where(self.answered, np.maximum(self.seconds, MIN_S), missing)


def contests(runs: SolverRuns, clock: Clock = Clock.WARM) -> list[Contest]:
    """Return the contests among `runs`.

    Contests with default settings come first. For each kind of settings, the contest over all
    puzzles comes first, then the families in descending order of solvers times questions.
    Monte-Carlo trials take part in no contest, because they stop long before an answer. Contests
    with `Clock.COLD` compare cold starts. Contests with `Clock.WARM` compare cold starts only if
    there are no other runs.
    """
    ordered = []
    for settings, solvers in _by_settings(runs, clock).items():
        several = (
            _contest(runs, solvers, families, settings, clock)
            for families in _by_family(runs, solvers)
        )
        ordered += sorted(
            filter(None, several),
            key=lambda contest: (contest.family != ALL_FAMILIES, -contest.seconds.size),
        )
    return ordered


def _by_settings(runs: SolverRuns, clock: Clock) -> dict[SolverSettings, list[str]]:
    """Return the solvers by the kind of settings, for contests with a clock.

    If a backend ran with chosen settings, there are contests of both kinds. A backend that ran only
    with default settings then takes part in both.
    """
    first = {solver: next(iter(runs.of(solver).values())) for solver in runs.solvers}
    searching = [solver for solver, run in first.items() if run.job.trials is None]
    cold = [solver for solver in searching if first[solver].job.cold_start]
    warm = [solver for solver in searching if not first[solver].job.cold_start]
    solvers = cold if clock is Clock.COLD else warm or cold
    default = [s for s in solvers if all(map(_is_default, runs.of(s).values()))]
    tuned = {first[solver].job.backend for solver in solvers if solver not in default}
    groups = {SolverSettings.DEFAULT: default}
    if tuned:
        groups[SolverSettings.TUNED] = [
            s for s in solvers if s not in default or first[s].job.backend not in tuned
        ]
    return groups


def _is_default(run: Record) -> bool:
    return not (own_settings(run) or run.job.reductions or run.job.triggers)


def _by_family(runs: SolverRuns, solvers: Sequence[str]) -> list[dict[str, str]]:
    """Return the questions of each contest, each mapped to its family.

    The first mapping has all questions that `solvers` were given, and each further mapping has the
    questions of a family. If there is only one family, there is only one mapping.
    """
    families: dict[str, str] = {}
    for question in runs.questions:
        answers = [runs.runs[s, question] for s in solvers if (s, question) in runs.runs]
        if answers:
            families[question] = family_of(answers)
    names = dict.fromkeys(families.values())
    separate = [{q: family for q, family in families.items() if family == name} for name in names]
    return [families, *separate] if len(separate) > 1 else separate


@dataclass(frozen=True)
class Asked:
    """The questions that a solver was given, that it accepted, and that it answered by a search."""

    asked: frozenset[str]
    accepted: frozenset[str]
    searched: frozenset[str]


def _contest(
    runs: SolverRuns,
    solvers: Sequence[str],
    families: Mapping[str, str],
    settings: SolverSettings,
    clock: Clock,
) -> Contest | None:
    """Return the contest with the most runs of `solvers` on questions in `families`.

    If `families` has several families, the questions of the contest are from at least two of them.
    Returns None if no two solvers can be compared.
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

    def table(figure: Callable[[Record], float]) -> NDArray[Any]:
        return np.array([[figure(runs.runs[s, q]) for q in questions] for s in ranked])

    seconds, limits = table(clock.seconds), table(time_limit_s)
    accepted = table(lambda run: run.result.status is not Status.SKIPPED)
    longest = np.where(accepted, np.maximum(limits, seconds), 0.0).max(axis=0)
    rest = [question for question in families if question not in chosen]
    apart = [solver for solver in asked if solver not in ranked]
    return Contest(
        ALL_FAMILIES if fewest > 1 else next(iter(families.values())),
        settings,
        clock,
        tuple(ranked),
        tuple(questions),
        accepted,
        np.where(table(lambda run: run.result.is_answered), seconds, np.inf),
        table(clock.known_s),
        np.maximum(longest, MIN_S),
        runs,
        tuple(families),
        tuple(wrong),
        left_out=tuple(solver for solver in apart if not asked[solver].asked >= chosen),
        refusing=tuple(solver for solver in apart if asked[solver].asked >= chosen),
        **_left_out(runs, rest, {solver: asked[solver] for solver in ranked}),
    )


def _asked(runs: SolverRuns, solver: str, questions: Iterable[str]) -> Asked:
    """Return the `Asked` of a solver, restricted to `questions`; interrupted runs do not count."""
    begun = {q: run for q in questions if (run := runs.runs.get((solver, q))) is not None}
    ended = {q: run for q, run in begun.items() if run.result.status is not Status.INTERRUPTED}
    return Asked(
        frozenset(ended),
        frozenset(q for q, run in ended.items() if run.result.status is not Status.SKIPPED),
        # a reason means that the answer was known before any search
        frozenset(
            q for q, run in ended.items() if run.result.is_answered and run.result.reason is None
        ),
    )


def max_common(
    asked: Mapping[str, Asked], is_suitable: Callable[[frozenset[str]], bool] = bool
) -> tuple[list[str], frozenset[str]]:
    """Return the solvers and questions with the most runs to compare.

    Ties are broken by the larger number of questions, then by the names of solvers and questions.
    Every solver was given all of the questions and accepted more than half of them. At least two
    solvers accepted each question, and at least one solver answered it by a search. The sets of
    questions that are tried are the questions that a solver was given, the questions that a solver
    accepted, and, for at most `MAX_INTERSECTED` such sets, the intersections of two sets. Both
    results are empty if no two solvers can be compared on questions that satisfy `is_suitable`.
    """
    sets = [
        questions for history in asked.values() for questions in (history.asked, history.accepted)
    ]
    distinct = list(dict.fromkeys(sets))
    if len(distinct) <= MAX_INTERSECTED:
        shared = (first & second for first, second in combinations(distinct, 2))
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
    """Drop solvers and questions until the conditions in `max_common` hold; return the rest."""
    solvers = [solver for solver, history in asked.items() if history.asked >= questions]
    while True:
        accepting = Counter(q for solver in solvers for q in asked[solver].accepted & questions)
        searched = frozenset[str]().union(*(asked[solver].searched for solver in solvers))
        kept = frozenset(q for q in questions & searched if accepting[q] >= MIN_SOLVERS)
        remaining = [s for s in solvers if 2 * len(asked[s].accepted & kept) > len(kept)]
        if (remaining, kept) == (solvers, questions):
            return solvers, questions
        solvers, questions = remaining, kept


def _left_out(
    runs: SolverRuns, questions: Iterable[str], ranked: Mapping[str, Asked]
) -> dict[str, tuple[str, ...]]:
    """Group questions outside of a contest by reason: the name of a field of `Contest`.

    `ranked` has the solvers of the contest.
    """
    reasons: dict[str, list[str]] = {}
    for question in questions:
        asked_all = all(question in history.asked for history in ranked.values())
        accepting = sum(question in history.accepted for history in ranked.values())
        if accepting < MIN_SOLVERS:
            why = "refused" if asked_all else "uncommon"
        elif not asked_all or any(question in history.searched for history in ranked.values()):
            why = "uncommon"
        else:
            is_answered = any(runs.runs[solver, question].result.is_answered for solver in ranked)
            why = "unsearched" if is_answered else "unanswered"
        reasons.setdefault(why, []).append(question)
    return {why: tuple(names) for why, names in reasons.items()}
