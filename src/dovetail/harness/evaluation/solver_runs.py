"""Runs by solver and question, for rankings and charts of results.

A solver is a backend with its settings, reductions and triggers. It has the same name as in the
table of results. Runs with different seeds are runs of the same solver, and their median counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count

from dovetail.errors import shorten
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import SEED, Question, by_question, solver_name
from dovetail.models.outcome import Status

LONGEST_NAME = 100
DIGEST_SHOWN = 8


@dataclass(frozen=True)
class SolverRuns:
    """The `runs` of solvers by the names of solver and question.

    `asked` has the question for each name in `questions`.
    """

    solvers: tuple[str, ...]
    questions: tuple[str, ...]
    runs: Mapping[tuple[str, str], Record]
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
    several runs on a question, a wrong run counts before all others. Among runs with different
    limits, a run with an answer counts. Among runs with different seeds, the median by total time
    counts, or the slower of the two middle runs. Runs without an answer are the slowest.
    """
    questions = by_question(results)
    titles = dict(zip(questions, _shortened(_titles(questions)), strict=True))
    styles = solver_styles(results)
    names = dict(zip(styles, _shortened(styles), strict=True))
    several: dict[tuple[str, str], list[Record]] = {}
    for question, answers in questions.items():
        for answer in answers:
            key = names[solver_name(answer)], titles[question]
            several.setdefault(key, []).append(answer)
    runs = {key: _representative(answers) for key, answers in several.items()}
    asked = {title: question for question, title in titles.items()}
    return SolverRuns(tuple(names.values()), tuple(titles.values()), runs, asked)


def solver_styles(results: Iterable[Record]) -> dict[str, int]:
    """Return the style number of each solver by its full name: its index in `SolverRuns.solvers`.

    The style number of a solver is the same in all charts of `results`.
    """
    return {name: style for style, name in enumerate(dict.fromkeys(map(solver_name, results)))}


def _representative(runs: Sequence[Record]) -> Record:
    """Return the run that represents several runs of a solver on a question; see `solver_runs`."""
    wrong = [run for run in runs if run.result.status is Status.WRONG]
    if wrong:
        return wrong[-1]
    seeds: dict[object, list[Record]] = {}
    for run in sorted(runs, key=_order):
        seeds.setdefault((run.job.config.get(SEED), run.job.random), []).append(run)
    medians = []
    for same in seeds.values():  # runs with the same seed may differ in their limits
        answered = [run for run in same if run.result.is_answered] or same
        medians.append(answered[(len(answered) - 1) // 2])
    return sorted(medians, key=_order)[len(medians) // 2]


def _order(run: Record) -> tuple[int, float]:
    """Return the sort key of a run: answered, stopped by a limit or neither; then the time."""
    return (
        0 if run.result.is_answered else 1 if run.result.status.is_limit else 2,
        run.result.total_s,
    )


def _titles(questions: Iterable[Question]) -> list[str]:
    """Return a title for each question, with the puzzle's digest if several have the same title."""
    shared = Counter(question.title for question in questions)
    return [
        question.title
        if shared[question.title] == 1
        else f"{question.title} [{question.digest[:DIGEST_SHOWN]}]"
        for question in questions
    ]


def _shortened(names: Iterable[str]) -> list[str]:
    """Return unique short names in a single line; names that become equal are numbered."""
    unique: dict[str, None] = {}
    for name in names:
        cut = shorten(" ".join(name.split()), LONGEST_NAME)
        numbered = (f"{cut} ({number})" for number in count(2))
        unique[next(name for name in chain([cut], numbered) if name not in unique)] = None
    return list(unique)
