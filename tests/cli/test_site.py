"""`dovetail site`: what it writes and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.command import dovetail
from harness.records.made import fields


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A file with one record."""
    path = tmp_path / "runs.jsonl"
    path.write_text(json.dumps(fields()) + "\n")
    return path


def test_a_site_is_written_and_replaced(runs: Path, tmp_path: Path) -> None:
    """A file that is named twice counts once; pages of an earlier time are gone."""
    folder = tmp_path / "site"
    done = dovetail(
        "site", runs, runs.parent / "." / "runs.jsonl", "-o", folder, "--title", "A & B"
    )
    written = f"wrote {folder / 'index.html'}: 13 files, 1 record\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, "", written)
    assert "<h1>A &amp; B</h1>" in (folder / "index.html").read_text()
    assert (folder / "puzzles/box.html").exists()
    runs.write_text(json.dumps(fields("crate")) + "\n{tor")
    done = dovetail("site", runs, "-o", folder, "-q")
    assert done.returncode == 0
    skipped = "1 line skipped: line 2: not JSON; expected a run record per line"
    assert done.stderr == f"dovetail: {runs}: {skipped}\n"
    assert not (folder / "puzzles/box.html").exists()
    assert str(tmp_path) not in (folder / "index.html").read_text()


def test_an_unusable_file_or_folder_is_refused_and_nothing_written(
    runs: Path, tmp_path: Path
) -> None:
    old, site = tmp_path / "old.jsonl", tmp_path / "site"
    old.write_text('{"schema": 3, "job": "x", "repeat": 0}\n')
    for source, output, expected in (
        (old, site, "line 1: schema is 3; expected 4"),
        (tmp_path / "no.jsonl", site, "no.jsonl: cannot be read (No such file or directory)"),
        (runs, tmp_path, "is not empty and holds no .dovetail-site; expected an empty or new"),
        (runs, Path("-"), "-o - is standard output; expected a folder"),
        (runs, runs, "runs.jsonl cannot be written (Not a directory)"),
    ):
        done = dovetail("site", source, "-o", output)
        assert done.returncode == 2
        assert expected in done.stderr
        assert done.stderr.count("\n") == 1
    assert not site.exists()
    assert dovetail("site", runs, "-o", site).returncode == 0
    done = dovetail("site", site / "records" / "runs.jsonl", "-o", site)
    assert (done.returncode, "runs.jsonl, an input" in done.stderr) == (2, True)
