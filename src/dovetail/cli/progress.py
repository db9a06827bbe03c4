"""Progress on standard error: live lines on a terminal, JSON lines on request, otherwise notices.

The working thread shows the progress between two slices of a search, so that the display does not
affect the measured time. If the working thread has not shown the progress for a while, for example
because tables are being built or the search is in another process, another thread shows it.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from dovetail.cli.output import MESSAGES, complain, print_lines
from dovetail.errors import is_too_long

if TYPE_CHECKING:
    from rich.live import Live

    from dovetail.harness.confidence import Interval
    from dovetail.harness.progress import BenchProgress, Fields, RunPhase, RunProgress
    from dovetail.harness.records.record import Record
    from dovetail.harness.run.events import Event, Progress
    from dovetail.harness.run.job import Job
    from dovetail.harness.suite.plan import SuitePlan
    from dovetail.models.task import Puzzle

LIVE_EVERY_S = 0.2
LINES_EVERY_S = 0.5
LONG_S = 2.0  # default interval of updates; longer compiling gets a notice
NO_NOTICES = "DOVETAIL_QUIET"  # environment variable that suppresses notices

State = TypeVar("State", "RunProgress", "BenchProgress")


class Display:
    """Display of progress, which is usually updated at most once in `every_s` seconds."""

    every_s = LONG_S

    def show(self, fields: Fields) -> None:
        """Show progress."""

    def hide(self) -> None:
        """Clear the terminal for other output until progress is shown again."""

    def close(self, fields: Fields) -> None:
        """Print the last line if there is one, such as the number of completed runs of a bench."""
        from dovetail.reports.progress import last_line

        line = last_line(fields)
        if line is not None:
            complain(line)


class ProgressView(Generic[State]):
    """View of progress while its context is entered.

    With `prints`, the view is hidden while solutions are printed.
    """

    def __init__(self, state: State, display: Display | None, *, prints: bool = False) -> None:
        self.state: State = state
        self._display, self._prints = display, prints
        self._shown = time.monotonic()
        self._hidden = False
        self._showing = threading.Lock()
        self._over = threading.Event()
        self._waiting = threading.Thread(target=self._show_in_time, daemon=True)

    def __enter__(self) -> Self:
        if self._display is not None:
            self._waiting.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        if self._display is None:
            return
        try:
            self._waiting.join()
        finally:  # a second Ctrl-C leaves a clean terminal too
            self.state.end()
            self._display.close(self.state.fields())

    def refresh(self, *, at_once: bool = False) -> None:
        """Show the progress if an update is due, or if `at_once`."""
        display = self._display
        if display is None:
            return
        if not at_once and time.monotonic() < self._shown + display.every_s:
            return
        with self._showing:
            if not self._hidden and not self._over.is_set():
                display.show(self.state.fields())
            self._shown = time.monotonic()

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Hide the progress in the body."""
        if self._display is not None:
            with self._showing:
                self._hidden = True
                self._display.hide()
        try:
            yield
        finally:
            self._hidden = False

    def stop(self) -> None:
        """Stop showing progress, except for the final state."""
        with self._showing:
            self._over.set()

    def _show_in_time(self) -> None:
        """Show the progress whenever the working thread has not shown it in time, until the end."""
        assert self._display is not None
        wait_s = self._display.every_s
        while not self._over.wait(wait_s):
            self.refresh()
            wait_s = max(0.0, self._shown + self._display.every_s - time.monotonic())


class RunProgressView(ProgressView["RunProgress"]):
    """View of the progress of a job."""

    def track(self, events: Iterator[Event]) -> Iterator[Event]:
        """Yield the same events, and show their progress."""
        from dovetail.harness.run.events import Found

        for event in events:
            self.update(event)
            with self.printing() if isinstance(event, Found) else nullcontext():
                yield event

    def printing(self) -> AbstractContextManager[None]:
        """Hide the progress in the body if solutions are printed there."""
        return self.hidden() if self._prints else nullcontext()

    def update(self, event: Event) -> None:
        """Show the progress of an event, and the choice of `auto` if the command is verbose."""
        from dovetail.harness.run.job import Chosen
        from dovetail.harness.run.result import Result

        if isinstance(event, Result):
            self.stop()
        self.state.update(event)
        self.refresh()
        if isinstance(event, Chosen) and MESSAGES.verbose:
            from dovetail.reports.describe.result import explained

            chosen = ", ".join([event.backend, *_settings(event.config), *event.reductions])
            with self.hidden():
                MESSAGES.detail(f"chosen: {chosen} ({explained(event)})")

    def estimated(self, nodes: Interval, share: float) -> None:
        """Show the estimated nodes of a search after a share of the sampling."""
        self.state.narrow(nodes, share)
        self.refresh()

    def enter(self, phase: RunPhase, progress: Progress | None = None) -> None:
        """Show a phase that has no events, with its progress."""
        self.state.enter(phase, progress)
        self.refresh()


