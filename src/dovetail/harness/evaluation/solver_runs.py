"""Every solver's run on every question: what rankings and charts of results are made of.

A solver is a backend with its settings, reductions and triggers; its name is that in the rows of
the table of results. Seeds make no other solver: of its runs with several, the median counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count

from dovetail.errors import shorten
from dovetail.harness.records.questions import SEED, Question, by_question, solver_name
from dovetail.harness.records.record import Record
from dovetail.models.outcome import Status

LONGEST_NAME = 100  # a name stands beside each of its figures
DIGEST_SHOWN = 8


@dataclass(frozen=True)
class SolverRuns:
    """The runs of `solvers` on `questions`, by the two names; `asked` are the questions by name."""

    solvers: tuple[str, ...]
    questions: tuple[str, ...]
    runs: Mapping[tuple[str, str], Record]
    asked: Mapping[str, Question]

    def of(self, solver: str) -> dict[str, Record]:
        """The runs of a solver by question, in the order of the questions."""
        asked = ((question, self.runs.get((solver, question))) for question in self.questions)
        return {question: run for question, run in asked if run is not None}

    def finished(self, solver: str) -> dict[str, Record]:
        """Those of its runs that answered the question and are not wrong."""
        return {
            question: run for question, run in self.of(solver).items() if run.result.is_answered
        }

    def values(self, solver: str, figure: Callable[[Record], float | None]) -> dict[str, float]:
        """What it took for those that it finished, where that is known."""
        found = ((question, figure(run)) for question, run in self.finished(solver).items())
        return {question: value for question, value in found if value is not None}

    def finished_by_some(self) -> list[str]:
        """The questions that at least one solver finished."""
        finished = {question for (_, question), run in self.runs.items() if run.result.is_answered}
        return [question for question in self.questions if question in finished]


def solver_runs(results: Sequence[Record]) -> SolverRuns:
    """The runs in `results`, which are those of a `plan_results`: one for each job.

    A solver may have been asked a question several times: it is wrong if one of the runs is. With
    other limits, one that answered counts. Of several seeds the median by total time counts, the
    slower of the two in the middle, and runs without an answer are the slowest.
    """
    questions = by_question(results)
    titles = dict(zip(questions, _shortened(_titles(questions)), strict=True))
    styles = solver_styles(results)
    names = dict(zip(styles, _shortened(styles), strict=True))
    several: dict[tuple[str, str], list[Record]] = {}
    for question, answers in questions.items():
        for answer in answers:
            place = names[solver_name(answer)], titles[question]
            several.setdefault(place, []).append(answer)
    runs = {place: _representative(answers) for place, answers in several.items()}
    asked = {title: question for question, title in titles.items()}
    return SolverRuns(tuple(names.values()), tuple(titles.values()), runs, asked)


def solver_styles(results: Iterable[Record]) -> dict[str, int]:
    """Return the number of the style of each solver, by its name in full.

    It is the same in all charts that are made of `results`: its place in `SolverRuns.solvers`.
    """
    return {name: style for style, name in enumerate(dict.fromkeys(map(solver_name, results)))}


def _representative(runs: Sequence[Record]) -> Record:
    """The run that stands for several of one solver on one question."""
    wrong = [run for run in runs if run.result.status is Status.WRONG]
    if wrong:
        return wrong[-1]
    seeds: dict[object, list[Record]] = {}
    for run in runs:
        seeds.setdefault((run.job.config.get(SEED), run.job.random), []).append(run)
    of_seeds = [_of_a_seed(same) for same in seeds.values()]
    return sorted(of_seeds, key=_place)[len(of_seeds) // 2]


def _of_a_seed(runs: Sequence[Record]) -> Record:
    """The median of the runs that answered, which may have had other limits; or of all runs."""
    answered = [run for run in runs if run.result.is_answered]
    ordered = sorted(answered or runs, key=_place)
    return ordered[(len(ordered) - 1) // 2]


def _place(run: Record) -> tuple[int, float]:
    """What runs are ordered by: answers first, then by total time."""
    return _rank(run), run.result.total_s


def _rank(run: Record) -> int:
    """Runs that finished come before those that a limit stopped, and these before all others."""
    return 0 if run.result.is_answered else 1 if run.result.status.is_limit else 2


def _titles(questions: Iterable[Question]) -> list[str]:
    """Return a title for each question, with the digest where puzzles share a name."""
    shared = Counter(question.title for question in questions)
    return [
        question.title
        if shared[question.title] == 1
        else f"{question.title} [{question.digest[:DIGEST_SHOWN]}]"
        for question in questions
    ]


def _shortened(names: Iterable[str]) -> list[str]:
    """Names in one line, cut where they are too long; those that are alike then are numbered."""
    made: dict[str, None] = {}
    for name in names:
        cut = shorten(" ".join(name.split()), LONGEST_NAME)
        numbered = (f"{cut} ({number})" for number in count(2))
        made[next(one for one in chain([cut], numbered) if one not in made)] = None
    return list(made)
