"""The figures of a run that comparisons go by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dovetail.harness.record import Record
from dovetail.models.outcome import LIMITS, Status

SEARCHED_NOTHING = (Status.SKIPPED, Status.FAILED)


@dataclass(frozen=True)
class RunFigures:
    """How a run ended, and what it took: the median run where it was repeated.

    Figures of a run that a limit cut are lower bounds. `nodes` is None where the backend
    counts none; the times are None where nothing was searched.
    """

    status: Status
    nodes: int | None
    prepare_s: float | None
    solve_s: float | None

    @property
    def finished(self) -> bool:
        """Whether the whole tree was searched."""
        return self.status is Status.EXHAUSTED

    @property
    def cut(self) -> bool:
        """Whether a limit ended the search."""
        return self.status in LIMITS

    @property
    def seconds(self) -> float | None:
        """Of prepare and solve together: the whole answer without its check."""
        if self.prepare_s is None or self.solve_s is None:
            return None
        return self.prepare_s + self.solve_s


def run_figures(result: Record, native: str | None = None) -> RunFigures:
    """The figures of a result; its nodes, or in their place a figure of the backend's own."""
    status = Status(result["status"])
    if status in SEARCHED_NOTHING:
        return RunFigures(status, None, None, None)
    nodes = result["nodes"] if native is None else _native(native, result)
    return RunFigures(status, nodes, result["prepare_s"], result["solve_s"])


def _native(name: str, result: Record) -> int | None:
    """One of the backend's own figures, None where it does not tell it."""
    figures = result.get("native")
    value = figures.get(name) if isinstance(figures, Mapping) else None
    return value if isinstance(value, int) else None
