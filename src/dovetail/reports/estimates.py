"""Estimates of searches in words and as a table."""

from __future__ import annotations

from collections.abc import Callable

from dovetail.backends.registry import solver_label
from dovetail.errors import how_many
from dovetail.harness.confidence import Interval, exactly
from dovetail.harness.estimating import Estimate
from dovetail.harness.planning.tree_size import Source
from dovetail.reports.describe_result import solution_noun
from dovetail.reports.numbers import show_rate, show_seconds

LONG = 1e15  # from here on numbers have an exponent
LEVELS_BY = "dlx"  # estimates solutions and levels of every puzzle
UNKNOWN = "unknown (too few random probes)"


def describe_estimate(estimate: Estimate) -> str:
    """The estimate and its intervals of 95 % confidence, then nodes by pieces remaining."""
    job = estimate.job
    probes = how_many(estimate.descents, "random probe")
    made = f"{probes} in {show_seconds(estimate.sampling_s)}"
    if estimate.descents == 0:
        made = "visited the whole tree"
    noun = "node" if estimate.nodes == exactly(1) else "nodes"
    by_model = estimate.source == Source.MODEL
    model = f" by {estimate.source}" if by_model else ""
    reductions = [f"--reduce {reduction}" for reduction in job.request.reductions]
    because = f"{estimate.source}, because " if by_model else ""
    lines = [
        f"{job.puzzle.name}: {show_interval(estimate.nodes, show_mean)} {noun}{model}",
        f"  {', '.join([solver_label(job.backend, job.config), *reductions, made])}, "
        f"seed {job.seed}",
        *([] if estimate.why is None else [f"  {because}{estimate.why}"]),
    ]
    if estimate.counted_by is not None:
        lines.append(f"  count would use {estimate.counted_by}, which cannot be estimated")
    if estimate.solutions is not None:
        found = show_interval(estimate.solutions, show_mean)
        lines.append(f"  {solution_noun(job.puzzle).many} found by the search: {found}")
    elif job.backend != LEVELS_BY:
        many = solution_noun(job.puzzle).many
        lines.append(f"  {many} not estimated by {job.backend}; -b {LEVELS_BY} estimates them")
    if estimate.node_rate is not None:
        at_rate = f"at {show_rate(round(estimate.node_rate), 1)} nodes per second"
        lines.append(f"  solve {show_interval(estimate.solve_s, _show_long)}, {at_rate}")
    if estimate.by_remaining is not None:
        lines += ["", *_table(estimate.by_remaining)]
    return "\n".join(lines)


def show_interval(interval: Interval | None, show: Callable[[float], str]) -> str:
    """The mean and the bounds; the mean alone where it is exact."""
    if interval is None:
        return UNKNOWN
    if interval.low == interval.high:
        return show(interval.mean)
    return f"{show(interval.mean)} ({show(interval.low)} to {show(interval.high)})"


def show_mean(number: float) -> str:
    """A number that is large, or a whole one."""
    return f"{number:,.0f}" if number < LONG else f"{number:.2e}"


def _show_long(seconds: float) -> str:
    return show_seconds(seconds) if seconds < LONG else f"{seconds:.2e} s"


def _table(by_remaining: dict[int, Interval | None]) -> list[str]:
    """A line for each number of pieces remaining, all of them first."""
    rows = [("remaining", "nodes", "from", "to")]
    for remaining, interval in sorted(by_remaining.items(), reverse=True):
        figures = (UNKNOWN, "", "")
        if interval is not None:
            figures = show_mean(interval.mean), show_mean(interval.low), show_mean(interval.high)
        rows.append((f"{remaining}", *figures))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  "
        + "  ".join(word.rjust(width) for word, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
