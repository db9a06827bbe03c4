"""Workers of a dask cluster.

Every assignment is a dask task with a separate key, and dask runs the task on a worker that has
received the plan. Dask may run a task twice or lose it. Only the first result of a task counts. A
result of an abandoned task is ignored.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from concurrent import futures
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from importlib.util import find_spec
from itertools import count
from math import inf
from typing import Any
from uuid import uuid4

from dovetail.errors import ConfigError, DovetailError, WorkersError
from dovetail.extras import install_command
from dovetail.harness.run.job import Plan
from dovetail.harness.run.plan_json import plan_to_json
from dovetail.harness.workers.base import (
    Assignment,
    Done,
    Lost,
    Refused,
    Searching,
    WorkerEvent,
    Workers,
    difference,
    versions_here,
)
from dovetail.harness.workers.clusters.slurm import PROGRAM as SLURM_PROGRAM
from dovetail.harness.workers.clusters.slurm import SLURM, SlurmResources
from dovetail.harness.workers.clusters.tasks import TOPIC, begin_plan, search_part
from dovetail.harness.workers.options import MAX_JOBS
from dovetail.harness.workers.process import ChildProcess

# Time limits in seconds: to connect to a scheduler, to disconnect, and to start a cluster.
CONNECTS_S, CLOSES_S, STARTS_S = 8.0, 5.0, 60.0
# Time limit in seconds for cancelling the jobs of SLURM.
CANCELS_S = 30.0
# Seconds between two requests to the scheduler for its list of workers, and time limit of a reply.
# If the command was paused for longer than `PAUSE_S`, the time without a reply and the time without
# a worker start anew.
POLL_S, REPLIES_S, PAUSE_S = 1.0, 5.0, 5.0
# Number of assignments for each thread of the cluster: the current and the next assignment.
WINDOW = 2
# Maximum number of seconds that a cluster may have no workers, at the beginning and later.
JOINS_S, ALONE_S = 5.0, 60.0
# By default, a worker counts as lost this many seconds after the time limit of its assignment.
LATE_S = 60.0
# If this number of workers have left while they searched the same part, the part counts as the
# reason why they left. For example, such a part may need more memory than their machines have.
DEPARTURES = 8
PROGRAM = "dovetail.harness.workers.clusters.tasks"
# Number of failures to begin a plan after which a worker is not used.
FAILED_BEGINS = 3
NOT_STARTED = "a cluster could not be started on this machine"
LEFT = "it has left the cluster"


@dataclass(eq=False)
class _Task:
    """A dask task whose result is pending."""

    future: Any
    workers: frozenset[str]  # addresses of the workers that may run the task
    assignment: Assignment | None  # None for a task that begins the plan
    worker: str = ""  # the worker that has started the task
    due: float = inf  # time after which the worker counts as lost


class ClusterWorkers(Workers):
    """The changing workers of the dask cluster at an `address`, or the workers of `local:N`.

    With `slurm`, the workers belong to SLURM jobs. The jobs are submitted at the beginning and
    cancelled at the end. A worker counts as lost `late_s` seconds after the time limit of its
    assignment.

    Raises `ConfigError` for an invalid address or if a package is not installed. Raises
    `WorkersError` if no scheduler listens at the address, if the cluster has no workers, or if a
    worker has other versions of dovetail, numba or Python.
    """

    def __init__(
        self,
        address: str,
        *,
        slurm: SlurmResources | None = None,
        memory_bytes: int | None = None,
        late_s: float = LATE_S,
    ) -> None:
        self.count = 0
        self._address = SLURM if slurm else address
        self._memory_bytes = memory_bytes or (slurm.worker_bytes if slurm else None)
        # With SLURM, the program that submits the jobs decides how long to wait for workers.
        self._joins_s, self._alone_s = (inf, inf) if slurm else (JOINS_S, ALONE_S)
        self._late_s = late_s
        self._run, self._numbers = f"0{uuid4().hex[:11]}", count(1)
        self._plan: tuple[bytes, str, int | None, Mapping[str, str], str] | None = None
        self._threads: Mapping[str, int] = {}  # number of threads by worker
        self._ready = set[str]()  # workers that have begun the plan
        self._refused: dict[str, str] = {}  # reason for each worker that is not used
        self._tasks: dict[str, _Task] = {}  # pending tasks by key, in the order of submission
        self._failed_begins = Counter[str]()  # number of failures to begin the plan, by worker
        # Number of workers that left, by the key of the part that they searched. The key is None
        # for workers that were beginning the plan.
        self._departures = Counter[bytes | None]()
        self._news = queue.SimpleQueue[Callable[[], list[WorkerEvent]]]()
        self._asked = 0.0
        self._replied = self._served = time.monotonic()
        self._started = ExitStack()
        try:
            self._client, self._program = _connect(address, slurm, self._started)
            self._wait_for_workers()
            self._check_versions(versions_here())
        except BaseException:
            self.close()
            raise

    def begin(self, plan: Plan) -> None:
        self._release(self._tasks)
        self._departures.clear()
        self._ready.clear()
        text = plan_to_json(plan)
        digest = sha256(f"{self._memory_bytes} {text}".encode()).digest()
        # The backend is sent, too, because unpickling its name registers its file on the worker.
        self._plan = digest, text, self._memory_bytes, versions_here(), plan.backend
        self._begin()

    def free(self) -> int:
        threads = sum(self._threads.get(worker, 0) for worker in self._ready)
        return max(0, WINDOW * threads - self._in_flight)

    def are_idle(self) -> bool:
        return not self._in_flight

    def submit(self, assignment: Assignment, *, avoid: str | None = None) -> str | None:
        usable = self._threads.keys() - self._refused.keys()
        workers = (usable - {avoid} or usable) & self._ready
        if self._plan is None or not workers or not self.free():
            return None
        started = self._submit(workers, assignment, search_part, self._plan[0], assignment)
        return "" if started else None

    def stop(self) -> list[int]:
        taken_back = {
            key: task.assignment.number
            for key, task in self._tasks.items()
            if task.assignment and (task.assignment.to_end or not task.worker)
        }
        self._release(taken_back)
        return list(taken_back.values())

    def wait(self, timeout_s: float) -> list[WorkerEvent]:
        now = time.monotonic()
        if now > self._asked + PAUSE_S:
            self._replied = self._served = now  # the command was paused
        if now > self._asked + POLL_S:
            self._asked = now
            self._client.loop.add_callback(self._look)
        events: list[WorkerEvent] = []
        with suppress(queue.Empty):
            events += self._news.get(timeout=timeout_s)()
            while True:
                events += self._news.get_nowait()()
        message = self._program.next_message(0) if self._program else None
        if isinstance(message, DovetailError | MemoryError):
            events.append(Refused(message))
        elif self._program and message:
            error = f"the cluster of this machine ended: {self._program.death()}"
            events.append(Refused(WorkersError(error)))
        elif time.monotonic() > self._served + self._alone_s:
            events.append(Refused(WorkersError(self._nobody(self._alone_s))))
        return events

    def held_bytes(self, limit: int | None) -> int:  # noqa: ARG002  (each task checks its worker)
        return 0

    def close(self) -> None:
        self._release(self._tasks)
        self._started.close()

    @property
    def _in_flight(self) -> int:
        return sum(task.assignment is not None for task in self._tasks.values())

    def _wait_for_workers(self) -> None:
        deadline = time.monotonic() + self._joins_s
        while not self.count:
            if time.monotonic() > deadline:
                raise WorkersError(self._nobody(self._joins_s))
            for event in self.wait(0.1):
                if isinstance(event, Refused):
                    raise event.error

    def _check_versions(self, expected: Mapping[str, str]) -> None:
        """Raise `WorkersError` if a worker has no usable dovetail, or versions not `expected`."""
        try:
            found = self._client.run(versions_here, on_error="return", callback_timeout=REPLIES_S)
        except OSError:
            return  # workers that do not reply are checked when they begin the plan
        for worker, versions in sorted(found.items()):
            if isinstance(versions, OSError):
                continue  # the worker has just left
            if isinstance(versions, BaseException):
                raise WorkersError(f"worker {worker} has no usable dovetail ({versions})")
            different = difference(expected, versions)
            if different is not None:
                raise WorkersError(f"worker {worker} has {different}")

    def _nobody(self, seconds: float) -> str:
        """Describe why there are no usable workers, or that the scheduler does not reply."""
        if time.monotonic() > self._replied + seconds:
            return f"the scheduler at {self._address} has not replied for {seconds:.0f} s"
        refused = [f"; {worker}: {reason}" for worker, reason in self._refused.items()]
        return (
            f"the cluster at {self._address} has had no usable workers for {seconds:.0f} s"
            f"{''.join(refused[:3])}"
        )

    def _begin(self) -> None:
        """Send the plan to the workers that do not have it yet."""
        beginning = (task.workers for task in self._tasks.values() if task.assignment is None)
        if self._plan is not None:
            for worker in self._threads.keys() - self._ready.union(self._refused, *beginning):
                self._submit({worker}, None, begin_plan, *self._plan)

    def _submit(self, workers: Set[str], part: Assignment | None, call: Any, *given: Any) -> bool:
        """Submit a task that any of the workers may run; return False if the scheduler is gone.

        `part` is None for a task that begins the plan.
        """
        key = f"dovetail-{self._run}-{part.key.hex() if part else 'plan'}-{next(self._numbers)}"
        options = {"key": key, "workers": list(workers), "pure": False}
        try:
            future = self._client.submit(call, *given, **options)
        except Exception:
            self._ready.clear()
            return False
        self._tasks[key] = _Task(future, frozenset(workers), part)
        self._client.loop.add_callback(self._collect, key, future)
        return True

    def _release(self, keys: Iterable[str]) -> None:
        """Abandon tasks: their workers stop them, and their results are ignored."""
        for key in list(keys):
            self._tasks.pop(key).future.release()

    async def _collect(self, key: str, future: Any) -> None:
        answer: object
        try:
            answer = await self._client.gather(future, asynchronous=True)
        except (Exception, asyncio.CancelledError) as error:
            answer = error
        future.release()
        self._news.put(partial(self._answered, key, answer))

    async def _look(self) -> None:
        with suppress(Exception):  # the time limit of replies detects a missing reply
            # Repeated each time, because a restarted scheduler has lost the subscription.
            self._client.subscribe_topic(TOPIC, self._hear)
            reply = await asyncio.wait_for(self._client.scheduler.identity(), REPLIES_S)
            workers = reply["workers"]
            silent = max((w["last_seen"] for w in workers.values()), default=0) - self._late_s
            threads = {a: w["nthreads"] for a, w in workers.items() if w["last_seen"] >= silent}
            self._news.put(partial(self._update, threads))

    def _hear(self, event: tuple[float, tuple[str, str]]) -> None:
        self._news.put(partial(self._searched, *event[1]))

    def _answered(self, key: str, answer: Any) -> list[WorkerEvent]:
        task = self._tasks.pop(key, None)
        if task is None:
            return []  # the task was abandoned
        if isinstance(answer, DovetailError | MemoryError):
            return [Refused(answer)]
        if task.assignment is None:
            return self._begun(min(task.workers), answer)
        number = task.assignment.number
        match answer:
            case (worker, None):
                self._ready.discard(worker)
            case (worker, reply):
                return [Done(worker, task.assignment, reply)]
            case asyncio.CancelledError() | futures.CancelledError():  # the scheduler was restarted
                self._ready.clear()
            case _:
                return [Lost(task.worker, number, _reason(answer))]
        return [Lost(task.worker, number, "it was started anew", begun=False)]

    def _begun(self, worker: str, answer: Any) -> list[WorkerEvent]:
        match answer:
            case float():
                self._ready.add(worker)
                self._departures[None] = 0
                return []
            case asyncio.CancelledError() | futures.CancelledError():
                return []
            case str():
                self._refused[worker] = f"it has {answer}"
            case _:
                self._failed_begins[worker] += 1
                if self._failed_begins[worker] < FAILED_BEGINS:
                    return []  # the plan is sent again
                self._refused[worker] = _reason(answer)
        return [Lost(worker, None, self._refused[worker])]

    def _searched(self, key: str, worker: str) -> list[WorkerEvent]:
        task = self._tasks.get(key)
        if task is None or task.assignment is None:
            return []
        if task.worker:  # this worker has left, and dask has moved the task
            self._departures[task.assignment.key] += 1
        task.worker = worker
        if task.assignment.seconds is not None:
            task.due = time.monotonic() + task.assignment.seconds + self._late_s
        return [Searching(task.assignment.number, 0, worker)]

    def _update(self, threads: Mapping[str, int]) -> list[WorkerEvent]:
        """Update the workers from the scheduler's list; return the events of abandoned tasks."""
        now = self._replied = time.monotonic()
        late = {task.worker for task in self._tasks.values() if now > task.due}
        lost = late | (self._threads.keys() - threads.keys())
        # Dask moves a waiting task from a worker that has left, but not from a late worker.
        keys = [
            key
            for key, task in self._tasks.items()
            if task.worker in lost or task.workers <= lost or task.workers & late
        ]
        tasks = [self._tasks[key] for key in keys]
        self._release(keys)
        events = self._lost(tasks, f"it is {self._late_s:.0f} s late" if late else LEFT)
        self._threads = threads
        self._ready -= lost
        self._begin()
        self.count = sum(threads[worker] for worker in threads.keys() - self._refused.keys())
        if self.count:
            self._served = now
        return events

    def _lost(self, tasks: list[_Task], reason: str) -> list[WorkerEvent]:
        events: list[WorkerEvent] = []
        for task in tasks:
            part = task.assignment
            # A worker may leave before it reports which task it has started. The first task is then
            # the only task that it may have started.
            may_be_reason = bool(part is None or task.worker or not events)
            key = None if part is None else part.key
            self._departures[key] += may_be_reason
            too_many = may_be_reason and self._departures[key] >= DEPARTURES
            if part is not None:
                events.append(Lost(task.worker, part.number, reason, begun=too_many))
            elif too_many:
                error = f"{DEPARTURES} workers have left the cluster before they could search"
                events.append(Refused(WorkersError(error)))
        return events


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


