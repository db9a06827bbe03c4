"""Mistakes of users: each message is one line with the place and what is valid."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import dovetail
from cli.command import dovetail as run_dovetail

FILES = {
    "empty.toml": "",
    "few.toml": 'box = [2, 2]\n[[piece]]\nname = "I"\nshape = "##"\n',
    "wide.json": '{"width": "two", "height": 1, "tiles": [[0, 0, 0, 0]]}',
    "suite.toml": 'name = "s"\n[[run]]\npuzzles = "queens-6"\n',
    "key.toml": 'name = "s"\n[[run]]\npuzzles = ["queens-6"]\nsymetry = "all"\n',
    "row.toml": 'name = "s"\n[[run]]\nname = ""\npuzzles = ["queens-6"]\n',
    "board.json": '{"board": [1, 2, 3]}',
}
# Words of pydantic, typer and click.
FOREIGN = re.compile(
    r"should (be|have|match)|Field required|validation error|type=|Invalid value|No such [oc]|"
    r"Missing |Got unexpected|requires an argument|does not take|Usage:|Traceback|╭"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change to a folder with `FILES`."""
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("xyzzy", "unknown command 'xyzzy'; valid: bench, "),
        ("--verson", "unknown option '--verson'; did you mean '--version'? valid: --help, "),
        ("count queens-6 -x", "unknown option '-x'; valid: --allow-commands, "),
        ("count", "PUZZLE is missing; expected catalogue names or files (see dovetail count"),
        ("generate edges", "--size is missing; expected size of the board: N"),
        ("generate", "a command is missing; valid: edges (see dovetail generate --help)"),
        ("count queens-6 --limit", "--limit has no value; expected one (see"),
        ("count queens-6 --json=yes", "--json takes no value (see dovetail count --help)"),
        ("count queens-6 --jobs 9999", "--jobs is 9999; expected 0 to 1024"),
        ("sample soma-cube 0", "unexpected argument: 0; expected PUZZLE (see"),
        ("list puzles", "the argument is 'puzles'; valid: puzzles, sets, suites, solvers, im"),
        ("count empty.toml", "empty.toml: the file is empty; expected a puzzle"),
        ("count few.toml", "few.toml:1: the pieces fill 2 cells; expected 4, the open cells"),
        ("count wide.json", "wide.json: width is 'two'; expected a whole number from 1 to 250,000"),
        ("count soma-cube -b colorpair", "colorpair refuses: it supports edge-matching puzzles"),
        ("bench suite.toml", "suite.toml:3: run[0].puzzles is 'queens-6'; expected a list of pu"),
        ("bench key.toml", "key.toml:4: unknown key 'symetry' in run[0]; did you mean 'symmetry'?"),
        ("bench row.toml", "row.toml:3: run[0].name is ''; expected text of 1 or more characters"),
        ("improve edges-4-3-1 --start board.json", "board.json: board has 3 numbers; expected 16"),
    ],
)
def test_a_mistake_on_the_command_line(words: str, message: str) -> None:
    done = run_dovetail(*words.split())
    assert done.returncode == 2
    check(done.stdout + done.stderr, message)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dovetail.count("few.toml"), "few.toml:1: the pieces fill 2 cells; expected 4"),
        (lambda: dovetail.load("few.toml", "tmol"), "'tmol'; did you mean 'toml'? valid: burrto"),
        (lambda: dovetail.count("queens-6", "fila"), "fila refuses: it supports packing puzzles"),
    ],
)
def test_a_mistake_in_python(call: Callable[[], object], message: str) -> None:
    with pytest.raises(dovetail.DovetailError) as caught:
        call()
    check(str(caught.value), message)


def check(printed: str, message: str) -> None:
    """Require a single line with `message`, in words of dovetail."""
    (line,) = printed.splitlines()
    assert message in line
    assert not FOREIGN.search(line)
