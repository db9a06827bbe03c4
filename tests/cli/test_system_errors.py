"""Errors of the operating system: the file and the real reason in one line, exit status 2."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import DOVETAIL, dovetail


def error(number: int, *name: str | bytes | int) -> OSError:
    """An error of the system, with the name of a file if there is one."""
    return OSError(number, os.strerror(number), *name)


@pytest.mark.parametrize(
    ("raised", "line"),
    [
        (OSError("handle is closed"), "handle is closed"),
        (error(errno.EACCES, "a\nb"), "a�b: Permission denied"),
    ],
)
def test_errors_that_no_command_expects(
    monkeypatch: pytest.MonkeyPatch, raised: OSError, line: str
) -> None:
    """Whatever raises them: only an error of standard output is said to be one."""

    def fail(*_: object) -> None:
        raise raised

    monkeypatch.setattr("dovetail.reports.describe.puzzle.describe_puzzle", fail)
    done = dovetail("show", "soma-cube")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"dovetail: {line}\n")


@pytest.mark.parametrize("words", ["list solvers", "count queens-6 --json"])
def test_a_full_standard_output(words: str) -> None:
    """It is named, buffered or not."""
    unbuffered = ["-u"] if "json" in words else []
    command = [sys.executable, *unbuffered, *DOVETAIL[1:], *words.split()]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    *_, last = done.stderr.splitlines()
    assert (done.returncode, last) == (
        2,
        "dovetail: standard output cannot be written (No space left on device)",
    )


@pytest.mark.parametrize(
    "words",
    [
        "solve row.toml -o full.txt",
        "convert row.toml full.def",
        "bench row.toml -b dlx -o full.jsonl",
    ],
)
def test_a_full_disk_is_one_line_with_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("row.toml").write_text('box = [2, 1]\nsets = ["dominoes"]\n')
    name = words.rsplit(maxsplit=1)[-1]
    Path(name).symlink_to("/dev/full")
    done = dovetail(*words.split())
    *_, last = done.stderr.splitlines()
    assert done.returncode == 2
    assert re.match(rf"dovetail: {name}(:| cannot be written) \(?No space left on device", last)


def test_a_full_disk_leaves_the_file_that_solutions_go_back_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file of the puzzle is named, not the temporary one."""
    path = tmp_path / "burr.xmpuzzle"
    dovetail("convert", "soma-cube", path)
    before = path.read_text()

    def full(*_: object) -> int:
        raise error(errno.ENOSPC, str(path))

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    done = dovetail("solve", path, "--limit", "1", "-o", path)
    assert (done.returncode, path.read_text()) == (2, before)
    assert done.stderr == f"dovetail: {path} cannot be written (No space left on device)\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_pipe_whose_reader_has_left(tmp_path: Path) -> None:
    """As standard output it ends the command quietly; as a file it is an error."""
    command = " ".join(DOVETAIL)
    script = f"""
        mkfifo pipe.txt
        (exec 3<pipe.txt; exec 3<&-) &
        {command} solve queens-11 --symmetry all -o pipe.txt; echo $?
        {command} solve queens-11 --symmetry all | true; echo ${{PIPESTATUS[0]}}
    """
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["2", "0"]
    assert done.stderr == "dovetail: pipe.txt: Broken pipe\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("show a/b", "'a/b' is a folder; expected a puzzle file"),
        ("improve edges-2-2-1 --start a", "a: a folder; expected a file"),
    ],
)
def test_a_folder_is_no_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a/b").mkdir(parents=True)
    done = dovetail(*words.split())
    assert (done.returncode, done.stderr) == (2, f"dovetail: {message}\n")
