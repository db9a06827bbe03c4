"""Errors of the operating system: the file and the real reason in one line, exit status 2."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import DOVETAIL, dovetail

PUZZLE = """\
name = "a row"
box = [4, 1]
sets = ["dominoes"]
[[piece]]
like = "dominoes:I2"
name = "J"
"""
BURR = """\
<puzzle version="2"><gridType type="0"/><shapes>
<voxel x="2" y="1" z="1" type="0" name="bar">##</voxel>
<voxel x="2" y="2" z="1" type="0">####</voxel></shapes>
<problems><problem><shapes><shape id="0" count="2"/></shapes><result id="1"/></problem>
</problems></puzzle>
"""


def error(number: int, *name: str | bytes | int) -> OSError:
    """An error of the system, with the name of a file if there is one."""
    return OSError(number, os.strerror(number), *name)


@pytest.mark.parametrize(
    ("raised", "line"),
    [
        (OSError("handle is closed"), "handle is closed"),
        (io.UnsupportedOperation("not readable"), "not readable"),
        (error(errno.EPIPE), "Broken pipe"),
        (error(errno.EMFILE, "/etc/hosts"), "/etc/hosts: Too many open files"),
        (error(errno.ENOSPC, b"runs.jsonl"), "runs.jsonl: No space left on device"),
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


@pytest.mark.parametrize("words", ["list solvers", "count queens-6 --json", "solve queens-6"])
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
        "solve row.toml -o FILE.txt",
        "sample pentominoes-3x20 -o FILE.csv",
        "convert row.toml FILE.def",
        "show row.toml -o FILE.svg",
        "trace row.toml -o FILE.jsonl",
        "bench row.toml -b dlx -o FILE.jsonl",
        "improve edges-2-2-1 --node-limit 1 -o FILE.txt",
    ],
)
def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    """The file is named; it is a link to the device that is always full."""
    monkeypatch.chdir(tmp_path)
    Path("row.toml").write_text(PUZZLE)
    name = words.rpartition(" ")[2].replace("FILE", "full")
    Path(name).symlink_to("/dev/full")
    done = dovetail(*words.replace("FILE", "full").split())
    *_, last = done.stderr.splitlines()
    assert done.returncode == 2
    assert last in (
        f"dovetail: {name}: No space left on device",
        f"dovetail: {name} cannot be written (No space left on device)",
    )


def test_a_full_disk_for_solutions_written_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file of the puzzle is named, not the temporary one, and stays as it was."""
    path = tmp_path / "burr.xmpuzzle"
    path.write_text(BURR)

    def full(*_: object) -> int:
        raise error(errno.ENOSPC, str(path))

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    done = dovetail("solve", path, "-o", path)
    assert (done.returncode, path.read_text()) == (2, BURR)
    assert done.stderr == f"dovetail: {path} cannot be written (No space left on device)\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_pipe_whose_reader_has_left(tmp_path: Path) -> None:
    """As standard output it ends the command quietly; as a file it is an error."""
    (tmp_path / "row.toml").write_text(PUZZLE)
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


@pytest.mark.parametrize("name", ["folder.toml", "a/b", "folder#2"])
def test_a_folder_is_no_puzzle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """It is said to be one."""
    monkeypatch.chdir(tmp_path)
    Path(name.partition("#")[0]).mkdir(parents=True)
    expected = f"dovetail: '{name.partition('#')[0]}' is a folder; expected a puzzle file\n"
    for words in (
        ("show", name),
        ("count", name),
        ("solve", name),
        ("convert", name, "x.dlx"),
        ("verify", name, "x.txt"),
        ("bench", name),
    ):
        done = dovetail(*words)
        assert (done.returncode, done.stderr) == (2, expected), words


def test_a_folder_is_no_other_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of solutions, records, a suite or a board."""
    monkeypatch.chdir(tmp_path)
    for name in ("folder", "folder.json"):
        Path(name).mkdir()
    for words in (
        ("verify", "soma-cube", "folder"),
        ("report", "folder", "-o", "x.md"),
        ("compare", "folder", "folder", "--format", "md"),
        ("report", "folder", "-o", "x.md", "--suite", "folder"),
        ("site", "folder", "-o", "site"),
    ):
        assert dovetail(*words).stderr == "dovetail: folder: a folder; expected a file\n", words
    done = dovetail("improve", "edges-2-2-1", "--start", "folder.json")
    assert done.stderr == "dovetail: folder.json: a folder; expected a file\n"
