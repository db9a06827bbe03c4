"""What charts of results measure: time and nodes, how each is shown, and steps along it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dovetail.harness.records.record import Record
from dovetail.reports.charts.axes import Axis, logarithmic_axis
from dovetail.reports.charts.chart import Point
from dovetail.reports.numbers import show_rounded, show_seconds
from dovetail.reports.work import placements_made

MAX_NAMED = 5


@dataclass(frozen=True)
class Measure:
    """A figure of runs: `of` a run, None where it has none; `column` is its name in files."""

    name: str
    label: str
    column: str
    of: Callable[[Record], float | None]
    show: Callable[[float], str]

    def axis(self, values: Iterable[float]) -> Axis:
        """A logarithmic axis that has all of the values."""
        return logarithmic_axis(self.label, values, self.show, self.column)


TIME = Measure(
    "time",
    "time, prepare + solve",
    "prepare_and_solve_s",
    lambda run: run.result.total_s,
    show_seconds,
)
NODES = Measure("nodes", "nodes", "nodes", lambda run: run.result.nodes, show_rounded)
PLACEMENTS = Measure(
    "nodes", "nodes (placements made)", "placements_made", placements_made, show_rounded
)


def ascending(values: Mapping[str, float], rise: float = 1.0) -> tuple[Point, ...]:
    """Return the points of a curve that rises at the value of each question."""
    ordered = sorted(values.items(), key=lambda item: item[1])
    return tuple(
        Point(value, number * rise, name=question)
        for number, (question, value) in enumerate(ordered, start=1)
    )


def named_first(counts: Sequence[tuple[str, str]]) -> str:
    """`dlx 12, rows 11 and 3 more`: names with their figures, the first few of them."""
    named = ", ".join(f"{name} {count}" for name, count in counts[:MAX_NAMED])
    left = len(counts) - MAX_NAMED
    return f"{named} and {left} more" if left > 0 else named
