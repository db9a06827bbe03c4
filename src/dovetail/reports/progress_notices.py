"""Messages about the progress of a run or a bench without a terminal, and before long counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.backends.base import Forecast
from dovetail.harness.progress.run_progress import Fields, RunPhase
from dovetail.harness.run.job import Job
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.sizes import show_size
from dovetail.models.packing import PackingPuzzle
from dovetail.reports.numbers import show_rounded, show_span

if TYPE_CHECKING:  # only `sample` needs it
    from dovetail.harness.sampling import Counting

LONG_COUNT_S = 1.0  # of a count before samples can be drawn
COMPILING = "loading and compiling kernels; later runs load them from the cache"


def compiling_s(fields: Fields) -> float:
    """Return how long a run, also one of a bench, has been importing and compiling; 0 if none."""
    phases = (RunPhase.STARTING, RunPhase.COMPILING)
    runs = fields.get("running", [fields])
    return max((run["elapsed_s"] for run in runs if run["phase"] in phases), default=0.0)


def last_line(fields: Fields) -> str | None:
    """Return how many runs of a bench are done in the end; None for a single run."""
    if "planned" not in fields:
        return None
    failed = f", {fields['failed']} FAILED" if fields["failed"] else ""
    return f"{fields['done']} of {fields['planned']} runs done{failed}"


class CountingNotices:
    """Reports what samples that are equally likely need, before much time is spent on it."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._reported_needs = self._reported_forecast = False
        self._offer = ""

    def without_second_offer(self, error: str) -> str:
        """Return an error's message without the offer that a notice has made already."""
        return error.removesuffix(self._offer)

    def next_notice(self, counting: Counting) -> str | None:
        """Return the next message about a long count, or None."""
        from dovetail.harness.sampling import OFFER, ROUGH

        forecast, backend = counting.forecast, counting.backend
        if forecast is not None and forecast.solve_s < LONG_COUNT_S:
            forecast = None
        news = forecast is not None and not self._reported_forecast
        if not news and (self._reported_needs or counting.seconds < LONG_COUNT_S):
            return None
        expected = None
        if forecast is not None:
            expected = f"{backend} expects {_expected(forecast)}"
            if counting.rough:
                expected += f", to within a factor of {ROUGH}"
        self._reported_forecast = self._reported_forecast or news
        if self._reported_needs:
            return expected
        self._reported_needs = True
        limit = show_size(MemoryLimit(self._job.limits.memory_bytes).bytes)
        expected = expected or f"{backend} cannot tell yet how long it takes (memory limit {limit})"
        offer = ""
        if isinstance(self._job.puzzle, PackingPuzzle):
            offer = self._offer = f"; {OFFER}"
        return f"equally likely samples need a count of all solutions first; {expected}{offer}"


def _expected(forecast: Forecast) -> str:
    size, time = show_size(forecast.memory_bytes), show_span(forecast.solve_s)
    return f"about {show_rounded(forecast.states)} states ({size}, {time})"
