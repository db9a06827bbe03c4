"""`dovetail compare` as its users meet it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dovetail.cli.main import run
from dovetail.harness.records.record import Record
from harness.records.made import compared as record
from harness.records.made import repeats

FAULTS = ("nodes", "slower", "unfinished", "removed")


def written(path: Path, records: list[Record], rest: str = "") -> str:
    """A file of records."""
    path.write_text("".join(json.dumps(one.json_fields()) + "\n" for one in records) + rest)
    return str(path)


@pytest.fixture
def old(tmp_path: Path) -> str:
    """Three runs of one job and one of another."""
    records = [*repeats("solve_s", [1.0, 1.1, 1.2]), record("b")]
    return written(tmp_path / "old.jsonl", records)


def test_identical_files(old: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Are no change."""
    faults = [word for fault in FAULTS for word in ("--fail-on", fault)]
    assert run(["compare", old, old, *faults]) == 0
    printed = capsys.readouterr()
    assert "no change: 2 jobs in both" in printed.out
    assert printed.err == ""


NODES = [*repeats("solve_s", [1.0, 1.1, 1.2], nodes=151), record("b")]
SLOWER = [*repeats("solve_s", [2.0, 2.1, 2.2]), record("b")]
UNFINISHED = [*repeats("solve_s", [1.0, 1.1, 1.2]), record("b", status="time-limit", count=1)]
REMOVED = repeats("solve_s", [1.0, 1.1, 1.2])


@pytest.mark.parametrize(
    ("fault", "new"),
    [("nodes", NODES), ("slower", SLOWER), ("unfinished", UNFINISHED), ("removed", REMOVED)],
)
def test_what_fails_where_it_is_asked_for(
    fault: str, new: list[Record], old: str, tmp_path: Path
) -> None:
    """And only then."""
    path = written(tmp_path / "new.jsonl", new)
    assert run(["compare", old, path]) == 0
    for asked in FAULTS:
        assert run(["compare", old, path, "--fail-on", asked]) == int(asked == fault)
    assert run(["compare", old, path, "--fail-on", "slower", "--fail-on", fault]) == 1


def test_a_count_that_changed_fails(
    old: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In every form."""
    path = written(tmp_path / "new.jsonl", [record("b", count=5)])
    assert run(["compare", old, path]) == 1
    assert "the count" in capsys.readouterr().out
    assert run(["compare", old, path, "--format", "md"]) == 1
    assert "| queens-6 | dlx | the count | 4 | 5 |" in capsys.readouterr().out
    assert run(["compare", old, path, "--json"]) == 1
    fields = json.loads(capsys.readouterr().out)
    assert (fields["failed"], len(fields["findings"]), len(fields["removed"])) == (True, 1, 1)


def test_files_that_have_no_question_in_common(
    old: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Cannot be compared: one line that names both, and what could be."""
    hostile = [record(str(n), puzzle=f"<script>\n\x1b{n}\0") for n in range(5)]
    path = written(tmp_path / "new.jsonl", hostile)
    assert run(["compare", old, path]) == 2
    printed = capsys.readouterr()
    expected = f"no question in common with {old}; expected some of queens-6, queens-6"
    assert (printed.out, printed.err) == ("", f"dovetail: {path}: {expected}\n")
    assert run(["compare", path, old]) == 2
    printed = capsys.readouterr()
    names = ", ".join(f"<script>��{n}�" for n in range(3))
    assert printed.err.endswith(f"expected some of {names} and 2 more\n")


def test_the_tolerance(old: str, tmp_path: Path) -> None:
    """In percent of the old median."""
    path = written(tmp_path / "new.jsonl", SLOWER)
    assert run(["compare", old, path, "--fail-on", "slower", "--tolerance", "120"]) == 0


def test_lines_that_are_no_records(
    old: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Are reported, on standard error and in what is printed, and the rest is compared."""
    rest = '{"schema": 3, "job": "x", "repeat": 0}\n{"schema": 4, "jo'
    path = written(tmp_path / "new.jsonl", [*repeats("solve_s", [1.0, 1.1, 1.2])], rest)
    assert run(["compare", old, path]) == 0
    printed = capsys.readouterr()
    assert printed.err.startswith(f"dovetail: {path}: 2 lines skipped: line 4: ")
    assert printed.err.count("\n") == 1
    assert "1 job in both files, 1 unchanged, 1 removed" in printed.out


def test_unusable_files(old: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Are exit status 2 and one line that names the file."""
    empty = written(tmp_path / "empty.jsonl", [])
    for words in ((old, empty), (empty, old), (old, str(tmp_path)), (old, "missing.jsonl")):
        assert run(["compare", *words]) == 2
        printed = capsys.readouterr()
        assert (printed.out, printed.err.count("\n")) == ("", 1)
        assert printed.err.startswith("dovetail: ")
    for option in (["--fail-on", "rain"], ["--tolerance", "-1"], ["--format", "html"]):
        assert run(["compare", old, old, *option]) == 2
