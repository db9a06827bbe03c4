"""Files of solutions as `solve` writes and `verify` reads them."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from cli.command import DOVETAIL, dovetail
from dovetail.cli.main import run
from dovetail.puzzles.formats.registry import format_named
from dovetail.puzzles.loading import load


@pytest.mark.parametrize("suffix", [".txt", ".jsonl", ".json", ".csv"])
def test_a_limit_leaves_a_whole_file(tmp_path: Path, suffix: str) -> None:
    """Every format can be read back when a node limit cut the run."""
    path = tmp_path / f"solutions{suffix}"
    done = dovetail("solve", "queens-12", "-o", path, "--node-limit", "20000")
    assert done.returncode == 3
    done = dovetail("verify", "queens-12", path)
    assert done.returncode == 0
    assert "all valid" in done.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_signal_leaves_whole_json(tmp_path: Path, number: signal.Signals) -> None:
    """The closing is written, and what was found is right; 130 whichever signal it was."""
    if signal.getsignal(number) == signal.SIG_IGN:
        pytest.skip(f"{number.name} is ignored here, as under nohup, and so by what is started")
    path = tmp_path / "solutions.json"
    words = [*DOVETAIL, "solve", "queens-30", "--symmetry", "all", "-o", str(path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while process.poll() is None and not (path.exists() and path.stat().st_size):
            time.sleep(0.02)
        process.send_signal(number)
        process.send_signal(number if number != signal.SIGINT else 0)  # said twice
        out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, f"wrote {path}\n".encode())
    assert b"(interrupted)" in out
    assert len(json.loads(path.read_text())["solutions"]) > 0


def test_a_refusal_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    """One that is there, and one that is not."""
    kept, none = tmp_path / "kept.txt", tmp_path / "none.txt"
    kept.write_text("before")
    for path in (kept, none):
        done = dovetail("solve", "edges-4-b3i3-1", "-b", "xcover", "-o", path)
        assert (done.returncode, done.stderr) == (2, "")
        assert "xcover" in done.stdout or "(skipped)" in done.stdout
    assert kept.read_text() == "before"
    assert not none.exists()
    assert dovetail("solve", "queens-3", "-o", kept).returncode == 0
    assert kept.read_text() == ""  # that it has no solution is an answer


# A piece of three in a row and one of one cell, in a square of 2 x 2.
IMPOSSIBLE = """\
name = "impossible"
box = [2, 2]

[[piece]]
name = "I"
cells = [[0, 0], [1, 0], [2, 0]]

