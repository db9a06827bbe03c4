"""What searches cost: fixed figures, so that a puzzle gets the same choice everywhere.

Thread CPU seconds on one machine (AMD EPYC); docs/solvers/auto-measurements.md has the runs that
they come from.
"""

from __future__ import annotations

from math import isinf

from dovetail.harness.run.result import Chosen
from dovetail.models.task import Task

# Of a node of `bitset`: 48 to 78 ns on packings of up to 64 items after a few pieces, 25 to 51 ns
# on bare covers; up to 1.3 µs where there are tens of thousands of options. 100 to 250 ns where
# items are covered several times.
NODE_S, COVER_NODE_S, COUNTED_NODE_S = 60e-9, 40e-9, 200e-9
# Of a step of `zdd`: 8 to 25 ns, up to 31 where its table is large.
STATE_STEP_S = 15e-9
# Of a step of `frontier` while it builds its tables: 3.3 to 5.2 ns.
WORK_S = 5e-9
UNSAID = 1e15  # from here on a number is written with its power of ten


def tree_search_s(nodes: float, task: Task) -> float:
    """What a tree search by `bitset` takes that makes so many nodes."""
    if not task.cover.unit_bounds:
        return nodes * COUNTED_NODE_S
    return nodes * (COVER_NODE_S if task.placements is None else NODE_S)


def about(number: float) -> str:
    """A number as one says it: its first two digits."""
    if isinf(number):
        return "1e308 or more"
    return f"{float(f'{number:.1e}'):,.0f}" if number < UNSAID else f"{number:.1e}"


def explained(chosen: Chosen) -> str:
    """Return why a solver was chosen, and how long it is expected to take."""
    if chosen.forecast_s is None:
        return chosen.why
    return f"{chosen.why}; forecast: {about_s(chosen.forecast_s)}"


def about_s(seconds: float) -> str:
    """Seconds as one says them."""
    if seconds < 1e-3:
        return "less than 1 ms"
    if seconds < 1:
        return f"{about(seconds * 1e3)} ms"
    return f"{seconds:.1f} s" if seconds < 10 else f"{about(seconds)} s"
