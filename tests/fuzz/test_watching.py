"""The watch over the readers sees what it should."""

from __future__ import annotations

import mmap

import pytest

from fuzz.watching import MemoryMonitor, in_time


def hang() -> None:
    """Go on for ever, whatever error is raised."""
    while True:
        try:
            sum(range(1000))
        except Exception:
            continue


def test_a_reader_that_hangs() -> None:
    """It fails with the file's number, even where every error is caught."""
    hung = "7, a file: more than"
    with pytest.raises(pytest.fail.Exception, match=hung), in_time(0.1, "7, a file"):
        hang()


def test_time_that_is_not_used_up() -> None:
    """Nothing comes later."""
    with in_time(0.05, "a file"):
        pass
    for _ in range(10):
        sum(range(1_000_000))


def test_a_reader_that_takes_memory_for_a_moment() -> None:
    """The batch is named; the next one has its own peak."""
    monitor = MemoryMonitor(64 * 2**20, batch=2)
    for number in range(3):
        monitor.read(number)
    with mmap.mmap(-1, 128 * 2**20) as memory:
        memory.write(b"x" * len(memory))
    with pytest.raises(AssertionError, match="files 2 to 3: "):
        monitor.read(3)
    MemoryMonitor(64 * 2**20, batch=2).read(1)
