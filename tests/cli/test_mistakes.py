"""Mistakes of users: each message is one line with the place and what is valid."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import dovetail
from cli.command import dovetail as run_dovetail

FILES: dict[str, str | bytes] = {
    "binary.toml": b"\x00\xff\x01",
    "empty.toml": "",
    "few.toml": 'box = [2, 2]\n[[piece]]\nname = "I"\nshape = "##"\n',
    "long.toml": 'box = [2, 2]\n[[piece]]\nname = "I"\nshape = "####"\n',
    "odd.toml": 'region = """\n*...\n....\n....\n...*\n"""\n'
    '[[piece]]\nname = "I"\nshape = "##"\ncount = 7\n',
    "wide.json": '{"width": "two", "height": 1, "tiles": [[0, 0, 0, 0]]}',
    "open.xmpuzzle": '<?xml version="1.0"?><voxel',
    "suite.toml": 'name = "s"\n[[run]]\npuzzles = "queens-6"\nbackends = ["dlx"]\n',
    "key.toml": 'name = "s"\n[[run]]\npuzzles = ["queens-6"]\nsymetry = "all"\n',
    "row.toml": 'name = "s"\n[[run]]\nname = ""\npuzzles = ["queens-6"]\nbackends = ["dlx"]\n',
    "runs.jsonl": '{"puzzle": "queens-6"}\n',
    "notes.txt": "hello\n",
    "board.json": '{"board": [1, 2, 3]}',
}
# Words of pydantic, typer and click.
FOREIGN = re.compile(
    r"Input should|Field required|validation error|type=|Invalid value|No such (option|command)|"
    r"Missing |Got unexpected|requires an argument|does not take|Usage:|Traceback|╭"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, which has `FILES` and a folder `folder.toml`."""
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (tmp_path / "folder.toml").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
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
        ("count missing.toml", "there is no file 'missing.toml'"),
        ("count folder.toml", "'folder.toml' is a folder; expected a puzzle file"),
        ("count binary.toml", "binary.toml:1: not text; expected a text file"),
        ("count empty.toml", "empty.toml: the file is empty; expected a puzzle"),
        ("count few.toml", "few.toml:1: the pieces fill 2 cells; expected 4, the open cells"),
        ("count wide.json", "wide.json: width is 'two'; expected a whole number from 1 to 250,000"),
        ("count open.xmpuzzle", "open.xmpuzzle:1: not XML (unclosed token); expected"),
        ("count soma-cube -b colorpair", "colorpair refuses: it supports edge-matching puzzles"),
        ("bench suite.toml", "suite.toml:3: run[0].puzzles is 'queens-6'; expected a list of pu"),
        ("bench key.toml", "key.toml:4: unknown key 'symetry' in run[0]; did you mean 'symmetry'?"),
        ("bench row.toml", "row.toml:3: run[0].name is ''; expected text of 1 or more characters"),
        ("report runs.jsonl", "runs.jsonl: no run records; lines skipped: 1; line 1: not a run"),
        ("status notes.txt", "notes.txt: cannot be used as a checkpoint (file is not a database)"),
        ("improve edges-4-3-1 --start board.json", "board.json: board has 3 numbers; expected 16"),
    ],
)
def test_a_mistake_on_the_command_line(words: str, message: str) -> None:
    done = run_dovetail(*words.split())
    assert done.returncode == 2
    (line,) = (done.stdout + done.stderr).splitlines()
    assert message in line
    assert not FOREIGN.search(line)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dovetail.count("queen-6"), "did you mean 'queens-N'? valid: pentominoes-HxW"),
        (lambda: dovetail.count("few.toml"), "few.toml:1: the pieces fill 2 cells; expected 4"),
        (lambda: dovetail.load("few.toml", "tmol"), "'tmol'; did you mean 'toml'? valid: burrto"),
        (lambda: dovetail.count("queens-6", "fila"), "fila refuses: it supports packing puzzles"),
        (
            lambda: dovetail.count("queens-6", limits=dovetail.Limits(nodes=-1)),
            "limit nodes is -1; expected 0 or more",
        ),
        (
            lambda: dovetail.improve("edges-4-3-1", objective="tile"),  # type: ignore[arg-type]
            "unknown objective 'tile'; did you mean 'tiles'? valid: edges, tiles",
        ),
    ],
)
def test_a_mistake_in_python(call: Callable[[], object], message: str) -> None:
    with pytest.raises(dovetail.DovetailError) as caught:
        call()
    (line,) = str(caught.value).splitlines()
    assert message in line
    assert not FOREIGN.search(line)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("long", "piece I has no place in the region"),
        ("odd", "parity: 7 pieces show 0, which cannot add up to -2"),
    ],
)
def test_an_impossible_puzzle_has_no_solution_and_a_reason(name: str, why: str) -> None:
    done = run_dovetail("count", f"{name}.toml")
    assert done.returncode == 0
    assert done.stdout.startswith(f"{name}: 0 unique solutions: {why}\n")
