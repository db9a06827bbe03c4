"""`dovetail convert` and `dovetail generate`, as typed."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from cli.command import dovetail
from dovetail.api import solve
from dovetail.models.solution import CoverSolution
from dovetail.models.task import as_cover
from dovetail.puzzles.loading import load, load_all


def test_a_puzzle_goes_round(tmp_path: Path) -> None:
    """Through every format that can hold it, by the suffix of the file."""
    before = "soma-cube"
    for name in ("a.def", "b.toml", "c.txt", "d.xmpuzzle"):
        done = dovetail("convert", before, tmp_path / name)
        written = f"wrote {tmp_path / name}\n"
        assert (done.returncode, done.stdout, done.stderr) == (0, "", written)
        before = str(tmp_path / name)
    assert load(tmp_path / "c.txt").digest == load("soma-cube").digest
    assert "480 unique" in dovetail("count", before).stdout


def test_as_a_cover_problem(tmp_path: Path) -> None:
    """For Knuth's programs; `unique` counts are kept, and that `mirror` is not is said."""
    done = dovetail("convert", "soma-cube", tmp_path / "soma.dlx")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == (
        f"wrote {tmp_path / 'soma.dlx'}\n"
        "dovetail: soma-cube is written with its rotations only; for the cover problem, "
        "--symmetry mirror gives the same count as unique\n"
    )
    done = dovetail("convert", "pentominoes-3x20", tmp_path / "flat.dlx", "-q")
    assert (done.returncode, done.stderr) == (0, "")
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
    assert (done.returncode, done.stderr) == (0, f"wrote {back}\n")
    assert load(back).digest == board.digest
    done = dovetail("convert", bare, back, "--no-header", "--sides", "lbrt")
    assert (done.returncode, "20 tiles and no size" in done.stderr) == (2, True)


def test_a_model_of_edge_matching(tmp_path: Path) -> None:
    """In input of solvers, what they print for it is verified; packed if the name says so."""
    path, printed = tmp_path / "board.cnf.gz", tmp_path / "printed.txt"
    done = dovetail("convert", "edges-2-2-1", path, "--formulation", "edge-variables")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"wrote {path}\n")
    text = gzip.decompress(path.read_bytes()).decode()
    assert "c edge colour 0|1,0:2 is variable 13\nc edge colour" in text
    assert "c p show 1 2 3 4 5 6 7 8 9 10 11 12 0\n" in text
    cover = dovetail(
        "convert", "edges-2-2-1", "-", "--to", "dimacs", "--formulation", "cover"
    ).stdout
    assert cover == dovetail("convert", "edges-2-2-1", "-", "--to", "dimacs").stdout
    assert "edge colour" not in cover
    (board, *_) = solve(as_cover(load("edges-2-2-1")))
    assert isinstance(board, CoverSolution)
    words = (str(v if v - 1 in board.options else -v) for v in range(1, 21))
    printed.write_text(f"v {' '.join(words)} 0\n")
    assert "1 solution, all valid" in dovetail("verify", "edges-2-2-1", printed).stdout


def test_an_edge_board_goes_round(tmp_path: Path) -> None:
    """Through the formats of edge matching, by the suffix of the file."""
    before = "edges-4x5-b3i4-1"
    for name in ("a.json", "b.url", "c.txt", "d.url.gz", "e.json"):
        done = dovetail("convert", before, tmp_path / name)
        written = f"wrote {tmp_path / name}\n"
        assert (done.returncode, done.stdout, done.stderr) == (0, "", written)
        before = str(tmp_path / name)
    assert load(tmp_path / "e.json").digest == load("edges-4x5-b3i4-1").digest


