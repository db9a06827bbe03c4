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


def test_every_format_has_heads() -> None:
    assert HEADS.keys() == READABLE.keys()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", READABLE)
def test_files_without_a_puzzle_are_refused(tmp_path: Path, name: str, packed: bool) -> None:
    for (number, content), suffix in product(
        enumerate((*CONTENTS, COMMENTS[name], *HEADS[name])), READABLE[name].suffixes
    ):
        path = tmp_path / f"file{number}{suffix}{'.gz' if packed else ''}"
        path.write_bytes(gzip.compress(content.encode()) if packed else content.encode())
        for reference, chosen in product((str(path), f"{path}#1"), (None, name)):
            with pytest.raises(FormatError) as refused:
                load_all(reference, chosen)
            assert refused.value.path == str(path)
            assert re.search("expected|not TOML", refused.value.message), (path, content)


@pytest.mark.parametrize("puzzle", ["soma-cube", "edges-4-b3i3-1", "queens-6"])
def test_files_without_solutions_are_refused(tmp_path: Path, puzzle: str) -> None:
    expected = f"no solutions found; expected solutions of {puzzle}"
    contents = product([*solution_formats(), ".printed"], (*CONTENTS, "# nothing\n"))
    for suffix, content in contents:
        path = tmp_path / f"file{suffix}"
        path.write_text(content)
        with pytest.raises(FormatError, match=expected):
            list(read_solutions(TextFile(path), load(puzzle)))


@pytest.mark.parametrize(
    "content", ['{"solutions": []}\n', "solution,piece,copy,x,y,z\n", "s UNSATISFIABLE\n"]
)
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
        ("x.def", "convert FILE x.dlx"),
        ("x.csv", "convert FILE x.json --solutions-of soma-cube"),
        ("x.txt", "verify soma-cube FILE"),
        ("x.jsonl", "report FILE -o x.md"),
        ("x.jsonl", "compare FILE FILE --format md"),
        ("x.jsonl", "site FILE -o site"),
        ("x.jsonl", "reproductions FILE -o x.md"),
        ("x.toml", "bench FILE"),
        ("x.toml", "report FILE --suite FILE -o x.md"),
        ("x.txt", "improve edges-4-b3i3-1 --start FILE"),
        ("x.url", "improve edges-4-b3i3-1 --start FILE"),
        ("x.json", "improve edges-4-b3i3-1 --start FILE"),
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