def _connect(
    address: str, slurm: SlurmResources | None, started: ExitStack
) -> tuple[Any, ChildProcess[str] | None]:
    """Return a client of the scheduler at an address, and the program of `local:N` or `slurm`.

    The program is None for other addresses. Callbacks that end the client and the program are added
    to `started`.
    """
    for package, needed in (("distributed", True), ("dask_jobqueue", slurm)):
        if needed and find_spec(package) is None:
            raise ConfigError(f"this cluster needs {package}: {install_command('cluster')}")
    number = None if slurm else local_workers_of(address)
    _silence(started)
    scheduler, program = address, None
    if slurm:
        scheduler, program = _started_cluster(slurm, SLURM_PROGRAM, started)
        started.callback(_cancel, program)
    elif number is not None:
        scheduler, program = _started_cluster(number, PROGRAM, started)
    from distributed import Client

    try:
        # A client that cannot connect is closed by the garbage collector. If this happens while
        # another client starts, both deadlock. A client is created only if `_reach` succeeds.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, _reach(scheduler)).result()
        client = Client(scheduler, timeout=CONNECTS_S, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise WorkersError(f"there is no dask scheduler at {address} ({reason})") from None
    started.callback(client.close, timeout=CLOSES_S)
    return client, program


def local_workers_of(address: str) -> int | None:
    """Return N of `local:N`; None for another address.

    Raises `ConfigError` for an invalid N.
    """
    if not re.match("local(:|$)", address, re.IGNORECASE):
        return None
    number = address[len("local") :].removeprefix(":")
    if not re.fullmatch("[0-9]{1,9}", number) or not 1 <= int(number) <= MAX_JOBS:
        raise ConfigError(f"cluster {address!r}: expected local:N with N from 1 to {MAX_JOBS}")
    return int(number)


def _cancel(program: ChildProcess[str]) -> None:
    """Make the program of `slurm` cancel its jobs, and wait at most `CANCELS_S` for its end."""
    program.send(None)
    deadline = time.monotonic() + CANCELS_S
    while (seconds := deadline - time.monotonic()) > 0:
        if isinstance(program.next_message(seconds), EOFError):
            return


def _started_cluster(first: object, name: str, started: ExitStack) -> tuple[str, ChildProcess[str]]:
    """Start a scheduler on this machine; return its address and the child process that runs it.

    `first` is the first message to the program `name`.
    """
    try:
        program = ChildProcess[str](first, name)
    except OSError as error:
        raise WorkersError(f"{NOT_STARTED} ({error})") from None
    started.callback(program.end)
    message = program.next_message(STARTS_S)
    if isinstance(message, str):
        return message, program
    if isinstance(message, DovetailError):
        raise message
    reason = program.death() if isinstance(message, EOFError) else f"it took over {STARTS_S:.0f} s"
    raise WorkersError(f"{NOT_STARTED} ({reason})")


async def _reach(address: str) -> None:
    """Connect to a scheduler and disconnect, to check that it can be reached."""
    from distributed import Security
    from distributed.comm import connect

    arguments = Security().get_connection_args("client")
    comm = await connect(address, timeout=CONNECTS_S, **arguments)
    await comm.close()


def _silence(started: ExitStack) -> None:
    """Suppress the log messages of dask on standard error until `started` is closed."""
    import distributed  # noqa: F401  (sets up its loggers)

    for name in list(logging.root.manager.loggerDict):
        if name.split(".")[0] in ("distributed", "tornado", "asyncio"):
            logger = logging.getLogger(name)
            started.callback(logger.setLevel, logger.level)
            logger.setLevel(logging.CRITICAL + 1)
