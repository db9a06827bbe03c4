"""Improvements of boards in words."""

from __future__ import annotations

from dovetail.errors import how_many
from dovetail.harness.improving.improvement import (
    ImprovementJob,
    ImprovementResult,
)
from dovetail.harness.run.best_board import Improved
from dovetail.models.outcome import Status
from dovetail.models.partial_board import max_score
from dovetail.reports.numbers import show_rate, show_seconds

ENDINGS = {
    Status.SOLVED: "solved",
    Status.TIME_LIMIT: "time limit",
    Status.NODE_LIMIT: "node limit",
    Status.INTERRUPTED: "interrupted",
    Status.EXHAUSTED: "nothing left to try",
}


def improved_line(job: ImprovementJob, improved: Improved) -> str:
    """A better board as it is found: `e2: 451 of 480 after 1.2 s`."""
    seconds = show_seconds(improved.seconds)
    return f"{job.puzzle.name}: {improved.score} of {max_score(job.puzzle)} after {seconds}"


def describe_improvement(result: ImprovementResult) -> str:
    """Two lines: the score and why the search ended, and what it took."""
    job, found = result.job, f"{result.score} of {how_many(result.bound, 'edge')} match"
    left = result.bound - result.score
    found += f", {left:,} do not" if left else ": a solution"
    last = f", last improved after {show_seconds(result.trace[-1].seconds)}" if result.trace else ""
    rate = show_rate(result.nodes, result.solve_s)
    return (
        f"{job.puzzle.name}: {found} ({ENDINGS[result.status]})\n"
        f"  {job.improver}, seed {job.seed}, {show_seconds(result.solve_s)}{last}, "
        f"{how_many(result.nodes, 'node')} ({rate} per second)"
    )
