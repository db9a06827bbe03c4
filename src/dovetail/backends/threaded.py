"""Searches that cannot be sliced. A search runs in a thread; another thread takes its solutions.

The module also has base classes for backends that call a Python package.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from importlib.util import find_spec
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import (
    Backend,
    Budget,
    ConfigT,
    Search,
    option_rows,
    trigger_refusal,
)
from dovetail.models.outcome import Counters
from dovetail.models.task import Task

if TYPE_CHECKING:
    from dovetail.models.formulations.model import ConstraintModel
    from dovetail.models.formulations.registry import Supported

MAX_WAITING = 10_000
LONGEST_WAIT_S = 0.5


class FoundSolutions:
    """A buffer of solutions that one thread fills and another empties, in turn.

    The threads share an interpreter and slow each other down. Therefore the filling thread pauses
    after a solution if many solutions are waiting or it has not paused for half a second. The pause
    lasts until `resume` is called.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: list[list[int]] = []
        self._due = time.monotonic() + LONGEST_WAIT_S
        self._paused, self._resumed = Event(), Event()
        # Seconds of all past pauses, and the start of the current pause.
        self._pauses: tuple[float, float | None] = (0.0, None)
        self.count = 0

    @property
    def paused_s(self) -> float:
        """Total seconds for which the filling thread has paused; not part of the solving time."""
        over_s, since = self._pauses
        return over_s if since is None else over_s + time.perf_counter() - since

    @property
    def paused(self) -> bool:
        """True while the filling thread waits for `resume`."""
        return self._paused.is_set()

    def add(self, options: Iterable[int], *, is_last: bool = False) -> None:
        """Add a solution, given by its options, and pause if a pause is due.

        There is no pause after the last solution.
        """
        chosen = list(options)
        with self._lock:
            self._waiting.append(chosen)
            self.count += 1
        due = len(self._waiting) >= MAX_WAITING or time.monotonic() >= self._due
        if due and not is_last:
            self._pause()

    def take(self) -> NDArray[np.int32]:
        """Return the solutions added since the last call, shape (n, k), padded with −1."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        return option_rows(waiting)

    def resume(self) -> None:
        """Let the paused thread continue."""
        self._paused.clear()
        self._resumed.set()

    def _pause(self) -> None:
        self._pauses = self.paused_s, time.perf_counter()
        self._resumed.clear()
        self._paused.set()
        self._resumed.wait()
        self._due = time.monotonic() + LONGEST_WAIT_S
        self._pauses = self.paused_s, None


class Deadline:
    """Time limit of a search; pauses of the search do not count."""

    def __init__(self, found: FoundSolutions, seconds: float | None) -> None:
        self._found = found
        self._at = None if seconds is None else time.monotonic() + seconds - found.paused_s

    @property
    def left_s(self) -> float | None:
        """Seconds left, 0 after the deadline; None without a time limit."""
        if self._at is None:
            return None
        return max(0.0, self._at + self._found.paused_s - time.monotonic())

    @property
    def is_over(self) -> bool:
        return self.left_s == 0.0


class ThreadedSearch(Search):
    """A search that cannot be sliced: `advance` runs in a thread, to the end or to a limit.

    Solutions are added to `found`, which `take` empties.
    """

    # True if the solver searches in threads of its own. Then the processor time is measured for the
    # whole process.
    uses_threads: bool = False

    def __init__(self) -> None:
        self.found = FoundSolutions()
        self._native: dict[str, int] = {}  # counters of the solver itself

    @property
    def counters(self) -> Counters:
        return Counters(native=self._native)

    @property
    def count(self) -> int:
        return self.found.count

    @property
    def processes_cpu_s(self) -> float:
        """Processor time of the processes that the search has started, in seconds."""
        return 0.0

    def deadline(self, budget: Budget) -> Deadline:
        """Return the deadline of a call of `advance` that has just begun with this budget."""
        return Deadline(self.found, budget.seconds)

    def stop(self) -> None:
        """Make `advance` return `TIME_LIMIT`, for solvers that cannot check the `deadline`.

        Another thread calls this method repeatedly once the time is up. By default, the method does
        nothing.
        """
        return

    def take(self) -> NDArray[np.int32]:
        return self.found.take()


class LibraryBackend(Backend[ConfigT]):
    """A backend that calls a Python package, in a child process."""

    control = "process"
    package: str
    """Name of the package on the Python Package Index."""
    module: str
    """Module of the package that is imported."""

    def missing(self) -> str | None:
        return None if find_spec(self.module) else self.package


class ModelBackend(LibraryBackend[ConfigT]):
    """A backend that gives its solver a constraint model, chosen by the setting `formulation`."""

    formulations: Supported

    def refuses(self, task: Task, config: Any) -> str | None:
        refusal = self.formulations.refuses(config.formulation, task.options)
        return refusal or trigger_refusal(task)

    def model(self, task: Task, config: Any) -> ConstraintModel:
        """Return the constraint model of a task that is not refused."""
        return self.formulations.build(config.formulation, task.options)
