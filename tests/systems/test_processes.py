"""Process trees: descendants, marks in environments, memory, processor time and ends."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from dovetail.platform.processes import descendants, held_bytes, kill, marked, processor_s

MIB = 2**20
# Forks a child that shares its memory, and waits.
SHARING = """
import os, time
memory = b"x" * (64 << 20)
if os.fork():
    print("is there", flush=True)
time.sleep(60)
"""


@pytest.fixture
def sharing() -> Iterator[subprocess.Popen[bytes]]:
    """Start a process with a child that shares 64 MiB with it."""
    with subprocess.Popen(
        [sys.executable, "-c", SHARING],
        stdout=subprocess.PIPE,
        env={**os.environ, "TEST_MARK": "sharing"},
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        kill([*descendants(process.pid), process.pid])


def test_a_process_tree_is_found_by_descent_and_mark_and_killed(
    sharing: subprocess.Popen[bytes],
) -> None:
    tree = [sharing.pid, *descendants(sharing.pid)]
    assert len(tree) == 2
    assert set(tree) <= set(descendants(os.getpid()))
    assert sorted(marked("TEST_MARK", "sharing")) == sorted(tree)
    assert marked("TEST_MARK", "other") == []
    assert 0 < processor_s(tree) < 60
    kill(tree)
    sharing.wait()
    assert descendants(sharing.pid) == []
    assert held_bytes([sharing.pid]) == processor_s([sharing.pid]) == 0
    kill([sharing.pid])


def test_shared_pages_count_once_above_the_limit(sharing: subprocess.Popen[bytes]) -> None:
    tree = [sharing.pid, *descendants(sharing.pid)]
    assert held_bytes(tree) > 128 * MIB
    assert held_bytes(tree, 1024 * MIB) > 128 * MIB
    assert 64 * MIB < held_bytes(tree, 100 * MIB) < 100 * MIB
    assert sharing.poll() is None
