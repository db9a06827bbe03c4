"""Ctrl-C that lets a search end in order and report what it found.

So do SIGTERM (a shutdown, a batch system) and SIGHUP (the terminal was closed). The status is
"interrupted" and the exit status 130 whichever it was: a caller need know only one.
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
    """Whether the user asked to stop.

    While `deferred`, a signal only sets `requested`, which the search looks at between
    slices; at other times it raises KeyboardInterrupt at once. One that is made `within`
    another is requested when either is, and defers both.
    """

    def __init__(self, within: Interruption | None = None) -> None:
        self._within = within
        self._requested = False
        self._deferring = 0
        self._lock = threading.Lock()

    @property
    def requested(self) -> bool:
        """Whether to stop."""
        return self._requested or (self._within is not None and self._within.requested)

    def request(self) -> None:
        """Ask to stop."""
        self._requested = True

    @contextmanager
    def defer(self) -> Iterator[None]:
        """Within, signals are only noted. May be entered by several threads."""
        self._defer(1)
        try:
            yield
        finally:
            self._defer(-1)

    @contextmanager
    def on_signal(self) -> Iterator[None]:
        """Within, `SIGNALS` come here. Must be entered in the main thread.

        Ctrl-C for the second time raises KeyboardInterrupt even while deferred; the others may
        well be sent twice without impatience. A SIGTERM or SIGHUP that is ignored stays so:
        that is how `nohup` works.
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
