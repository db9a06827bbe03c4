"""The checkpoint: what it refuses, and that each result is in it once."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dovetail.errors import ConfigError
from dovetail.harness.run.result import Result
from dovetail.harness.workers import checkpoint as checkpoint_module
from dovetail.harness.workers.base import WHOLE, part_key, show_key
from dovetail.harness.workers.checkpoint import (
    CUT,
    DONE,
    PENDING,
    Checkpoint,
    Division,
    checkpoint_status,
)
from dovetail.harness.workers.checkpoint_file import VERSION
from dovetail.models.outcome import Counters, Status
from dovetail.models.sub_problem import SubProblem
from dovetail.reports.describe.search import describe_status
from harness.known import known

PLAN = ("a plan", "cut")
ROOT = SubProblem(cut_from="dlx")
RESULT = Result(Status.EXHAUSTED, 2, Counters(5), solve_s=1.0, remaining=())
PARTS = (SubProblem((0,)), SubProblem((1,), (2, 3)))
LEFT = replace(RESULT, status=Status.NODE_LIMIT, remaining=PARTS)


def begun(path: Path | None, *questions: str) -> Checkpoint:
    """A checkpoint with its first sub-problem."""
    checkpoint = Checkpoint(path, questions or ("a",))
    checkpoint.run(0).begin(*PLAN, [ROOT])
    return checkpoint


def test_a_sub_problem_is_replaced_by_its_result_and_its_parts(tmp_path: Path) -> None:
    """In one transaction, and in the order of the search."""
    with begun(tmp_path / "c") as checkpoint:
        run = checkpoint.run(0)
        run.sit_down(2)
        first, second = run.record(WHOLE, LEFT, PARTS, "worker 1", 3.0)
        assert (first.part, second.part) == PARTS
        assert run.record(second.key, RESULT, [], "worker 2", 1.0) == []
    with Checkpoint(tmp_path / "c", ["a"]) as checkpoint:
        run = checkpoint.run(0)
        root = known(run.next_part(None))
        assert run.next_part(root.key) is run.parts[first.key]
        assert run.next_part(second.key) is None
        assert [(show_key(part.key), part.state) for part in run.parts.values()] == [
            ("the whole search", CUT),
            ("1", PENDING),
            ("2", DONE),
        ]
        assert run.result(first.key) is None
        assert run.result(second.key) == RESULT
        assert run.parts[second.key] == second
        assert (run.wall_s, run.plan, run.division) == (4.0, *PLAN)
        assert (second.worker, second.sitting, second.cost_s) == ("worker 2", 1, 1.0)
        assert run.is_waiting
    (status,) = checkpoint_status(tmp_path / "c")
    assert (status.done, status.cut, status.waiting, status.workers) == (1, 1, 1, 2)
    assert (status.count, status.nodes) == (4, 10)
    assert status.share == pytest.approx(2 / 2.5)  # a branch is left, for half a second
    assert known(status.left_s)[0] < 0.5 < known(status.left_s)[1]
    assert not status.is_over


def test_a_complete_search_that_is_wrong_is_shown_as_wrong(tmp_path: Path) -> None:
    """All its parts have results, but an audit has found another one."""
    with begun(tmp_path / "c") as checkpoint:
        run = checkpoint.run(0)
        run.record(WHOLE, RESULT, [], "worker 1")
        run.write("disputed", WHOLE, difference="count 2 and 3")
        run.end(Status.WRONG)
    (status,) = checkpoint_status(tmp_path / "c")
    assert describe_status(status).startswith("a: finished, last ended: wrong\n")


def test_an_improvement_before_its_first_board_has_no_count(tmp_path: Path) -> None:
    """It is not a count of 0 solutions."""
    with Checkpoint(tmp_path / "c", ["a"]) as checkpoint:
        checkpoint.run(0).begin("", Division.ISLANDS, [])
    (status,) = checkpoint_status(tmp_path / "c")
    assert status.count is None
    assert "solution" not in describe_status(status)


def test_the_order_of_the_search() -> None:
    """A part comes before the parts that it left, these before the next part."""
    with Checkpoint(None, ["a"]) as checkpoint:
        run = checkpoint.run(0)
        assert run.next_part(None) is None
        run.begin("a plan", "task", [SubProblem((place,)) for place in range(3)])
        left = run.record(part_key(WHOLE, 1), LEFT, PARTS, "worker 1")
        run.record(left[1].key, LEFT, PARTS, "worker 1")
        order, part = [], run.next_part(None)
        while part is not None:
            order.append(part.key)
            part = run.next_part(part.key)
    assert list(map(show_key, order)) == ["1", "2", "2.1", "2.2", "2.2.1", "2.2.2", "3"]
    assert order == sorted(run.parts)


@pytest.mark.parametrize("in_memory", [True, False])
def test_results_with_and_without_solutions(tmp_path: Path, in_memory: bool) -> None:
    """Are read from their entries."""
    rows = np.arange(6, dtype=np.int32).reshape(2, 3)
    with begun(None if in_memory else tmp_path / "c") as checkpoint:
        run = checkpoint.run(0)
        run.record(WHOLE, replace(RESULT, rows=rows), [], "worker 1")
        without, with_rows = (run.result(WHOLE, with_rows=listed) for listed in (False, True))
        run.check()
    assert without is not None
    assert with_rows is not None
    assert without.rows is None
    assert np.array_equal(np.asarray(with_rows.rows), rows)
    assert without == with_rows == RESULT


@pytest.mark.parametrize(
    "children", [[], PARTS[1:], PARTS[::-1], (PARTS[0], SubProblem((1,), (2,)))]
)
def test_parts_that_are_not_what_a_search_has_left(children: list[SubProblem]) -> None:
    """They are refused; the branches of a part may be apart."""
    with begun(None) as checkpoint:
        run = checkpoint.run(0)
        with pytest.raises(ConfigError, match="differ from the parts in its result"):
            run.record(WHOLE, LEFT, children, "worker 1")
        assert run.totals.cut == 0
        apart = [PARTS[0], SubProblem((1,), (2,)), SubProblem((1,), (3,))]
        assert len(run.record(WHOLE, LEFT, apart, "worker 1")) == 3


def test_workers_and_lost_assignments_of_all_sittings(tmp_path: Path) -> None:
    """The next command knows them, even if the first one was killed."""
    begun(tmp_path / "c").close()
    for workers in ((1, 1), (2, 4)):
        with Checkpoint(tmp_path / "c", ["a"]) as checkpoint:
            run = checkpoint.run(0)
            run.sit_down(workers[0])
            run.write("lost")
            run.count_workers(workers[1])
            run.end(Status.INTERRUPTED, 1.0)
            assert run.workers == (1, workers[1])
    with Checkpoint(tmp_path / "c", ["a"]) as checkpoint:
        run = checkpoint.run(0)
        run.sit_down(3)
        assert (run.sitting, len(run.sittings), run.totals.redone) == (3, 3, 2)


def test_a_plan_that_is_forgotten(tmp_path: Path) -> None:
    """Nothing is left of it but its time, its sittings and its lost assignments."""
    with begun(tmp_path / "c") as checkpoint:
        run = checkpoint.run(0)
        run.sit_down(2)
        run.write("lost")
        run.record(WHOLE, RESULT, [], "worker 1", 3.0)
        run.write("audited", WHOLE, worker="worker 2")
        run.write("forget")
        run.sit_down(1)  # another backend follows
        run.end(Status.INTERRUPTED)
        assert (run.sitting, run.sittings) == (1, [(1, 2)])
    with Checkpoint(tmp_path / "c", ["a"]) as checkpoint:
        after = checkpoint.run(0)
        assert after.totals == run.totals
        assert (after.plan, after.division, after.parts) == (None, None, {})
        assert (after.totals.count, after.totals.done, after.totals.audited) == (0, 0, 0)
        assert (after.wall_s, len(after.sittings), after.totals.redone) == (3.0, 1, 1)
        assert [part.key for part in after.begin("another", "task", PARTS)] == [
            part_key(WHOLE, 0),
            part_key(WHOLE, 1),
        ]


def test_a_result_that_cannot_be_written(tmp_path: Path) -> None:
    """The disk is full: neither the file nor the run has it, and the rest stays usable."""
    resource = pytest.importorskip("resource")
    path = tmp_path / "c"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with begun(path) as checkpoint:
        run = checkpoint.run(0)
        (first, second) = run.record(WHOLE, LEFT, PARTS, "worker 1")
        size = path.with_name("c-wal").stat().st_size
        rows = np.random.default_rng(1).integers(0, 2**31, (1000, 10), dtype=np.int32)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10_000, limits[1]))
        try:
            with pytest.raises(ConfigError) as failed:
                run.record(first.key, replace(RESULT, rows=rows), [], "worker 1")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert str(failed.value).startswith(f"{path}: ")
        assert (first.state, run.totals.done) == (PENDING, 0)
        run.record(second.key, RESULT, [], "worker 1")
    with Checkpoint(path, ["a"]) as checkpoint:
        states = [part.state for part in checkpoint.run(0).parts.values()]
    assert states == [CUT, PENDING, DONE]


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
            Checkpoint(path, questions)
    assert checkpoint_status(path) == before
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")
    for reading in (lambda: Checkpoint(path, ["a", "b"]), lambda: checkpoint_status(path)):
        with pytest.raises(ConfigError, match=f"of version {VERSION + 1}; expected {VERSION}"):
            reading()


def test_a_checkpoint_of_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Options may have other numbers there; both versions are named."""
    with monkeypatch.context() as patched:
        patched.setattr(checkpoint_module, "versions_here", lambda: {"dovetail": "0.0.1"})
        begun(tmp_path / "c").close()
    with pytest.raises(ConfigError, match=r"a checkpoint of dovetail 0.0.1; this is \d"):
        Checkpoint(tmp_path / "c", ["a"])


