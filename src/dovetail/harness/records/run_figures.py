"""The figures of a run that comparisons go by."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.harness.records.record import RunRecord
from dovetail.models.outcome import Status


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
        return self.status.is_limit

    @property
    def seconds(self) -> float | None:
        """Of prepare and solve together: the whole answer without its check."""
        if self.prepare_s is None or self.solve_s is None:
            return None
        return self.prepare_s + self.solve_s


def run_figures(result: RunRecord, native: str | None = None) -> RunFigures:
    """The figures of a result; its nodes, or in their place a figure of the backend's own."""
    if not result.status.has_searched:
        return RunFigures(result.status, None, None, None)
    nodes: object = result.nodes if native is None else result.native.get(native)
    counted = nodes if isinstance(nodes, int) else None
    return RunFigures(result.status, counted, result.prepare_s, result.solve_s)
