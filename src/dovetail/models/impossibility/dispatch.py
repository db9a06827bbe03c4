"""Why a puzzle cannot be solved, whatever its kind."""

from __future__ import annotations

from dovetail.models.impossibility import edges, packing
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.options.packing import PackingOptions
from dovetail.models.task import Task


def why_unsolvable(task: Task) -> str | None:
    """Why there is no solution, in one line; None where only a search can show it.

    The reason holds for the whole puzzle, whatever the reductions of the task. Bare cover problems
    are not looked at.
    """
    every = task.all_options
    if isinstance(every, PackingOptions):
        return packing.why_impossible(every.placements)
    return edges.why_impossible(every.puzzle) if isinstance(every, EdgeOptions) else None
