"""The loop that advances every search, in slices or in a thread, until it ends or at a limit."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf

from dovetail.backends.base import AnyBackend, Budget, Search
from dovetail.backends.threaded import ThreadedSearch
from dovetail.harness.run.clock import RunClock, Stopwatch
from dovetail.harness.run.job import Limits
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.models.outcome import Status
from dovetail.platform.resources import processor_clock

SLICE_S = 0.03
FIRST_WORK = 20_000
MIN_WORK = 1_000
# A search that fills its buffer early looks faster than it is; this bounds the error.
MAX_WORK = 5_000_000
POLL_S = 0.02


class SliceWork:
    """How much work a slice gets, so that it takes about so many seconds.

    It starts at `first` and stays from `smallest` to `largest`.
    """

    def __init__(self, seconds: float, first: int, smallest: int, largest: int) -> None:
        self.now = first
        self._seconds, self._smallest, self._largest = seconds, smallest, largest

    def took(self, seconds: float) -> None:
        """Adapt to how long the last slice took: at most twice as much, at least a quarter."""
        factor = min(2.0, max(0.25, self._seconds / max(seconds, 1e-6)))
        self.now = min(self._largest, max(self._smallest, int(self.now * factor)))


def run_search(
    backend: AnyBackend,
    search: Search,
    limits: Limits,
    clock: RunClock,
    slice_work: int | None = None,
) -> Iterator[Status | None]:
    """Advance a search until it ends, in slices or in a thread, as its backend can be stopped.

    Yields None after each slice, or when solutions wait to be taken, and at last the status that
    ended the search. With `slice_work` every slice is of so much work, the same on every machine;
    without, about `SLICE_S` long.
    """
    if backend.control == "slices":
        return run_sliced(search, limits, clock, slice_work)
    assert isinstance(search, ThreadedSearch)
    return run_threaded(search, limits, clock)


def run_sliced(
    search: Search, limits: Limits, clock: RunClock, slice_work: int | None = None
) -> Iterator[Status | None]:
    """Advance slice by slice; see `run_search`.

    Only the search itself is timed, as solving; as preparing until it is prepared.
    """
    work = SliceWork(SLICE_S, slice_work or FIRST_WORK, MIN_WORK, MAX_WORK)
    memory_bytes = MemoryLimit(limits.memory_bytes).free_bytes
    while True:
        cut = clock.cut()
        if cut is not None:
            yield cut
            return
        nodes_left = None
        if limits.nodes is not None:
            nodes_left = limits.nodes - (search.counters.nodes or 0)
        solutions_left = None
        if limits.solutions is not None:
            solutions_left = limits.solutions - (search.count or 0)
        budget = Budget(work.now, nodes_left, solutions_left, memory_bytes=memory_bytes)
        stopwatch = clock.solving if search.prepared else clock.preparing
        before = stopwatch.wall_s
        with stopwatch:
            status = search.advance(budget)
        yield status
        if status is not None:
            return
        if slice_work is None:
            work.took(stopwatch.wall_s - before)


def run_threaded(
    search: ThreadedSearch, limits: Limits, clock: RunClock
) -> Iterator[Status | None]:
    """The same for a search that cannot be sliced: it runs in a thread that is watched.

    Yields None when the search has paused for its solutions to be taken, so that nothing is
    done beside it; what it waits is not timed. What the search has taken is added to the clock
    before anything is yielded. When a limit ends the watch the thread is left as it is: its process
    must be ended. Raises MemoryError when no thread can be started.
    """
    ended: list[Status | BaseException] = []
    running = _ThreadTimes(search)

    def left_s() -> float:
        limit_s = clock.left_s
        return inf if limit_s is None else limit_s - running.uncharged_s

    def work() -> None:
        try:
            status = None
            with running.measured():
                while status is None:
                    seconds = None if clock.left_s is None else left_s()
                    budget = Budget(MIN_WORK, limits.nodes, limits.solutions, seconds)
                    status = search.advance(budget)
            ended.append(status)
        except BaseException as error:
            ended.append(error)

    yield None  # nothing is found yet: a lower bound of 0
    thread = threading.Thread(target=work, daemon=True)
    try:
        thread.start()
    except RuntimeError:  # its stack is memory too
        raise MemoryError from None
    while thread.is_alive():
        thread.join(POLL_S)
        cut = None
        if clock.interruption.requested:
            cut = Status.INTERRUPTED
        elif left_s() <= 0:
            search.stop()  # it reports more when it stops by itself
            cut = Status.TIME_LIMIT if left_s() <= -5 * POLL_S else None
        if cut is not None and thread.is_alive():
            running.charge(clock.solving)
            yield cut
            return
        if search.found.paused:
            running.charge(clock.solving)  # whoever has enough solutions does not come back
            yield None
            search.found.resume()
    running.charge(clock.solving)
    if isinstance(ended[0], BaseException):
        raise ended[0]
    yield ended[0]


class _ThreadTimes:
    """What a search in a thread has taken so far, its pauses left out.

    Its processor time is that of its thread, or of the process if it uses several threads, and of
    the processes that it has started.
    """

    def __init__(self, search: ThreadedSearch) -> None:
        self._search = search
        self._began = time.perf_counter()
        self._cpu_clock: Callable[[], float] | None = None
        self._cpu_began = self._wall_s = self._cpu_s = 0.0
        self._charged_wall_s = self._charged_cpu_s = 0.0
        self._over = False

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Measure what is done within, by the thread that enters."""
        clock = processor_clock(of_thread=not self._search.uses_threads)
        self._began, self._cpu_began = time.perf_counter(), clock()
        self._cpu_clock = clock  # from here on others may charge
        try:
            yield
        finally:
            self._update()
            self._over = True

    @property
    def uncharged_s(self) -> float:
        """Wall-clock seconds that were taken since the last charge."""
        if self._cpu_clock is None:
            return 0.0
        return (self._wall_s if self._over else self._passed_s) - self._charged_wall_s

    def charge(self, stopwatch: Stopwatch) -> None:
        """Add to a stopwatch, from any thread, what was taken since the last time."""
        with suppress(OSError):  # the thread and its clock are gone: it has updated before
            self._update()
        stopwatch.add(self._wall_s - self._charged_wall_s, self._cpu_s - self._charged_cpu_s)
        self._charged_wall_s, self._charged_cpu_s = self._wall_s, self._cpu_s

    def _update(self) -> None:
        if self._over or self._cpu_clock is None:
            return
        own_s = self._cpu_clock() - self._cpu_began
        self._cpu_s = own_s + self._search.processes_cpu_s
        self._wall_s = self._passed_s

    @property
    def _passed_s(self) -> float:
        return time.perf_counter() - self._began - self._search.found.paused_s
