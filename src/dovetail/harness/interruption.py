"""Ctrl-C that lets a search end in order and report what it found."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interruption:
    """Whether the user asked to stop.

    While `deferred`, a signal only sets `requested`, which the search looks at between
    slices; at other times it raises KeyboardInterrupt at once.
    """

    def __init__(self) -> None:
        self.requested = False
        self.deferred = False

    @contextmanager
    def defer(self) -> Iterator[None]:
        """Within, signals are only noted."""
        self.deferred = True
        try:
            yield
        finally:
            self.deferred = False

    @contextmanager
    def on_signal(self) -> Iterator[None]:
        """Within, SIGINT comes here. Must be entered in the main thread."""

        def handler(_number: int, _frame: FrameType | None) -> None:
            if self.requested or not self.deferred:
                raise KeyboardInterrupt
            self.requested = True

        before = signal.signal(signal.SIGINT, handler)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
