"""`dovetail report` and `dovetail site`, from the bench to the pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.command import dovetail
from dovetail.cli.main import run
from harness.exhibits.suites import SUITE, written
from harness.records.made import fields


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
    ("name", "begin"),
    [
        ("r.html", "<!DOCTYPE html>\n<html"),
        ("r.csv", "puzzle,digest,symmetry,labelled,backend,settings,job,"),
        ("r.csv --format md", "# exhibits"),
    ],
)
def test_records_alone_are_reported_in_the_format_of_the_name_or_option(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, begin: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["report", str(runs), "-o", *name.split()]) == 0
    assert Path(name.split(maxsplit=1)[0]).read_text().startswith(begin)


def test_a_report_with_exhibits_has_those_of_the_suite(runs: Path, tmp_path: Path) -> None:
    for name, expected in (
        ("r.html", "Nodes &lt;of&gt; every approach</h2>"),
        ("r.csv", "choices,measured,edges-4-b3i3-1,1,per edge,exh"),
    ):
        assert report(runs, tmp_path / name) == 0
        assert expected in (tmp_path / name).read_text()


def test_a_torn_last_line_is_passed_over(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a word on it; the file stays as it is."""
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(runs.read_bytes() + b'{"schema": 4, "jo')
    before = torn.read_bytes()
    assert report(torn, tmp_path / "r.md", runs.parent / "suite.toml") == 0
    expected = f"{torn}: 1 line skipped: line 5: incomplete (17 bytes)"
    written = f"wrote {tmp_path / 'r.md'}"
    assert capsys.readouterr().err == f"dovetail: {expected}\n{written}\n"
    assert torn.read_bytes() == before
    text = (tmp_path / "r.md").read_text()
    assert "4 records of 5 planned runs" in text
    assert "1 line skipped: line 5: incomplete (17 bytes)**\n" in text


def test_what_cannot_be_reported_is_refused_in_one_line(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other, copied, foreign = (
        tmp_path / name for name in ("other.jsonl", "runs.md", "foreign.jsonl")
    )
    other.write_text('{"schema": 3, "job": "x", "repeat": 0}\n')
    copied.write_bytes(runs.read_bytes())
    foreign.write_text(json.dumps(fields()) + "\n")
    suite = runs.parent / "suite.toml"
    for records, output, expected in (
        (runs, "r.pdf", "r.pdf; expected a suffix of .html, .md, .csv, .tex, or --format"),
        (tmp_path / "no.jsonl", "r.md", "no.jsonl: cannot be read"),
        (other, "r.md", "no run records; lines skipped: 1; line 1: schema is 3; expected"),
        (suite, "r.md", "line 1: not JSON; expected a run record per line"),
        (runs, "no/r.md", "r.md cannot be written"),
        (foreign, "r.md", "foreign.jsonl; the suite may have changed"),
        (copied, "runs.md", "runs.md, an input; expected another name"),
    ):
        assert report(records, tmp_path / output, suite) == 2
        error = capsys.readouterr().err
        assert expected in error
        assert error.count("\n") == 1
    assert not (tmp_path / "r.md").exists()


@pytest.fixture
def runs_site(tmp_path: Path) -> Path:
    """A file with one record."""
    path = tmp_path / "runs.jsonl"
    path.write_text(json.dumps(fields()) + "\n")
    return path


def test_a_site_is_written_and_replaced(runs_site: Path, tmp_path: Path) -> None:
    """A file that is named twice counts once; pages of an earlier time are gone."""
    folder = tmp_path / "site"
    done = dovetail(
        "site", runs_site, runs_site.parent / "." / "runs.jsonl", "-o", folder, "--title", "A & B"
    )
    written = f"wrote {folder / 'index.html'}: 13 files, 1 record\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, "", written)
    assert "<h1>A &amp; B</h1>" in (folder / "index.html").read_text()
    assert (folder / "puzzles/box.html").exists()
    runs_site.write_text(json.dumps(fields("crate")) + "\n{tor")
    done = dovetail("site", runs_site, "-o", folder, "-q")
    assert done.returncode == 0
    skipped = "1 line skipped: line 2: not JSON; expected a run record per line"
    assert done.stderr == f"dovetail: {runs_site}: {skipped}\n"
    assert not (folder / "puzzles/box.html").exists()
    assert str(tmp_path) not in (folder / "index.html").read_text()


def test_an_unusable_file_or_folder_is_refused_and_nothing_written(
    runs_site: Path, tmp_path: Path
) -> None:
    old, site = tmp_path / "old.jsonl", tmp_path / "site"
    old.write_text('{"schema": 3, "job": "x", "repeat": 0}\n')
    for source, output, expected in (
        (old, site, "line 1: schema is 3; expected 4"),
        (tmp_path / "no.jsonl", site, "no.jsonl: cannot be read (No such file or directory)"),
        (runs_site, tmp_path, "is not empty and holds no .dovetail-site; expected an empty or new"),
        (runs_site, Path("-"), "-o - is standard output; expected a folder"),
        (runs_site, runs_site, "runs.jsonl cannot be written (Not a directory)"),
    ):
        done = dovetail("site", source, "-o", output)
        assert done.returncode == 2
        assert expected in done.stderr
        assert done.stderr.count("\n") == 1
    assert not site.exists()
    assert dovetail("site", runs_site, "-o", site).returncode == 0
    done = dovetail("site", site / "records" / "runs.jsonl", "-o", site)
    assert (done.returncode, "runs.jsonl, an input" in done.stderr) == (2, True)
