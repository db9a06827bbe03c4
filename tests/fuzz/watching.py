"""Limits on time and memory while files are read."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

from dovetail.platform.resources import forget_peak, peak_bytes, resident_bytes


@contextmanager
def in_time(seconds: float, what: str) -> Iterator[None]:
    """Fail with `what` when the block takes more processor time, even if it never ends."""

    def too_long(_number: int, _frame: FrameType | None) -> None:
        pytest.fail(f"{what}: more than {seconds} s")  # not an Exception: no reader catches it

    before = signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class MemoryMonitor:
    """Fails when the process holds `max_bytes` more bytes than at the beginning.

    The peak is checked and reset after every `batch` files, so that the files of a failure are few.
    """

    def __init__(self, max_bytes: int, batch: int) -> None:
        self._max_bytes, self._batch = max_bytes, batch
        self._before = resident_bytes() or 0
        forget_peak()

    def read(self, number: int) -> None:
        """Count file `number`, from 0, as read."""
        if (number + 1) % self._batch:
            return
        grown = (peak_bytes() or 0) - self._before
        files = f"files {number + 1 - self._batch} to {number}"
        assert grown < self._max_bytes, f"{files}: {grown:,} bytes more than at the beginning"
        forget_peak()
