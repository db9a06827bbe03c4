"""Messages on standard error that `-q` and `-v` choose, and lines that name written files."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.command import dovetail
from dovetail.cli.main import COMMANDS
from harness.suite.bench_here import bench_here

SOLVE = ("solve", "queens-6", "--symmetry", "all", "-b", "dlx")


def test_a_verbose_command_prints_its_plan() -> None:
    """The question, and the choice of auto before the search."""
    done = dovetail("count", "pentominoes-5x6-FLNPUY", "--reduce", "volume", "-v")
    planned, chosen = done.stderr.splitlines()
    assert planned == "pentominoes-5x6-FLNPUY, planned: auto, symmetry unique, volume"
    assert chosen.startswith("chosen: ")
    assert dovetail("count", "queens-6", "-b", "dlx", "-c", "stages=s", "-v").stderr == (
        "queens-6, planned: dlx, stages=['s'], symmetry unique\n"
    )


def test_a_quiet_command_prints_results_only(tmp_path: Path) -> None:
    done, quiet = dovetail(*SOLVE), dovetail(*SOLVE, "-q")
    assert (quiet.stdout, quiet.stderr) == (done.stdout, "")
    quiet = dovetail(*SOLVE, "-q", "-o", tmp_path / "x.txt")
    assert (quiet.stderr, quiet.stdout) == ("", "queens-6: 4 solutions\n")
    assert dovetail("count", "queens-6", "--quiet", "-b", "nosuch").stderr.startswith("dovetail: ")


def test_quiet_and_verbose() -> None:
    """They exclude each other."""
    done = dovetail("count", "queens-6", "-q", "-v")
    message = "dovetail: -q and -v exclude each other (see dovetail count --help)\n"
    assert (done.returncode, done.stderr) == (2, message)


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"generate"} | {"generate edges"}))
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
        ("sample", "pentominoes-3x20", "-o", "new.json"),
        ("trace", "pentominoes-3x20", "--first", "5", "-o", "new.jsonl"),
        ("convert", "queens-6", "new.dlx"),
        ("show", "soma-cube", "-o", "new.svg"),
        ("generate", "edges", "--size", "3", "--inner-colours", "2", "-o", "new.txt"),
        ("improve", "edges-2-2-1", "--node-limit", "1", "-o", "new.json"),
        ("count", "queens-5", "-b", "dlx", "--checkpoint", "x.checkpoint"),
        ("solve", "queens-5", "-b", "dlx", "--checkpoint", "x.checkpoint"),
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


def test_progress_as_json_is_not_mixed_with_notes(tmp_path: Path) -> None:
    """Each line on standard error is an object."""
    done = dovetail(*SOLVE, "-o", tmp_path / "x.txt", "--json-progress", "-v")
    assert all(line.startswith("{") for line in done.stderr.splitlines())
