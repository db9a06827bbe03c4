"""The file of records: what a kill leaves of it, and what it is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dovetail.errors import ConfigError, FormatError
from dovetail.harness.records.record import Load, Record
from dovetail.harness.records.record_files import RecordStore
from dovetail.harness.records.recording import run_record
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.models.outcome import Counters, Status
from dovetail.puzzles.cover_classics import queens


def record(number: int) -> Record:
    """A whole record, objects within objects."""
    job = Job(queens(4), backend="dlx", seed=number)
    counters = Counters(nodes=3, native={"updates": 7})
    finished = Result(Status.FAILED, None, counters, "ä\n}", placements={"before": 16})
    load = Load(parallel=1)
    return run_record(job, finished, repeat=0, suite="s", load=load)


def written(folder: Path, count: int = 3) -> Path:
    """A file with `count` records."""
    path = folder / "runs.jsonl"
    with RecordStore(path) as store:
        for number in range(count):
            store.add(record(number))
    return path


def test_records_come_back(tmp_path: Path) -> None:
    """As they were added, each one line."""
    path = written(tmp_path)
    assert len(path.read_text().splitlines()) == 3
    with RecordStore(path) as store:
        assert store.records == tuple(record(number) for number in range(3))
        assert store.torn_bytes == 0


def test_torn_anywhere(tmp_path: Path) -> None:
    """Wherever the file ends, whole records are kept, the rest is cut off and can be redone."""
    whole = written(tmp_path, 2).read_bytes()
    path = tmp_path / "torn.jsonl"
    length = len(whole) // 2
    assert len(whole) == 2 * length
    ends = {*range(length, len(whole), 11), length + 1, *range(len(whole) - 3, len(whole) + 1)}
    for end in sorted(ends):
        path.write_bytes(whole[:end])
        with RecordStore(path) as store:
            kept = len(store.records)
            assert kept == (end + 1) // length  # the last line may lack its end
            assert store.torn_bytes == max(0, end - kept * length)
            for number in range(kept, 2):
                store.add(record(number))
        assert path.read_bytes() == whole


def test_nuls_behind_a_power_loss(tmp_path: Path) -> None:
    """A tail that the disk never got is torn, with or without a beginning."""
    path = written(tmp_path)
    whole = path.read_bytes()
    for tail in (b"\0" * 100, b'{"sche' + b"\0" * 7):
        path.write_bytes(whole + tail)
        with RecordStore(path) as store:
            assert (len(store.records), store.torn_bytes) == (3, len(tail))
        assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"notes to keep", 1, "not JSON"),
        (b"\xff\xfe", 1, "not JSON"),
        (b'\n{"schema": 4, "job"\n', 2, "not JSON"),
        (b"[" * 100_000, 1, "not JSON"),
        (b'{"schema": 4, "job": "a", "repeat": 0}', 1, "invalid record: puzzle is missing"),
        (b"\0" * 100, 1, "not JSON"),
        (b'{"schema": 3, "job": "a", "repeat": 0}\n', 1, "schema is 3; .* or another file"),
    ],
)
def test_other_files_are_left_alone(
    tmp_path: Path, content: bytes, line: int, message: str
) -> None:
    """What is not a file of records is refused, with the line, and not changed."""
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=message) as caught:
        RecordStore(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert path.read_bytes() == content


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    """Two benches would run everything twice."""
    path = written(tmp_path)
    with RecordStore(path), pytest.raises(ConfigError, match="written by another bench"):
        RecordStore(path)
    with RecordStore(path) as store:
        assert len(store.records) == 3


def test_a_full_disk_leaves_whole_lines() -> None:
    """What cannot be written is an error."""
    with RecordStore(Path("/dev/full")) as store, pytest.raises(ConfigError, match="No space"):
        store.add(record(0))


def test_values_are_json(tmp_path: Path) -> None:
    """What JSON cannot say is found out when it is written."""
    whole = record(0)
    counters = Counters(native={"x": float("nan")})
    with_nan = replace(whole, result=replace(whole.result, counters=counters))
    with RecordStore(tmp_path / "runs.jsonl") as store, pytest.raises(ValueError, match="Out of"):
        store.add(with_nan)
