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
from dovetail.platform.resources import resident_bytes

MIN_S = 1e-6  # the resolution of clocks: a time of 0 has no ratio
LONG_COMPILING_S = 0.1  # beyond which memory has been taken for good


class Stopwatch:
    """Adds up wall-clock and processor seconds over the spans it is entered for.

    A span inside another span of the same stopwatch counts once.
    """

    def __init__(self) -> None:
        self._wall_s = self._cpu_s = 0.0
        self._depth = 0

    def __enter__(self) -> None:
        if self._depth == 0:
            self._wall, self._cpu = time.perf_counter(), time.process_time()
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if self._depth == 0:
            self.add(time.perf_counter() - self._wall, time.process_time() - self._cpu)

    @property
    def wall_s(self) -> float:
        """Wall-clock seconds, the present span included."""
        return self._wall_s + (time.perf_counter() - self._wall if self._depth else 0.0)

    @property
    def cpu_s(self) -> float:
        """Processor seconds, the present span included."""
        return self._cpu_s + (time.process_time() - self._cpu if self._depth else 0.0)

    def add(self, wall_s: float, cpu_s: float) -> None:
        """Add seconds that were measured elsewhere."""
        self._wall_s += wall_s
        self._cpu_s += cpu_s


class RunClock:
    """The stopwatches and the time limit of a run, from planning to the last check.

    `warming` measures imports and compilation; `preparing` lowering, planning and building tables;
    `solving` the search; `verifying` the checks. The limit counts `charged_s`, which is what
    records report as prepare and solve, and nothing else. `baseline_bytes` is the resident size
    when memory began to count.
    """

    def __init__(
        self, time_s: float | None = None, interruption: Interruption | None = None
    ) -> None:
        self.interruption = interruption or Interruption()
        self.warming, self.preparing = Stopwatch(), Stopwatch()
        self.solving, self.verifying = Stopwatch(), Stopwatch()
        self.baseline_bytes: int | None = None
        self._time_s = time_s
        self._outer: RunClock | None = None

    @property
    def charged_s(self) -> float:
        """Seconds of preparing and solving so far."""
        return self.preparing.wall_s + self.solving.wall_s

    @property
    def left_s(self) -> float | None:
        """Seconds until the time limit, negative behind it; None without a limit."""
        if self._outer is not None:
            return self._outer.left_s
        return None if self._time_s is None else self._time_s - self.charged_s

    def start(self) -> Started:
        """Report that what follows is charged; memory counts from now on."""
        self.baseline_bytes = resident_bytes()
        return Started(self.warming.wall_s, self.baseline_bytes)

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
        yield self.start() if took_s > LONG_COMPILING_S else Compiling(under_way=False)

    def for_trial(self) -> RunClock:
        """Return a clock with the limit of this one, which has to measure the trial itself."""
        trial = RunClock(interruption=self.interruption)
        trial._outer = self
        return trial

    def count_as_planning(self) -> None:
        """Let what was searched so far be part of preparing: the search has given up."""
        for searching in (self.solving, self.verifying):
            self.preparing.add(searching.wall_s, searching.cpu_s)
        self.solving, self.verifying = Stopwatch(), Stopwatch()

    def cut(self) -> Status | None:
        """Return what ends the run from outside, if anything does."""
        if self.interruption.requested:
            return Status.INTERRUPTED
        left_s = self.left_s
        return None if left_s is None or left_s > 0 else Status.TIME_LIMIT

    def is_over(self) -> bool:
        """Whether time is up or the user asked to stop."""
        return self.cut() is not None


@cache
def warm_up_backend(backend: AnyBackend) -> None:
    """Compile what every task of a backend needs, once in a process."""
    with compiling_in_two(backend.kernel_list):
        backend.warm_up()


@cache
def _warm_up_estimator(backend: AnyBackend) -> None:
    """Compile what every estimator of a backend needs, once in a process."""
    backend.warm_up_estimator()
