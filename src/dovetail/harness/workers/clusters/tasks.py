"""Functions that dask workers run, and the program that runs the cluster `local:N`.

A dask worker searches in its own process. A worker caches plans, and each of its threads caches the
lowered puzzles of its last plans. The caches do not affect results: if a worker no longer has the
plan of a task, the task replies None, and the command sends the plan again.

The program `python -m dovetail.harness.workers.clusters.tasks` receives the number of workers, and
sends the address of their scheduler when they have started. Like any child process, the program
ends with the command and ends all processes that it has started.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Any

from dovetail.harness.run.clock import Interruption
from dovetail.harness.workers.base import difference, versions_here
from dovetail.platform.resources import resident_bytes

if TYPE_CHECKING:
    from dovetail.harness.run.job import Plan
    from dovetail.harness.run.result import Result
    from dovetail.harness.workers.base import Assignment
    from dovetail.harness.workers.worker import PartRunner

HERE = "127.0.0.1"
# Topic under which a worker reports the key of a task that it starts, and its own address.
TOPIC = "dovetail"
# Maximum number of plans that a dask worker caches; several commands may use a worker.
PLANS = 16
# If a worker cannot stop its search, it exits this many seconds after its reply.
EXITS_S = 0.5
# Maximum number of plans whose lowered puzzles a thread caches.
PLANS_IN_USE = 2

_plans: dict[bytes, tuple[Plan, int | None]] = {}
_starting = threading.Lock()


def begin_plan(
    digest: bytes,
    plan: str,
    memory_bytes: int | None,
    versions: Mapping[str, str],
    _backend: str,
) -> float | str:
    """Decode a plan from JSON, store it by its digest, lower its puzzle and compile its kernels.

    Unpickling `_backend` registers a backend that a file defines. Returns the seconds that the
    preparation took. If this worker has other versions than `versions`, returns the difference as
    text. Raises `DovetailError` or `MemoryError` if the plan cannot be searched.
    """
    from dovetail.harness.run.plan_json import plan_from_json

    began = time.monotonic()
    refused = difference(versions, versions_here())
    if refused is not None:
        return refused
    _plans.pop(digest, None)  # a plan that is begun again becomes the last one
    _plans[digest] = plan_from_json(plan), memory_bytes
    for old in list(_plans)[:-PLANS]:
        _plans.pop(old, None)
    _runners.of(digest)
    return time.monotonic() - began


def search_part(digest: bytes, assignment: Assignment) -> tuple[str, Result | float | None]:
    """Search a part of a plan; return the address of this worker and the reply.

    The reply is None if this worker does not have the plan. The search stops when dask has released
    the task. Raises `DovetailError` if the part cannot be searched, and `MemoryError` if this
    process exceeds the memory limit.
    """
    from distributed import get_worker

    from dovetail.backends.registry import backend_named

    worker = get_worker()
    plan = _plans.get(digest)
    if plan is None:
        return worker.address, None
    worker.log_event(TOPIC, (worker.get_current_task(), worker.address))
    runner = _runners.of(digest)
    search = _TaskSearch(worker, runner.memory_bytes)
    reply = runner.reply(assignment, search)
    if search.requested and backend_named(plan[0].backend).control == "process" and worker.nanny:
        # The thread of the search continues. After the exit, the nanny starts another worker.
        threading.Timer(EXITS_S, os._exit, [1]).start()
    if search.exceeds_memory:
        raise MemoryError
    return worker.address, reply


def _new_runner(digest: bytes) -> PartRunner:
    from dovetail.harness.workers.worker import PartRunner

    plan, memory_bytes = _plans[digest]
    with _starting:  # only a single thread may compile
        return PartRunner(plan, memory_bytes=memory_bytes, cpu_clock=time.thread_time)


class _Runners(threading.local):
    def __init__(self) -> None:
        self.of = lru_cache(PLANS_IN_USE)(_new_runner)


_runners = _Runners()


class _TaskSearch(Interruption):
    """Interruption of a part's search when dask releases its task, or at the memory limit.

    Every search reads `requested` several times a second.
    """

    def __init__(self, worker: Any, memory_bytes: int) -> None:
        super().__init__()
        self._tasks, self._key = worker.state.tasks, worker.get_current_task()
        self._memory_bytes = memory_bytes
        self.exceeds_memory = False

    @property
    def requested(self) -> bool:
        task = self._tasks.get(self._key)
        self.exceeds_memory |= (resident_bytes() or 0) > self._memory_bytes
        return task is None or task.state == "cancelled" or self.exceeds_memory


def _run_cluster(number: int, messages: IO[bytes]) -> None:
    from distributed import LocalCluster

    from dovetail.harness.workers.process import send

    cluster = LocalCluster(
        n_workers=number,
        threads_per_worker=1,
        host=HERE,
        protocol="tcp",
        dashboard_address=f"{HERE}:0",  # None would listen on all interfaces
        worker_dashboard_address=f"{HERE}:0",
        scheduler_kwargs={"dashboard": False},
        memory_limit=0,  # searches apply the limit of their run
    )
    send(messages, cluster.scheduler_address)
    threading.Event().wait()


if __name__ == "__main__":  # not for dask workers, which import this module
    from dovetail.harness.workers.process import serve

    serve(_run_cluster)