def test_boards_are_converted(tmp_path: Path) -> None:
    """Solutions of edge matching through URLs, with and without the numbers of tiles."""
    text, urls, bare = tmp_path / "s.txt", tmp_path / "s.url", tmp_path / "bare.url"
    words = ("--solutions-of", "edges-4x5-b3i4-1")
    dovetail("solve", "edges-4x5-b3i4-1", "-o", text)
    assert dovetail("convert", text, urls, *words).returncode == 0
    assert dovetail("convert", urls, "-", *words).stdout == text.read_text()
    bare.write_text(re.sub("&board_pieces=[0-9]+", "", urls.read_text()))
    assert "all valid" in dovetail("verify", "edges-4x5-b3i4-1", bare).stdout
    done = dovetail("convert", text, tmp_path / "s.xmpuzzle", *words)
    assert (done.returncode, "support packing puzzles only" in done.stderr) == (2, True)


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


BOTH = "".join(
    f"D:xDim={x}:yDim=1:zDim=1\nC:name=A:layout={layout}\n~D\n"
    for x, layout in ((1, "0 0 0"), (2, "0 0 0, 1 0 0"))
)


def test_several_puzzles_in_one_file(tmp_path: Path) -> None:
    """All are written where a file holds several, one where it is named; else it is refused."""
    source, target = tmp_path / "both.def", tmp_path / "again.def"
    source.write_text(BOTH)
    assert dovetail("convert", source, target).returncode == 0
    assert [p.digest for p in load_all(target)] == [p.digest for p in load_all(source)]
    done = dovetail("convert", source, tmp_path / "one.toml")
    assert done.returncode == 2
    assert done.stderr.endswith("not 2; choose one with FILE#N\n")
    assert "a file of format toml holds one puzzle" in done.stderr
    assert dovetail("convert", f"{source}#2", tmp_path / "one.toml").returncode == 0
    assert load(tmp_path / "one.toml").digest == load_all(source)[1].digest


@pytest.mark.parametrize("name", ["soma.toml.gz", "soma.def.gz", "soma.xmpuzzle.GZ"])
def test_packed_files(tmp_path: Path, name: str) -> None:
    """What is called .gz is packed, the same each time, and can be read."""
    path = tmp_path / name
    assert dovetail("convert", "soma-cube", path).returncode == 0
    first = path.read_bytes()
    assert first[:3] == b"\x1f\x8b\x08"
    assert first[4:8] == bytes(4)  # no time
    assert len(load(path).pieces) == 7  # type: ignore[union-attr]
    assert dovetail("convert", "soma-cube", path).returncode == 0
    assert path.read_bytes() == first


def test_solutions_go_back_into_their_file(tmp_path: Path) -> None:
    """Of a BurrTools puzzle: what else its file says stays."""
    source = tmp_path / "soma.xmpuzzle"
    dovetail("convert", "soma-cube", source)
    source.write_text(source.read_text().replace("<comment/>", "<comment>mine</comment>"))
    first, target = tmp_path / "s.txt", tmp_path / "t.xmpuzzle"
    dovetail("solve", source, "--limit", "2", "-o", first)
    assert dovetail("convert", first, target, "--solutions-of", source).returncode == 0
    assert "<comment>mine</comment>" in target.read_text()
    assert "2 assemblies, all valid" in dovetail("verify", source, target).stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("soma-cube", "x.ods"), "unknown suffix of a puzzle file '.ods'; valid: .cnf, .csv, .def"),
        (("soma-cube", "x.csv"), "cannot represent soma-cube"),
        (("soma-cube", "-"), "expected --to FORMAT"),
        (("soma-cube", "x.txt", "--to", "edges"), "cannot represent soma-cube"),
        (("queens-6", "x.toml"), "cannot represent queens-6"),
        (("hypercube-paths-2x3x3x5", "x.def"), "expected two or three"),
        (("soma-cube", "missing/x.def"), "cannot be written (No such file"),
        (("soma-cube", "x.def", "--sides", "tlbr"), "cannot be read (No such file"),
        (("suites/quick.toml", "x.def"), "suites/quick.toml:4: unknown key 'about'"),
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
