"""Interruption by Ctrl-C: the search ends in order and reports its result so far.

SIGTERM (a shutdown, a batch system) and SIGHUP (the terminal was closed) have the same effect. In
each case the status is "interrupted" and the exit status 130, so that callers need to know only one
exit status.
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
    times a signal raises KeyboardInterrupt at once. An interruption `within` another one is
    requested if either is requested, and defers both.
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
        """Only note signals in the body, which several threads may enter."""
        self._defer(1)
        try:
            yield
        finally:
            self._defer(-1)

    @contextmanager
    def on_signal(self) -> Iterator[None]:
        """Handle `SIGNALS` in the body. Must be entered in the main thread.

        A second Ctrl-C raises KeyboardInterrupt even while deferred. The other signals may be sent
        twice for no reason. A SIGTERM or SIGHUP that is ignored stays ignored, as under `nohup`.
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
