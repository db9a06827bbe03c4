"""Standard streams that are closed, or whose encoding lacks characters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import DOVETAIL
from dovetail.cli.main import make_app, run

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


PLAIN_C = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
NAMED = """\
name = "Prüfung ≠ ☃"
region = "A . ."
[[piece]]
name = "ø"
cells = [[0, 0], [1, 0]]
"""


def printed(
    folder: Path, words: str, encoding: str, variables: dict[str, str], status: int = 0
) -> tuple[str, str]:
    """What the command prints on standard output and standard error, strictly decoded."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG"))}
    done = subprocess.run(
        [*DOVETAIL, *words.split()],
        cwd=folder,
        env={**environment, **variables},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == status, done.stderr
    return done.stdout.decode(encoding), done.stderr.decode(encoding)


def test_what_the_encoding_lacks(folder: Path) -> None:
    """Is replaced by something that can be read, in tables too."""
    out, _ = printed(folder, "count queens-8 -b dlx --node-limit 5", "ascii", PLAIN_C, 3)
    assert "queens-8: >= 0 unique solutions (node-limit)" in out
    out, _ = printed(folder, "bench suite.toml", "ascii", PLAIN_C)
    assert "x solve" in out
    assert ">=, >: lower bound" in out
    _, err = printed(folder, "count nonsense", "ascii", PLAIN_C, 2)
    assert "soma-cube,... (dovetail list puzzles)" in err


def test_names_that_the_encoding_lacks(folder: Path) -> None:
    """Characters of the user's own are escaped, in text and in messages."""
    (folder / "named.toml").write_text(NAMED, encoding="utf-8")
    out, _ = printed(folder, "show named.toml", "ascii", PLAIN_C)
    assert "fung \\u2260 \\u2603: 1 kind of piece" in out
    _, err = printed(folder, "solve named.toml --limit 1", "ascii", PLAIN_C)
    assert "fung \\u2260 \\u2603: " in err


def test_files_are_in_utf_8(folder: Path) -> None:
    """Whatever the terminal's encoding is."""
    printed(folder, "report runs.jsonl -o report.md", "ascii", PLAIN_C)
    report = (folder / "report.md").read_text(encoding="utf-8")
    assert "×" in report
    environment = {**os.environ, **PLAIN_C}
    words = [*DOVETAIL, *["report", "runs.jsonl", "-o", "-", "--format", "md"]]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, check=True)
    assert len(done.stdout.decode("utf-8").splitlines()) == len(report.splitlines())


def test_the_help_is_in_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    """Typer would print it in UTF-8 where the encoding is ASCII."""
    names = [command.name for command in make_app().registered_commands if command.name]
    assert "report" in names
    for words in ([], *([name] for name in names), ["generate", "edges"]):
        assert run([*words, "--help"]) == 0
        assert capsys.readouterr().out.isascii(), words


def test_files_on_standard_output_are_utf_8(folder: Path) -> None:
    """What a file would hold, not what the terminal can show."""
    (folder / "named.toml").write_text(NAMED, encoding="utf-8")
    words = "convert named.toml - --to toml"
    out, _ = printed(folder, words, "utf-8", {"PYTHONIOENCODING": "ascii"})
    assert 'name = "Prüfung ≠ ☃"' in out
