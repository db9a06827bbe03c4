"""What all benchmarks share: one core, and how busy the machine was."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from dovetail.harness.records.environment import load_since
from dovetail.platform.resources import processor_time


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Let pytest-benchmark measure: it does not where `--dist` is set, even in one process."""
    if not config.getoption("numprocesses", None):
        config.option.dist = "no"


@pytest.fixture(autouse=True)
def _on_one_core() -> Iterator[None]:
    """Stay on one core, and say afterwards how many were at work: thread time feels neighbours."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    begun = processor_time()
    yield
    print(f"  busy cores meanwhile: {load_since(begun, 1).busy_cores} of {os.cpu_count()}")
    os.sched_setaffinity(0, allowed)
