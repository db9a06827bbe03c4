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


def test_a_quiet_bench_prints_no_legends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of counts, of scores and of published figures; a quiet command explains no terms."""
    bench_here(monkeypatch)
    words = ("bench", "queens-5", "-b", "dlx")
    assert "lower bound" in dovetail(*words).stdout
    quiet = dovetail(*words, "-q")
    assert "lower bound" not in quiet.stdout
    assert "queens-5" in quiet.stdout


def test_a_quiet_command_prints_results_only(tmp_path: Path) -> None:
    """Neither a summary beside solutions nor names of files; the result stays."""
    solutions = dovetail(*SOLVE).stdout
    assert (dovetail(*SOLVE, "-q").stdout, dovetail(*SOLVE, "-q").stderr) == (solutions, "")
    done = dovetail(*SOLVE, "-q", "-o", tmp_path / "x.txt")
    assert (done.stderr, done.stdout) == ("", "queens-6: 4 solutions\n")
    assert dovetail("count", "queens-6", "-q").stdout == "queens-6: 1 unique solution\n"
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


def test_a_verbose_bench_prints_the_plan_of_each_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no other messages; the next command in the same process is not verbose."""
    bench_here(monkeypatch)
    words = ("bench", "queens-5", "-b", "dlx,bitset", "--repeats", "2")
    assert dovetail(*words, "-v").stderr.splitlines() == [
        "queens-5, planned: dlx, symmetry unique",
        "queens-5, planned: bitset, symmetry unique",
    ]
    assert dovetail(*words).stderr == ""


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


@pytest.mark.parametrize("command", ["count", "solve"])
def test_a_checkpoint_is_named(tmp_path: Path, command: str) -> None:
    """It is a file that the command writes."""
    path = tmp_path / "x.checkpoint"
    words = (command, "queens-5", "-b", "dlx", "--checkpoint", path)
    assert dovetail(*words).stderr.splitlines()[-1] == f"wrote {path}"
    assert "wrote" not in dovetail(*words, "-q").stderr


def test_progress_as_json_is_not_mixed_with_notes(tmp_path: Path) -> None:
    """Each line on standard error is an object."""
    done = dovetail(*SOLVE, "-o", tmp_path / "x.txt", "--json-progress", "-v")
    assert all(line.startswith("{") for line in done.stderr.splitlines())
