"""Standard streams that are closed, or whose encoding lacks characters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import DOVETAIL
from dovetail.cli.main import make_app, run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with records."""
    made = tmp_path_factory.mktemp("files")
    assert run(["bench", "queens-6", "-b", "dlx", "-o", str(made / "runs.jsonl")]) == 0
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


@pytest.mark.parametrize(
    "words",
    ["solve queens-6", "bench queens-6 -b dlx", "report runs.jsonl -o - --format md", "count -h"],
)
def test_a_closed_output_is_one_line_and_exit_status_2(folder: Path, words: str) -> None:
    done = started(folder, words, ">&-")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    *_, last = done.stderr.splitlines()
    assert last == "dovetail: standard output cannot be written (Bad file descriptor)"


@pytest.mark.parametrize(
    ("words", "streams", "status"),
    [
        ("report runs.jsonl -o new.html", ">&-", 0),  # the output is not needed
        ("bench queens-6 -b dlx", "<&- 2>&-", 0),  # messages of this and of a child process
        ("count queens-6 -b constraint --json-progress", "<&- 2>&-", 0),
        ("list solvers", "<&- >&- 2>&-", 2),
        ("convert queens-6 new.dlx", "<&- >&- 2>&-", 0),
        ("count nonsense", "<&- >&- 2>&-", 2),
    ],
)
def test_closed_streams_that_are_not_needed_are_no_error(
    folder: Path, words: str, streams: str, status: int
) -> None:
    done = started(folder, words, streams)
    assert done.returncode == status
    assert bool(done.stdout) == (">&-" not in streams.split())


def test_a_written_file_does_not_become_standard_error(folder: Path) -> None:
    """The file of records does not get a descriptor that messages are written to."""
    words = "bench queens-6 -b dlx -o closed.jsonl"
    assert started(folder, words, "<&- >&- 2>&-").returncode == 2
    (line,) = (folder / "closed.jsonl").read_text().splitlines()
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


def test_characters_that_the_encoding_lacks_are_replaced_or_escaped(folder: Path) -> None:
    (folder / "named.toml").write_text(NAMED, encoding="utf-8")
    out, _ = printed(folder, "count queens-8 -b dlx --node-limit 5", "ascii", PLAIN_C, 3)
    assert "queens-8: >= 0 unique solutions (node-limit)" in out
    out, _ = printed(folder, "bench queens-6 -b dlx", "ascii", PLAIN_C)
    assert "x solve" in out
    out, err = printed(folder, "solve named.toml --limit 1", "ascii", PLAIN_C)
    assert "\\xf8" in out
    assert "fung \\u2260 \\u2603: " in err


def test_files_are_in_utf_8_whatever_the_terminal_has(folder: Path) -> None:
    printed(folder, "report runs.jsonl -o report.md", "ascii", PLAIN_C)
    report = (folder / "report.md").read_text(encoding="utf-8")
    assert "×" in report
    out, _ = printed(folder, "report runs.jsonl -o - --format md", "utf-8", PLAIN_C)
    assert len(out.splitlines()) == len(report.splitlines())


def test_the_help_is_in_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    """Typer would print it in UTF-8 where the encoding is ASCII."""
    names = [command.name for command in make_app().registered_commands if command.name]
    assert "report" in names
    for words in ([], *([name] for name in names), ["generate", "edges"]):
        assert run([*words, "--help"]) == 0
        assert capsys.readouterr().out.isascii(), words
