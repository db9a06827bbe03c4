"""Mistakes of users: each message is one line with the place and what is valid."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import dovetail
from cli.command import dovetail as run_dovetail
from dovetail.cli.jobs import print_result
from dovetail.errors import ConfigError
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.puzzles.loading import load

FILES = {
    "few.toml": 'box = [2, 2]\n[[piece]]\nname = "I"\nshape = "##"\n',
    "wide.json": '{"width": "two", "height": 1, "tiles": [[0, 0, 0, 0]]}',
    "suite.toml": 'name = "s"\n[[run]]\npuzzles = "queens-6"\n',
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
        ("generate edges", "--size is missing; expected size of the board: N"),
        ("count queens-6 --json=yes", "--json takes no value (see dovetail count --help)"),
        ("count few.toml", "few.toml:1: the pieces fill 2 cells; expected 4, the open cells"),
        ("bench suite.toml", "suite.toml:3: run[0].puzzles is 'queens-6'; expected a list of pu"),
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


def test_a_count_too_long_for_json_is_one_line() -> None:
    job = Job(load("queens-6"), Request(Symmetry.ALL), "dlx")
    with pytest.raises(ConfigError, match="--json cannot show more than 4,300 digits"):
        print_result(job, Result(Status.EXHAUSTED, 10**5000), as_json=True)
