"""Progress on standard error: live lines on a terminal, JSON lines on request, else a few notices.

It is shown by the thread that works, between two slices of a search, so that no slice is measured
beside it. Another thread waits, and shows it only where the first has not done so for a while:
tables are being built, or the search is in another process.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from rich.live import Live

    from dovetail.harness.confidence import Interval
    from dovetail.harness.progress.bench_progress import BenchProgress
    from dovetail.harness.progress.run_progress import RunPhase, RunProgress
    from dovetail.harness.records.record import Record
    from dovetail.harness.run.events import Event
    from dovetail.harness.run.job import Job
    from dovetail.harness.suite.plan import SuitePlan
    from dovetail.models.solution import Solution
    from dovetail.models.task import Puzzle

LIVE_EVERY_S = 0.2
LINES_EVERY_S = 0.5
LONG_S = 2.0  # without a word, where nobody sees live lines
QUIET = "DOVETAIL_QUIET"  # set it to 1 and there are no notices

Fields = dict[str, Any]


class ProgressState(Protocol):
    """The progress of something, which a view shows."""

    def fields(self) -> Fields: ...

    def end(self) -> None: ...


class Display(Protocol):
    """How progress is shown, at most once in `every_s` seconds."""

    every_s: float

    def show(self, fields: Fields) -> None: ...

    def hide(self) -> None:
        """Leave the terminal to others until something is shown again."""
        ...

    def close(self, fields: Fields) -> None:
        """Show the last progress, and end."""
        ...


class ProgressView:
    """Shows progress while it is entered."""

    def __init__(self, state: ProgressState, display: Display | None) -> None:
        self._state, self._display = state, display
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
        self._stop()
        if self._display is None:
            return
        try:
            self._waiting.join()
        finally:  # whoever presses Ctrl-C again gets a clean terminal too
            self._state.end()
            self._display.close(self._state.fields())

    def refresh(self, *, at_once: bool = False) -> None:
        """Show the progress if it is due, or `at_once`."""
        display = self._display
        if display is None:
            return
        if not at_once and time.monotonic() < self._shown + display.every_s:
            return
        with self._showing:
            if not self._hidden and not self._over.is_set():
                display.show(self._state.fields())
            self._shown = time.monotonic()

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Within, the terminal is left to others."""
        if self._display is not None:
            with self._showing:
                self._hidden = True
                self._display.hide()
        try:
            yield
        finally:
            self._hidden = False

    def _stop(self) -> None:
        """Show nothing more but the end."""
        with self._showing:
            self._over.set()

    def _show_in_time(self) -> None:
        """Show the progress whenever the working thread has not, until the end."""
        assert self._display is not None
        wait_s = self._display.every_s
        while not self._over.wait(wait_s):
            self.refresh()
            wait_s = max(0.0, self._shown + self._display.every_s - time.monotonic())


class RunProgressView(ProgressView):
    """Shows the progress of a job; with `prints` it makes way while solutions are printed."""

    def __init__(
        self, state: RunProgress, display: Display | None, *, prints: bool = False
    ) -> None:
        super().__init__(state, display)
        self.state, self._prints = state, prints

    def track(self, events: Iterator[Event]) -> Iterator[Event]:
        """Yield the same events, and show the progress they make."""
        from dovetail.harness.run.events import Found

        for event in events:
            self.update(event)
            if self._prints and isinstance(event, Found):
                with self.hidden():
                    yield event
            else:
                yield event

    def update(self, event: Event) -> None:
        """Show the progress that an event makes."""
        from dovetail.harness.run.result import Result

        if isinstance(event, Result):
            self._stop()
        self.state.update(event)
        self.refresh()

    def estimated(self, nodes: Interval, share: float) -> None:
        """Show an estimate of a search's nodes, from a share of the probes."""
        self.state.narrow(nodes, share)
        self.refresh()

    def enter(self, phase: RunPhase, nodes: int | None = None, share: float | None = None) -> None:
        """Show a phase that has no events, and how far it is."""
        from dovetail.harness.run.events import Progress

        self.state.enter(phase, Progress(None, nodes, share))
        self.refresh()

    def sampling(self, solutions: Iterator[Solution], wanted: int) -> Iterator[Solution]:
        """Yield the same solutions, of which so many are wanted, and show how many there are."""
        from dovetail.harness.progress.run_progress import RunPhase
        from dovetail.harness.run.events import Progress

        for number, solution in enumerate(solutions, start=1):
            self.state.enter(RunPhase.SAMPLING, Progress(number, None, number / wanted))
            self.refresh()
            if self._prints:
                with self.hidden():
                    yield solution
            else:
                yield solution


