"""Interruption by Ctrl-C: the search ends in order, and its result so far is reported.

SIGTERM (from a shutdown or a batch system) and SIGHUP (a closed terminal) have the same effect. The
status is always "interrupted" and the exit status 130, so that callers need not distinguish the
signals.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from dovetail.platform.system import ENDING_SIGNALS

SIGNALS = ENDING_SIGNALS


class Interruption:
    """A request by the user to stop.

    Within `defer`, a signal only sets `requested`, which the search checks between slices. At other
    times, a signal immediately raises KeyboardInterrupt. An interruption `within` an outer
    interruption is also requested when the outer interruption is requested. Its `defer` defers
    both.
    """

    def __init__(self, within: Interruption | None = None) -> None:
        self._within = within
        self._requested = False
        self._deferring = 0
        self._lock = threading.Lock()

    @property
    def requested(self) -> bool:
        """Whether the search has to stop."""
        return self._requested or (self._within is not None and self._within.requested)

    def request(self) -> None:
        """Request a stop."""
        self._requested = True

    @contextmanager
    def defer(self) -> Iterator[None]:
        """Defer signals in the body: they only set `requested`. Several threads may enter."""
        self._defer(1)
        try:
            yield
        finally:
            self._defer(-1)

    @contextmanager
    def on_signal(self) -> Iterator[None]:
        """Handle `SIGNALS` in the body, which must be entered in the main thread.

        A second Ctrl-C raises KeyboardInterrupt even within `defer`. A repetition of another signal
        has no effect, because the system may send it twice. A SIGTERM or SIGHUP that is ignored, as
        with `nohup`, stays ignored.
        """

        def handler(number: int, _frame: FrameType | None) -> None:
            if self._requested and number != signal.SIGINT:
                return
            if self._requested or not self._deferring:
                raise KeyboardInterrupt
            self._requested = True

        replaced = {
            number: signal.signal(number, handler)
            for number in SIGNALS
            if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN
        }
        try:
            yield
        finally:
            for number, before in replaced.items():
                signal.signal(number, before)

    def _defer(self, more: int) -> None:
        if self._within is not None:
            self._within._defer(more)
        with self._lock:
            self._deferring += more
