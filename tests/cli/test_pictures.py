"""Pictures that commands write, and colours in a terminal."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli.command import DOVETAIL, interrupted_when
from dovetail.cli.main import run

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


def test_an_unknown_suffix_names_all_that_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of pictures too; a cover has no SVG."""
    assert run(["solve", "queens-6", "-o", str(tmp_path / "x.png")]) == 2
    valid = "valid: .txt, .jsonl, .json, .csv, .xmpuzzle, .e2.url, .url, .svg, .html"
    assert capsys.readouterr().err == f"dovetail: unknown suffix '.png'; {valid}\n"
    assert run(["solve", "queens-6", "-o", str(tmp_path / "x.svg")]) == 2
    assert "use .html" in capsys.readouterr().err
    assert os.listdir(tmp_path) == []


def test_what_is_not_drawn_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the file and on standard error."""
    path = tmp_path / "x.svg"
    assert run(["solve", "pentominoes-6x10", "--limit", "203", "-o", str(path)]) == 0
    omitted = "has reached its limit; omitted: 3 solutions"
    assert capsys.readouterr().err == f"dovetail: {path} {omitted}\nwrote {path}\n"
    assert "200 solutions in this file; 3 more omitted" in path.read_text()


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


def test_show_draws_one_puzzle_as_svg_and_several_on_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, drawing = tmp_path / "x.html", tmp_path / "x.svg"
    assert run(["show", "soma-cube", "edges-3-2-1", "queens-6", "-o", str(page)]) == 0
    assert page.read_text().count("<section>") == 3
    assert run(["show", "soma-cube", "-o", str(drawing)]) == 0
    assert len(list(ElementTree.parse(drawing).iter("{http://www.w3.org/2000/svg}path"))) == 9
    for words, message in (
        (["soma-cube", "edges-3-2-1", "-o", str(drawing)], "2 puzzles in one .svg"),
        (["soma-cube", "-o", "x.png"], "unknown kind of picture; valid: .svg, .html\n"),
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
