"""Commands whose standard streams are closed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dovetail.cli.main import run

SUITE = """\
name = "small"
[[run]]
puzzles = ["queens-6"]
backends = ["dlx"]
"""
# Each way to write to standard output; the files are made by the fixture.
COMMANDS = (
    "list solvers",
    "solve queens-6",
    "count queens-6 -b constraint --json",
    "bench suite.toml",
    "report runs.jsonl -o - --format md",
    "count --help",
)
# They write to a file: an output that is closed is none of their business.
WRITES_FILES = (
    "report runs.jsonl -o new.html",
    "trace pentominoes-3x20 --first 5 -o new.jsonl",
)
# Some that print messages or progress beside their output, here or in a child process.
WITH_MESSAGES = (
    "count queens-6 -b constraint --json-progress",
    "bench suite.toml",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a suite and records of it."""
    made = tmp_path_factory.mktemp("files")
    (made / "suite.toml").write_text(SUITE)
    runs = str(made / "runs.jsonl")
    assert run(["bench", str(made / "suite.toml"), "-o", runs]) == 0
    return made


def started(folder: Path, words: str, streams: str) -> subprocess.CompletedProcess[str]:
    """The command started by a shell with redirections in place of standard `streams`."""
    command = f'exec "{sys.executable}" -m dovetail.cli.main {words} {streams}'
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("words", COMMANDS)
def test_a_closed_output(folder: Path, words: str) -> None:
    """It cannot be written: one line, and exit status 2."""
    done = started(folder, words, ">&-")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    *_, last = done.stderr.splitlines()
    assert last == "dovetail: standard output cannot be written (Bad file descriptor)"


@pytest.mark.parametrize("words", WRITES_FILES)
def test_a_closed_output_that_is_not_needed(folder: Path, words: str) -> None:
    """The file is written."""
    done = started(folder, words, ">&-")
    assert (done.returncode, done.stderr) == (0, f"wrote {words.rsplit(maxsplit=1)[-1]}\n")


@pytest.mark.parametrize("words", [*WITH_MESSAGES, WRITES_FILES[0]])
def test_closed_input_and_messages(folder: Path, words: str) -> None:
    """The command works; nothing is read, and messages are discarded."""
    done = started(folder, words, "<&- 2>&-")
    assert done.returncode == 0
    assert bool(done.stdout) == (words not in WRITES_FILES)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("list solvers", 2),
        ("bench suite.toml -o new.jsonl", 2),
        ("convert queens-6 new.dlx", 0),
        ("count nonsense", 2),
    ],
)
def test_nothing_is_open(folder: Path, words: str, status: int) -> None:
    """Only the exit status remains."""
    assert started(folder, words, "<&- >&- 2>&-").returncode == status


def test_a_file_does_not_become_standard_error(folder: Path) -> None:
    """The file of records does not get a descriptor that messages are written to."""
    runs = folder / "closed.jsonl"
    assert started(folder, f"bench suite.toml -o {runs.name}", "<&- >&- 2>&-").returncode == 2
    (line,) = runs.read_text().splitlines()
    assert line.startswith('{"schema": ')