class BenchProgressView(ProgressView):
    """Shows the progress of a bench."""

    def __init__(self, state: BenchProgress, display: Display | None) -> None:
        super().__init__(state, display)
        self.state = state

    def track(self, records: Iterator[Record]) -> Iterator[Record]:
        """Yield the same records, and show the progress after each."""
        for record in records:
            self.state.ended(record)
            if self.state.is_over:
                self._stop()
            self.refresh(at_once=True)
            yield record


def show_run_progress(job: Job, *, as_json: bool, prints: bool = False) -> RunProgressView:
    """Return a view of a job's progress, to be entered before the job is run.

    `prints`: solutions are printed as they come, and the view makes way for them.
    """
    from dovetail.harness.progress.run_progress import RunProgress

    display = _display(job.puzzle, as_json=as_json)
    return RunProgressView(RunProgress(job), display, prints=prints)


def show_bench_progress(
    plan: SuitePlan, known: list[Record], parallel: int, *, as_json: bool
) -> BenchProgressView:
    """Return a view of the progress of a bench, of which some records are known."""
    from dovetail.harness.progress.bench_progress import BenchProgress

    return BenchProgressView(BenchProgress(plan, known, parallel), _display(as_json=as_json))


def _display(puzzle: Puzzle | None = None, *, as_json: bool) -> Display | None:
    """Return how progress, that of one puzzle perhaps, is shown; None where it is not."""
    if as_json:
        return JsonLines()
    if sys.stderr.isatty():
        return LiveLines(puzzle)
    return None if os.environ.get(QUIET) else Notices()


class JsonLines:
    """One JSON object per line on standard error."""

    every_s = LINES_EVERY_S

    def show(self, fields: Fields) -> None:
        with suppress(OSError):  # whoever read it has left
            sys.stderr.write(json.dumps(fields) + "\n")
            sys.stderr.flush()

    def hide(self) -> None:
        """Nothing: lines are no terminal's."""

    def close(self, fields: Fields) -> None:
        self.show(fields)


class LiveLines:
    """A few lines of a terminal that are written over, and gone when there is no more."""

    every_s = LIVE_EVERY_S

    def __init__(self, puzzle: Puzzle | None) -> None:
        self._puzzle = puzzle
        self._live: Live | None = None

    def show(self, fields: Fields) -> None:
        from dovetail.reports.progress import progress_lines

        with suppress(OSError):  # the terminal may be gone
            if self._live is None:
                self._live = _live()
                self._live.start()
            self._live.update(progress_lines(fields, self._puzzle), refresh=True)

    def hide(self) -> None:
        live, self._live = self._live, None  # once stopped it cannot go on
        if live is not None:
            with suppress(OSError):
                live.stop()

    def close(self, fields: Fields) -> None:
        if self._live is not None:
            self.show(fields)
        self.hide()
        _print_last(fields)


class Notices:
    """A line when compiling takes long, and one at the end of a bench, for pipes and logs."""

    every_s = LONG_S

    def __init__(self) -> None:
        self._noticed = False

    def show(self, fields: Fields) -> None:
        from dovetail.reports.progress import COMPILING, compiling_s

        if not self._noticed and compiling_s(fields) >= LONG_S:
            self._noticed = True
            _print_line(COMPILING)

    def hide(self) -> None:
        """Nothing: lines stay."""

    def close(self, fields: Fields) -> None:
        _print_last(fields)


def _print_last(fields: Fields) -> None:
    """Print the last state of a bench."""
    from dovetail.reports.progress import last_line

    line = last_line(fields)
    if line is not None:
        _print_line(line)


def _print_line(line: str) -> None:
    with suppress(OSError):  # whoever read it has left
        sys.stderr.write(f"dovetail: {line}\n")
        sys.stderr.flush()


def _live() -> Live:
    """Return lines on standard error that change only when they are updated."""
    from rich.console import Console
    from rich.live import Live

    return Live(
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
