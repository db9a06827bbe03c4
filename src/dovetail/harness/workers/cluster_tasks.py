"""The two functions that dask workers run, from bytes to bytes, and the kernels beside a worker.

What a worker keeps between two calls is its kernels and plans; a call that misses its plan says so,
so that no result depends on them. A kernel runs in a process beside the dask worker: heartbeats go
on while it searches, and a crash is an error of its sub-problem alone. The process ends with the
dask worker, however that ends.
"""

from __future__ import annotations

import json
import pickle
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256

from dovetail.errors import BackendError
from dovetail.harness.run.plan_json import plan_from_json
from dovetail.harness.workers.assignment import Assignment, reply_to_bytes
from dovetail.harness.workers.base import Done, Lost, PlanMessage, Refused, WorkerEvent
from dovetail.harness.workers.local_workers import LocalWorkers
from dovetail.harness.workers.versions import difference, versions_here

# Plans that a worker remembers: those of the last commands that used it.
PLANS = 4
POLL_S = 0.5
# Seconds that a kernel has to stop when its result is no longer wanted.
STOPS_S = 5.0


class KernelLostError(Exception):
    """The process of a kernel has ended in the middle of a sub-problem."""


class UnknownPlanError(Exception):
    """The dask worker has been started anew, or has forgotten the plan."""


def packed_plan(message: PlanMessage) -> bytes:
    """Return a plan as bytes for `begin_plan`."""
    return zlib.compress(pickle.dumps(message))


def plan_digest(plan: bytes) -> bytes:
    """Return the digest by which `solve_part` knows a packed plan."""
    return sha256(plan).digest()


def begin_plan(versions: bytes, plan: bytes) -> bytes:
    """Remember a plan and start a kernel for it, if this worker has the `versions` expected.

    Returns JSON: `{"warm_up_s": seconds}`, or `{"refused": what differs}`. Raises `DovetailError`
    or `MemoryError` if the plan cannot be searched, `KernelLostError` if no process starts.
    """
    refused = difference(json.loads(versions), versions_here())
    if refused is not None:
        return json.dumps({"refused": refused}).encode()
    digest = plan_digest(plan)
    _KERNELS.remember(digest, pickle.loads(zlib.decompress(plan)))
    with _KernelInUse(digest) as kernel:
        return json.dumps({"warm_up_s": kernel.wait_until_ready()}).encode()


def solve_part(digest: bytes, assignment: bytes) -> bytes:
    """Search a sub-problem of a plan known by its digest; see `assignment.reply_to_bytes`.

    Raises `UnknownPlanError`, `KernelLostError`, or what the kernel raises. A sub-problem that
    dask has cancelled is stopped; its result goes nowhere.
    """
    asked: Assignment = pickle.loads(assignment)
    with _KernelInUse(digest) as kernel:
        return kernel.search(asked, _wanted())


class _Kernel:
    """One process that searches sub-problems of a plan."""

    def __init__(self, memory_bytes: int | None) -> None:
        self.memory_bytes = memory_bytes
        self.digest = b""
        try:
            self._process = LocalWorkers(1, memory_bytes=memory_bytes)
        except BackendError as error:  # of this machine, not of the plan
            raise KernelLostError(str(error)) from None

    def begin(self, digest: bytes, message: PlanMessage) -> None:
        self.digest = digest
        self._process.begin(plan_from_json(message.plan))

    def wait_until_ready(self) -> float:
        """Return the seconds that starting took; a process that ended meanwhile is replaced."""
        began = time.monotonic()
        _raise_refusal(self._process.wait(0))
        while not self._process.free():
            _raise_refusal(self._process.wait(POLL_S))
        return time.monotonic() - began

    def search(self, asked: Assignment, is_wanted: Callable[[], bool]) -> bytes:
        self.wait_until_ready()
        self._process.submit(asked)
        unwanted: float | None = None
        while True:
            for done in self._results():
                return reply_to_bytes(done.reply)
            if unwanted is not None and time.monotonic() > unwanted + STOPS_S:
                raise KernelLostError("it did not stop")
            if unwanted is None and not is_wanted():
                unwanted = time.monotonic()
                self._process.cut(asked.number)

    def close(self) -> None:
        self._process.close()

    def _results(self) -> list[Done]:
        """Return the result if it is there; raises what ends a search."""
        events = self._process.wait(POLL_S)
        _raise_refusal(events)
        for event in events:
            if isinstance(event, Lost):
                raise KernelLostError(event.reason)
        return [event for event in events if isinstance(event, Done)]


def _raise_refusal(events: list[WorkerEvent]) -> None:
    for event in events:
        if isinstance(event, Refused):
            raise event.error


class _Kernels:
    """The idle kernels of a dask worker, at most one for each of its threads, and its plans."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._plans: OrderedDict[bytes, PlanMessage] = OrderedDict()
        self._idle: list[_Kernel] = []

    def remember(self, digest: bytes, message: PlanMessage) -> None:
        with self._lock:
            self._plans[digest] = message
            self._plans.move_to_end(digest)
            while len(self._plans) > PLANS:
                self._plans.popitem(last=False)

    def take(self, digest: bytes) -> _Kernel:
        """Return a kernel with the plan, if possible one that has it already."""
        with self._lock:
            message = self._plans.get(digest)
            if message is None:
                raise UnknownPlanError
            self._idle.sort(key=lambda one: one.digest == digest)
            kernel = self._idle.pop() if self._idle else None
        if kernel is not None and kernel.memory_bytes != message.memory_bytes:
            kernel.close()
            kernel = None
        kernel = kernel or _Kernel(message.memory_bytes)
        if kernel.digest != digest:
            try:
                kernel.begin(digest, message)
            except BaseException:
                kernel.close()
                raise
        return kernel

    def give_back(self, kernel: _Kernel) -> None:
        with self._lock:
            self._idle.append(kernel)


_KERNELS = _Kernels()


class _KernelInUse:
    """A kernel while a task has it; one that failed is not used again."""

    def __init__(self, digest: bytes) -> None:
        self._kernel = _KERNELS.take(digest)

    def __enter__(self) -> _Kernel:
        return self._kernel

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            _KERNELS.give_back(self._kernel)
        else:
            self._kernel.close()


def _wanted() -> Callable[[], bool]:
    """Return a function that says whether dask still wants the result of the current task."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state != "cancelled"

    return is_wanted
