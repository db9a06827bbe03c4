"""Searches as text: the estimate of a search, and the state of a run in a checkpoint."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dovetail.backends.registry import solver_label
from dovetail.errors import how_many
from dovetail.harness.confidence import Interval, exactly
from dovetail.harness.estimating import Estimate
from dovetail.harness.planning.tree_size import EstimateSource
from dovetail.printable import printable
from dovetail.reports.describe.result import solution_noun
from dovetail.reports.numbers import show_count, show_rate, show_rounded, show_seconds
from dovetail.reports.table import Table, table_lines, text_table

if TYPE_CHECKING:
    from dovetail.harness.workers.checkpoint import RunStatus


# Smallest number that is shown with an exponent.
LONG = 1e15
UNKNOWN = "unknown (too few samples)"
SUBPROBLEMS = ("done", "cut", "waiting", "redone", "audited")


def describe_estimate(estimate: Estimate) -> str:
    """Return an estimate with 95 % confidence intervals, and the nodes by pieces remaining."""
    job = estimate.job
    noun = "node" if estimate.nodes == exactly(1) else "nodes"
    by_model = estimate.source == EstimateSource.MODEL
    source, because = "", ""
    if by_model:
        source, because = f" by {estimate.source}", f"{estimate.source}, because "
    sampled = how_many(estimate.descents, "random probe")
    if estimate.sampled_levels:
        sampled = f"{how_many(estimate.descents, 'sampled node')} of each level"
    effort = f"{sampled} in {show_seconds(estimate.sampling_s)}"
    if estimate.descents == 0:
        effort = "visited the whole tree"
    reductions = [f"--reduce {reduction}" for reduction in job.request.reductions]
    solver = ", ".join([solver_label(job.backend, job.config), *reductions])
    lines = [
        f"{job.puzzle.name}: {show_interval(estimate.nodes, show_mean)} {noun}{source}",
        f"  {solver}, {effort}, seed {job.seed}",
    ]
    if estimate.why is not None:
        lines.append(f"  {because}{estimate.why}")
    if estimate.counted_by is not None:
        lines.append(f"  count would use {estimate.counted_by}, which cannot be estimated")
    many = solution_noun(job.puzzle).many
    solutions = show_interval(estimate.solutions, show_mean)
    lines.append(f"  {many} found by the search: {solutions}")
    if estimate.node_rate is not None:
        rate = show_rate(round(estimate.node_rate), 1)
        solve = show_interval(estimate.solve_s, _show_long)
        lines.append(f"  solve {solve}, at {rate} nodes per second")
    if estimate.by_remaining is not None:
        lines += ["", *table_lines(levels_table(estimate))]
    return "\n".join(map(printable, lines))


def show_interval(interval: Interval | None, show: Callable[[float], str]) -> str:
    """Format the mean and the bounds of an interval; only the mean if both bounds are equal.

    None is shown as `UNKNOWN`.
    """
    if interval is None:
        return UNKNOWN
    if interval.low == interval.high:
        return show(interval.mean)
    return f"{show(interval.mean)} ({show(interval.low)} to {show(interval.high)})"


def show_mean(number: float) -> str:
    """Format a number as a whole number, or with an exponent if it is large."""
    return f"{number:,.0f}" if number < LONG else f"{number:.2e}"


def _show_long(seconds: float) -> str:
    return show_seconds(seconds) if seconds < LONG else f"{seconds:.2e} s"


def levels_table(estimate: Estimate) -> Table:
    """Return a table of the nodes by pieces remaining, in descending order of the pieces."""
    rows = []
    for remaining, interval in sorted((estimate.by_remaining or {}).items(), reverse=True):
        figures = [UNKNOWN, "", ""]
        if interval is not None:
            figures = list(map(show_mean, (interval.mean, interval.low, interval.high)))
        rows.append([f"{remaining}", *figures])
    return text_table(("remaining", "nodes", "from", "to"), rows, words=0)


def describe_status(run: RunStatus) -> str:
    """Return the progress of a run in a few lines."""
    if run.division is None:
        state = "not begun" if run.status is None else f"{run.status} without a search"
        return printable(f"{run.name}: {state}")
    state = "finished" if run.is_over else "not finished"
    if run.is_divided and run.share is not None and not run.is_over:
        whole = "trials done" if run.division == "trials" else "tree done (estimate)"
        state = f"{run.share:.2%} of the {whole}"
    tells = run.status == "wrong" or not run.is_over
    ended = f", last ended: {run.status}" if run.status and tells else ""
    lines = [f"{run.name}: {state}{ended}"]
    if not run.is_divided:
        lines.append("  not divided: the checkpoint keeps no part of the run")
        return "\n".join(map(printable, lines))
    figures = []
    if run.score is not None:
        figures += [f"score {run.score} of {run.bound}", how_many(run.workers, "island")]
    else:
        numbers = (f"{getattr(run, name):,} {name}" for name in SUBPROBLEMS)
        lines.append(f"  sub-problems: {', '.join(numbers)}")
    if run.count is not None:
        exact = run.is_over and run.status == "exhausted"
        figures.append(f"{show_count(run.count, exact)} solution{'' if run.count == 1 else 's'}")
    if run.nodes is not None:
        figures.append(how_many(run.nodes, "node"))
    figures.append(f"{show_seconds(run.wall_s)} in {how_many(run.sittings, 'sitting')}")
    if run.nodes_per_s is not None:
        figures.append(f"{show_rounded(run.nodes_per_s)} nodes/s")
    lines.append(f"  {', '.join(figures)}")
    if run.left_s is not None and not run.is_over:
        low, high = map(show_seconds, run.left_s)
        lines.append(f"  {low} to {high} left with {how_many(run.workers, 'worker')}")
    return "\n".join(map(printable, lines))
