"""Calls of the API with a limit share a process; results are those of a new process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import dovetail
from dovetail.harness.run.events import Started
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import Result
from dovetail.harness.workers.process import WORKER
from dovetail.harness.workers.runs import finish
from dovetail.harness.workers.watched_run import IDLE_PROCESS, run_watched
from dovetail.harness.workers.worker import LoadedCode
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.platform.processes import descendants
from dovetail.puzzles.loading import load
from harness.known import known
from harness.workers.processes import command_line, happens, is_gone, workers_of

TIME = Limits(time_s=60.0)
QUEENS = Job(load("queens-6"), Request(Symmetry.ALL), "dlx", limits=TIME)
ENDLESS = Job(load("queens-30"), Request(Symmetry.ALL), "dlx", limits=TIME)
LAST_WORD = WORKER.encode() + b"\0"


@pytest.fixture(autouse=True)
def none_waits() -> Iterator[None]:
    """No process waits before a test, and none is left after it."""
    IDLE_PROCESS.end()
    yield
    IDLE_PROCESS.end()
    assert staying() == []


def staying() -> list[int]:
    """The children of this process that run one job after another."""
    return [child for child in workers_of(os.getpid()) if command_line(child).endswith(LAST_WORD)]


def counted(job: Job) -> int | None:
    """What a job counts, run by the child that waits if it can."""
    return finish(run_watched(job, reuse=True)).count


def test_calls_share_a_child() -> None:
    """With the results of calls that have no limit; a backend in a thread has one too."""
    first = dovetail.count("queens-6", "dlx", symmetry="all", time_limit=60)
    (child,) = staying()
    here = dovetail.count("queens-6", "dlx", symmetry="all")
    again = dovetail.count("queens-6", "dlx", symmetry="all", time_limit=60)
    assert first.answer == again.answer == here.answer
    assert (again.verified, again.placements, again.example) == (4, here.placements, here.example)
    listed = list(dovetail.solve("queens-6", "dlx", symmetry="all", time_limit=60))
    assert listed == list(dovetail.solve("queens-6", "dlx", symmetry="all"))
    assert dovetail.count("queens-6", "constraint", symmetry="all").count == 4
    with_nodes = dovetail.count("queens-30", "dlx", limits=Limits(time_s=60.0, nodes=100))
    assert with_nodes.status == Status.NODE_LIMIT
    assert staying() == [child]


def test_a_run_that_is_left_ends_it() -> None:
    """Ctrl-C arrives while it searches."""
    counted(QUEENS)
    events = run_watched(ENDLESS, reuse=True)
    assert isinstance(next(events), Started)
    assert len(staying()) == 1
    with pytest.raises(KeyboardInterrupt):
        events.throw(KeyboardInterrupt())  # type: ignore[attr-defined]
    assert staying() == []
    assert counted(QUEENS) == 4


@pytest.mark.parametrize("whom", ["child", "supervisor"])
def test_one_that_was_killed_is_replaced(whom: str) -> None:
    """Between two runs; during one, the run has failed as it does in another child."""
    counted(QUEENS)
    (child,) = staying()
    fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
    os.kill(child if whom == "child" else int(fields[1]), signal.SIGKILL)
    assert happens(lambda: is_gone(child))
    assert counted(QUEENS) == 4
    events = run_watched(ENDLESS, reuse=True)
    next(events)
    os.kill(staying()[0], signal.SIGKILL)
    finished = finish(events)
    assert (finished.status, finished.reason) == (Status.FAILED, "it was killed by SIGKILL")


def test_other_surroundings_need_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A permission that comes or goes is a variable of the environment."""
    counted(QUEENS)
    children = staying()
    monkeypatch.setenv("DOVETAIL_ALLOW_COMMANDS", "1")
    assert counted(QUEENS) == 4
    children += staying()
    monkeypatch.chdir(tmp_path)
    assert counted(QUEENS) == 4
    assert len({*children, *staying()}) == 3


@pytest.mark.usefixtures("rude_backend")
def test_what_leaves_processes_is_not_used_again() -> None:
    """They end with it."""
    rude = Job(QUEENS.puzzle, QUEENS.request, "rude", {"how": "family"}, limits=TIME)
    assert finish(run_watched(rude, reuse=True)).status == Status.EXHAUSTED
    assert counted(QUEENS) == 4
    assert len(descendants(os.getpid())) == 2  # a child and its supervisor


def test_memory_is_that_of_each_run() -> None:
    """The peak of an earlier run is forgotten, and its memory given back."""
    large = Job(load("queens-12"), QUEENS.request, "zdd", limits=TIME)
    before = finish(run_watched(large, reuse=True))
    (child,) = staying()
    after = finish(run_watched(QUEENS, reuse=True))
    assert staying() == [child]
    own = finish(run_watched(QUEENS))
    assert taken(before) > 2**24
    assert taken(after) < 2**22
    assert (after.peak_bytes or 0) < (own.peak_bytes or 0) + 2**26


def taken(finished: Result) -> int:
    """The memory that a run needed beyond what its process held before."""
    return known(finished.peak_bytes) - known(finished.baseline_bytes)


SCRIPT = """
import os, signal, sys, time
import dovetail
from dovetail.platform.processes import descendants
assert dovetail.count("queens-6", "dlx", symmetry="all", time_limit=60).count == 4
print(*descendants(os.getpid()), flush=True)
if sys.argv[1] == "fork" and os.fork() == 0:
    assert dovetail.count("queens-6", "dlx", symmetry="all", time_limit=60).count == 4
    print("forked", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("end", ["kill", "fork"])
def test_it_ends_with_this_process(end: str) -> None:
    """Killed, or killed while a process that it has forked goes on."""
    command = [sys.executable, "-c", SCRIPT, end]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as host:
        left = list(map(int, known(host.stdout).readline().split()))
        assert len(left) == 2
        if end == "fork":
            assert known(host.stdout).readline() == b"forked\n"
        host.kill()
        assert happens(lambda: all(map(is_gone, left)))
        if end == "fork":
            os.killpg(host.pid, signal.SIGKILL)


def test_changed_code_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that was changed or is gone, a folder with something new."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # it would be something new, once
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "some_plugin.py").write_text("one = 1\n")
    code = LoadedCode()
    assert code.is_current()
    __import__("some_plugin")
    monkeypatch.delitem(sys.modules, "some_plugin", raising=False)
    __import__("some_plugin")
    code.add_new()
    assert code.is_current()
    (tmp_path / "some_plugin.py").write_text("one = 11\n")
    assert not code.is_current()
    code = LoadedCode()
    assert code.is_current()
    (tmp_path / "other-1.0.dist-info").mkdir()
    assert not code.is_current()
