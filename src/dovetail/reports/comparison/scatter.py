"""One solver against another on every question that both were asked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

from dovetail.harness.exhibits.measured import SeriesRun
from dovetail.harness.record import Record
from dovetail.reports.charts.chart import Reading, ScatterChart
from dovetail.reports.comparison.measures import NODES, TIME, Measure
from dovetail.reports.comparison.solver_runs import SolverRuns, solver_runs
from dovetail.reports.page import Part

ABOUT = (
    "A mark is a question: above the diagonal the solver across took less, below it the solver "
    "up. The lines beside the diagonal are where one took ten times as much as the other. Hollow "
    "marks in the margins are questions that one of them finished while a limit cut the other."
)
ABOUT_NODES = "Nodes do not mean the same to all solvers; only those that count them can be chosen."


def scatter_part(results: Sequence[Record]) -> Part | None:
    """Time against time and nodes against nodes, of any two solvers.

    `results` are those of a `comparison`. The two that finished most of the same questions are
    shown first. None if no two solvers finished the same question.
    """
    runs = solver_runs(results)
    charts = [chart for measure in (TIME, NODES) if (chart := _chart(runs, measure)) is not None]
    if not charts:
        return None
    said = (ABOUT, ABOUT_NODES) if len(charts) > 1 else (ABOUT,)
    return Part("scatter", "One solver against another", said, tuple(charts))


def _chart(runs: SolverRuns, measure: Measure) -> ScatterChart | None:
    """A chart of the solvers that finished anything with such a figure."""
    values = {solver: runs.values(solver, measure) for solver in runs.solvers}
    solvers = [solver for solver in runs.solvers if values[solver]]
    pair = _closest([values[solver].keys() for solver in solvers])
    if pair is None:
        return None
    questions = runs.finished_by_some()
    return ScatterChart(
        f"One solver against another: {measure.label}",
        f"{measure.label} on logarithmic scales.",
        measure.axis(value for solver in solvers for value in values[solver].values()),
        tuple(solvers),
        tuple(questions),
        tuple(
            tuple(_reading(runs.runs.get((solver, question)), measure) for question in questions)
            for solver in solvers
        ),
        *pair,
        name=measure.name,
    )


def _closest(finished: Sequence[Collection[str]]) -> tuple[int, int] | None:
    """The places of the two that have most in common, None if no two have anything."""
    sets = [frozenset(one) for one in finished]
    pairs = list(combinations(range(len(sets)), 2))
    best = max(pairs, key=lambda pair: len(sets[pair[0]] & sets[pair[1]]), default=None)
    return best if best is not None and sets[best[0]] & sets[best[1]] else None


def _reading(run: SeriesRun | None, measure: Measure) -> Reading | None:
    """The figure of a run, a bound if a limit cut it; None for one that tells nothing."""
    if run is None or not (run.finished or run.cut):
        return None
    value = measure.of(run)
    if value is None:
        return None
    return Reading(value, f"{'> ' if run.cut else ''}{measure.show(value)}", run.cut)
