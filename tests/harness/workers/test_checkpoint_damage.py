"""Damaged checkpoints: refused, named and left as they are, or still right; never a wrong count."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.errors import ConfigError
from dovetail.harness.planning.planner import session_of
from dovetail.harness.run.job import Job
from dovetail.harness.workers.base import WHOLE, Assignment, divided_part
from dovetail.harness.workers.checkpoint import (
    DONE,
    PENDING,
    Checkpoint,
    checkpoint_status,
)
from dovetail.harness.workers.checkpoint_file import CheckpointFile, Entry
from dovetail.harness.workers.worker import PartRunner
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.sub_problem import SubProblem
from dovetail.puzzles.loading import load

QUESTIONS = ["a question"]
ROOT = SubProblem(cut_from="dlx")
EXAMPLES = int(os.environ.get("DOVETAIL_EXAMPLES", "10"))
STOPPED_AFTER = 4  # sub-problems searched to their end
Rows = list[Entry]


@dataclass
class Files:
    """The bytes of a checkpoint and of the log beside it, and what the checkpoint holds."""

    main: bytes
    log: bytes = b""
    rows: Rows = field(default_factory=list, compare=False)

    def write(self, folder: Path) -> Path:
        """Write both, and return the path of the checkpoint."""
        path = folder / "c"
        path.write_bytes(self.main)
        if self.log:
            (folder / "c-wal").write_bytes(self.log)
        return path


def files_at(path: Path) -> Files:
    """The files of a checkpoint, which may be open."""
    log = path.with_name(f"{path.name}-wal")
    return Files(path.read_bytes(), log.read_bytes() if log.exists() else b"")


def all_rows(path: Path) -> Rows:
    """All entries of a checkpoint."""
    return list(CheckpointFile(path).entries())


def count_with(
    checkpoint: Checkpoint, runner: PartRunner, stop_after: int | None = None, seed: int = 0
) -> int | None:
    """Search what waits in a random order; None if stopped after so many searched to their end."""
    run, draw = checkpoint.run(0), random.Random(seed + 1)
    if run.plan is None:
        run.begin("a plan", "cut", [ROOT])
    if run.is_waiting:
        run.sit_down(2)
    while waiting := [part for part in run.parts.values() if part.state == PENDING]:
        if stop_after is not None and run.totals.done >= stop_after:
            return None
        part = draw.choice(waiting)
        result = runner.run(Assignment(1, part.key, part.part, nodes=draw.choice((0, 1, 5, 30))))
        children = list[SubProblem]()
        for left in result.remaining or ():
            children += divided_part(left) if draw.random() < 0.5 else [left]
        run.record(part.key, result, children, "worker 1", 0.5)
        if part.state == DONE and draw.random() < 0.5:
            run.write("audited", part.key, worker="worker 2")
        if draw.random() < 0.2:
            run.write("lost")
    run.end(Status.EXHAUSTED, 0.5)
    run.check()
    ended = [run.result(key, with_rows=True) for key in run.parts]
    listed = sum(len(one.rows) for one in ended if one is not None and one.rows is not None)
    assert listed == run.totals.count
    return listed


@pytest.fixture(scope="module")
def runner() -> PartRunner:
    """What searches the sub-problems."""
    job = Job(load("queens-6"), Request(Symmetry.ALL, listing=True), "dlx")
    return PartRunner(session_of(job).plan)


@pytest.fixture(scope="module")
def expected(runner: PartRunner) -> int:
    """The count of one search."""
    count = runner.run(Assignment(1, WHOLE, ROOT)).count
    assert count
    return count


@pytest.fixture(scope="module")
def states(runner: PartRunner) -> list[Files]:
    """A run that is killed, as it is after each transaction."""
    states = list[Files]()
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder) / "c"

        def noting(name: str) -> None:
            original = getattr(CheckpointFile, name)

            def then_note(file: CheckpointFile, *entries: Entry) -> None:
                original(file, *entries)
                states.append(replace(files_at(path), rows=all_rows(path)))

            patch.setattr(CheckpointFile, name, then_note)

        noting("open")
        noting("append")
        with Checkpoint(path, QUESTIONS, ["a name"]) as checkpoint:
            assert count_with(checkpoint, runner, STOPPED_AFTER) is None
    return states


@pytest.fixture(scope="module")
def closed(states: list[Files]) -> Files:
    """The same, closed in order: the checkpoint is one file."""
    with TemporaryDirectory() as folder:
        path = states[-1].write(Path(folder))
        Checkpoint(path, QUESTIONS).close()
        return Files(path.read_bytes(), rows=states[-1].rows)


def assert_refused(path: Path) -> None:
    """By the command that goes on and by `status`; the message is one line and names the file."""
    before = files_at(path)
    for reading in (lambda: Checkpoint(path, QUESTIONS), lambda: checkpoint_status(path)):
        with pytest.raises(ConfigError) as refused:
            reading()
        assert_names(path, refused.value)
        assert files_at(path) == before


@contextmanager
def opened(path: Path) -> Iterator[Checkpoint | None]:
    """Open a checkpoint; None if it is refused, which leaves the file as it is."""
    before = files_at(path)
    try:
        checkpoint = Checkpoint(path, QUESTIONS)
    except ConfigError as error:
        assert_names(path, error)
        assert files_at(path) == before
        yield None
        return
    with checkpoint:
        yield checkpoint


def assert_names(path: Path, error: ConfigError) -> None:
    """The message is one line that begins with the file."""
    assert str(error).startswith(f"{path}: ")
    assert "\n" not in str(error)


def assert_refused_or_right(path: Path, runner: PartRunner, expected: int) -> bool:
    """Return whether the run went on, to the right count."""
    with opened(path) as checkpoint:
        if checkpoint is None:
            return False
        assert count_with(checkpoint, runner) == expected
    return True


CHANGES = {
    "a digit of a result": "result = replace(result, '\"count\":', '\"count\":1')",
    "a result lost": "result = NULL",
    "solutions": "rows = NULL",
    "a digest": "digest = zeroblob(16)",
}
LAST = "(SELECT max(number) FROM entry)"
OTHERS = {
    "an entry": "DELETE FROM entry WHERE number = 5",
    "closed up": (
        "DELETE FROM entry WHERE number = 5; UPDATE entry SET number = number - 1 WHERE number > 5"
    ),
    "the last entry and its number": (
        f"DELETE FROM entry WHERE number = {LAST}; UPDATE head SET entries = {LAST}"
    ),
    "plan": "UPDATE entry SET content = replace(content, 'a plan', 'b') WHERE kind = 'plan'",
    "parts": (
        "UPDATE entry SET content = replace(content, '\"parts\": [{', "
        "'\"parts\": [{\"taken\": [1]}, {') WHERE kind = 'result'"
    ),
    "audits": "DELETE FROM entry WHERE kind = 'audited'",
    "doubled and counted": (
        f"INSERT INTO entry SELECT {LAST} + 1, run, kind, key, content, result, rows, digest "
        f"FROM entry WHERE number = {LAST}; UPDATE head SET entries = {LAST}"
    ),
    "moved": (
        "UPDATE entry SET number = -number WHERE number IN (6, 7); "
        "UPDATE entry SET number = 13 + number WHERE number < 0"
    ),
    "identity": "UPDATE head SET identity = randomblob(16)",
    "number of entries": "UPDATE head SET entries = entries + 1",
    "no head": "DELETE FROM head",
}
STATEMENTS = OTHERS | {
    name: f"UPDATE entry SET {change} WHERE number = "
    "(SELECT min(number) FROM entry WHERE rows IS NOT NULL)"
    for name, change in CHANGES.items()
}


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_entries_that_are_changed_lost_or_doubled(
    closed: Files, tmp_path: Path, statement: str
) -> None:
    """The digests say so, whatever SQLite thinks of the file."""
    path = closed.write(tmp_path)
    with closing(sqlite3.connect(path)) as database:
        rows = list(database.iterdump())
        database.executescript(statement)
        assert list(database.iterdump()) != rows
    assert_refused(path)


def test_an_entry_of_another_checkpoint(closed: Files, tmp_path: Path, runner: PartRunner) -> None:
    """It is refused, even if that is of the same question."""
    path, other = closed.write(tmp_path), tmp_path / "other"
    with Checkpoint(other, QUESTIONS, ["a name"]) as checkpoint:
        assert count_with(checkpoint, runner) is not None
    with closing(sqlite3.connect(path)) as database:
        database.execute("ATTACH ? AS other", (str(other),))
        database.execute("REPLACE INTO entry SELECT * FROM other.entry WHERE kind = 'plan'")
        database.commit()
    assert_refused(path)


NOTHING = '{"worker": "w", "wall_s": 0.0, "parts": []}'
ENDED = '{"status": "exhausted"}'


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (("result", WHOLE, NOTHING, ENDED), "a sub-problem has two results"),
        (("result", None, NOTHING, ENDED), "not a valid entry of kind 'result'"),
        (("end", None, "{"), "entry"),
    ],
)
def test_entries_that_contradict_the_entries_before_them(
    closed: Files, tmp_path: Path, entry: tuple[str, bytes | None, str], reason: str
) -> None:
    """They are refused, though they have their digests."""
    path = closed.write(tmp_path)
    append_to(path, entry)
    with pytest.raises(ConfigError, match=f"the checkpoint is damaged: .*{reason}"):
        Checkpoint(path, QUESTIONS)
    assert_refused(path)


def append_to(path: Path, values: tuple[str | bytes | None, ...]) -> None:
    """Append an entry of run 0 without checks."""
    with closing(CheckpointFile(path)) as file:
        file.open()
        file.append(Entry(file.count + 1, 0, *values))  # type: ignore[arg-type]


@given(data=st.data())
@settings(max_examples=5 * EXAMPLES, deadline=None)
def test_any_byte_of_the_file(closed: Files, data: st.DataObject) -> None:
    """A change is noticed, or of a byte that holds nothing."""
    with TemporaryDirectory() as folder:
        expected_status = checkpoint_status(closed.write(Path(folder)))
    places = st.integers(0, 99) | st.integers(0, len(closed.main) - 1)
    place, bits = data.draw(places), data.draw(st.integers(1, 255))
    changed = bytearray(closed.main)
    changed[place] ^= bits
    with TemporaryDirectory() as folder:
        path = Files(bytes(changed)).write(Path(folder))
        with suppress(ConfigError):
            assert checkpoint_status(path) == expected_status
        with opened(path) as checkpoint:
            if checkpoint is not None:
                assert all_rows(path) == closed.rows


damages = st.sampled_from(["flip", "cut", "zero", "another log", "no log", "another file"])


@given(damage=damages, data=st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_the_log_of_a_run_that_was_killed(
    states: list[Files], runner: PartRunner, expected: int, damage: str, data: st.DataObject
) -> None:
    """It may be torn, flipped, lost or of another moment, as when a live file is copied."""
    moment, other = (data.draw(st.sampled_from(states)) for _ in range(2))
    log = bytearray(moment.log)
    place = data.draw(st.integers(0, max(0, len(log) - 1)))
    match damage:
        case "flip" if log:
            log[place] ^= data.draw(st.integers(1, 255))
        case "cut":
            del log[place:]
        case "zero":
            log[place:] = bytes(len(log) - place)
        case "another log":
            log = bytearray(other.log)
        case "another file":
            moment = other
    with TemporaryDirectory() as folder:
        files = Files(moment.main, b"" if damage == "no log" else bytes(log))
        assert_refused_or_right(files.write(Path(folder)), runner, expected)


def test_a_run_that_was_killed_goes_on(
    states: list[Files], runner: PartRunner, expected: int, tmp_path: Path
) -> None:
    """After each of its transactions, with the entries that it had."""
    for number, state in enumerate(states):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = state.write(folder)
        assert all_rows(path) == state.rows
        assert number % 5 or assert_refused_or_right(path, runner, expected)


@given(data=st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_the_log_is_damaged_during_the_run(
    runner: PartRunner, expected: int, data: st.DataObject
) -> None:
    """The run ends with the right count or an error, and so does the next one."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "c"
        checkpoint = Checkpoint(path, QUESTIONS)
        database = vars(vars(checkpoint)["_file"])["_database"]
        database.execute("PRAGMA cache_size = 1")  # little is kept in memory
        try:
            assert count_with(checkpoint, runner, data.draw(st.integers(1, STOPPED_AFTER))) is None
            with path.with_name("c-wal").open("r+b") as log:
                for _ in range(data.draw(st.integers(1, 20))):
                    log.seek(data.draw(st.integers(0, os.fstat(log.fileno()).st_size - 1)))
                    log.write(bytes([data.draw(st.integers(0, 255))]))
            assert count_with(checkpoint, runner) == expected
        except ConfigError as error:
            assert_names(path, error)
        finally:
            checkpoint.close()
        assert_refused_or_right(path, runner, expected)


def test_a_command_that_is_killed_at_its_end(
    closed: Files, runner: PartRunner, expected: int, tmp_path: Path
) -> None:
    """The transaction that it was in is taken back."""
    path = closed.write(tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA cache_size = 1")
        database.execute("BEGIN")
        database.execute("UPDATE entry SET content = hex(randomblob(4000))")
        killed = Files(path.read_bytes())
        undo = path.with_name("c-journal").read_bytes()
    assert killed.main != closed.main
    killed.write(tmp_path)
    path.with_name("c-journal").write_bytes(undo)
    assert assert_refused_or_right(path, runner, expected)


def test_a_log_without_its_file(states: list[Files], tmp_path: Path) -> None:
    """It is kept: it may hold all there is."""
    assert_refused(Files(b"", states[-1].log).write(tmp_path))
