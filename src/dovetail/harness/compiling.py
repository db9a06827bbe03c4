"""Compiling what a task needs, told while it is under way: time does not count meanwhile."""

from __future__ import annotations

from collections.abc import Generator

from dovetail.backends.base import Backend, Config
from dovetail.harness.drive import Stopwatch
from dovetail.harness.events import Compiling, Event, Started
from dovetail.harness.interruption import Interruption
from dovetail.harness.memory import resident_bytes
from dovetail.models.task import Task

LONG_COMPILING_S = 0.1  # beyond which memory has been taken for good


def compiled(
    backend: Backend,
    task: Task,
    config: Config,
    warming: Stopwatch,
    interruption: Interruption,
) -> Generator[Event, None, int | None]:
    """Compile what a backend needs for a task that it does not refuse, timed in `warming`.

    A signal is only noted meanwhile: compilers do not survive an exception from nowhere.

    Returns the resident size behind it where that begins anew, None where it took too little time
    for that.
    """
    known_s = warming.wall_s
    yield Compiling(under_way=True)
    with warming, interruption.defer():
        backend.warm_up()
        backend.warm_up_for(task, config)
    if warming.wall_s - known_s <= LONG_COMPILING_S:
        yield Compiling(under_way=False)
        return None
    baseline = resident_bytes()
    yield Started(warming.wall_s, baseline)
    return baseline
