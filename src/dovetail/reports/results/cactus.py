"""How many questions every solver finished within a time, and within a number of nodes."""

from __future__ import annotations

from collections.abc import Sequence

from dovetail.errors import how_many
from dovetail.harness.evaluation.solver_runs import SolverRuns, solver_runs
from dovetail.harness.records.record import Record
from dovetail.reports.charts.axes import Axis
from dovetail.reports.charts.chart import Chart, Series
from dovetail.reports.charts.kinds import STEPS
from dovetail.reports.numbers import ABSENT, show_rounded, show_seconds
from dovetail.reports.page import Part, Table
from dovetail.reports.results.measures import PLACEMENTS, TIME, Measure, ascending, named_first

FEWEST_QUESTIONS = 2
TITLE = "Questions finished"
ABOUT = (
    "A question counts as finished if the solver completed the search and the count is not wrong."
)
ABOUT_CHARTS = (
    "A curve shows how many questions a solver finished within a time (prepare + solve) or a "
    "number of nodes; only solvers whose nodes are placements made have a curve of nodes. The "
    "number in parentheses is the number of questions that the solver ran."
)


def cactus_part(results: Sequence[Record]) -> Part | None:
    """Questions finished against time and against nodes, and a table of both by solver.

    `results` are those of a `plan_results`. None if fewer than two questions were finished.
    """
    runs = solver_runs(results)
    if len(runs.finished_by_some()) < FEWEST_QUESTIONS:
        return None
    time, nodes = _chart(runs, TIME), _chart(runs, PLACEMENTS)
    charts = (time, nodes) if nodes.series else (time,)
    return Part(
        "cactus",
        TITLE,
        charts=charts,
        tables=(_table(runs),),
        definitions=(ABOUT,),
        about_charts=(ABOUT_CHARTS,),
    )


def _chart(runs: SolverRuns, measure: Measure) -> Chart:
    """Solvers that finished nothing, or whose figures are not known, have no curve."""
    drawn = tuple(
        Series(f"{solver} (of {len(runs.of(solver))})", style, steps)
        for style, solver in enumerate(runs.solvers)
        if (steps := ascending(runs.values(solver, measure.of)))
    )
    asked = len(runs.questions)
    return Chart(
        f"Questions finished against {measure.label}",
        f"{measure.label} on a logarithmic scale, for {how_many(len(drawn), 'solver')} and "
        f"{how_many(asked, 'question')}. Result: {_top(drawn)}.",
        measure.axis(step.x for curve in drawn for step in curve.points),
        Axis("questions finished", 0, asked, False, lambda value: f"{value:g}", whole=True),
        drawn,
        STEPS,
        measure.name,
    )


def _top(curves: Sequence[Series]) -> str:
    """How many questions solvers finished, those with most of them named."""
    ordered = sorted(curves, key=lambda curve: -len(curve.points))
    return named_first([(curve.name, f"{len(curve.points)}") for curve in ordered])


def _table(runs: SolverRuns) -> Table:
    rows = []
    for solver in runs.solvers:
        asked, finished = runs.of(solver), runs.finished(solver)
        time, nodes = runs.values(solver, TIME.of), runs.values(solver, PLACEMENTS.of)
        rows.append(
            (
                solver,
                f"{len(asked)}",
                f"{len(finished)}",
                f"{sum(run.result.status.is_limit for run in asked.values())}",
                show_seconds(sum(time.values())) if time else ABSENT,
                show_rounded(sum(nodes.values())) if nodes else ABSENT,
            )
        )
    columns = ("solver", "questions", "finished", "stopped", "time", "nodes")
    caption = (
        "by solver: questions run, finished and stopped by a limit; time and nodes of the finished "
        "ones"
    )
    return Table(columns, tuple(rows), caption, folded=True)
