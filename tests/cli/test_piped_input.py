"""Inputs of commands: standard input, pipes, and files without content."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from cli.command import dovetail
from dovetail.cli.main import run
from dovetail.errors import FormatError
from dovetail.files.text_file import TextFile
from dovetail.puzzles.formats.registry import puzzle_formats, read_solutions, solution_formats
from dovetail.puzzles.loading import load, load_all

PUZZLE = """\
name = "a row"
box = [4, 1]
sets = ["dominoes"]
[[piece]]
like = "dominoes:I2"
name = "J"
"""
TWO = "".join(
    f"D:xDim={x}:yDim=1:zDim=1\nC:name=A:layout={layout}\n~D\n"
    for x, layout in ((1, "0 0 0"), (2, "0 0 0, 1 0 0"))
)
Commands = Callable[..., str]
SUITE = 'name = "small"\n[[run]]\npuzzles = ["queens-6"]\nbackends = ["dlx"]\n'


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Commands:
    """Run commands in a folder with a text on standard input; return both streams."""
    monkeypatch.chdir(tmp_path)

    def with_input(text: str, *words: str, status: int = 0) -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        ended = run([*words])
        printed = capsys.readouterr()
        assert ended == status, printed
        return printed.out + printed.err

    return with_input


def test_puzzles(command: Commands) -> None:
    """Every command that takes a puzzle takes `-`."""
    assert command(PUZZLE, "count", "-", "-b", "dlx").startswith("a row: 1 solution\n")
    assert "I2 I2  J  J" in command(PUZZLE, "solve", "-", "-b", "dlx")
    assert command(PUZZLE, "disassemble", "-", "-b", "dlx").startswith("1: level 1")
    assert command(PUZZLE, "show", "-").startswith("a row: 2 kinds of piece")
    assert "a row" in command(PUZZLE, "explain", "-")
    assert "a row" in command(PUZZLE, "estimate", "-", "--descents", "10")
    assert '"puzzle": "a row"' in command(PUZZLE, "trace", "-")
    trials = command(PUZZLE, "trials", "-", "--trials", "2", "--remaining", "1")
    assert "of 2 trials" in trials
    assert "D:xDim=4" in command(PUZZLE, "convert", "-", "-", "--to", "polycube")
    assert command("0 0 1 1\n", "convert", "-", "-", "--to", "edges", "--no-header") == (
        "1 1\n0 0 1 1\n"
    )


def test_solutions(command: Commands) -> None:
    """To be verified or converted; the puzzle may come from there instead."""
    text = "J J I2 I2\n\nI2 I2 J J\n"
    Path("row.toml").write_text(PUZZLE)
    Path("solutions.txt").write_text(text)
    valid = "a row: 2 solutions, all valid\n"
    assert command(text, "verify", "row.toml", "-") == valid
    assert command(PUZZLE, "verify", "-", "solutions.txt") == valid
    wrong = command("J I2 J I2\n", "verify", "row.toml", "-", status=1)
    assert "  standard input:1: " in wrong
    both = command(PUZZLE, "verify", "-", "-", status=2)
    assert both == "dovetail: standard input: empty; expected a file (only one argument can be -)\n"
    command(text, "convert", "-", "out.csv", "--solutions-of", "row.toml")
    assert Path("out.csv").read_text().startswith("solution,piece,copy,x,y\n")


def test_suites_and_records(command: Commands) -> None:
    """`bench -`, `report -` and `compare -`."""
    command(SUITE, "bench", "-", "-o", "runs.jsonl")
    records = Path("runs.jsonl").read_text()
    assert command(records, "report", "-", "-o", "-", "--format", "md").startswith("# ")
    assert command(records, "report", "-", "-o", "-", "--format", "csv").count("\n") == 2
    assert command(SUITE, "report", "runs.jsonl", "--suite", "-", "-o", "report.html").startswith(
        "wrote "
    )
    printed = command(records, "compare", "runs.jsonl", "-")
    assert printed.startswith("runs.jsonl → standard input\n")
    nothing = command("{}\n", "report", "-", "-o", "x.md", status=2)
    assert nothing.startswith("dovetail: standard input: no run records")
    own = command(records, "report", "runs.jsonl", "-o", "runs.jsonl", "--format", "md", status=2)
    assert "runs.jsonl, an input; expected another name" in own


@pytest.mark.parametrize("words", ["show -", "bench -"])
def test_an_empty_input(command: Commands, words: str) -> None:
    """Is one line."""
    printed = command("", *words.split(), status=2)
    assert (
        printed == "dovetail: standard input: empty; expected a file (only one argument can be -)\n"
    )


@pytest.mark.parametrize("given", ["<(cat row.toml)", "/dev/stdin < row.toml"])
def test_what_a_shell_gives(tmp_path: Path, given: str) -> None:
    """Process substitution, the device of standard input, redirection."""
    (tmp_path / "row.toml").write_text(PUZZLE)
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m dovetail.cli.main show {given}'],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("a row: 2 kinds of piece")


READABLE = {name: one for name, one in puzzle_formats().items() if one.readable}
CONTENTS = ("", " \n\t\r\n\n")
# Of each format: in Knuth's, a line that begins with # names items.
COMMENTS = {name: "| nothing\n" if name == "knuth" else "# nothing\n" for name in READABLE}
# What begins a puzzle, or only holds one, without a puzzle.
HEADS = {
    "polycube": ("D:xDim=2:yDim=1:zDim=1\n", "D:xDim=2:yDim=1:zDim=1\n~D\n", "D:\n"),
    "toml": ('name = "nothing"\n', "box = [2, 1]\n", "[[piece]]\n"),
    "burrtools": (
        "<!-- nothing -->\n",
        '<?xml version="1.0"?>\n',
        '<puzzle version="2"/>\n',
        '<puzzle version="2"><gridType type="0"/><shapes/><problems/></puzzle>\n',
    ),
    "csv": ("2\n", "2,1\n"),
    "edges": ("2 2\n", "bounded signed 2 2\n"),
    "eternity2": ("{}\n", '{"width": 1, "height": 1, "pieces": []}\n'),
    "edges-toml": ("width = 1\nheight = 1\ntiles = []\n",),
    "json": ("{}\n", '{"width": 1, "height": 1, "tiles": []}\n'),
    "eternity2-viewer": ("https://eternity2.dev/viewer\n",),
    "viewer": ("https://e2.bucas.name/\n", "https://e2.bucas.name/#board_w=1&board_h=1\n"),
    "knuth": ("| items\n\n| options\n",),
    "matrix": ("0\n", "0 0 0\n"),
}


def refusal(path: Path, *words: str | Path) -> str:
    """What a command says that refuses the file at `path`, behind the name of the file."""
    done = dovetail(*words)
    assert (done.returncode, done.stdout) == (2, ""), (words, done)
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"dovetail: {path}:"), line
    return line.removeprefix(f"dovetail: {path}:")


@pytest.mark.parametrize("name", READABLE)
def test_files_without_a_puzzle_are_refused(tmp_path: Path, name: str) -> None:
    for (number, content), suffix in product(
        enumerate((*CONTENTS, COMMENTS[name], *HEADS[name])), READABLE[name].suffixes
    ):
        path = tmp_path / f"file{number}{suffix}"
        path.write_text(content)
        for reference, chosen in product((str(path), f"{path}#1"), (None, name)):
            with pytest.raises(FormatError) as refused:
                load_all(reference, chosen)
            assert refused.value.path == str(path)
            assert re.search("expected|not TOML", refused.value.message), (path, content)


@pytest.mark.parametrize("puzzle", ["soma-cube", "queens-6"])
def test_files_without_solutions_are_refused(tmp_path: Path, puzzle: str) -> None:
    expected = f"no solutions found; expected solutions of {puzzle}"
    contents = product([*solution_formats(), ".printed"], (*CONTENTS, "# nothing\n"))
    for suffix, content in contents:
        path = tmp_path / f"file{suffix}"
        path.write_text(content)
        with pytest.raises(FormatError, match=expected):
            list(read_solutions(TextFile(path), load(puzzle)))


@pytest.mark.parametrize("content", ['{"solutions": []}\n', "s UNSATISFIABLE\n"])
def test_a_list_of_no_solutions_is_converted_and_not_verified(tmp_path: Path, content: str) -> None:
    path, out = tmp_path / "solutions", tmp_path / "out.json"
    path.write_text(content)
    assert dovetail("convert", path, out, "--solutions-of", "soma-cube").returncode == 0
    assert json.loads(out.read_text())["solutions"] == []
    assert "no solutions found" in refusal(path, "verify", "soma-cube", path)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("x.toml", "show FILE"),
        ("x.txt", "verify soma-cube FILE"),
        ("x.jsonl", "site FILE -o site"),
        ("x.txt", "improve edges-4-b3i3-1 --start FILE"),
    ],
)
def test_every_command_refuses_empty_files_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for content in (CONTENTS[1], "# nothing\n"):
        Path(name).write_text(content)
        assert refusal(Path(name), *words.replace("FILE", name).split())
    assert [path.name for path in tmp_path.iterdir()] == [name]
