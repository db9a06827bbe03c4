"""Files of records as far as they can be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dovetail.errors import FormatError
from dovetail.harness.readable import PassedOver, readable_records
from reports.comparison.made import made


def written(folder: Path, *lines: bytes | dict[str, Any]) -> Path:
    """A file of these lines, the last one without an end where it is bytes."""
    path = folder / "runs.jsonl"
    texts = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    path.write_bytes(b"\n".join(texts) + (b"" if isinstance(lines[-1], bytes) else b"\n"))
    return path


def test_what_is_no_record_is_named_and_counted(tmp_path: Path) -> None:
    """With its line, and the last that is torn."""
    lines = (made(), b"notes", b"", {"schema": 1, "job": "a", "repeat": 0}, made("b"), b"[1]")
    found = readable_records(written(tmp_path, *lines, b'{"schema": 2, "jo'))
    assert found.records == (made(), made("b"))
    assert found.passed_over == (
        PassedOver(2, "not JSON; expected a run record per line"),
        PassedOver(4, "a record of schema 1; expected 2"),
        PassedOver(6, "not a run record as dovetail bench writes them"),
        PassedOver(7, "torn (17 bytes)"),
    )
    assert found.said() == (
        f"{tmp_path / 'runs.jsonl'}: 4 lines passed over: line 2: not JSON; expected a run record "
        "per line; line 4: a record of schema 1; expected 2; line 6: not a run record as dovetail "
        "bench writes them; and 1 more"
    )


def test_nothing_passed_over(tmp_path: Path) -> None:
    """There is nothing to say; the last line may lack its end."""
    found = readable_records(written(tmp_path, made(), json.dumps(made("b")).encode()))
    assert (len(found.records), found.passed_over, found.said()) == (2, (), None)


def test_records_of_old_benches_can_be_read(tmp_path: Path) -> None:
    """They lack what has been added since."""
    old = made()
    for key in ("published", "outline", "size", "suite", "machine", "by_remaining", "limits"):
        del old[key]
    assert readable_records(written(tmp_path, old)).records == (old,)


def test_old_totals_lose_the_verification(tmp_path: Path) -> None:
    """They counted `check_s` in; a total is what was prepared and solved."""
    old = made(total_s=9.0)
    assert readable_records(written(tmp_path, old)).records == (made(total_s=1.25),)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("solve_s", None, "solve_s is None; expected a number or a whole number"),
        ("config", {"labelled": False, "x": {"y": 1}}, "config.x."),
        ("by_remaining", [{"remaining": 1}], "by_remaining.0.attempts: Field required"),
        ("by_remaining", [{"remaining": 1, "attempts": 1, "fits": -1}], "by_remaining.0.fits: "),
        ("by_remaining", {}, "by_remaining: Input should be a valid list"),
        ("machine", "junk", "machine: Input should be"),
        ("load", {"busy_cores": float("inf")}, "load.busy_cores: Input should be a finite number"),
        ("load", {"parallel": 2**70}, "load.parallel: Input should be less than"),
        ("limits", {"nodes": True}, "limits.nodes: Input should be a valid integer"),
        ("placements", {"\n<b>": "x"}, "placements.�<b>: Input should be a valid integer"),
        ("published", {"P1": {"seconds": 0.0}}, "published.P1.seconds: "),
        ("outline", ". .\n.", "outline: Value error, 1 cells in a row; expected 2"),
        ("outline", {"width": 10**6, "height": 10**6}, "outline: Value error, an outline of a"),
        ("expected", "8", "expected: Input should be a valid integer"),
        ("tags", [1], "tags.0: Input should be an instance of str"),
    ],
)
def test_all_that_reports_read_has_its_type(
    tmp_path: Path, key: str, value: object, said: str
) -> None:
    """Or the line is passed over."""
    found = readable_records(written(tmp_path, made(), {**made(), key: value}))
    assert found.records == (made(),)
    (one,) = found.passed_over
    assert one.line == 2
    assert one.problem.startswith("a record whose ")
    assert said in one.problem


def test_any_name_will_do(tmp_path: Path) -> None:
    """Lone surrogates too."""
    hostile = "<script>\"'\n\0\ud800"
    record = made(hostile, hostile, tags=[hostile], suite=hostile, reason=hostile)
    record["config"][hostile] = hostile
    assert readable_records(written(tmp_path, record)).records == (record,)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty; expected run records as dovetail bench -o writes them"),
        (b"\n \n", "empty; expected run records"),
        (b"\nx\n[]\n", "not one run record; lines passed over: 2; line 2: not JSON;"),
        (b'{"schema": 2', "not one run record; lines passed over: 1; line 1: torn"),
        (b"[" * 100_000, "line 1: not JSON"),
        (b"\xff\xfe", "line 1: not JSON"),
    ],
)
def test_without_one_record(tmp_path: Path, content: bytes, said: str) -> None:
    """There is nothing to report."""
    path = tmp_path / "runs.jsonl"
    path.write_bytes(content)
    with pytest.raises(FormatError) as caught:
        readable_records(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)


def test_what_cannot_be_read(tmp_path: Path) -> None:
    """A folder, or nothing."""
    with pytest.raises(FormatError, match="Is a directory"):
        readable_records(tmp_path)
    with pytest.raises(FormatError, match="No such file"):
        readable_records(tmp_path / "no.jsonl")
