"""The checkpoint: what it refuses, and that each result is in it once."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from dovetail.errors import ConfigError
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import Result
from dovetail.harness.workers import checkpoint as checkpoint_module
from dovetail.harness.workers.checkpoint import Journal, StoredPart
from dovetail.harness.workers.checkpoint_file import VERSION
from dovetail.harness.workers.launch import finish
from dovetail.harness.workers.options import ParallelOptions
from dovetail.harness.workers.parallel_run import question_digest
from dovetail.harness.workers.part_tree import CUT, DONE, PENDING, WHOLE, part_key, show_key
from dovetail.harness.workers.runs import Runs
from dovetail.harness.workers.status import checkpoint_status
from dovetail.models.outcome import Counters, Status
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.sub_problem import SubProblem
from dovetail.puzzles.loading import load
from dovetail.reports.checkpoint import describe_status

PLAN = ("a plan", "cut")
ROOT = StoredPart(WHOLE, SubProblem(cut_from="dlx"))
RESULT = Result(Status.EXHAUSTED, 2, Counters(5), solve_s=1.0)


def begun(path: Path | None, *questions: str) -> Journal:
    """A journal with its first sub-problem."""
    journal = Journal(path, questions or ("a",))
    journal.run(0).begin(*PLAN, [ROOT])
    return journal


def test_a_sub_problem_is_replaced_by_its_result_and_its_parts(tmp_path: Path) -> None:
    """In one transaction, and in the order of the search."""
    parts = [StoredPart(part_key(WHOLE, number), SubProblem((number,))) for number in (0, 1)]
    with begun(tmp_path / "c") as journal:
        run = journal.run(0)
        run.sit_down(2)
        remaining = tuple(one.part for one in parts)
        cut = replace(RESULT, status=Status.NODE_LIMIT, remaining=remaining)
        run.record(WHOLE, cut, parts, "worker 1", 3.0)
        run.record(parts[1].key, RESULT, [], "worker 2", 1.0)
    with Journal(tmp_path / "c", ["a"]) as journal:
        stored = list(journal.run(0).parts())
        assert [(show_key(one.key), one.state) for one in stored] == [
            ("the whole search", CUT),
            ("1", PENDING),
            ("2", DONE),
        ]
        assert [one.result for one in stored][1] is None
        assert journal.run(0).wall_s == 4.0
        assert (journal.run(0).plan, journal.run(0).division) == PLAN
        following = journal.run(0).next_part(parts[0].key)
        assert following is not None
        assert (following.key, following.worker, following.sitting) == (
            parts[1].key,
            "worker 2",
            1,
        )
        assert journal.run(0).next_part(parts[1].key) is None
    (status,) = checkpoint_status(tmp_path / "c")
    assert (status.done, status.cut, status.waiting, status.workers) == (1, 1, 1, 2)
    assert (status.count, status.nodes) == (4, 10)
    assert status.share == pytest.approx(2 / 3)  # two of three seconds, each part a branch
    assert status.left_s is not None
    assert status.left_s[0] < 0.5 < status.left_s[1]
    assert not status.is_over


def test_a_second_result_is_an_error() -> None:
    """Of whichever worker."""
    with begun(None) as journal:
        journal.run(0).record(WHOLE, RESULT, [], "worker 1")
        with pytest.raises(ConfigError, match="a sub-problem has two results"):
            journal.run(0).record(WHOLE, RESULT, [], "worker 2")
        assert [one.worker for one in journal.run(0).parts()] == ["worker 1"]


def test_a_run_that_is_not_over_has_not_ended() -> None:
    """Whatever the coordinator takes it for."""
    with begun(None) as journal, pytest.raises(AssertionError, match="not all is searched"):
        journal.run(0).end(Status.EXHAUSTED)


def test_workers_and_lost_assignments_of_all_sittings(tmp_path: Path) -> None:
    """The next command knows them, even if the first one was killed."""
    begun(tmp_path / "c").close()
    for workers in ((1, 1), (2, 4)):
        with Journal(tmp_path / "c", ["a"]) as journal:
            run = journal.run(0)
            run.sit_down(workers[0])
            run.lost()
            run.end(Status.INTERRUPTED, 1.0, workers)
            assert run.workers == (1, workers[1])
    with Journal(tmp_path / "c", ["a"]) as journal:
        run = journal.run(0)
        run.sit_down(3)
        assert (run.sitting, run.redone) == (3, 2)


def test_a_checkpoint_of_something_else(tmp_path: Path) -> None:
    """Is refused with the reason, and stays as it is."""
    path = tmp_path / "c"
    begun(path, "a", "b").close()
    before = checkpoint_status(path)
    for questions, reason in (
        (["a"], "a checkpoint of other runs"),
        (["a", "c"], "a checkpoint of another question"),
    ):
        with pytest.raises(ConfigError, match=reason):
            Journal(path, questions)
    assert checkpoint_status(path) == before
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")
    for reading in (lambda: Journal(path, ["a", "b"]), lambda: checkpoint_status(path)):
        with pytest.raises(ConfigError, match=f"of version {VERSION + 1}; expected {VERSION}"):
            reading()


def test_a_checkpoint_of_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Options may have other numbers there; both versions are named."""
    with monkeypatch.context() as patched:
        patched.setattr(checkpoint_module, "versions_here", lambda: {"dovetail": "0.0.1"})
        begun(tmp_path / "c").close()
    with pytest.raises(ConfigError, match=r"a checkpoint of dovetail 0.0.1; this is \d"):
        Journal(tmp_path / "c", ["a"])


