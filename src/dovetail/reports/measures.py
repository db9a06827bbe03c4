"""Figures of runs that charts and sums show: nodes and times, with their labels and formatters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dovetail.harness.records.record import Record
from dovetail.reports.charts.chart import Axis, logarithmic_axis
from dovetail.reports.columns import placements_made
from dovetail.reports.numbers import show_rounded, show_seconds


@dataclass(frozen=True)
class Measure:
    """A figure of runs."""

    name: str
    label: str
    # Title of the column in CSV files.
    column: str
    # Returns the figure of a run, or None.
    of: Callable[[Record], float | None]
    show: Callable[[float], str] = show_seconds

    def axis(self, values: Iterable[float]) -> Axis:
        """Return a logarithmic axis with all of the values."""
        return logarithmic_axis(self.label, values, self.show, self.column)


NODES = Measure("nodes", "nodes", "nodes", lambda run: run.result.nodes, show_rounded)
PLACEMENTS = Measure(
    "nodes", "nodes (placements made)", "placements_made", placements_made, show_rounded
)
TIME = Measure(
    "time", "time, prepare + solve", "prepare_and_solve_s", lambda run: run.result.total_s
)
SOLVE = Measure("solve", "time, solve", "solve_s", lambda run: run.result.solve_s)
CPU = Measure("solve", "time, solve, CPU", "solve_cpu_s", lambda run: run.result.solve_cpu_s)
