"""One solver against another on every question that both were asked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from dovetail.harness.evaluation.solver_runs import SolverRuns, solver_runs
from dovetail.harness.records.record import Record
from dovetail.reports.charts.chart import Chart, Point, Series
from dovetail.reports.charts.scatter import Pair, are_alike, scatter_chart
from dovetail.reports.page import Part
from dovetail.reports.results.measures import NODES, TIME, Measure
from dovetail.reports.results.node_meanings import node_meanings_text, solver_meanings

ABOUT = (
    "Each mark is a question. Above the diagonal, the solver on the horizontal axis needed less "
    "time or fewer nodes; below it, the solver on the vertical axis did. The outer lines mark a "
    "factor of ten. Hollow marks in the margins are questions that one solver finished and the "
    "other did not finish within its limits."
)
ABOUT_NODES = "The second chart has only solvers that count nodes."
UNLIKE = (
    "The two solvers define nodes differently: a node of {across} is {across_meanings}; a node of "
    "{up} is {up_meanings}."
)


MAX_SOLVERS = 200


def scatter_part(results: Sequence[Record], ranked: Sequence[str] = ()) -> Part | None:
    """Time against time and nodes against nodes, of any two solvers.

    `results` are those of a `plan_results`. The two of the `ranked` solvers that come first and
    have questions in common are shown first; else the two that finished most of the same
    questions; of nodes preferably two to which they mean the same. None if no two solvers finished
    the same question.
    """
    runs = solver_runs(results)
    meanings = dict(zip(runs.solvers, solver_meanings(results), strict=True))
    charts = (_chart(runs, TIME, {}, ranked), _chart(runs, NODES, meanings, ranked))
    shown = tuple(chart for chart in charts if chart is not None)
    if not shown:
        return None
    paragraphs = [ABOUT]
    if len(shown) > 1:
        paragraphs.append(f"{ABOUT_NODES} {node_meanings_text(results)}")
    if len(runs.solvers) > MAX_SOLVERS:
        paragraphs.append(
            f"You can select only the {MAX_SOLVERS} solvers that finished the most questions."
        )
    return Part(
        "scatter", "One solver against another", charts=shown, about_charts=tuple(paragraphs)
    )


def _chart(
    runs: SolverRuns,
    measure: Measure,
    meanings: Mapping[str, tuple[str, ...]],
    ranked: Sequence[str],
) -> Chart | None:
    """A chart of the solvers that finished anything with such a figure, those with most if many.

    `meanings` has what it means to each solver, none if it means the same to all.
    """
    values = {solver: runs.values(solver, measure.of) for solver in runs.solvers}
    places = {solver: place for place, solver in enumerate(ranked)}
    top = sorted(runs.solvers, key=lambda solver: -len(values[solver]))[:MAX_SOLVERS]
    solvers = [solver for solver in runs.solvers if values[solver] and solver in top]
    kinds = [meanings.get(solver, ()) for solver in solvers]
    order = [places.get(solver, len(ranked)) for solver in solvers]
    pair = _first_pair([values[solver].keys() for solver in solvers], kinds, order)
    if pair is None:
        return None
    questions = runs.finished_by_some()
    series = tuple(
        Series(solver, 0, tuple(_points(runs, solver, questions, measure))) for solver in solvers
    )
    axis = measure.axis(value for solver in solvers for value in values[solver].values())
    return scatter_chart(
        f"One solver against another: {measure.label}",
        f"{measure.label} on logarithmic scales.",
        series,
        Pair(axis, tuple(questions), *pair, tuple(kinds), UNLIKE),
        measure.name,
    )


def _first_pair(
    finished: Sequence[Collection[str]], kinds: Sequence[tuple[str, ...]], order: Sequence[int]
) -> tuple[int, int] | None:
    """The places of the two that are shown first, None if no two have anything in common.

    Two of one kind come before two of several, then those whose places in the `order` are lowest,
    then those that have most in common.
    """
    sets = [frozenset(one) for one in finished]
    shared = {
        (one, other): len(sets[one] & sets[other])
        for one, other in combinations(range(len(sets)), 2)
        if sets[one] & sets[other]
    }
    return max(
        shared,
        key=lambda pair: (
            are_alike(kinds[pair[0]], kinds[pair[1]]),
            -order[pair[0]] - order[pair[1]],
            shared[pair],
        ),
        default=None,
    )


def _points(
    runs: SolverRuns, solver: str, questions: Sequence[str], measure: Measure
) -> Iterator[Point]:
    """Yield the figures of a solver; a figure of a run that a limit cut is a bound."""
    for place, question in enumerate(questions):
        run = runs.runs.get((solver, question))
        if run is None or not (run.result.is_answered or run.result.status.is_limit):
            continue
        value, cut = measure.of(run), not run.result.is_answered
        if value is not None:
            shown = f"{'> ' if cut else ''}{measure.show(value)}"
            yield Point(place, value, shown, question, hollow=cut)
