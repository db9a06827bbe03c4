"""The clocks of a run: what time goes where, when it is up, and whether the user asked to stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import cache, partial

from dovetail.backends.base import AnyBackend, Config
from dovetail.harness.run.events import Compiling, Event, Started
from dovetail.harness.run.interruption import Interruption
from dovetail.jit import compiling_in_two
from dovetail.models.outcome import Status
from dovetail.models.task import Task
from dovetail.platform.memory import resident_bytes

MIN_S = 1e-6  # the resolution of clocks: a time of 0 has no ratio
LONG_COMPILING_S = 0.1  # beyond which memory has been taken for good


class Stopwatch:
    """Adds up wall-clock and processor seconds over the spans it is entered for."""

    def __init__(self) -> None:
        self.wall_s = 0.0
        self.cpu_s = 0.0

    def __enter__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def __exit__(self, *_: object) -> None:
        self.wall_s += time.perf_counter() - self._wall
        self.cpu_s += time.process_time() - self._cpu

    def add(self, other: Stopwatch) -> None:
        """Add what another has measured."""
        self.wall_s += other.wall_s
        self.cpu_s += other.cpu_s


class RunClock:
    """The stopwatches and the deadline of a run, from planning to the last check.

    `warming` measures imports and compilation, which no limit counts; `preparing` lowering,
    planning and building tables; `solving` the search; `verifying` the checks. `baseline_bytes` is
    the resident size when memory began to count. `deadline` is a `time.monotonic` time, None for
    no limit; compiling moves it.
    """

    def __init__(
        self, time_s: float | None = None, interruption: Interruption | None = None
    ) -> None:
        self.interruption = interruption or Interruption()
        self.warming, self.preparing = Stopwatch(), Stopwatch()
        self.solving, self.verifying = Stopwatch(), Stopwatch()
        self.baseline_bytes: int | None = None
        self.deadline: float | None = None
        self._time_s = time_s

    def start(self) -> Started:
        """Let time and memory count from now on."""
        if self._time_s is not None:
            self.deadline = time.monotonic() + self._time_s
        return self._counting_anew()

    def compile(
        self, backend: AnyBackend, task: Task, config: Config, *, estimating: bool = False
    ) -> Iterator[Event]:
        """Compile what a backend needs for a task that it does not refuse; see `untimed`.

        With `estimating` also what its estimator of trees needs, where that is quick.
        """

        def compile_it() -> None:
            warm_up_backend(backend)
            backend.warm_up_for(task, config)
            if estimating and backend.estimates_quickly:
                _warm_up_estimator(backend)

        yield from self.untimed(compile_it)

    def compile_estimator(self, backend: AnyBackend) -> Iterator[Event]:
        """Compile only what a backend needs to estimate trees, as `compile` does for searches."""
        yield from self.untimed(partial(_warm_up_estimator, backend))

    def untimed(self, compile_it: Callable[[], object]) -> Iterator[Event]:
        """Call what compiles something.

        Time does not count meanwhile, and a signal is only noted: compilers do not survive an
        exception from nowhere.
        """
        before_s = self.warming.wall_s
        yield Compiling(under_way=True)
        with self.warming, self.interruption.defer():
            compile_it()
        took_s = self.warming.wall_s - before_s
        if self.deadline is not None:
            self.deadline += took_s
        if took_s <= LONG_COMPILING_S:
            yield Compiling(under_way=False)
        else:
            yield self._counting_anew()

    def for_trial(self) -> RunClock:
        """Return a clock with the same end, whose times do not count: whoever tries times it."""
        trial = RunClock(interruption=self.interruption)
        trial.deadline = self.deadline
        return trial

    def count_as_planning(self) -> None:
        """Let what was searched so far be part of preparing: the search has given up."""
        self.preparing.add(self.solving)
        self.preparing.add(self.verifying)
        self.solving, self.verifying = Stopwatch(), Stopwatch()

    def cut(self) -> Status | None:
        """Return what ends the run from outside, if anything does."""
        if self.interruption.requested:
            return Status.INTERRUPTED
        late = self.deadline is not None and time.monotonic() >= self.deadline
        return Status.TIME_LIMIT if late else None

    def is_over(self) -> bool:
        """Whether time is up or the user asked to stop."""
        return self.cut() is not None

    def _counting_anew(self) -> Started:
        self.baseline_bytes = resident_bytes()
        return Started(self.warming.wall_s, self.baseline_bytes)


@cache
def warm_up_backend(backend: AnyBackend) -> None:
    """Compile what every task of a backend needs, once in a process."""
    with compiling_in_two(backend.kernel_list):
        backend.warm_up()


@cache
def _warm_up_estimator(backend: AnyBackend) -> None:
    """Compile what every estimator of a backend needs, once in a process."""
    backend.warm_up_estimator()
