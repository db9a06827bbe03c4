"""What counts of the tasks of a cluster, with a link that does what the test says; without dask."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

import pytest

from dovetail.errors import BackendError
from dovetail.harness.parameters import make_jobs
from dovetail.harness.run.job import Plan
from dovetail.harness.run.result import Result
from dovetail.harness.workers import cluster
from dovetail.harness.workers.assignment import Assignment, reply_to_bytes
from dovetail.harness.workers.base import Done, Lost, Ready, Refused
from dovetail.harness.workers.cluster import ClusterWorkers
from dovetail.harness.workers.cluster_link import Failed, Members, News, Returned
from dovetail.harness.workers.cluster_tasks import UnknownPlanError
from dovetail.models.outcome import Counters, Status
from dovetail.models.sub_problem import SubProblem

RESULT = reply_to_bytes(Result(Status.EXHAUSTED, 1, Counters(nodes=2)))
READY = json.dumps({"warm_up_s": 0.1}).encode()


class ScriptedLink:
    """Keeps the names of tasks by worker, and returns the news that a test puts in."""

    address = "tcp://scheduler"

    def __init__(self, address: str) -> None:
        self.queue: list[News] = [Members({"a": 1, "b": 1})]
        self.tasks: list[tuple[str, str]] = []
        self.released: list[str] = []

    def check_versions(self, expected: object) -> None:
        """All are equal."""

    def submit(
        self, name: str, function: Callable[..., bytes], *arguments: bytes, worker: str
    ) -> None:
        self.tasks.append((worker, name))

    def release(self, names: Iterable[str]) -> None:
        self.released += names

    def news(self, timeout_s: float) -> list[News]:
        found, self.queue = self.queue, []
        return found

    def close(self) -> None:
        """Nothing is open."""

    def last_task_of(self, worker: str) -> str:
        return [name for one, name in self.tasks if one == worker][-1]


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> tuple[ClusterWorkers, ScriptedLink]:
    """Two workers that are ready, and their link."""
    link = ScriptedLink("")
    monkeypatch.setattr(cluster, "ClusterLink", lambda address: link)
    workers = ClusterWorkers("tcp://scheduler")
    (job,) = make_jobs(["queens-4"], "dlx")
    workers.begin(Plan.of(job, job.request))
    link.queue = [Returned(name, READY) for _, name in link.tasks]
    assert workers.wait(0) == [Ready("a", 0.1), Ready("b", 0.1)]
    return workers, link


Begun = tuple[ClusterWorkers, ScriptedLink]


def submitted(workers: ClusterWorkers, number: int, *, seconds: float | None = None) -> str:
    """Who has the assignment with a number, which somebody takes."""
    key = bytes([number])
    worker = workers.submit(Assignment(number, key, SubProblem(), seconds=seconds))
    assert worker is not None
    return worker


def test_a_window_of_two_for_each_thread(begun: Begun) -> None:
    """Spread evenly, each task under its own key."""
    workers, link = begun
    assert (workers.count, workers.free()) == (2, 4)
    given = [submitted(workers, number) for number in range(4)]
    assert sorted(given) == ["a", "a", "b", "b"]
    assert given[0] != given[1]
    assert workers.free() == 0
    assert workers.submit(Assignment(4, b"k", SubProblem())) is None
    assert len({name for _, name in link.tasks}) == 6
    assert all(name.startswith("dovetail-0") for _, name in link.tasks)


def test_a_late_result_of_a_worker_that_was_lost(begun: Begun) -> None:
    """Counts neither then nor beside the second one."""
    workers, link = begun
    first = submitted(workers, 1)
    late = link.last_task_of(first)
    link.queue = [Members({other: 1 for other in "ab" if other != first})]
    (lost,) = workers.wait(0)
    assert lost == Lost(first, 1, "it has left the cluster", begun=False)
    assert late in link.released
    second = submitted(workers, 2)
    again = link.last_task_of(second)
    link.queue = [Returned(late, RESULT), Returned(again, RESULT), Returned(again, RESULT)]
    (done,) = workers.wait(0)
    assert isinstance(done, Done)
    assert (done.worker, done.assignment.number) == (second, 2)
    assert workers.are_idle()


def test_the_same_worker_twice(begun: Begun) -> None:
    """One that was started anew gets the plan again; what it had before does not count."""
    workers, link = begun
    worker = submitted(workers, 1)
    name = link.last_task_of(worker)
    link.queue = [Failed(name, UnknownPlanError()), Members({"a": 1, "b": 1})]
    (lost,) = workers.wait(0)
    assert isinstance(lost, Lost)
    assert not lost.begun
    link.queue = [Returned(name, RESULT), Returned(link.last_task_of(worker), READY)]
    assert workers.wait(0) == [Ready(worker, 0.1)]
    assert workers.free() == 4


def test_who_may_be_the_reason(begun: Begun) -> None:
    """A kernel that ends is counted at once, a worker that leaves only when many have."""
    workers, link = begun
    worker = submitted(workers, 1)
    link.queue = [Failed(link.last_task_of(worker), RuntimeError("killed"))]
    (lost,) = workers.wait(0)
    assert lost == Lost(worker, 1, "RuntimeError: killed", begun=True)
    counted = []
    for number in range(cluster.DEPARTURES):
        link.queue = [Members({str(number): 1})]
        workers.wait(0)
        link.queue = [Returned(link.last_task_of(str(number)), READY)]
        workers.wait(0)
        submitted(workers, 1)
        submitted(workers, 2)
        link.queue = [Members({})]
        counted.append([event.begun for event in workers.wait(0) if isinstance(event, Lost)])
    assert counted == [[False, False]] * (cluster.DEPARTURES - 1) + [[True, False]]


def test_nobody_for_too_long(monkeypatch: pytest.MonkeyPatch, begun: Begun) -> None:
    """The run ends, and the message says whether the scheduler still replies."""
    workers, link = begun
    monkeypatch.setattr(workers, "_alone_s", -1.0)
    link.queue = [Members({})]
    (refused,) = workers.wait(0)
    assert isinstance(refused, Refused)
    assert isinstance(refused.error, BackendError)
    assert "tcp://scheduler" in str(refused.error)


def test_a_worker_that_is_late(monkeypatch: pytest.MonkeyPatch, begun: Begun) -> None:
    """Is given up, and gets the plan again: once it replies it is used."""
    workers, link = begun
    monkeypatch.setattr(workers, "_late_s", -2.0)
    worker = submitted(workers, 1, seconds=1.0)
    (lost,) = workers.wait(0)
    assert isinstance(lost, Lost)
    assert (lost.worker, lost.assignment, workers.free()) == (worker, 1, 2)
    link.queue = [Returned(link.last_task_of(worker), READY)]
    assert workers.wait(0) == [Ready(worker, 0.1)]


def test_what_nobody_has_begun(begun: Begun) -> None:
    """Is taken back; what a thread searches stays with it."""
    workers, link = begun
    given = {number: submitted(workers, number) for number in range(1, 5)}
    withdrawn = workers.withdraw()
    assert sorted(given[number] for number in withdrawn) == ["a", "b"]
    assert len(link.released) == workers.free() == 2
    assert workers.withdraw() == []


def test_an_audit_waits_for_another_worker(begun: Begun) -> None:
    """One that is free is not given what it has searched, unless it is the only one."""
    workers, link = begun
    again = Assignment(5, b"k", SubProblem(), to_end=True)
    for number in range(1, 5):
        if submitted(workers, number) == "a":
            link.queue.append(Returned(link.last_task_of("a"), RESULT))
    workers.wait(0)
    assert workers.free() == 2
    assert workers.submit(again, avoid="a") is None
    link.queue = [Members({"a": 1})]
    workers.wait(0)
    assert workers.submit(again, avoid="a") == "a"