class BenchProgressView(ProgressView["BenchProgress"]):
    """View of the progress of a bench."""

    def track(self, records: Iterator[Record]) -> Iterator[Record]:
        """Yield the same records, and show the progress after each record."""
        for record in records:
            self.state.ended(record)
            if self.state.is_over:
                self.stop()
            self.refresh(at_once=True)
            yield record


def show_run_progress(job: Job, *, prints: bool = False) -> RunProgressView:
    """Return a view of a job's progress, to be entered before the job runs.

    With `prints`, the view is hidden while solutions are printed.
    """
    from dovetail.harness.progress import RunProgress

    print_plan(job)
    return RunProgressView(RunProgress(job), _display(job.puzzle), prints=prints)


def print_plan(job: Job) -> None:
    """Print the plan of a job if the command is verbose."""
    if MESSAGES.verbose:
        asked = job.request
        symmetry = [] if job.improves else [f"symmetry {asked.symmetry}"]
        steps = [*symmetry, *asked.reductions, *asked.triggers]
        planned = ", ".join([job.backend, *_settings(job.config), *map(str, steps)])
        MESSAGES.detail(f"{job.puzzle.name}, planned: {planned}")


def show_bench_progress(plan: SuitePlan, known: list[Record], parallel: int) -> BenchProgressView:
    """Return a view of the progress of a bench; `known` are the records of earlier runs."""
    from dovetail.harness.progress import BenchProgress

    for planned in plan.jobs.values():
        print_plan(planned.job)
    return BenchProgressView(BenchProgress(plan, known, parallel), _display())


def _settings(config: Any) -> list[str]:
    return [f"{key}={value}" for key, value in config.items()]


def _display(puzzle: Puzzle | None = None) -> Display | None:
    """Return the display of progress, or None if it is not shown; a bench has no `puzzle`."""
    if MESSAGES.json_progress:
        return JsonDisplay()
    if MESSAGES.quiet:
        return None
    if sys.stderr.isatty():
        return LiveDisplay(puzzle)
    return None if os.environ.get(NO_NOTICES) else Notices()


class JsonDisplay(Display):
    """Display of progress as a JSON object per line on standard error."""

    every_s = LINES_EVERY_S

    def show(self, fields: Fields) -> None:
        """Print a line; the count is null if it is too long for JSON."""
        if is_too_long(fields.get("count")):
            fields = {**fields, "count": None}
        with suppress(OSError):  # the reader may have left
            print_lines(json.dumps(fields), to_stderr=True)

    close = show


class LiveDisplay(Display):
    """Display of progress in a few lines of a terminal, which are erased at the end."""

    every_s = LIVE_EVERY_S

    def __init__(self, puzzle: Puzzle | None) -> None:
        self._puzzle = puzzle
        self._live: Live | None = None

    def show(self, fields: Fields) -> None:
        """Overwrite the lines."""
        from rich.console import Console
        from rich.live import Live

        from dovetail.reports.progress import progress_lines

        with suppress(OSError):  # the terminal may be gone
            if self._live is None:
                self._live = Live(
                    console=Console(stderr=True),
                    auto_refresh=False,
                    transient=True,
                    redirect_stdout=False,
                    redirect_stderr=False,
                )
                self._live.start()
            self._live.update(progress_lines(fields, self._puzzle), refresh=True)

    def hide(self) -> None:
        """Erase the lines."""
        live, self._live = self._live, None  # a stopped `Live` cannot be restarted
        if live is not None:
            with suppress(OSError):
                live.stop()

    def close(self, fields: Fields) -> None:
        """Show the last progress for a moment, and erase it."""
        if self._live is not None:
            self.show(fields)
        self.hide()
        super().close(fields)


class Notices(Display):
    """Notices for pipes and logs: a line for long compilation, and a line at the end of a bench."""

    def __init__(self) -> None:
        self._noticed = False

    def show(self, fields: Fields) -> None:
        """Print the line about compiling, once."""
        from dovetail.reports.progress import COMPILING, compiling_s

        if not self._noticed and compiling_s(fields) >= LONG_S:
            self._noticed = True
            complain(COMPILING)
