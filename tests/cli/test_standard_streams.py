"""Standard streams: closed, in other encodings, and the messages that -q and -v choose."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import DOVETAIL, dovetail
from dovetail.cli.main import COMMANDS, run
from harness.suite.bench_here import bench_here


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


@pytest.mark.parametrize("words", ["solve queens-6", "count -h"])
def test_a_closed_output_is_one_line_and_exit_status_2(folder: Path, words: str) -> None:
    done = started(folder, words, ">&-")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    *_, last = done.stderr.splitlines()
    assert last == "dovetail: standard output cannot be written (Bad file descriptor)"


@pytest.mark.parametrize(
    ("words", "streams", "status"),
    [("report runs.jsonl -o new.html", ">&-", 0), ("convert queens-6 new.dlx", "<&- >&- 2>&-", 0)],
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
    assert "queens-8: >= 0 solutions up to symmetry (node-limit)" in out
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


def test_a_verbose_command_prints_its_plan() -> None:
    """The question, and the choice of auto before the search."""
    done = dovetail("count", "pentominoes-5x6-FLNPUY", "--reduce", "volume", "-v")
    planned, chosen = done.stderr.splitlines()
    assert planned == "pentominoes-5x6-FLNPUY, planned: auto, symmetry unique, volume"
    assert chosen.startswith("chosen: ")
    assert dovetail("count", "queens-6", "-b", "dlx", "-c", "stages=s", "-v").stderr == (
        "queens-6, planned: dlx, stages=['s'], symmetry unique\n"
    )


OTHERS = {"generate", "polycube"}  # -q and -v are those of polycube


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - OTHERS | {"generate edges"}))
def test_every_command_has_both(command: str) -> None:
    """Also those that print no messages, so that scripts can always pass them."""
    shown = dovetail(*command.split(), "--help").stdout
    assert "  -q, --quiet " in shown
    assert "  -v, --verbose " in shown


def test_a_verbose_bench_prints_the_plan_of_each_job_and_a_quiet_bench_no_legends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The next command in the same process is not verbose."""
    bench_here(monkeypatch)
    words = ("bench", "queens-5", "-b", "dlx,bitset", "--repeats", "2")
    assert dovetail(*words, "-v").stderr.splitlines() == [
        "queens-5, planned: dlx, symmetry unique",
        "queens-5, planned: bitset, symmetry unique",
    ]
    done, quiet = dovetail(*words), dovetail(*words, "-q")
    assert (done.stderr, "lower bound" in done.stdout) == ("", True)
    assert ("queens-5" in quiet.stdout, "lower bound" in quiet.stdout) == (True, False)


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "queens-6", "-o", "new.txt"),
        ("convert", "queens-6", "new.dlx"),
        ("improve", "edges-2-2-1", "--node-limit", "1", "-o", "new.json"),
    ],
)
def test_written_files_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """In a line on standard error, which a quiet command leaves out."""
    monkeypatch.chdir(tmp_path)
    assert f"wrote {words[-1]}" in dovetail(*words).stderr.splitlines()
    assert Path(words[-1]).exists()
    assert "wrote" not in dovetail(*words, "-q").stderr
