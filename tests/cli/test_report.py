"""`dovetail report`, from the bench to the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from dovetail.cli.main import run
from harness.exhibits.suites import SUITE, written


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a bench of one board has written, beside its suite."""
    folder = tmp_path_factory.mktemp("bench")
    path = folder / "runs.jsonl"
    small = SUITE.replace("{1..3}", "1")
    assert run(["bench", str(written(folder, small)), "--only", "quick", "-o", str(path)]) == 0
    return path


def report(runs: Path, output: Path, suite: Path | None = None) -> int:
    """The exit status of the command."""
    chosen = suite or runs.parent / "suite.toml"
    return run(["report", str(runs), "--suite", str(chosen), "-o", str(output)])


@pytest.mark.parametrize(
    ("name", "begin", "said"),
    [
        ("report.html", "<!DOCTYPE html>\n<html", "Nodes &lt;of&gt; every approach</h2>"),
        ("report.md", "# exhibits\n\nthree kinds\n\n## Nodes", "Asked of 1 board. Kept: 1,"),
        ("report.csv", "exhibit,source,board,", "choices,measured,edges-4-b3i3-1,1,per edge,exh"),
    ],
)
def test_one_report_in_three_formats(
    runs: Path, tmp_path: Path, name: str, begin: str, said: str
) -> None:
    """By the suffix of the name."""
    assert report(runs, tmp_path / name) == 0
    text = (tmp_path / name).read_text()
    assert text.startswith(begin)
    assert said in text


def test_a_torn_last_line_is_passed_over(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a word on it; the file stays as it is."""
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(runs.read_bytes() + b'{"schema": 2, "jo')
    before = torn.read_bytes()
    assert report(torn, tmp_path / "r.md", runs.parent / "suite.toml") == 0
    assert "the last line is torn (17 bytes) and passed over" in capsys.readouterr().err
    assert torn.read_bytes() == before
    assert "4 records of 5 runs planned" in (tmp_path / "r.md").read_text()


def test_what_cannot_be_reported(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line each that says why, and exit status 2."""
    other = tmp_path / "other.jsonl"
    other.write_text('{"schema": 1, "job": "x", "repeat": 0}\n')
    copied = tmp_path / "runs.md"
    copied.write_bytes(runs.read_bytes())
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    plain = written(tmp_path, SUITE[: SUITE.index("[[exhibit]]")])
    suite = runs.parent / "suite.toml"
    for records, output, chosen, said in (
        (runs, "r.pdf", suite, "r.pdf; expected a name that ends in .html, .md, .csv"),
        (runs, "r.md", plain, "has no exhibits; expected sections [[exhibit]]"),
        (tmp_path / "no.jsonl", "r.md", suite, "no.jsonl: cannot be read"),
        (other, "r.md", suite, "other.jsonl:1: a record of schema 1; expected 2"),
        (suite, "r.md", suite, "suite.toml:1: not JSON; expected a run record per line"),
        (runs, "no/r.md", suite, "r.md cannot be written"),
        (empty, "r.md", suite, "empty.jsonl has no run of the suite exhibits"),
        (copied, "runs.md", suite, "runs.md is what the report is made from"),
    ):
        assert report(records, tmp_path / output, chosen) == 2
        error = capsys.readouterr().err
        assert said in error
        assert error.count("\n") == 1
    assert not (tmp_path / "r.md").exists()


def test_bench_names_the_report(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where there are records that it can be made of."""
    suite = str(runs.parent / "suite.toml")
    assert run(["bench", suite, "--only", "quick", "-o", str(runs)]) == 0
    assert f"dovetail report {runs} --suite {suite} -o REPORT.html" in capsys.readouterr().out
