"""What counts of the tasks of a cluster, with a client that does what the test says, not dask."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from dovetail.errors import BackendError
from dovetail.harness.parameters import make_jobs
from dovetail.harness.run.job import Plan
from dovetail.harness.run.result import Result
from dovetail.harness.workers.base import (
    Assignment,
    Done,
    Lost,
    Refused,
    WorkerEvent,
    versions_here,
)
from dovetail.harness.workers.clusters import cluster
from dovetail.harness.workers.clusters import tasks as cluster_tasks
from dovetail.harness.workers.clusters.cluster import ClusterWorkers
from dovetail.models.outcome import Counters, Status
from dovetail.models.sub_problem import SubProblem

RESULT = Result(Status.EXHAUSTED, 1, Counters(nodes=2))


@dataclass
class ScriptedFuture:
    """The result of a task that a test ends."""

    key: str
    answer: object = None
    released: bool = False

    def release(self) -> None:
        self.released = True


@dataclass
class ScriptedClient:
    """A client of dask with its event loop and scheduler, in this thread."""

    threads: dict[str, int] = field(default_factory=lambda: {"a": 1, "b": 1})
    tasks: dict[str, tuple[list[str], ScriptedFuture]] = field(default_factory=dict)
    seen: dict[str, float] = field(default_factory=dict)
    hears: Callable[[Any], None] = print
    collects: dict[str, tuple[Any, ...]] = field(default_factory=dict)

    @property
    def loop(self) -> ScriptedClient:
        return self

    @property
    def scheduler(self) -> ScriptedClient:
        return self

    def add_callback(self, call: Callable[..., Any], *arguments: Any) -> None:
        """Ask the scheduler at once; the collection of a result waits for `end`."""
        if arguments:
            self.collects[arguments[0]] = (call, *arguments)
        else:
            asyncio.run(call())

    def submit(
        self, function: object, *arguments: object, key: str, workers: list[str], pure: bool
    ) -> ScriptedFuture:
        self.tasks[key] = (workers, ScriptedFuture(key))
        return self.tasks[key][1]

    def run(self, *arguments: object, **options: object) -> dict[str, object]:
        return {}

    async def identity(self) -> object:
        return {
            "workers": {
                address: {"nthreads": number, "last_seen": self.seen.get(address, 100.0)}
                for address, number in self.threads.items()
            }
        }

    async def gather(self, future: ScriptedFuture, *, asynchronous: bool) -> object:
        if isinstance(future.answer, BaseException):
            raise future.answer
        return future.answer

    def subscribe_topic(self, topic: str, handler: Callable[[Any], None]) -> None:
        self.hears = handler

    def begin(self, key: str, worker: str) -> None:
        """Have a worker report that it begins a task."""
        self.hears((0.0, (key, worker)))

    def end(self, key: str, answer: object) -> None:
        """End a task with a result or an error."""
        self.tasks[key][1].answer = answer
        call, *arguments = self.collects[key]
        asyncio.run(call(*arguments))

    def submitted(
        self, workers: ClusterWorkers, number: int, *, seconds: float | None = None
    ) -> str:
        """Return the key of the task of an assignment, which is taken."""
        assignment = Assignment(number, bytes([number]), SubProblem(), seconds=seconds)
        assert workers.submit(assignment) == ""
        return self.last_key()

    def last_key(self, worker: str | None = None) -> str:
        """Return the key of the last task, or of the last task for one worker alone."""
        return [
            key for key, (workers, _) in self.tasks.items() if worker is None or workers == [worker]
        ][-1]


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch, client: ScriptedClient) -> ClusterWorkers:
    """Two workers that are ready."""
    monkeypatch.setattr(cluster, "POLL_S", -1.0)
    begun = ClusterWorkers("tcp://scheduler")
    (job,) = make_jobs(["queens-4"], "dlx")
    begun.begin(Plan.of(job, job.request))
    assert begun.free() == 0
    for worker in "ab":
        client.end(client.last_key(worker), 0.1)
    assert (begun.wait(0), begun.free()) == ([], 4)
    return begun


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> ScriptedClient:
    """The client of a cluster that nothing has begun on."""
    scripted = ScriptedClient()
    monkeypatch.setattr(cluster, "_connect", lambda *_: (scripted, None))
    return scripted


def lost(events: list[WorkerEvent]) -> list[Lost]:
    """The losses among events."""
    return [event for event in events if isinstance(event, Lost)]


def waited(workers: ClusterWorkers) -> list[WorkerEvent]:
    """Return the events after two looks at the scheduler."""
    return [*workers.wait(0), *workers.wait(0)]


def test_a_late_result_of_a_worker_that_was_lost(
    workers: ClusterWorkers, client: ScriptedClient
) -> None:
    """Counts neither then nor beside the second one."""
    late = client.submitted(workers, 1)
    client.begin(late, "a")
    workers.wait(0)
    del client.threads["a"]
    assert waited(workers) == [Lost("a", 1, "it has left the cluster", begun=False)]
    assert client.tasks[late][1].released
    again = client.submitted(workers, 2)
    client.end(late, ("b", RESULT))
    client.end(again, ("b", RESULT))
    client.end(again, ("b", RESULT))
    events = [event for event in workers.wait(0) if isinstance(event, Done)]
    assert [(done.worker, done.assignment.number) for done in events] == [("b", 2)]
    assert workers.are_idle()


def test_a_worker_that_was_started_anew(workers: ClusterWorkers, client: ScriptedClient) -> None:
    """Gets the plan again."""
    key = client.submitted(workers, 1)
    client.begin(key, "a")
    client.end(key, ("a", None))
    assert waited(workers)[-1:] == [Lost("a", 1, "it was started anew", begun=False)]
    assert workers.free() == 2
    client.end(client.last_key("a"), 0.1)
    assert workers.wait(0) == []
    assert workers.free() == 4


def test_a_scheduler_that_was_started_anew(workers: ClusterWorkers, client: ScriptedClient) -> None:
    """All its tasks are lost, and all workers get the plan again."""
    client.end(client.submitted(workers, 1), CancelledError())
    assert [event.begun for event in lost(waited(workers))] == [False]
    assert workers.free() == 0
    for worker in "ab":
        client.end(client.last_key(worker), 0.1)
    workers.wait(0)
    assert workers.free() == 4


def test_who_may_be_the_reason(workers: ClusterWorkers, client: ScriptedClient) -> None:
    """An error counts at once, a worker that leaves only when many have."""
    client.end(client.submitted(workers, 1), RuntimeError("killed"))
    assert workers.wait(0) == [Lost("", 1, "RuntimeError: killed", begun=True)]
    counted = []
    for number in range(cluster.DEPARTURES):
        client.threads = {str(number): 1}
        waited(workers)
        client.end(client.last_key(str(number)), 0.1)
        workers.wait(0)
        client.submitted(workers, 2)
        client.begin(client.submitted(workers, 1), str(number))
        workers.wait(0)
        client.threads = {}
        counted += [event.begun for event in lost(workers.wait(0)) if event.assignment == 1]
    assert counted == [False] * (cluster.DEPARTURES - 1) + [True]


def test_workers_that_leave_while_they_begin_the_plan(
    workers: ClusterWorkers, client: ScriptedClient
) -> None:
    """The run ends when many have left and none has begun it."""
    events: list[WorkerEvent] = []
    for number in range(cluster.DEPARTURES + 1):
        assert not events
        client.threads = {str(number): 1}
        events = workers.wait(0)
    (refused,) = events
    assert isinstance(refused, Refused)
    assert "before they could search" in str(refused.error)


def test_a_worker_that_leaves_while_its_version_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, client: ScriptedClient
) -> None:
    """The others are used; a worker without dovetail is an error."""
    answer: dict[str, object] = {"a": OSError("closed"), "b": versions_here()}
    monkeypatch.setattr(client, "run", lambda *_, **__: answer)
    ClusterWorkers("tcp://scheduler").close()
    answer["a"] = {**versions_here(), "numba": "0.1"}
    with pytest.raises(BackendError, match=r"worker a has numba 0\.1 \(expected "):
        ClusterWorkers("tcp://scheduler")
    answer["a"] = ImportError("no module")
    with pytest.raises(BackendError, match="worker a has no usable dovetail"):
        ClusterWorkers("tcp://scheduler")


def test_a_search_beyond_its_memory_stops() -> None:
    """On the worker, as a search whose task dask has released."""
    running = SimpleNamespace(state="executing")
    worker = SimpleNamespace(
        state=SimpleNamespace(tasks={"key": running}), get_current_task=lambda: "key"
    )
    small, large = cluster_tasks._TaskSearch(worker, 1), cluster_tasks._TaskSearch(worker, 2**50)
    assert (small.requested, small.exceeds_memory) == (True, True)
    assert (large.requested, large.exceeds_memory) == (False, False)
    running.state = "cancelled"
    assert (large.requested, large.exceeds_memory) == (True, False)


def test_a_pause_of_the_command_is_no_silence(
    monkeypatch: pytest.MonkeyPatch, workers: ClusterWorkers
) -> None:
    """A command that was suspended for a minute goes on."""
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 61)
    monkeypatch.setattr(workers, "_look", lambda: None)
    monkeypatch.setattr(ScriptedClient, "add_callback", lambda *_: None)  # no reply yet
    assert workers.wait(0) == []


def test_a_worker_that_fails_to_begin(workers: ClusterWorkers, client: ScriptedClient) -> None:
    """It is sent the plan again, and is refused the third time."""
    client.threads["c"] = 1
    workers.wait(0)
    for number in range(cluster.FAILED_BEGINS):
        client.end(client.last_key("c"), OSError("no memory"))
        events = lost(workers.wait(0))
        assert len(events) == (number == cluster.FAILED_BEGINS - 1)
    assert "no memory" in events[0].reason


def test_a_worker_that_is_late(workers: ClusterWorkers, client: ScriptedClient) -> None:
    """It is given up with what may wait for it, and is used again once it has begun the plan."""
    client.begin(client.submitted(workers, 1, seconds=-1.0 - cluster.LATE_S), "a")
    client.submitted(workers, 2)
    events = lost(waited(workers))
    assert [event.assignment for event in events] == [1, 2]
    assert "late" in events[0].reason
    assert workers.free() == 2
    client.end(client.last_key("a"), 0.1)
    assert (workers.wait(0), workers.free()) == ([], 4)


def test_a_worker_without_heartbeats(workers: ClusterWorkers, client: ScriptedClient) -> None:
    """Is not used, like one that has left, until the scheduler hears from it."""
    client.begin(client.submitted(workers, 1), "a")
    workers.wait(0)
    client.seen = {"a": 100.0, "b": 101.0 + cluster.LATE_S}
    assert [event.worker for event in lost(waited(workers))] == ["a"]
    assert (workers.count, workers.free()) == (1, 2)
    client.seen = {}
    workers.wait(0)
    client.end(client.last_key("a"), 0.1)
    assert (workers.wait(0), workers.free()) == ([], 4)


def test_what_nobody_has_begun(workers: ClusterWorkers, client: ScriptedClient) -> None:
    """Is taken back when the run ends, and what is searched to its end; the rest is answered."""
    client.begin(client.submitted(workers, 1), "a")
    workers.submit(Assignment(2, b"k", SubProblem(), to_end=True))
    client.begin(client.last_key(), "b")
    waiting = client.submitted(workers, 3)
    workers.wait(0)
    assert workers.stop() == [2, 3]
    assert client.tasks[waiting][1].released
    assert workers.stop() == []
    assert not workers.are_idle()


def test_an_audit_waits_for_another_worker(workers: ClusterWorkers, client: ScriptedClient) -> None:
    """The worker to avoid is not given it, unless it is the only one."""
    again = Assignment(5, b"k", SubProblem(), to_end=True)
    assert workers.submit(again, avoid="a") == ""
    assert client.tasks[client.last_key()][0] == ["b"]
    client.end(client.last_key(), ("b", None))
    workers.wait(0)
    assert workers.submit(again, avoid="a") is None  # b begins the plan again
    del client.threads["b"]
    waited(workers)
    assert workers.submit(again, avoid="a") == ""


def test_a_worker_of_another_version_that_joins_later(
    workers: ClusterWorkers, client: ScriptedClient
) -> None:
    """It is not used; if no other is left, the run ends."""
    expected = {**versions_here(), "dovetail": "99.0"}
    client.threads = {"c": 1}
    workers.wait(0)
    client.end(client.last_key("c"), cluster_tasks.begin_plan(b"", "", None, expected, "dlx"))
    (refused,) = lost(workers.wait(0))
    assert (refused.worker, workers.free()) == ("c", 0)
    assert "expected 99.0" in refused.reason
