"""What runs are compared by in charts: time or nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dovetail.harness.records.summary import JobResult
from dovetail.reports.charts.axes import Axis, logarithmic_axis
from dovetail.reports.numbers import show_rounded, show_seconds


@dataclass(frozen=True)
class Measure:
    """A figure of runs: `of` a run, None where it has none; `column` is its name in files."""

    name: str
    label: str
    column: str
    of: Callable[[JobResult], float | None]
    show: Callable[[float], str]

    def axis(self, values: Iterable[float]) -> Axis:
        """A logarithmic axis that has all of the values."""
        return logarithmic_axis(self.label, values, self.show, self.column)


TIME = Measure(
    "time", "time, prepare + solve", "prepare_and_solve_s", lambda run: run.total_s, show_seconds
)
NODES = Measure("nodes", "nodes", "nodes", lambda run: run.nodes, show_rounded)
