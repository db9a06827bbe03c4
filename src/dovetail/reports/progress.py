"""The progress of a run or a bench: lines for a terminal, or messages without a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dovetail.backends.base import Forecast
from dovetail.errors import how_many
from dovetail.harness.progress import Fields, RunPhase
from dovetail.harness.run.job import Job
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.sizes import show_size
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.task import Puzzle
from dovetail.reports.numbers import show_rounded, show_span, show_spans

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from dovetail.harness.sampling import CountingProgress
    from dovetail.reports.describe.result import SolutionNoun

BAR_WIDTH = 24
MAX_NAMED = 3  # maximum number of current runs that are named
MAX_WORKERS = 8  # maximum number of workers that have a line each
LONG_COUNT_S = 1.0  # shortest count that a notice announces
COMPILING = "loading and compiling kernels; later runs load them from the cache"


def progress_lines(fields: Fields, puzzle: Puzzle | None = None) -> RenderableType:
    """Return the lines for the progress of a bench, or of a run on `puzzle`."""
    from dovetail.reports.describe.result import SOLUTION, solution_noun

    if "planned" in fields:
        return _bench_lines(fields)
    return _run_lines(fields, SOLUTION if puzzle is None else solution_noun(puzzle))


def _run_lines(fields: Fields, noun: SolutionNoun) -> RenderableType:
    """Return the lines of a run: its puzzle, backend, phase and share, its figures and workers."""
    from rich.console import Group

    from dovetail.harness.confidence import Interval
    from dovetail.reports.describe.search import show_interval, show_mean

    share = fields["share"]
    figures = _times(fields)
    if fields["count"] is not None:
        figures.append(f"{noun.of(fields['count'])} so far")
    if fields["nodes"] is not None:
        figures.append(how_many(fields["nodes"], "node"))
    if fields["estimate"] is not None:
        estimate = show_interval(Interval(**fields["estimate"]), show_mean)
        figures.append(f"{estimate} nodes expected")
    if fields["nodes_per_s"] is not None:
        figures.append(f"{show_rounded(fields['nodes_per_s'])} nodes/s")
    if fields["apart"] is not None:
        taken = fields["apart"]
        figures.append(f"{taken['solutions']:,} of {taken['assemblies']:,} assemblies come apart")
    title = f"{fields['puzzle']}, {fields['backend']}: {fields['phase']}"
    lines = _two_lines(title, share, "" if share is None else f"{share:.1%}", figures)
    return Group(lines, *_worker_lines(fields.get("parallel")))


def _worker_lines(parallel: Fields | None) -> Iterator[RenderableType]:
    """Yield the numbers of sub-problems of a divided run, and the work of each worker."""
    if parallel is None:
        return
    totals = parallel["totals"]
    parts = ", ".join(f"{totals[name]:,} {name}" for name in ("done", "cut", "redone", "audited"))
    yield _text(f"sub-problems: {parallel['waiting']:,} waiting, {parts}", "dim")
    for worker in parallel["running"][:MAX_WORKERS]:
        rate = worker["nodes"] / worker["since_s"] if worker["since_s"] > 0 else 0.0
        yield _text(
            f"{worker['name']}: sub-problem {worker['key']}, {show_span(worker['since_s'])}, "
            f"{show_rounded(rate)} nodes/s",
            "dim",
        )
    more = len(parallel["running"]) - MAX_WORKERS
    if more > 0:
        yield _text(f"and {how_many(more, 'more worker')}", "dim")


def _bench_lines(fields: Fields) -> RenderableType:
    """Return the lines of a bench: its current runs and number of finished runs, then figures."""
    done, planned = fields["done"], fields["planned"]
    figures = _times(fields)
    if fields["failed"]:
        figures.append(f"{fields['failed']} FAILED")
    share = done / planned if planned else None
    return _two_lines(_bench_title(fields), share, f"{done} of {how_many(planned, 'run')}", figures)


def _bench_title(fields: Fields) -> str:
    """Return the names of the current runs, or "starting"; at the end, "finished" or "stopped"."""
    if fields["phase"] == "ended":
        return "finished" if fields["done"] == fields["planned"] else "stopped"
    names = [f"{run['puzzle']}, {run['backend']}" for run in fields["running"]]
    more = [f"{len(names) - MAX_NAMED} more"] if len(names) > MAX_NAMED else []
    return "; ".join([*names[:MAX_NAMED], *more]) or "starting"


def _times(fields: Fields) -> list[str]:
    left = fields["left_s"]
    elapsed = show_span(fields["elapsed_s"])
    return [elapsed] if left is None else [elapsed, f"{show_spans(*left)} left"]


def _two_lines(title: str, share: float | None, figure: str, figures: list[str]) -> RenderableType:
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    first = Table.grid(padding=(0, 1))
    first.add_column(no_wrap=True, overflow="ellipsis")
    if share is None:
        first.add_row(_text(title))
    else:
        first.add_column(width=BAR_WIDTH)
        first.add_column(no_wrap=True)
        bar = ProgressBar(total=1.0, completed=share, width=BAR_WIDTH)
        first.add_row(_text(title), bar, _text(figure))
    return Group(first, _text(", ".join(figures), "dim"))


def _text(text: str, style: str = "") -> Text:
    """Return a text on a single line that is cut at the width of the terminal."""
    from dovetail.reports.rendering.terminal import plain_text

    line = plain_text(text, style)
    line.no_wrap, line.overflow = True, "ellipsis"
    return line


def compiling_s(fields: Fields) -> float:
    """Return the longest time that a current run has spent importing and compiling, or 0."""
    phases = (RunPhase.STARTING, RunPhase.COMPILING)
    runs = fields.get("running", [fields])
    return max((run["elapsed_s"] for run in runs if run["phase"] in phases), default=0.0)


def last_line(fields: Fields) -> str | None:
    """Return the last line of a bench, on its finished and failed runs; None for a single run."""
    if "planned" not in fields:
        return None
    failed = f", {fields['failed']} FAILED" if fields["failed"] else ""
    return f"{fields['done']} of {how_many(fields['planned'], 'run')} done{failed}"


class CountingNotices:
    """Notices about the long count that uniform sampling needs."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._reported_needs = self._reported_forecast = False
        self._offer = ""

    def without_second_offer(self, error: str) -> str:
        """Return the message of an error without the offer of an earlier notice."""
        return error.removesuffix(self._offer)

    def next_notice(self, counting: CountingProgress) -> str | None:
        """Return the next message about a long count, or None."""
        from dovetail.harness.sampling import OFFER, ROUGH

        forecast, backend = counting.forecast, counting.backend
        expected, is_new = None, not self._reported_forecast
        if is_new and forecast is not None and forecast.solve_s >= LONG_COUNT_S:
            self._reported_forecast = True
            rough = f", to within a factor of {ROUGH}" if counting.rough else ""
            expected = f"{backend} expects {_expected(forecast)}{rough}"
        if self._reported_needs or (expected is None and counting.seconds < LONG_COUNT_S):
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
