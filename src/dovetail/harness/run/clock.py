"""The clock of a run: the time of each phase, the time limit, and interruption by signals."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType

from dovetail.backends.base import AnyBackend, Config
from dovetail.harness.run.events import Compiling, Event, Started
from dovetail.jit import compiling_in_two
from dovetail.models.outcome import Status
from dovetail.models.task import Task
from dovetail.platform.resources import resident_bytes
from dovetail.platform.system import ENDING_SIGNALS

SIGNALS = ENDING_SIGNALS


class Interruption:
    """A request to stop a run: the search ends early, and its result so far is reported.

    SIGTERM (from a shutdown or a batch system) and SIGHUP (a closed terminal) have the same effect
    as Ctrl-C: the status is "interrupted" and the exit status 130.

    Within `defer`, a signal only sets `requested`, which the search checks between slices. At other
    times, a signal immediately raises KeyboardInterrupt. An interruption `within` an outer
    interruption is also requested when the outer interruption is requested, and its `defer` also
    defers the signals of the outer interruption.
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
        """Defer signals in the body, where they only set `requested`.

        Several threads may be in such a body at the same time.
        """
        self._defer(1)
        try:
            yield
        finally:
            self._defer(-1)

    @contextmanager
    def on_signal(self) -> Iterator[None]:
        """Handle `SIGNALS` in the body; the main thread must enter the body.

        After a request to stop, Ctrl-C raises KeyboardInterrupt even within `defer`, but SIGTERM
        and SIGHUP have no effect, because the system may send them twice. A SIGTERM or SIGHUP that
        is ignored, as with `nohup`, stays ignored.
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


# Resolution of clocks in seconds; replaces a time of 0 in ratios.
MIN_S = 1e-6
# A compilation that takes more than this many seconds permanently increases the process's memory.
LONG_COMPILING_S = 0.1


class Stopwatch:
    """A context manager that adds up the wall-clock and processor seconds of its blocks.

    Nested blocks of the same stopwatch count once.
    """

    def __init__(self, cpu_clock: Callable[[], float] | None = None) -> None:
        self._cpu_clock = cpu_clock or time.process_time
        self._wall_s = self._cpu_s = 0.0
        self._depth = 0

    def __enter__(self) -> None:
        if self._depth == 0:
            self._wall, self._cpu = time.perf_counter(), self._cpu_clock()
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if self._depth == 0:
            self.add(time.perf_counter() - self._wall, self._cpu_clock() - self._cpu)

    @property
    def wall_s(self) -> float:
        """Wall-clock seconds, including the current block."""
        return self._wall_s + (time.perf_counter() - self._wall if self._depth else 0.0)

    @property
    def cpu_s(self) -> float:
        """Processor seconds, including the current block."""
        return self._cpu_s + (self._cpu_clock() - self._cpu if self._depth else 0.0)

    def add(self, wall_s: float, cpu_s: float) -> None:
        """Add seconds that were measured in another way."""
        self._wall_s += wall_s
        self._cpu_s += cpu_s


class RunClock:
    """The stopwatches and the time limit of a run, from planning to the last check.

    `warming` measures imports and compilation, `preparing` measures lowering, planning and building
    tables, `solving` measures the search, and `verifying` measures the checks. The time limit
    `time_s` applies to `charged_s`, the sum of `prepare_s` and `solve_s` in records. `cpu_clock`
    returns processor seconds, by default of this process.
    """

    def __init__(
        self,
        time_s: float | None = None,
        interruption: Interruption | None = None,
        cpu_clock: Callable[[], float] | None = None,
    ) -> None:
        self.interruption = interruption or Interruption()
        self._cpu_clock = cpu_clock
        self.warming, self.preparing = Stopwatch(cpu_clock), Stopwatch(cpu_clock)
        self.solving, self.verifying = Stopwatch(cpu_clock), Stopwatch(cpu_clock)
        # Resident size of the process at the last call of `start`; None if it is unknown.
        self.baseline_bytes: int | None = None
        self._time_s = time_s
        self._outer: RunClock | None = None

    @property
    def charged_s(self) -> float:
        """Seconds of preparing and solving so far."""
        return self.preparing.wall_s + self.solving.wall_s

    @property
    def left_s(self) -> float | None:
        """Seconds until the time limit, negative after the limit; None if there is no limit."""
        if self._outer is not None:
            return self._outer.left_s
        return None if self._time_s is None else self._time_s - self.charged_s

    def start(self) -> Started:
        """Set `baseline_bytes` to the current resident size, and return the event `Started`."""
        self.baseline_bytes = resident_bytes()
        return Started(self.warming.wall_s, self.baseline_bytes)

    def compile(self, backend: AnyBackend, task: Task, config: Config) -> Iterator[Event]:
        """Compile the kernels of a backend for a task, and yield the events of `untimed`.

        The backend must not refuse the task.
        """

        def compile_it() -> None:
            warm_up_backend(backend)
            backend.warm_up_for(task, config)

        yield from self.untimed(compile_it)

    def untimed(self, compile_it: Callable[[], object]) -> Iterator[Event]:
        """Call a function that compiles kernels, and count its time only as `warming`.

        Yields `Compiling` before the call. Yields `Started` after a long call, because the memory
        has grown, and otherwise `Compiling`. Signals are deferred during the call, because an
        exception would break the compiler.
        """
        before_s = self.warming.wall_s
        yield Compiling(under_way=True)
        with self.warming, self.interruption.defer():
            compile_it()
        took_s = self.warming.wall_s - before_s
        yield self.start() if took_s > LONG_COMPILING_S else Compiling(under_way=False)

    def for_trial(self) -> RunClock:
        """Return a clock for a trial that ends at the time limit of this clock.

        The caller must also measure the time of the trial with this clock.
        """
        trial = RunClock(interruption=self.interruption, cpu_clock=self._cpu_clock)
        trial._outer = self
        return trial

    def count_as_planning(self) -> None:
        """Move the time of an abandoned search from solving and verifying to preparing."""
        for searching in (self.solving, self.verifying):
            self.preparing.add(searching.wall_s, searching.cpu_s)
        self.solving, self.verifying = Stopwatch(self._cpu_clock), Stopwatch(self._cpu_clock)

    def ending_status(self) -> Status | None:
        """Return `INTERRUPTED` or `TIME_LIMIT` if the run has to end now, or None."""
        if self.interruption.requested:
            return Status.INTERRUPTED
        left_s = self.left_s
        return None if left_s is None or left_s > 0 else Status.TIME_LIMIT

    def is_over(self) -> bool:
        """Return whether the time limit is reached or the run is interrupted."""
        return self.ending_status() is not None


@cache
def warm_up_backend(backend: AnyBackend) -> None:
    """Compile the kernels that a backend needs for every task, once per process."""
    with compiling_in_two(backend.kernel_list):
        backend.warm_up()
