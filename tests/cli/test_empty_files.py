"""Files without content: every command that reads one says so in one line."""

from __future__ import annotations

import gzip
import json
import re
from itertools import product
from pathlib import Path

import pytest

from cli.command import dovetail
from dovetail.errors import FormatError
from dovetail.files.text_file import TextFile
from dovetail.puzzles.formats.registry import puzzle_formats, read_solutions, solution_formats
from dovetail.puzzles.loading import load, load_all

READABLE = {name: one for name, one in puzzle_formats().items() if one.readable}
EMPTY = {"empty": "", "blank": " \n\t\r\n\n", "hash": "# nothing\n", "bar": "| nothing\n"}
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


def test_the_heads_of_all_formats() -> None:
    """A new format needs some."""
    assert HEADS.keys() == READABLE.keys()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", READABLE)
def test_puzzles(tmp_path: Path, name: str, packed: bool) -> None:
    """By suffix and by name of the format; all puzzles and one of them."""
    contents = (*(text for text in EMPTY.values() if text[:1] != "#"), COMMENTS[name], *HEADS[name])
    for (number, content), suffix in product(enumerate(contents), READABLE[name].suffixes):
        path = tmp_path / f"file{number}{suffix}{'.gz' if packed else ''}"
        data = content.encode()
        path.write_bytes(gzip.compress(data) if packed else data)
        for reference, chosen in product((str(path), f"{path}#1"), (None, name)):
            with pytest.raises(FormatError) as refused:
                load_all(reference, chosen)
            assert refused.value.path == str(path)
            assert re.search("expected|not TOML", refused.value.message), (path, content)


@pytest.mark.parametrize("command", ["show", "count", "convert", "verify"])
@pytest.mark.parametrize("name", READABLE)
def test_commands(tmp_path: Path, name: str, command: str) -> None:
    """One line, and nothing is written."""
    path, other = tmp_path / f"file{READABLE[name].suffixes[0]}", tmp_path / "other.dlx"
    for content in (COMMENTS[name], HEADS[name][-1]):
        path.write_text(content)
        assert refusal(path, command, path, *([other] if command in ("convert", "verify") else []))
    assert not other.exists()


@pytest.mark.parametrize("puzzle", ["soma-cube", "edges-4-b3i3-1", "queens-6"])
def test_solutions(tmp_path: Path, puzzle: str) -> None:
    """Nothing says that there are none."""
    out = tmp_path / "out.json"
    expected = f"no solutions found; expected solutions of {puzzle}"
    for suffix, (kind, content) in product([*solution_formats(), ".printed"], EMPTY.items()):
        path = tmp_path / f"{kind}{suffix}"
        path.write_text(content)
        if kind != "bar":  # which is no comment here
            with pytest.raises(FormatError, match=expected):
                list(read_solutions(TextFile(path), load(puzzle)))
    path = tmp_path / "hash.csv"
    assert refusal(path, "verify", puzzle, path) == f" {expected}"
    assert refusal(path, "convert", path, out, "--solutions-of", puzzle) == f" {expected}"
    assert not out.exists()


@pytest.mark.parametrize(
    "content", ['{"solutions": []}\n', "solution,piece,copy,x,y,z\n", "s UNSATISFIABLE\n"]
)
def test_a_list_of_no_solutions(tmp_path: Path, content: str) -> None:
    """It is converted; there is nothing to verify."""
    path, out = tmp_path / "solutions", tmp_path / "out.json"
    path.write_text(content)
    assert dovetail("convert", path, out, "--solutions-of", "soma-cube").returncode == 0
    assert json.loads(out.read_text())["solutions"] == []
    assert "no solutions found" in refusal(path, "verify", "soma-cube", path)


@pytest.mark.parametrize("content", [EMPTY["blank"], EMPTY["hash"]])
def test_records_suites_estimates_and_boards(tmp_path: Path, content: str) -> None:
    """Whatever is read."""
    page, site = tmp_path / "page.md", tmp_path / "site"
    for name, words in {
        "runs.jsonl": ("report", "FILE", "-o", page),
        "old.jsonl": ("compare", "FILE", "FILE", "--format", "md"),
        "site.jsonl": ("site", "FILE", "-o", site),
        "pages.jsonl": ("reproductions", "FILE", "-o", page),
        "suite.toml": ("bench", "FILE"),
        "other.toml": ("report", "FILE", "--suite", "FILE", "-o", page),
        "board.txt": ("improve", "edges-4-b3i3-1", "--start", "FILE"),
        "board.url": ("improve", "edges-4-b3i3-1", "--start", "FILE"),
        "board.json": ("improve", "edges-4-b3i3-1", "--start", "FILE"),
    }.items():
        path = tmp_path / name
        path.write_text(content)
        assert refusal(path, *(path if word == "FILE" else word for word in words))
    assert not page.exists()
