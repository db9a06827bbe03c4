"""Jobs that leave their backend to `auto`, and what it chooses for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dovetail.harness.run.job import Chosen, Job
from dovetail.harness.workers.runs import execute
from dovetail.models.request import Reduction, Request, Symmetry, Trigger
from dovetail.models.task import Puzzle
from dovetail.puzzles.loading import load


def left_to_auto(
    puzzle: Puzzle | str,
    symmetry: str = "unique",
    *,
    reduce: Sequence[str] = (),
    triggers: Sequence[str] = (),
    **changes: Any,
) -> Job:
    """A job that leaves its backend open."""
    reductions, checks = map(Reduction.parse, reduce), map(Trigger.parse, triggers)
    request = Request(Symmetry(symmetry), reductions=tuple(reductions), triggers=tuple(checks))
    loaded = load(puzzle) if isinstance(puzzle, str) else puzzle
    return Job(loaded, request, "auto", **changes)


def chosen(job: Job) -> Chosen:
    """What is chosen for a job at first."""
    return next(event for event in execute(job) if isinstance(event, Chosen))
