"""Progress on standard error: live lines if it is a terminal, JSON lines if asked for, else none.

It is shown by the thread that works, between two slices of a search, so that no slice is measured
beside it. Another thread waits, and shows it only where the first has not done so for a while:
tables are being built, or the search is in another process.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from rich.live import Live

    from dovetail.harness.headway import Headway
    from dovetail.harness.records.record import RunRecord
    from dovetail.harness.run.events import Event
    from dovetail.harness.run.job import Job
    from dovetail.harness.standing import RunStanding
    from dovetail.harness.suite import Plan
    from dovetail.models.solution import Solution

LIVE_EVERY_S = 0.2
LINES_EVERY_S = 0.5

Fields = dict[str, Any]


class Standing(Protocol):
    """What is shown: where something stands."""

    def fields(self) -> Fields: ...

    def end(self) -> None: ...


class Display(Protocol):
    """How it is shown; `every_s` is how often at most."""

    every_s: float

    def show(self, fields: Fields) -> None: ...

    def hide(self) -> None:
        """Leave the terminal to others until something is shown again."""
        ...

    def close(self, fields: Fields) -> None:
        """The end, and where it stands then."""
        ...


class Progress:
    """Shows where something stands while it is entered."""

    def __init__(self, standing: Standing, display: Display | None) -> None:
        self._standing, self._display = standing, display
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
            self._standing.end()
            self._display.close(self._standing.fields())

    def look(self, *, at_once: bool = False) -> None:
        """Show where it stands, if it is time to or must be told `at_once`."""
        display = self._display
        if display is None:
            return
        if not at_once and time.monotonic() < self._shown + display.every_s:
            return
        with self._showing:
            if not self._hidden and not self._over.is_set():
                display.show(self._standing.fields())
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
        """Show it whenever nobody else has, until it is over."""
        assert self._display is not None
        wait_s = self._display.every_s
        while not self._over.wait(wait_s):
            self.look()
            wait_s = max(0.0, self._shown + self._display.every_s - time.monotonic())


class RunProgress(Progress):
    """The progress of a job; `prints` says whether whoever gets solutions prints them at once."""

    def __init__(
        self, standing: RunStanding, display: Display | None, *, prints: bool = False
    ) -> None:
        super().__init__(standing, display)
        self.standing, self._prints = standing, prints

    def watch(self, events: Iterator[Event]) -> Iterator[Event]:
        """The same events, shown."""
        from dovetail.harness.run.events import Finished, Found

        for event in events:
            if isinstance(event, Finished):
                self._stop()
            self.standing.hear(event)
            self.look()
            if self._prints and isinstance(event, Found):
                with self.hidden():
                    yield event
            else:
                yield event

    def drawing(self, solutions: Iterator[Solution], wanted: int) -> Iterator[Solution]:
        """The same solutions, of which so many are wanted, shown as they are drawn."""
        from dovetail.harness.run.events import Progress as Told
        from dovetail.harness.standing import Stage

        self.standing.enter(Stage.COUNTING)
        for number, solution in enumerate(solutions, start=1):
            self.standing.enter(Stage.DRAWING, Told(number, None, number / wanted))
            self.look()
            if self._prints:
                with self.hidden():
                    yield solution
            else:
                yield solution


class BenchProgress(Progress):
    """The progress of a bench."""

    def __init__(self, headway: Headway, display: Display | None) -> None:
        super().__init__(headway, display)
        self.headway = headway

    def watch(self, records: Iterator[RunRecord]) -> Iterator[RunRecord]:
        """The same records, the bench's standing shown whenever there is one more."""
        for record in records:
            self.headway.ended(record)
            if self.headway.is_over:
                self._stop()
            self.look(at_once=True)
            yield record


def run_progress(job: Job, *, as_json: bool, prints: bool = False) -> RunProgress:
    """The progress of a job, to be entered before it is run.

    `prints` says whether solutions are printed as they come: progress makes room for them.
    """
    from dovetail.harness.standing import RunStanding

    return RunProgress(RunStanding(job), _display(as_json=as_json), prints=prints)


def bench_progress(
    plan: Plan, known: list[RunRecord], parallel: int, *, as_json: bool
) -> BenchProgress:
    """The progress of a bench, of which some records are known."""
    from dovetail.harness.headway import Headway

    return BenchProgress(Headway(plan, known, parallel), _display(as_json=as_json))


def _display(*, as_json: bool) -> Display | None:
    """How progress is shown; None where it is not."""
    if as_json:
        return JsonLines()
    return LiveLines() if sys.stderr.isatty() else None


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

    def __init__(self) -> None:
        self._live: Live | None = None

    def show(self, fields: Fields) -> None:
        from dovetail.reports.progress import standing_lines

        with suppress(OSError):  # the terminal may be gone
            if self._live is None:
                self._live = _live()
                self._live.start()
            self._live.update(standing_lines(fields), refresh=True)

    def hide(self) -> None:
        live, self._live = self._live, None  # one that has been stopped knows no more where it was
        if live is not None:
            with suppress(OSError):
                live.stop()

    def close(self, fields: Fields) -> None:
        if self._live is not None:
            self.show(fields)
        self.hide()


def _live() -> Live:
    """Lines on standard error that only change when they are told to."""
    from rich.console import Console
    from rich.live import Live

    return Live(
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
