"""Reasons why a puzzle of any kind has no solution."""

from __future__ import annotations

from dovetail.models.impossibility import edges, packing
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.options.packing import PackingOptions
from dovetail.models.task import Task


def why_unsolvable(task: Task) -> str | None:
    """Return a one-line reason why there is no solution; None if only a search can tell.

    The reason holds for the whole puzzle, whatever the reductions of the task. Bare cover problems
    are not examined.
    """
    every = task.all_options
    if isinstance(every, PackingOptions):
        return packing.why_impossible(every.placements)
    return edges.why_impossible(every.puzzle) if isinstance(every, EdgeOptions) else None
