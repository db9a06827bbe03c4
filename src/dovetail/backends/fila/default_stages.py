"""The stages of `fila` where none are asked for: what suits the region and the reductions."""

from __future__ import annotations

import numpy as np

from dovetail.backends.shared.schedule import ESTIMATE, FIRST, PIECE
from dovetail.models.task import Task

AUTO = "auto"
SOLID_EXTENT = 3  # cells, in each of three directions


def default_stages(task: Task) -> tuple[str, ...]:
    """The first open cell comes next, or first of all the piece that breaks symmetry.

    That piece has so few places that it makes the smallest tree, unless the region is so narrow
    that a piece can close it off: there, cells one after another leave no parts that nothing fits.
    Behind the piece, the cell with the fewest fits comes next in a solid region. What looks at
    placements during the search does not support such a beginning.
    """
    placements, pieces = task.placements, task.options.placements_per_solution
    broken = task.reduced is not None and task.reduced.symmetry_breaking is not None
    if placements is None or pieces is None or pieces < 2 or not broken or _is_observed(task):
        return (FIRST,)
    extents = np.sort(np.ptp(placements.positions, axis=0) + 1)
    largest_piece = placements.sizes.max(initial=0)
    if np.prod(extents[:-1]) <= largest_piece:
        return (FIRST,)
    is_solid = len(extents) > 2 and extents[0] >= SOLID_EXTENT
    return PIECE, f"{ESTIMATE if is_solid else FIRST}@{pieces - 1}"


def _is_observed(task: Task) -> bool:
    """Whether anything looks at placements during the search."""
    request = task.request
    return bool(
        task.post_placement_rules
        or request.trace is not None
        or request.stop_at_remaining is not None
    )
