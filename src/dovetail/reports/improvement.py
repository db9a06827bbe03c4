"""Improvements of boards in words."""

from __future__ import annotations

from dovetail.errors import how_many
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import BestBoard, Result
from dovetail.models.outcome import Status
from dovetail.reports.numbers import show_rate, show_seconds

ENDINGS = {
    Status.SOLVED: "solved",
    Status.TIME_LIMIT: "time limit",
    Status.NODE_LIMIT: "node limit",
    Status.INTERRUPTED: "interrupted",
    Status.EXHAUSTED: "nothing left to try",
}


def improved_line(job: Job, best: BestBoard) -> str:
    """A better board as it is found: `e2: 451 of 480 after 1.2 s`."""
    seconds = show_seconds(best.trace[-1].seconds)
    return f"{job.puzzle.name}: {best.score} of {best.bound} after {seconds}"


def describe_improvement(job: Job, result: Result) -> str:
    """Two lines: the score and why the search ended, and what it took."""
    best = result.best
    assert best is not None, "an improvement has a board"
    found, left = f"{best.score} of {how_many(best.bound, 'edge')} match", best.bound - best.score
    found += f", {left:,} do not" if left else ": a solution"
    last = f", last improved after {show_seconds(best.trace[-1].seconds)}" if best.trace else ""
    nodes = result.nodes or 0
    rate = show_rate(nodes, result.solve_s)
    return (
        f"{job.puzzle.name}: {found} ({ENDINGS.get(result.status, result.reason)})\n"
        f"  {job.backend}, seed {job.seed}, {show_seconds(result.solve_s)}{last}, "
        f"{how_many(nodes, 'node')} ({rate} per second)"
    )
