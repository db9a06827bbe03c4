"""Performance profiles: how often every solver was within a factor of the fastest.

Source: E. D. Dolan and J. J. Moré, "Benchmarking optimization software with performance profiles",
Mathematical Programming 91 (2002).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dovetail.errors import how_many
from dovetail.harness.evaluation.contests import ALL_FAMILIES, Clock, Contest
from dovetail.harness.run.clock import MIN_S
from dovetail.reports.charts.axes import Axis, logarithmic_axis
from dovetail.reports.charts.chart import Chart, Series
from dovetail.reports.charts.kinds import PROFILES
from dovetail.reports.numbers import show_rounded
from dovetail.reports.page import Part, Table
from dovetail.reports.results.contest_words import family_title, how_many_questions
from dovetail.reports.results.measures import ascending, named_first

FEWEST_QUESTIONS, FEWEST_SOLVERS = 2, 2
FACTORS = (1.0, 2.0, 10.0, 100.0)
ABOUT = (
    "For each kind of puzzle: the share of questions that a solver finished within a factor of the "
    "shortest time (prepare + solve) of any solver. At factor 1, this is how often the solver was "
    "the fastest. Runs that were refused or stopped by a limit count as not finished. Who is "
    "compared on which questions is as in the rankings."
)
ABOUT_CHARTS = "At its right end, a curve shows how often the solver finished at all."

Factors = dict[str, dict[str, float]]


def performance_part(contests: Sequence[Contest]) -> Part | None:
    """The profiles by time of each contest by the warm clock, one for each family of puzzles.

    Contests of fewer than two questions are left out, and those of which fewer than two solvers
    answered any; None if none is left.
    """
    shown = [(contest, _factors(contest)) for contest in contests if _is_profiled(contest)]
    shown = [
        (contest, factors)
        for contest, factors in shown
        if sum(map(bool, factors.values())) >= FEWEST_SOLVERS
    ]
    if not shown:
        return None
    return Part(
        "performance",
        "Performance profiles",
        tuple(_text(contest) for contest, _ in shown),
        tuple(_chart(contest, factors) for contest, factors in shown),
        tuple(_table(contest, factors) for contest, factors in shown),
        definitions=(ABOUT,),
        about_charts=(ABOUT_CHARTS,),
    )


def _is_profiled(contest: Contest) -> bool:
    return (
        contest.clock is Clock.WARM
        and contest.family != ALL_FAMILIES
        and len(contest.questions) >= FEWEST_QUESTIONS
    )


def _text(contest: Contest) -> str:
    """How many questions a profile is over, and who is not in it."""
    number = len(contest.questions)
    text = (
        f"{family_title(contest)}: {how_many(number, 'question')} answered by at least one solver."
    )
    if contest.left_out:
        text += f" Left out because they ran only some questions: {', '.join(contest.left_out)}."
    return text


def _factors(contest: Contest) -> Factors:
    """For each solver, how many times the least time it took for the questions it answered."""
    factors = np.maximum(contest.seconds, MIN_S) / contest.best_s
    return {
        solver: {
            question: float(factor)
            for question, factor in zip(contest.questions, row, strict=True)
            if np.isfinite(factor)
        }
        for solver, row in zip(contest.solvers, factors, strict=True)
    }


def _chart(contest: Contest, factors: Factors) -> Chart:
    questions = len(contest.questions)
    styles = {solver: style for style, solver in enumerate(contest.runs.solvers)}
    curves = tuple(
        Series(solver, styles[solver], ascending(own, 1 / questions))
        for solver, own in factors.items()
        if own
    )
    shares = {curve.name: _share(factors[curve.name], 1.0, questions) for curve in curves}
    ordered = sorted(shares, key=lambda solver: -shares[solver])
    fastest = named_first([(solver, _percent(shares[solver])) for solver in ordered])
    values = [step.x for curve in curves for step in curve.points]
    return Chart(
        f"Performance profiles by time: {family_title(contest)}",
        f"The share of {how_many_questions(contest)} that each solver finished "
        "within a factor of the shortest time, with the factor on a logarithmic scale. Fastest: "
        f"{fastest}.",
        logarithmic_axis("factor of the shortest time", [1.0, *values], _show_factor, "factor"),
        Axis("share of the questions", 0, 1, False, _percent, column="share"),
        curves,
        PROFILES,
        name=f"time-{family_title(contest).replace(', ', '-').replace(' ', '-')}",
    )


def _table(contest: Contest, factors: Factors) -> Table:
    columns = ("solver", *(f"within {_show_factor(factor)}" for factor in FACTORS), "finished")
    questions = len(contest.questions)
    rows = []
    for solver, own in factors.items():
        shares = [_share(own, factor, questions) for factor in FACTORS]
        rows.append((solver, *map(_percent, [*shares, len(own) / questions])))
    caption = f"{family_title(contest)}: share of the questions by factor"
    return Table(columns, tuple(rows), caption, folded=True)


def _share(factors: Mapping[str, float], max_factor: float, questions: int) -> float:
    """The share of all questions that were finished within a factor."""
    return sum(factor <= max_factor for factor in factors.values()) / questions


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _show_factor(factor: float) -> str:
    return f"×{show_rounded(factor)}"
