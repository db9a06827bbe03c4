"""Every solver's run on every question: what the charts of results are made of.

A solver is a backend with its settings, reductions and triggers; its name is that in the rows of
the table of results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count

from dovetail.errors import shorten
from dovetail.harness.records.questions import Question, by_question
from dovetail.harness.records.summary import JobResult
from dovetail.models.outcome import Status
from dovetail.reports.charts.axes import Axis, logarithmic_axis
from dovetail.reports.charts.steps import Step
from dovetail.reports.numbers import show_rounded, show_seconds
from dovetail.reports.result_cells import show_settings
from dovetail.reports.work import placements_made


@dataclass(frozen=True)
class Measure:
    """A figure of runs: `of` a run, None where it has none; `column` is its name in files."""

    name: str
    label: str
    column: str
    of: Callable[[JobResult], float | None]
    show: Callable[[float], str]

    def axis(self, values: Iterable[float]) -> Axis:
        """A logarithmic axis that has all of the values."""
        return logarithmic_axis(self.label, values, self.show, self.column)


TIME = Measure(
    "time", "time, prepare + solve", "prepare_and_solve_s", lambda run: run.total_s, show_seconds
)
NODES = Measure("nodes", "nodes", "nodes", lambda run: run.nodes, show_rounded)
PLACEMENTS = Measure(
    "nodes", "nodes (placements made)", "placements_made", placements_made, show_rounded
)


LONGEST_NAME = 100  # a name stands beside each of its figures
DIGEST_SHOWN = 8
MAX_NAMED = 5


@dataclass(frozen=True)
class SolverRuns:
    """The runs of `solvers` on `questions`, by the two names."""

    solvers: tuple[str, ...]
    questions: tuple[str, ...]
    runs: Mapping[tuple[str, str], JobResult]

    def of(self, solver: str) -> dict[str, JobResult]:
        """The runs of a solver by question, in the order of the questions."""
        asked = ((question, self.runs.get((solver, question))) for question in self.questions)
        return {question: run for question, run in asked if run is not None}

    def finished(self, solver: str) -> dict[str, JobResult]:
        """Those of its runs that searched the whole tree and are not wrong."""
        return {question: run for question, run in self.of(solver).items() if run.is_finished}

    def values(self, solver: str, measure: Measure) -> dict[str, float]:
        """What it took for those that it finished, where that is known."""
        found = ((question, measure.of(run)) for question, run in self.finished(solver).items())
        return {question: value for question, value in found if value is not None}

    def finished_by_some(self) -> list[str]:
        """The questions that at least one solver finished."""
        finished = {question for (_, question), run in self.runs.items() if run.is_finished}
        return [question for question in self.questions if question in finished]


def solver_runs(results: Sequence[JobResult]) -> SolverRuns:
    """The runs in `results`, which are those of a `plan_results`: one for each job.

    A solver may have been asked a question several times, with other limits or another seed:
    it is wrong if one of the runs is, has finished if one has, and of several that are alike
    the last one counts.
    """
    questions = by_question(results)
    titles = dict(zip(questions, _shortened(_titles(questions)), strict=True))
    styles = solver_styles(results)
    names = dict(zip(styles, _shortened(styles), strict=True))
    runs: dict[tuple[str, str], JobResult] = {}
    for question, answers in questions.items():
        for answer in answers:
            place = names[solver_name(answer)], titles[question]
            if place not in runs or _weight(answer) >= _weight(runs[place]):
                runs[place] = answer
    return SolverRuns(tuple(names.values()), tuple(titles.values()), runs)


def solver_name(result: JobResult) -> str:
    """The backend of a result with its settings, in full."""
    return f"{result.backend}{show_settings(result)}"


def solver_styles(results: Iterable[JobResult]) -> dict[str, int]:
    """Return the number of the style of each solver, by its name in full.

    It is the same in all charts that are made of `results`: its place in `SolverRuns.solvers`.
    """
    return {name: style for style, name in enumerate(dict.fromkeys(map(solver_name, results)))}


def ascending(values: Mapping[str, float]) -> tuple[Step, ...]:
    """Steps of a curve at the values of questions."""
    ordered = sorted(values.items(), key=lambda item: item[1])
    return tuple(Step(value, question) for question, value in ordered)


def named_first(counts: Sequence[tuple[str, str]]) -> str:
    """`dlx 12, rows 11 and 3 more`: names with their figures, the first few of them."""
    named = ", ".join(f"{name} {count}" for name, count in counts[:MAX_NAMED])
    left = len(counts) - MAX_NAMED
    return f"{named} and {left} more" if left > 0 else named


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


def _weight(run: JobResult) -> int:
    """Return how much a run counts for its solver: one that is wrong counts most."""
    return 3 if run.status is Status.WRONG else 2 if run.is_finished else run.status.is_limit
