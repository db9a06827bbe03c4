"""Files of records: as far as they can be read, and what a kill leaves of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dovetail.errors import ConfigError, FormatError
from dovetail.harness.records.record import Load, Record
from dovetail.harness.records.record_files import RecordStore, SkippedLine, read_records
from dovetail.harness.records.run_record import run_record
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.models.outcome import Counters, Status
from dovetail.puzzles.cover_classics import queens
from harness.records.made import fields, made


def written(folder: Path, *lines: bytes | dict[str, Any]) -> Path:
    """A file of these lines, the last one without an end where it is bytes."""
    path = folder / "runs.jsonl"
    texts = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    path.write_bytes(b"\n".join(texts) + (b"" if isinstance(lines[-1], bytes) else b"\n"))
    return path


def test_what_is_no_record_is_named_and_counted(tmp_path: Path) -> None:
    """With its line, and the last that is torn."""
    old = {"schema": 3, "job": "a", "repeat": 0}
    lines = (fields(), b"notes", b"", old, fields("b"), b"[1]")
    found = read_records(written(tmp_path, *lines, b'{"schema": 4, "jo'))
    assert found.records == (made(), made("b"))
    assert found.skipped == (
        SkippedLine(2, "not JSON; expected a run record per line"),
        SkippedLine(4, "schema is 3; expected 4"),
        SkippedLine(6, "not a run record of dovetail bench"),
        SkippedLine(7, "incomplete (17 bytes)"),
    )
    warning = str(found.warning)
    assert warning.startswith(f"{tmp_path / 'runs.jsonl'}: 4 lines skipped: line 2: not JSON")
    assert warning.endswith("; and 1 more")


def test_fields_with_a_default_may_be_missing(tmp_path: Path) -> None:
    short = fields()
    for key in ("published", "outline", "size", "suite", "machine", "fits_by_remaining", "limits"):
        del short[key]
    (record,) = read_records(written(tmp_path, short)).records
    assert (record.published, record.outline, record.size, record.suite) == ({}, None, {}, None)
    assert record.example is None
    assert (record.environment.machine, record.job.limits) == (None, None)
    assert record.result.counters.fits_by_remaining is None


def test_benchmarks(tmp_path: Path) -> None:
    """Each round of a benchmark with a record is a repeat; others are named."""
    wrong = {"extra_info": {"record": fields(count="x")}, "stats": {"data": [1.0]}}
    benchmarks = [
        {"fullname": "a.py::a", "extra_info": {}, "stats": {"data": [1.0]}},
        {"fullname": "b.py::b", "extra_info": {"record": fields()}, "stats": {"data": [0.5, 2]}},
        {"fullname": "c.py::c", **wrong},
        3,
    ]
    path = tmp_path / "benchmarks.json"
    path.write_text(json.dumps({"benchmarks": benchmarks}, indent=1))
    found = read_records(path)
    assert [(one.repeat, one.result.solve_s) for one in found.records] == [(0, 0.5), (1, 2.0)]
    warning = str(found.warning)
    assert warning.startswith(f"{path}: 3 benchmarks skipped: benchmark a.py::a: it has no record")
    assert "; benchmark c.py::c: invalid record: count is 'x'" in warning
    path.write_text(json.dumps({"benchmarks": benchmarks[:1]}))
    with pytest.raises(
        FormatError, match=r"no run records; benchmarks skipped: 1; benchmark a\.py"
    ):
        read_records(path)


@pytest.mark.parametrize(
    ("key", "value", "printed"),
    [
        ("solve_s", None, "solve_s is null; expected a number"),
        ("config", {"x": {"y": 1}}, 'config.x is {"y": 1}; expected text, a whole number, a n'),
        ("fits_by_remaining", {"1": -1}, "fits_by_remaining.1 is -1; expected 0 or more"),
        ("load", {"parallel": 2**70}, "is 1180591620717411303424; expected less than"),
        ("placements", {"\n<b>": "x"}, "placements.'\\n<b>' is 'x'; expected a whole number"),
        ("outline", {"width": 10**6, "height": 10**6}, "outline: it is 1000000 x"),
        ("example", {"text": "A"}, "example: no piece has the label 'A'"),
    ],
)
def test_all_that_reports_read_has_its_type(
    tmp_path: Path, key: str, value: object, printed: str
) -> None:
    """Or the line is passed over."""
    found = read_records(written(tmp_path, fields(), {**fields(), key: value}))
    assert found.records == (made(),)
    (one,) = found.skipped
    assert one.number == 2
    assert one.problem.startswith("invalid record: ")
    assert printed in one.problem


@pytest.mark.parametrize(
    ("content", "printed"),
    [
        (b"", "empty; expected run records written by dovetail bench -o"),
        (b"\nx\n[]\n", "no run records; lines skipped: 2; line 2: not JSON;"),
        (b"[" * 100_000, "line 1: not JSON"),
    ],
)
def test_without_one_record(tmp_path: Path, content: bytes, printed: str) -> None:
    """There is nothing to report."""
    path = tmp_path / "runs.jsonl"
    path.write_bytes(content)
    with pytest.raises(FormatError) as caught:
        read_records(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert printed in str(caught.value)


def whole_record(number: int) -> Record:
    """A whole record, objects within objects."""
    job = Job(queens(4), backend="dlx", seed=number)
    counters = Counters(nodes=3, native={"updates": 7})
    finished = Result(Status.FAILED, None, counters, "ä\n}", placements={"before": 16})
    load = Load(parallel=1)
    return run_record(job, finished, repeat=0, suite="s", load=load)


def stored(folder: Path, count: int = 3) -> Path:
    """A file with `count` records."""
    path = folder / "runs.jsonl"
    with RecordStore(path) as store:
        for number in range(count):
            store.add(whole_record(number))
    return path


def test_torn_anywhere(tmp_path: Path) -> None:
    """Wherever the file ends, whole records are kept, the rest is cut off and can be redone."""
    whole = stored(tmp_path, 2).read_bytes()
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
                store.add(whole_record(number))
        assert path.read_bytes() == whole


def test_nuls_behind_a_power_loss(tmp_path: Path) -> None:
    """A tail that the disk never got is torn, with or without a beginning."""
    path = stored(tmp_path)
    whole = path.read_bytes()
    for tail in (b"\0" * 100, b'{"sche' + b"\0" * 7):
        path.write_bytes(whole + tail)
        with RecordStore(path) as store:
            assert (len(store.records), store.torn_bytes) == (3, len(tail))
        assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"\xff\xfe", 1, "not JSON"),
        (b'\n{"schema": 4, "job"\n', 2, "not JSON"),
        (b'{"schema": 4, "job": "a", "repeat": 0}', 1, "invalid record: puzzle is missing"),
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
    path = stored(tmp_path)
    with RecordStore(path), pytest.raises(ConfigError, match="written by another bench"):
        RecordStore(path)
    with RecordStore(path) as store:
        assert len(store.records) == 3


def test_a_full_disk_leaves_whole_lines() -> None:
    """What cannot be written is an error."""
    with RecordStore(Path("/dev/full")) as store, pytest.raises(ConfigError, match="No space"):
        store.add(whole_record(0))


def test_any_name_will_do(tmp_path: Path) -> None:
    """Lone surrogates too."""
    hostile = "<script>\"'\n\0\ud800"
    config = {hostile: hostile}
    texts = {"tags": [hostile], "suite": hostile, "reason": hostile, "config": config}
    (record,) = read_records(written(tmp_path, fields(hostile, hostile, **texts))).records
    assert (record.job.puzzle, record.job.backend, record.tags) == (hostile, hostile, (hostile,))
    assert (record.suite, record.result.reason, record.job.config) == (hostile, hostile, config)


def test_values_are_json(tmp_path: Path) -> None:
    """What JSON cannot say is found out when it is written."""
    whole = whole_record(0)
    counters = Counters(native={"x": float("nan")})
    with_nan = replace(whole, result=replace(whole.result, counters=counters))
    with RecordStore(tmp_path / "runs.jsonl") as store, pytest.raises(ValueError, match="Out of"):
        store.add(with_nan)


@pytest.mark.parametrize("name", ["n" * 300, "\0"])
def test_names_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    """The system refuses a name that is too long, Python a name with a null byte."""
    with pytest.raises(ConfigError, match="cannot be written"):
        RecordStore(tmp_path / name)
