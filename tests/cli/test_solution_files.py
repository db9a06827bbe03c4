"""Files of solutions and pictures, and colours in a terminal."""

from __future__ import annotations

import gzip
import json
import os
import pty
import re
import signal
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli.command import DOVETAIL, dovetail, interrupted_when
from dovetail.cli.main import run
from dovetail.puzzles.formats.registry import format_named
from dovetail.puzzles.loading import load


@pytest.mark.parametrize("suffix", [".txt", ".csv"])
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


@pytest.mark.parametrize(
    ("command", "form", "name"),
    [
        ("solve", "json", "edges-4-b3i3-1"),
        ("sample", "json", "edges-4-b3i3-1"),
        ("trace", "toml", "pentominoes-3x20"),
    ],
)
def test_a_puzzle_is_not_overwritten(tmp_path: Path, command: str, form: str, name: str) -> None:
    path = tmp_path / f"puzzle.{form}"
    path.write_text(format_named(form).text(load(name)))
    before = path.read_text()
    done = dovetail(command, path, "-o", path)
    assert (done.returncode, path.read_text()) == (2, before)
    assert "is the file of the puzzle; expected another" in done.stderr


def test_a_packed_puzzle_is_not_overwritten(tmp_path: Path) -> None:
    board, solutions = tmp_path / "board.txt.gz", tmp_path / "solutions.json"
    board.write_bytes(gzip.compress(format_named("edges").text(load("edges-4-b3i3-1")).encode()))
    before = board.read_bytes()
    assert dovetail("solve", board, "-o", solutions).returncode == 0
    done = dovetail("convert", solutions, board, "--solutions-of", board)
    assert (done.returncode, board.read_bytes()) == (2, before)
    assert "is the file of the puzzle; expected another" in done.stderr


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
        ("latin-1", ' encoding="ISO-8859-1"', "Röver"),
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


COLOUR = re.compile(r"\x1b\[38;2;[0-9;]+m")


def in_a_terminal(words: Iterable[str], **environment: str) -> str:
    """What the command shows there, the codes of colours included."""
    ours, theirs = pty.openpty()
    variables = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    variables |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"} | environment
    with subprocess.Popen(
        [*DOVETAIL, *words], stdout=theirs, stderr=subprocess.DEVNULL, env=variables
    ):
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 65536):
                shown += part
        except OSError:  # Linux tells the end of a terminal so
            pass
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("command", ["solve", "sample"])
def test_solutions_as_pictures(tmp_path: Path, command: str) -> None:
    """By the suffix."""
    count = ("--limit", "2") if command == "solve" else ("-n", "2")
    for suffix in (".svg", ".html"):
        path = tmp_path / f"x{suffix}"
        assert run([command, "pentominoes-3x20", *count, "-o", str(path)]) == 0
        assert path.read_text().count("<title>solution ") == 2


def test_show_draws_one_puzzle_as_svg_and_several_on_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, drawing = tmp_path / "x.html", tmp_path / "x.svg"
    assert run(["show", "soma-cube", "edges-3-2-1", "queens-6", "-o", str(page)]) == 0
    assert page.read_text().count("<section>") == 3
    assert run(["show", "pentominoes-6x10", "-o", str(drawing)]) == 0
    assert len(list(ElementTree.parse(drawing).iter("{http://www.w3.org/2000/svg}path"))) == 14
    for words, message in (
        (["soma-cube", "edges-3-2-1", "-o", str(drawing)], ".svg cannot show 2 puzzles"),
        (["soma-cube", "-o", "x.png"], "is no kind of picture; valid: .svg, .html\n"),
    ):
        assert run(["show", *words]) == 2
        assert message in capsys.readouterr().err


def test_a_terminal_shows_the_words_of_a_pipe_in_colours(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words in (["solve", "pentominoes-3x20"], ["show", "edges-3-2-1"]):
        shown = in_a_terminal(words)
        assert COLOUR.search(shown)
        assert run(words) == 0
        assert re.sub(r"\x1b\[[0-9;]*m", "", shown) == capsys.readouterr().out


def test_no_color_and_dumb_terminals_show_no_colours() -> None:
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb", "COLORTERM": ""}):
        shown = in_a_terminal(["show", "soma-cube"], **environment)
        assert shown.startswith("soma-cube: 7 kinds of piece")
        assert "\x1b" not in shown


@pytest.mark.parametrize("suffix", [".html", ".svg"])
def test_a_signal_leaves_a_whole_file(tmp_path: Path, suffix: str) -> None:
    """What was found until then, and the end of the file."""
    path = tmp_path / f"x{suffix}"
    words = ["solve", "one-sided-pentominoes-5x18", "-b", "dlx", "-o", str(path)]
    done, _ = interrupted_when(lambda progress: (progress["count"] or 0) > 0, *words)
    assert done.returncode == 130
    assert "(interrupted)" in done.stdout
    assert all("more solutions not drawn" in line for line in done.stderr.splitlines())
    text = path.read_text()
    if suffix == ".svg":
        ElementTree.fromstring(text)
    else:
        assert text.endswith("</body></html>\n")
