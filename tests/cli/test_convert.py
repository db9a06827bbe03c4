"""`dovetail convert` and `dovetail generate`, as typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.command import dovetail
from dovetail.api import solve
from dovetail.models.solution import CoverSolution
from dovetail.models.task import as_cover
from dovetail.puzzles.loading import load


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("soma-cube", "a.def b.toml c.txt d.toml.gz"),
        ("edges-4x5-b3i4-1", "a.json b.url c.txt d.url.gz e.json"),
    ],
)
def test_a_puzzle_goes_round_through_every_format_by_suffix(
    tmp_path: Path, name: str, files: str
) -> None:
    before = name
    for path in (tmp_path / file for file in files.split()):
        done = dovetail("convert", before, path)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", f"wrote {path}\n")
        before = str(path)
    assert load(before).digest == load(name).digest
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == path.name.endswith(".gz")


def test_a_cover_problem_keeps_rotations_and_a_note_says_so(tmp_path: Path) -> None:
    path = tmp_path / "soma.dlx"
    done = dovetail("convert", "soma-cube", path)
    assert (done.returncode, done.stdout) == (0, "")
    assert "dovetail: soma-cube is written with its rotations only; " in done.stderr
    assert "480 solutions up to symmetry; 11,520 in all" in dovetail("count", path).stdout
    assert dovetail("convert", "langford-4", "-", "--to", "knuth").stdout.startswith("| ")


def test_weights_and_groups_are_lost_with_a_note(tmp_path: Path) -> None:
    burr, *others = (tmp_path / name for name in ("soma.xmpuzzle", "again.xmpuzzle", "soma.toml"))
    assert dovetail("convert", "soma-cube", burr).returncode == 0
    text = burr.read_text()
    for changed in ('weight="2"', 'group="1"', ""):
        burr.write_text(text.replace('count="1"', f'count="1" {changed}', 1))
        notes = [dovetail("convert", burr, path).stderr for path in others]
        assert ["without weights and groups" in note for note in notes] == [False, changed != ""]


def test_output_of_a_solver_for_a_formulation_is_verified(tmp_path: Path) -> None:
    words = ("convert", "edges-2-2-1", "-", "--to", "dimacs")
    text = dovetail(*words, "--formulation", "edge-variables").stdout
    assert "c edge colour 0|1,0:2 is variable 13\nc edge colour" in text
    cover = dovetail(*words, "--formulation", "cover").stdout
    assert cover == dovetail(*words).stdout
    assert "edge colour" not in cover
    (board, *_) = solve(as_cover(load("edges-2-2-1")))
    assert isinstance(board, CoverSolution)
    values = (str(v if v - 1 in board.options else -v) for v in range(1, 21))
    (tmp_path / "printed.txt").write_text(f"v {' '.join(values)} 0\n")
    done = dovetail("verify", "edges-2-2-1", tmp_path / "printed.txt")
    assert "1 solution, all valid" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("soma-cube x.ods", "unknown suffix of a puzzle file '.ods'; valid: .cnf, .csv, .def"),
        ("hypercube-paths-2x3x3x5 x.def", "expected two or three"),
        ("soma-cube x.def --size 4 --from toml", "are for the format edges"),
        ("s.txt x.csv --solutions-of edges-2-2-1 --to solution-csv", "expected no --to"),
        ("s.txt x.csv --solutions-of edges-2-2-1 --size 3", "expected no --to"),
    ],
)
def test_a_refusal_is_one_line_and_leaves_the_target_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    source, target, *more = words.split()
    Path("s.txt").write_text("0/0 1/0\n2/0 3/0\n")
    for before in (None, "precious"):
        if before and "x." in target and "/" not in target:
            Path(target).write_text(before)
        done = dovetail("convert", source, target, *more)
        assert done.returncode == 2
        assert message in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert all(path.read_text() == "precious" for path in tmp_path.glob("x.*"))


def test_generate(tmp_path: Path) -> None:
    """The board of the catalogue with the same parameters, to a file or to the terminal."""
    words = ("--size", "4", "--border-colours", "3", "--inner-colours", "3", "--seed", "1")
    path = tmp_path / "board.txt"
    assert dovetail("generate", "edges", *words, "-o", path).returncode == 0
    assert load(path).digest == load("edges-4-b3i3-1").digest
    assert dovetail("generate", "edges", *words).stdout == path.read_text()
    done = dovetail("generate", "edges", "--size", "0", "--inner-colours", "3")
    assert (done.returncode, "expected 1 to 64" in done.stderr) == (2, True)
