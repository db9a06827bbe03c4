"""`dovetail convert` and `dovetail generate`, as typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.test_commands import dovetail
from dovetail.puzzles.loading import load


def test_a_puzzle_goes_round(tmp_path: Path) -> None:
    """Through every format that can hold it, by the suffix of the file."""
    before = "soma-cube"
    for name in ("a.def", "b.toml", "c.txt", "d.xmpuzzle"):
        done = dovetail("convert", before, tmp_path / name)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        before = str(tmp_path / name)
    assert load(tmp_path / "c.txt").digest == load("soma-cube").digest
    assert "480 unique" in dovetail("count", before).stdout


def test_as_a_cover_problem(tmp_path: Path) -> None:
    """For Knuth's programs; `unique` counts are kept."""
    assert dovetail("convert", "soma-cube", tmp_path / "soma.dlx").returncode == 0
    assert "480 unique" in dovetail("count", tmp_path / "soma.dlx").stdout
    shown = dovetail("convert", "langford-4", "-", "--to", "knuth")
    assert shown.stdout.startswith("| ")


def test_edge_text_in_other_ways(tmp_path: Path) -> None:
    """Without a first line, with another order of sides; the board is the same."""
    board = load("edges-4x5-b3i4-1")
    bare, back = tmp_path / "bare.txt", tmp_path / "back.txt"
    lines = [f"{left} {bottom} {right} {top}" for top, right, bottom, left in board.tiles]  # type: ignore[union-attr]
    bare.write_text("\n".join(lines))
    done = dovetail("convert", bare, back, "--size", "4x5", "--sides", "lbrt")
    assert (done.returncode, done.stderr) == (0, "")
    assert load(back).digest == board.digest
    done = dovetail("convert", bare, back, "--no-header", "--sides", "lbrt")
    assert (done.returncode, "20 tiles and no size" in done.stderr) == (2, True)


def test_solutions_are_converted(tmp_path: Path) -> None:
    """From format to format, and they stay solutions."""
    first = tmp_path / "s.txt"
    dovetail("solve", "soma-cube", "--limit", "2", "-o", first)
    before = first
    for suffix in (".jsonl", ".json", ".csv", ".xmpuzzle", ".txt"):
        after = tmp_path / f"t{suffix}"
        assert dovetail("convert", before, after, "--solutions-of", "soma-cube").returncode == 0
        assert "2 solutions, all valid" in dovetail("verify", "soma-cube", after).stdout
        before = after


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("soma-cube", "x.csv"), "unknown suffix of a puzzle file '.csv'; valid: .def, .dlx"),
        (("soma-cube", "-"), "--to says the format"),
        (("soma-cube", "x.txt", "--to", "edges"), "cannot say soma-cube"),
        (("queens-6", "x.toml"), "cannot say queens-6"),
        (("hypercube-paths-2x3x3x5", "x.def"), "only of two or three"),
        (("soma-cube", "missing/x.def"), "cannot be written (No such file"),
        (("soma-cube", "x.def", "--sides", "tlbr"), "cannot be read (No such file"),
        (("suites/quick.toml", "x.def"), "suites/quick.toml:3: unknown key about"),
        (("soma-cube", "x.def", "--size", "4", "--from", "toml"), "are for the format edges"),
    ],
)
def test_refusals(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    """One line, exit status 2, and no file is left behind."""
    source, target, *more = words
    target = target if target == "-" else str(tmp_path / target)
    done = dovetail("convert", source, target, *more)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_refusal_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    """Nothing is lost."""
    path = tmp_path / "kept.toml"
    path.write_text("precious")
    assert dovetail("convert", "queens-6", path).returncode == 2
    assert path.read_text() == "precious"


def test_generate(tmp_path: Path) -> None:
    """The board of the catalogue with the same parameters, to a file or to the terminal."""
    words = ("--size", "4", "--border-colours", "3", "--inner-colours", "3", "--seed", "1")
    path = tmp_path / "board.txt"
    assert dovetail("generate", "edges", *words, "-o", path).returncode == 0
    assert load(path).digest == load("edges-4-b3i3-1").digest
    assert dovetail("generate", "edges", *words).stdout == path.read_text()
    done = dovetail("generate", "edges", "--size", "0", "--inner-colours", "3")
    assert (done.returncode, "expected 1 to 64" in done.stderr) == (2, True)
