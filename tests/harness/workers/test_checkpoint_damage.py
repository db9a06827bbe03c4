"""Damaged checkpoints: refused, named and left as they are, or still right; never a wrong count."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.errors import ConfigError
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.harness.workers.checkpoint import Journal
from dovetail.harness.workers.launch import finish, run
from dovetail.harness.workers.options import ParallelOptions
from dovetail.harness.workers.parallel_run import question_digest, run_parallel
from dovetail.harness.workers.status import RunStatus, checkpoint_status
from dovetail.models.request import Request, Symmetry
from dovetail.puzzles.loading import load
from harness.workers.inline_workers import InlineWorkers, Odds
from harness.workers.test_coordinator import OneSource

JOB = Job(load("queens-6"), Request(Symmetry.ALL, listing=True), "dlx")
QUESTIONS = [question_digest(JOB)]
EXAMPLES = int(os.environ.get("DOVETAIL_EXAMPLES", "20"))
TABLES = ("run", "part", "sitting")
STOPPED_AFTER = 4  # sub-problems searched to their end
Rows = list[tuple[Any, ...]]


@dataclass
class Files:
    """The bytes of a checkpoint and of the log beside it, and what the checkpoint holds."""

    main: bytes
    log: bytes | None = None
    rows: Rows = field(default_factory=list)

    def write(self, folder: Path) -> Path:
        """Write both, and return the path of the checkpoint."""
        path = folder / "c"
        path.write_bytes(self.main)
        if self.log is not None:
            (folder / "c-wal").write_bytes(self.log)
        return path

    def are_at(self, path: Path) -> bool:
        """Whether a checkpoint still has these bytes."""
        log = path.with_name("c-wal")
        return (path.read_bytes(), log.read_bytes() if log.exists() else b"") == (
            self.main,
            self.log or b"",
        )


def files_at(path: Path, journal: Journal | None = None) -> Files:
    """The files of a checkpoint, which a journal may have open."""
    log = path.with_name(f"{path.name}-wal")
    rows = [] if journal is None else all_rows(journal)
    return Files(path.read_bytes(), log.read_bytes() if log.exists() else None, rows)


def all_rows(journal: Journal) -> Rows:
    """All rows of a checkpoint."""
    return [(table, *row) for table in TABLES for row in journal.rows(f"SELECT * FROM {table}")]


class Noting(Journal):
    """A journal that notes its files after each transaction."""

    def __init__(self, path: Path) -> None:
        self.states: list[Files] = []
        super().__init__(path, QUESTIONS, ["a name"])

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        with super().writing() as database:
            yield database
        assert self.path is not None
        self.states.append(files_at(self.path, self))


def count_with(journal: Journal, stop_after: int | None = None) -> Result | None:
    """Search on from where a journal stands; None if stopped after so many sub-problems."""
    workers = InlineWorkers(1, len(all_rows(journal)), Odds(cut=0.8))
    options = ParallelOptions(2, audit=0.3)
    events = run_parallel(JOB, options, journal.run(0), OneSource(workers))
    for event in events:
        if isinstance(event, Result):
            return event
        query = "SELECT count(*) FROM part WHERE state = 'done'"
        if stop_after is not None and journal.rows(query)[0][0] >= stop_after:
            return None
    raise AssertionError("a run ends with Result")


@pytest.fixture(scope="module")
def expected() -> int:
    """The count of one search."""
    count = finish(run(JOB)).count
    assert count
    return count


@pytest.fixture(scope="module")
def states() -> list[Files]:
    """A run that is killed, as it is after each transaction."""
    with TemporaryDirectory() as folder:
        journal = Noting(Path(folder) / "c")
        assert count_with(journal, STOPPED_AFTER) is None
        journal.close()
    return journal.states


@pytest.fixture(scope="module")
def closed(states: list[Files]) -> Files:
    """The same, closed in order: the checkpoint is one file."""
    with TemporaryDirectory() as folder:
        path = states[-1].write(Path(folder))
        Journal(path, QUESTIONS).close()
        return Files(path.read_bytes(), None, states[-1].rows)


def status_of(files: Files) -> list[RunStatus]:
    """What `status` says of files."""
    with TemporaryDirectory() as folder:
        return checkpoint_status(files.write(Path(folder)))


def assert_refused(path: Path) -> None:
    """By the command that goes on and by `status`; the message is one line and names the file."""
    before = files_at(path)
    for reading in (lambda: Journal(path, QUESTIONS), lambda: checkpoint_status(path)):
        with pytest.raises(ConfigError) as refused:
            reading()
        assert_names(path, refused.value)
        assert before.are_at(path)


@contextmanager
def opened(path: Path) -> Iterator[Journal | None]:
    """Open a checkpoint; None if it is refused, which leaves the file as it is."""
    before, journal = files_at(path), None
    try:
        journal = Journal(path, QUESTIONS)
    except ConfigError as error:
        assert_names(path, error)
        assert before.are_at(path)
    try:
        yield journal
    finally:
        if journal is not None:
            journal.close()


def assert_names(path: Path, error: ConfigError) -> None:
    """The message is one line that begins with the file."""
    assert str(error).startswith(f"{path}: ")
    assert "\n" not in str(error)


def assert_refused_or_right(path: Path, expected: int) -> bool:
    """Return whether the run went on, to the right count."""
    with opened(path) as journal:
        if journal is None:
            return False
        finished = count_with(journal)
    assert finished is not None
    assert (finished.status, finished.count) == ("exhausted", expected)
    return True


CHANGES = {
    "a digit of a result": "result = replace(result, '\"count\":', '\"count\":1')",
    "a result lost": "result = NULL, state = 'pending'",
    "another state": "state = iif(state = 'cut', 'done', 'cut')",
    "a part": "part = replace(part, '[[', '[[1,')",
    "a key": "key = CAST(key || x'00000063' AS BLOB)",
    "the type of a key": "key = key || ''",
    "another run": "run = 7",
    "solutions": "rows = NULL",
    "another worker": "worker = 'worker 9'",
    "an audit": "audited = 'worker 9'",
    "a time": "wall_s = wall_s + 1",
    "a digest": "digest = zeroblob(16)",
    "no digest": "digest = NULL",
}
OTHERS = {
    "a leaf": "DELETE FROM part WHERE key = (SELECT max(key) FROM part)",
    "all": "DELETE FROM part",
    "a sitting": "DELETE FROM sitting",
    "the run": "DELETE FROM run",
    "plan": "UPDATE run SET plan = replace(plan, '1', '2')",
    "no plan": "UPDATE run SET plan = NULL",
    "division": "UPDATE run SET division = 'task'",
    "name": "UPDATE run SET name = 'b'",
    "version": "UPDATE run SET version = '0'",
    "workers": "UPDATE sitting SET workers = 99",
    "redone": "UPDATE sitting SET redone = 99",
    "doubled": "INSERT INTO part SELECT run, CAST(key || x'00000000' AS BLOB), state, part, "
    "result, rows, worker, sitting, wall_s, audited, disputed, digest FROM part "
    "WHERE state = 'done' LIMIT 1",
    "identity": "UPDATE seal SET identity = randomblob(16)",
    "number of rows": "UPDATE seal SET rows = rows + 1",
    "sum of digests": "UPDATE seal SET digests = zeroblob(16)",
    "no seal": "DELETE FROM seal",
    "two seals": "INSERT INTO seal SELECT * FROM seal",
    "a table": "CREATE TABLE more (value)",
    "no table": "DROP TABLE sitting",
    "a column": "ALTER TABLE part ADD COLUMN more",
}
STATEMENTS = OTHERS | {
    name: f"UPDATE part SET {change} WHERE key = "
    f"(SELECT key FROM part WHERE result IS NOT NULL AND rows IS NOT NULL LIMIT 1)"
    for name, change in CHANGES.items()
}


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_rows_that_are_changed_lost_or_doubled(
    closed: Files, tmp_path: Path, statement: str
) -> None:
    """The tables say so, whatever SQLite thinks of the file."""
    path = closed.write(tmp_path)
    with closing(sqlite3.connect(path)) as database, database:
        assert database.execute(statement).rowcount != 0
    if path.read_bytes() == closed.main:
        pytest.fail("nothing was changed")
    assert_refused(path)


def test_a_row_of_another_checkpoint(closed: Files, tmp_path: Path) -> None:
    """It is refused, even if that is of the same question."""
    path, other = closed.write(tmp_path), tmp_path / "other"
    with Journal(other, QUESTIONS) as journal:
        assert count_with(journal) is not None
    with closing(sqlite3.connect(path)) as database:
        database.execute("ATTACH ? AS other", (str(other),))
        database.execute(
            "REPLACE INTO part SELECT * FROM other.part WHERE key IN (SELECT key FROM part) LIMIT 1"
        )
        database.commit()
    assert_refused(path)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("DELETE FROM part WHERE key = (SELECT max(key) FROM part)", "missing"),
        ("DELETE FROM part WHERE key = (SELECT min(key) FROM part WHERE key > x'')", "missing"),
        ("DELETE FROM part WHERE key = x''", "missing"),
        (
            "UPDATE part SET key = CAST(key || x'00000000' AS BLOB) WHERE state = 'pending'",
            "missing",
        ),
        ("UPDATE run SET first_parts = 2", "missing"),
        ("UPDATE part SET state = 'done' WHERE state = 'cut'", "is stored as done"),
        ("UPDATE part SET state = 'pending' WHERE state = 'done'", "is stored as pending"),
        (
            "UPDATE part SET part = (SELECT part FROM part WHERE key = x'') "
            "WHERE key = (SELECT max(key) FROM part)",
            "is not what its search has left",
        ),
    ],
)
def test_sub_problems_that_are_no_whole_tree(
    closed: Files, tmp_path: Path, statement: str, reason: str
) -> None:
    """They are refused, though each row has its digest."""
    path = closed.write(tmp_path)
    with Journal(path, QUESTIONS) as journal, journal.writing() as database:
        assert database.execute(statement).rowcount > 0
    with pytest.raises(ConfigError, match=reason):
        Journal(path, QUESTIONS)
    assert_refused(path)


@given(data=st.data())
@settings(max_examples=5 * EXAMPLES, deadline=None)
def test_any_byte_of_the_file(closed: Files, data: st.DataObject) -> None:
    """A change is noticed, or of a byte that holds nothing."""
    expected_status = status_of(closed)
    places = st.integers(0, 99) | st.integers(0, len(closed.main) - 1)
    place, bits = data.draw(places), data.draw(st.integers(1, 255))
    changed = bytearray(closed.main)
    changed[place] ^= bits
    with TemporaryDirectory() as folder:
        path = Files(bytes(changed)).write(Path(folder))
        with suppress(ConfigError):
            assert checkpoint_status(path) == expected_status
        with opened(path) as journal:
            if journal is not None:
                assert all_rows(journal) == closed.rows


damages = st.sampled_from(["flip", "cut", "zero", "another log", "no log", "another file"])


@given(damage=damages, data=st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_the_log_of_a_run_that_was_killed(
    states: list[Files], expected: int, damage: str, data: st.DataObject
) -> None:
    """It may be torn, flipped, lost or of another moment, as when a live file is copied."""
    moment, other = (data.draw(st.sampled_from(states)) for _ in range(2))
    log = bytearray(moment.log or b"")
    place = data.draw(st.integers(0, max(0, len(log) - 1)))
    match damage:
        case "flip" if log:
            log[place] ^= data.draw(st.integers(1, 255))
        case "cut":
            del log[place:]
        case "zero":
            log[place:] = bytes(len(log) - place)
        case "another log":
            log = bytearray(other.log or b"")
        case "another file":
            moment = other
    with TemporaryDirectory() as folder:
        files = Files(moment.main, None if damage == "no log" else bytes(log))
        assert_refused_or_right(files.write(Path(folder)), expected)


def test_a_run_that_was_killed_goes_on(states: list[Files], expected: int, tmp_path: Path) -> None:
    """After each of its transactions, with the rows that it had."""
    for number, state in enumerate(states):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = state.write(folder)
        if number % 5 == 0:
            assert assert_refused_or_right(path, expected)
            continue
        with Journal(path, QUESTIONS) as journal:
            assert all_rows(journal) == state.rows


@given(data=st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_the_log_is_damaged_during_the_run(expected: int, data: st.DataObject) -> None:
    """The run ends with the right count or an error, and so does the next one."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "c"
        journal = Journal(path, QUESTIONS)
        journal.rows("PRAGMA cache_size = 1")  # little is kept in memory
        try:
            assert count_with(journal, data.draw(st.integers(1, STOPPED_AFTER))) is None
            with path.with_name("c-wal").open("r+b") as log:
                for _ in range(data.draw(st.integers(1, 20))):
                    log.seek(data.draw(st.integers(0, os.fstat(log.fileno()).st_size - 1)))
                    log.write(bytes([data.draw(st.integers(0, 255))]))
            finished = count_with(journal)
            assert finished is not None
            assert (finished.status, finished.count) == ("exhausted", expected)
        except ConfigError as error:
            assert_names(path, error)
        finally:
            journal.close()
        assert_refused_or_right(path, expected)


def test_a_command_that_is_killed_at_its_end(closed: Files, expected: int, tmp_path: Path) -> None:
    """The transaction that it was in is taken back."""
    path = closed.write(tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA cache_size = 1")
        database.execute("BEGIN")
        database.execute("UPDATE part SET worker = hex(randomblob(4000))")
        killed = Files(path.read_bytes())
        undo = path.with_name("c-journal").read_bytes()
    assert killed.main != closed.main
    killed.write(tmp_path)
    path.with_name("c-journal").write_bytes(undo)
    assert assert_refused_or_right(path, expected)


def test_a_log_without_its_file(states: list[Files], tmp_path: Path) -> None:
    """It is kept: it may hold all there is."""
    assert_refused(Files(b"", states[-1].log).write(tmp_path))