def test_files_that_are_no_checkpoint(tmp_path: Path) -> None:
    """Text, a torn file, another program's database, a folder, and one that is not there."""
    text, torn, foreign = tmp_path / "text", tmp_path / "torn", tmp_path / "foreign"
    text.write_text("dovetail" * 1000)
    begun(torn).close()
    torn.write_bytes(torn.read_bytes()[:5000])
    with closing(sqlite3.connect(foreign)) as database:
        database.execute("CREATE TABLE mine (value)")
    for path, reason in (
        (text, "file is not a database"),
        (torn, "disk image is malformed"),
        (foreign, "not a checkpoint of dovetail, but another SQLite file"),
    ):
        before = path.read_bytes()
        for reading in (lambda path: Checkpoint(path, ["a"]), checkpoint_status):
            with pytest.raises(ConfigError, match=reason):
                reading(path)
        assert path.read_bytes() == before
    with pytest.raises(ConfigError, match="cannot be written"):
        Checkpoint(tmp_path, ["a"])
    (tmp_path / "empty").touch()
    no_file = "there is no such file"
    for name, reason in (
        *(("none", no_file), ("n" * 5000, no_file), ("\0", no_file)),
        ("empty", "it is empty"),
    ):
        with pytest.raises(ConfigError, match=reason):
            checkpoint_status(tmp_path / name)
    with pytest.raises(ConfigError, match=r"cannot be written \(embedded null byte"):
        Checkpoint(tmp_path / "\0", ["a"])
    Checkpoint(tmp_path / "empty", ["a"]).close()


def test_two_coordinators(tmp_path: Path) -> None:
    """The second one is refused while the first one is at work; both may be read."""
    with begun(tmp_path / "c"):
        with pytest.raises(ConfigError, match="in use by another process"):
            Checkpoint(tmp_path / "c", ["a"])
        assert checkpoint_status(tmp_path / "c")[0].waiting == 1
    Checkpoint(tmp_path / "c", ["a"]).close()
    assert [path.name for path in tmp_path.iterdir()] == ["c"]