def test_files_that_are_no_checkpoint(tmp_path: Path) -> None:
    """Text, a torn file, another program's database, a folder, and one that is not there."""
    text, torn, foreign = tmp_path / "text", tmp_path / "torn", tmp_path / "foreign"
    text.write_text("dovetail" * 1000)
    begun(torn).close()
    torn.write_bytes(torn.read_bytes()[:5000])
    with closing(sqlite3.connect(foreign)) as database:
        database.execute("CREATE TABLE mine (value)")
    for path, reason in (
        (text, "not a checkpoint of dovetail, or damaged"),
        (torn, "damaged"),
        (foreign, "not a checkpoint of dovetail, but another SQLite file"),
    ):
        before = path.read_bytes()
        for reading in (lambda path: Journal(path, ["a"]), checkpoint_status):
            with pytest.raises(ConfigError, match=reason):
                reading(path)
        assert path.read_bytes() == before
    with pytest.raises(ConfigError, match="cannot be written"):
        Journal(tmp_path, ["a"])
    with pytest.raises(ConfigError, match="there is no such file"):
        checkpoint_status(tmp_path / "none")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to any file")
def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    """Its name is in the message."""
    begun(tmp_path / "c").close()
    (tmp_path / "c").chmod(0o400)
    with pytest.raises(ConfigError, match="c: cannot be written"):
        Journal(tmp_path / "c", ["a"])


def test_two_coordinators(tmp_path: Path) -> None:
    """The second one is refused while the first one is at work; both may be read."""
    with begun(tmp_path / "c"):
        with pytest.raises(ConfigError, match="in use by another process"):
            Journal(tmp_path / "c", ["a"])
        assert checkpoint_status(tmp_path / "c")[0].waiting == 1
    Journal(tmp_path / "c", ["a"]).close()
    assert [path.name for path in tmp_path.iterdir()] == ["c"]


@pytest.mark.parametrize("name", ["a#1", "a?b", "a%41", "a b"])
def test_names_that_mean_something_in_an_address(tmp_path: Path, name: str) -> None:
    """The status is that of the file with the name, and no other file is made."""
    begun(tmp_path / name).close()
    (status,) = checkpoint_status(tmp_path / name)
    assert status.waiting == 1
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("puzzle", "backend", "expected"),
    [
        ("pentominoes-5x6-FLNPUY", "frontier", "finished\n  not divided: the checkpoint keeps"),
        ("hexominoes-15x14", "dlx", "exhausted without a search"),
    ],
)
def test_the_status_of_a_run_without_sub_problems(
    tmp_path: Path, puzzle: str, backend: str, expected: str
) -> None:
    """It is finished, though nothing of it is kept."""
    request = Request(Symmetry.ALL, reductions=(Reduction.parse("parity"),))
    job = Job(load(puzzle), Request(Symmetry.ALL) if backend == "frontier" else request, backend)
    with Runs([job], ParallelOptions(checkpoint=tmp_path / "c")) as runs:
        finished = finish(runs.run(0))
    assert finished.status == Status.EXHAUSTED
    (status,) = checkpoint_status(tmp_path / "c")
    assert expected in describe_status(status)


def test_the_question_of_a_run() -> None:
    """Limits are no part of it; everything that changes the search is."""
    job = Job(load("queens-6"), Request(Symmetry.ALL))
    assert question_digest(job) == question_digest(replace(job, limits=Limits(time_s=3)))
    others = [
        replace(job, puzzle=load("queens-7")),
        replace(job, request=Request(Symmetry.UNIQUE)),
        replace(job, backend="bitset"),
        replace(job, config={"stages": ["x"]}),
        replace(job, seed=1),
        replace(job, limits=Limits(solutions=1)),
        job.listed(),
    ]
    assert len({question_digest(one) for one in (job, *others)}) == 8


def test_options_that_are_not_valid() -> None:
    """The message has the valid ones."""
    for values, reason in (
        ({"jobs": -1}, r"jobs is -1; expected 0 \(all cores\) to 1024"),
        ({"audit": 2.0}, "audit is 2.0; expected a share from 0 to 1"),
        ({"worker_timeout_s": 0.0}, "worker_timeout_s is 0.0; expected seconds"),
        ({"worker_timeout_s": "a"}, "worker_timeout_s is 'a'; expected seconds"),
        ({"audit": None}, "audit is None; expected a share"),
        ({"jobs": True}, "jobs is True; expected 0"),
        ({"cluster": 5}, "cluster is 5; expected an address"),
        ({"checkpoint": 5}, "checkpoint is 5; expected a path"),
        ({"order": "best"}, "order is 'best'; valid: serial, promising"),
    ):
        with pytest.raises(ConfigError, match=reason):
            ParallelOptions(**values)


def test_what_is_no_option_of_a_run() -> None:
    """The message names the class."""
    with pytest.raises(ConfigError, match="expected ParallelOptions"):
        Runs([], {"jobs": 2})  # type: ignore[arg-type]