[[piece]]
name = "O"
cells = [[0, 0]]
"""


@pytest.mark.parametrize("suffix", [".svg", ".html"])
@pytest.mark.parametrize("held", [None, "before"])
def test_there_is_no_picture_without_a_solution(
    tmp_path: Path, suffix: str, held: str | None
) -> None:
    """A line says so, and a file that is there stays."""
    puzzle, output = tmp_path / "impossible.toml", tmp_path / f"picture{suffix}"
    puzzle.write_text(IMPOSSIBLE)
    if held is not None:
        output.write_text(held)
    done = dovetail("solve", puzzle, "-b", "dlx", "-o", output)
    assert done.returncode == 0
    message = f"impossible has no solution to draw, so {output} is not written\n"
    assert done.stderr == f"dovetail: {message}"
    assert (output.read_text() if output.exists() else None) == held


def test_solutions_without_a_picture_may_be_none(tmp_path: Path) -> None:
    """A text or a list of no solution is data."""
    puzzle = tmp_path / "impossible.toml"
    puzzle.write_text(IMPOSSIBLE)
    for suffix in (".txt", ".json", ".csv"):
        output = tmp_path / f"solutions{suffix}"
        assert dovetail("solve", puzzle, "-b", "dlx", "-o", output).returncode == 0
        assert output.exists()


def test_the_puzzles_own_file_is_refused(tmp_path: Path) -> None:
    """By whatever name; it is left as it was."""
    puzzle, other_name = tmp_path / "soma.def", tmp_path / "solutions.xmpuzzle"
    puzzle.write_text(format_named("polycube").text(load("soma-cube")))
    before = puzzle.read_text()
    other_name.hardlink_to(puzzle)
    done = dovetail("solve", puzzle, "--limit", "1", "-o", other_name)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is the file of the puzzle; expected another" in done.stderr
    assert puzzle.read_text() == before


@pytest.mark.parametrize("packed", [False, True])
def test_solutions_go_back_into_a_burrtools_file(tmp_path: Path, packed: bool) -> None:
    """What else is in it stays; it is packed if it was, and nothing lies beside it."""
    path, link = tmp_path / "soma.xmpuzzle", tmp_path / "link.xmpuzzle"
    text = format_named("burrtools").text(load("soma-cube"))
    content = text.replace("<comment/>", "<comment>mine</comment>").encode()
    path.write_bytes(gzip.compress(content) if packed else content)
    path.chmod(0o640)
    link.symlink_to(path)
    done = dovetail("solve", path, "--limit", "2", "-o", link)
    assert (done.returncode, done.stderr) == (0, f"wrote {link}\n")
    assert ": ≥ 2 unique assemblies (solution-limit)\n" in done.stdout
    assert ", 2 assemblies verified\n" in done.stdout
    assert "whether assemblies can be taken apart is not examined\n" in done.stdout
    after = path.read_bytes()
    after = gzip.decompress(after) if packed else after
    assert after.count(b"<solution>") == 2
    assert b"<comment>mine</comment>" in after
    assert (link.is_symlink(), path.stat().st_mode & 0o777) == (True, 0o640)
    assert sorted(os.listdir(tmp_path)) == ["link.xmpuzzle", "soma.xmpuzzle"]
    verified = dovetail("verify", path, path)
    assert (verified.returncode, verified.stdout) == (0, "soma: 2 assemblies, all valid\n")


def test_names_of_others(tmp_path: Path) -> None:
    """Identified by shape when asked for; else the error suggests it."""
    path = tmp_path / "solutions.txt"
    done = dovetail("solve", "pentominoes-5x6-FLNPUY", "--limit", "1", "-o", path)
    text = path.read_text()
    path.write_text(text.translate(str.maketrans("FLNPUY", "qrstuv")))
    done = dovetail("verify", "pentominoes-5x6-FLNPUY", path)
    assert done.returncode == 1
    assert "there is no piece" in done.stdout
    assert "--by-shape" in done.stdout
    assert dovetail("verify", "pentominoes-5x6-FLNPUY", path, "--by-shape").returncode == 0
    path.write_text(text.translate(str.maketrans("FLNPUY", "LNPUYF")))  # names, but of others
    done = dovetail("verify", "pentominoes-5x6-FLNPUY", path)
    assert (done.returncode, "--by-shape" in done.stdout) == (1, True)
    path.write_text(text.replace("F", ".", 1))
    done = dovetail("verify", "pentominoes-5x6-FLNPUY", path, "--by-shape")
    assert done.returncode == 1
    assert "'F' on " in done.stdout
    assert "does not match the shape of any piece" in done.stdout


def test_two_symbols_of_a_piece(tmp_path: Path) -> None:
    """`--fold` makes one piece of them."""
    path = tmp_path / "solutions.txt"
    dovetail("solve", "pentominoes-5x6-FLNPUY", "--limit", "1", "-o", path)
    path.write_text(path.read_text().replace("F", "f", 2).replace("Y", "&", 3))
    assert dovetail("verify", "pentominoes-5x6-FLNPUY", path).returncode == 1
    done = dovetail("verify", "pentominoes-5x6-FLNPUY", path, "--fold", "f=F,&=Y")
    assert (done.returncode, done.stdout.count("all valid")) == (0, 1)
    done = dovetail("verify", "queens-6", path, "--fold", "f=F")
    assert done.returncode == 2
    assert "are for packing puzzles" in done.stderr


BURR = """\
<?xml version="1.0"{declaration}?>
<puzzle version="2"><gridType type="0"/><!-- {author} --><shapes>
<voxel x="2" y="1" z="1" type="0" name="{author}">##</voxel>
<voxel x="2" y="2" z="1" type="0">####</voxel></shapes>
<problems><problem><shapes><shape id="0" count="2"/></shapes><result id="1"/>\
<solutions></solutions></problem></problems><comment>{author}</comment>
</puzzle>
"""
SOLVED = "<solutions>\n    <solution><assembly>0 0 0 0 0 1 0 0</assembly></solution>\n</solutions>"


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("encoding", "declaration", "author"),
    [
        ("latin-1", "", "Röver"),
        ("latin-1", ' encoding="ISO-8859-1"', "Röver"),
        ("cp1251", ' encoding="windows-1251"', "Рёвер"),
        ("utf-8", ' encoding="UTF-8"', "Röver ☃"),
        ("utf-16", ' encoding="UTF-16"', "Röver ☃"),
        ("latin-1", "", "R\xf6ver \x81"),
    ],
)
def test_solutions_go_back_into_a_file_in_its_encoding(
    tmp_path: Path, encoding: str, declaration: str, author: str, packed: bool
) -> None:
    """All bytes around them stay as they are, in the puzzle's own file and in another one."""
    content = BURR.format(declaration=declaration, author=author).encode(encoding)
    own, other, third = (tmp_path / f"{name}.xmpuzzle" for name in ("own", "other", "third"))
    own.write_bytes(gzip.compress(content) if packed else content)
    assert run(["solve", str(own), "-b", "dlx", "-o", str(other)]) == 0
    assert run(["convert", str(other), str(third), "--solutions-of", str(own)]) == 0
    assert run(["solve", str(own), "-b", "dlx", "-o", str(own)]) == 0
    unmarked = "utf-16-le" if encoding == "utf-16" else encoding
    empty = "<solutions></solutions>".encode(unmarked)
    expected = content.replace(empty, SOLVED.encode(unmarked))
    assert expected != content
    assert other.read_bytes() == third.read_bytes() == expected
    assert (gzip.decompress(own.read_bytes()) if packed else own.read_bytes()) == expected
    assert run(["verify", str(own), str(own)]) == 0
