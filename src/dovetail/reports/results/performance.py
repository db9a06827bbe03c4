"""Performance profiles: how often every solver was within a factor of the fastest.

Source: E. D. Dolan and J. J. Moré, "Benchmarking optimization software with performance profiles",
Mathematical Programming 91 (2002).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dovetail.errors import how_many
from dovetail.harness.evaluation.contest import MIN_S
from dovetail.harness.evaluation.solver_runs import SolverRuns, solver_runs, solver_styles
from dovetail.harness.records.families import family_of
from dovetail.harness.records.questions import Question, by_question
from dovetail.harness.records.solver_names import solver_name
from dovetail.harness.records.summary import JobResult
from dovetail.reports.charts.axes import Axis, logarithmic_axis
from dovetail.reports.charts.steps import Curve, StepChart
from dovetail.reports.numbers import show_rounded
from dovetail.reports.page import Part, Table
from dovetail.reports.results.measures import TIME, ascending, named_first

FEWEST_QUESTIONS, FEWEST_SOLVERS = 2, 2
FACTORS = (1.0, 2.0, 10.0, 100.0)
ABOUT = (
    "For each kind of puzzle: the share of questions that a solver finished within a factor of the "
    "shortest time (prepare + solve) of any solver. At factor 1, this is how often the solver was "
    "the fastest. Runs that were refused, wrong or stopped by a limit count as not finished. A "
    "profile leaves out solvers that did not run all of its questions."
)
ABOUT_CHARTS = "At its right end, a curve shows how often the solver finished at all."


def performance_part(results: Sequence[JobResult]) -> Part | None:
    """The profiles by time of solvers that were asked the same questions, one for each kind.

    `results` are those of a `plan_results`. A kind of puzzle is left out of which fewer than two
    questions were finished, or that fewer than two such solvers have finished any of; None if
    none is left.
    """
    styles = solver_styles(results)
    profiles = [profile for alike in asked_alike(results) if (profile := _profile(alike, styles))]
    if not profiles:
        return None
    text, charts, tables = zip(*profiles, strict=True)
    return Part(
        "performance",
        "Performance profiles",
        text,
        charts,
        tables,
        definitions=(ABOUT,),
        about_charts=(ABOUT_CHARTS,),
    )


def _profile(alike: AskedAlike, styles: Mapping[str, int]) -> tuple[str, StepChart, Table] | None:
    """Return a sentence on the profile of a family, the chart, and a table of a few factors."""
    runs = solver_runs(alike.results)
    factors = _factors(runs)
    questions = len(runs.finished_by_some())
    if questions < FEWEST_QUESTIONS or sum(map(bool, factors.values())) < FEWEST_SOLVERS:
        return None
    text = f"{alike.kind}: {how_many(questions, 'question')} finished by at least one solver."
    if alike.left_out:
        text += f" Left out because they ran only some questions: {', '.join(alike.left_out)}."
    own_styles = dict(
        zip(runs.solvers, map(styles.__getitem__, solver_styles(alike.results)), strict=True)
    )
    return (
        text,
        _chart(alike.kind, factors, own_styles, questions),
        _table(alike.kind, factors, questions),
    )


def _factors(runs: SolverRuns) -> dict[str, dict[str, float]]:
    """For each solver, how many times the least time it took for the questions it finished."""
    times = {
        solver: {q: max(s, MIN_S) for q, s in runs.values(solver, TIME.of).items()}
        for solver in runs.solvers
    }
    best: dict[str, float] = {}
    for taken in times.values():
        for question, seconds in taken.items():
            best[question] = min(seconds, best.get(question, seconds))
    return {
        solver: {question: seconds / best[question] for question, seconds in taken.items()}
        for solver, taken in times.items()
    }


def _chart(
    kind: str,
    factors: Mapping[str, Mapping[str, float]],
    own_styles: Mapping[str, int],
    questions: int,
) -> StepChart:
    curves = tuple(
        Curve(solver, own_styles[solver], ascending(own)) for solver, own in factors.items() if own
    )
    shares = {curve.name: _share(factors[curve.name], 1.0, questions) for curve in curves}
    ordered = sorted(shares, key=lambda solver: -shares[solver])
    fastest = named_first([(solver, _percent(shares[solver])) for solver in ordered])
    values = [step.x for curve in curves for step in curve.steps]
    return StepChart(
        f"Performance profiles by time: {kind}",
        f"The share of {how_many(questions, f'{kind} question')} that each solver finished "
        "within a factor of the shortest time, with the factor on a logarithmic scale. Fastest: "
        f"{fastest}.",
        logarithmic_axis("factor of the shortest time", [1.0, *values], _show_factor, "factor"),
        Axis("share of the questions", 0, 1, False, _percent, column="share"),
        curves,
        rise=1 / questions,
        onward=True,
        name=f"time-{kind.replace(' ', '-')}",
    )


def _table(kind: str, factors: Mapping[str, Mapping[str, float]], questions: int) -> Table:
    columns = ("solver", *(f"within {_show_factor(factor)}" for factor in FACTORS), "finished")
    rows = []
    for solver, own in factors.items():
        shares = [_share(own, factor, questions) for factor in FACTORS]
        rows.append((solver, *map(_percent, [*shares, len(own) / questions])))
    return Table(columns, tuple(rows), f"{kind}: share of the questions by factor", folded=True)


def _share(factors: Mapping[str, float], max_factor: float, questions: int) -> float:
    """The share of all questions that were finished within a factor."""
    return sum(factor <= max_factor for factor in factors.values()) / questions


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _show_factor(factor: float) -> str:
    return f"×{show_rounded(factor)}"


@dataclass(frozen=True)
class AskedAlike:
    """The results, on all questions of a `kind`, of solvers that were asked each of them.

    `left_out` are the solvers that were asked some of these questions only.
    """

    kind: str
    results: tuple[JobResult, ...]
    left_out: tuple[str, ...]


def asked_alike(results: Sequence[JobResult]) -> list[AskedAlike]:
    """Return one for each family of puzzles; records of old benches do not name theirs."""
    kinds: dict[str, dict[Question, list[JobResult]]] = {}
    for question, answers in by_question(results).items():
        kinds.setdefault(family_of(answers), {})[question] = answers
    return [_of_family(kind, questions) for kind, questions in kinds.items()]


def _of_family(kind: str, questions: Mapping[Question, Sequence[JobResult]]) -> AskedAlike:
    asked = [set(map(solver_name, answers)) for answers in questions.values()]
    of_all, of_some = set.intersection(*asked), set.union(*asked)
    answers = [answer for its in questions.values() for answer in its]
    return AskedAlike(
        kind,
        tuple(answer for answer in answers if solver_name(answer) in of_all),
        tuple(sorted(of_some - of_all)),
    )
