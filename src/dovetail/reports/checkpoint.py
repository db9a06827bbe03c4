"""The state of a run in a checkpoint, in words."""

from __future__ import annotations

from dovetail.errors import how_many
from dovetail.harness.workers.checkpoint import RunStatus
from dovetail.reports.numbers import show_count, show_rounded, show_seconds


def describe_status(run: RunStatus) -> str:
    """Describe how far a run is, in a few lines."""
    if run.division is None:
        state = "not begun" if run.status is None else f"{run.status} without a search"
        return f"{run.name}: {state}"
    exact = run.is_over and run.status == "exhausted"
    ended = f", last ended: {run.status}" if run.status and not run.is_over else ""
    if not run.is_divided:
        state = "finished" if run.is_over else "not finished"
        return f"{run.name}: {state}{ended}\n  not divided: the checkpoint keeps nothing of it"
    state = "finished" if run.is_over else "not finished"
    if run.share is not None and not run.is_over:
        state = f"{run.share:.2%} of the tree done (estimate)"
    lines = [f"{run.name}: {state}{ended}"]
    parts = [
        f"{run.done:,} done",
        f"{run.cut:,} cut",
        f"{run.waiting:,} waiting",
        f"{run.redone:,} redone",
        f"{run.audited:,} audited",
    ]
    lines.append(f"  sub-problems: {', '.join(parts)}")
    figures = []
    if run.count is not None:
        figures.append(f"{show_count(run.count, exact)} solutions")
    if run.nodes is not None:
        figures.append(how_many(run.nodes, "node"))
    figures.append(f"{show_seconds(run.wall_s)} in {how_many(run.sittings, 'sitting')}")
    if run.nodes_per_s is not None:
        figures.append(f"{show_rounded(run.nodes_per_s)} nodes/s")
    lines.append(f"  {', '.join(figures)}")
    if run.left_s is not None:
        low, high = (show_seconds(seconds) for seconds in run.left_s)
        lines.append(f"  {low} to {high} left with {how_many(run.workers, 'worker')}")
    return "\n".join(lines)
