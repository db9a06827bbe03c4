"""`dovetail capsule`: archives that run the recorded runs again."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from cli.command import dovetail
from harness.suite.bench_here import bench_here

COURTYARD = 'name = "courtyard"\nbox = [5, 4]\nsets = ["tetrominoes"]\n'
SUITE = """name = "own"
repeats = 2
[[run]]
name = "row"
puzzles = ["mine/courtyard.toml"]
backends = ["dlx"]
expected = { courtyard = 0 }
[[run]]
puzzles = ["edges-3-b2i2-1"]
improvers = ["repair"]
limits = { nodes = 50 }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with a suite and a puzzle file."""
    bench_here(monkeypatch)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "courtyard.toml").write_text(COURTYARD)
    (tmp_path / "own.toml").write_text(SUITE)
    return tmp_path


def run_again(archive: Path, folder: Path) -> tuple[int, str]:
    """Unpack an archive and run its script in a shell; return the exit status and the output."""
    with ZipFile(archive) as file:
        file.extractall(folder)
    command = folder / "command"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m dovetail "$@"\n')
    command.chmod(0o755)
    done = subprocess.run(
        ["sh", folder / "again.sh"],
        env={"DOVETAIL": str(command), "PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(sys.path)},
        cwd=archive.parent,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def bench(*words: str | Path) -> None:
    """Run a bench into `runs.jsonl`."""
    done = dovetail("bench", *words, "-o", "runs.jsonl", "-q")
    assert done.returncode == 0, done.stderr


def pack(*words: str) -> Path:
    """Pack `runs.jsonl` into an archive."""
    done = dovetail("capsule", "runs.jsonl", "-o", "c.zip", *words)
    assert done.returncode == 0, done.stderr
    return Path("c.zip").resolve()


def test_suite_and_puzzle_files_run_again_in_another_folder(folder: Path) -> None:
    bench("own.toml")
    archive = pack("--suite", "own.toml")
    with ZipFile(archive) as file:
        assert file.read("suites/own.toml").decode() == SUITE
        assert file.read("suites/mine/courtyard.toml").decode() == COURTYARD
        assert "dovetail-puzzles==" in file.read("requirements.txt").decode()
        assert "| commit |" in file.read("README.md").decode()
    (folder / "mine" / "courtyard.toml").unlink()
    status, output = run_again(archive, folder / "elsewhere")
    assert status == 0, output
    assert "no change: 2 jobs in both files" in output
    changed = (folder / "elsewhere" / "runs.jsonl").read_text().replace('"count": 0', '"count": 1')
    (folder / "elsewhere" / "runs.jsonl").write_text(changed)
    done = dovetail("compare", "elsewhere/runs.jsonl", "elsewhere/again.jsonl")
    assert done.returncode == 1


def test_runs_without_a_suite_get_one_with_equal_jobs(folder: Path) -> None:
    words = ["mine/courtyard.toml", "soma-cube", "-b", "dlx,frontier", "--repeats", "2"]
    bench(*words, "--time-limit", "30s", "--memory-limit", "2G", "--seed", "3", "--cold")
    bench("queens-6", "-b", "dlx", "-c", "stages=s", "--node-limit", "9", "--symmetry", "all")
    archive = pack("--puzzle", "mine/courtyard.toml")
    with ZipFile(archive) as file:
        suites = [
            tomllib.loads(file.read(name).decode())
            for name in file.namelist()
            if name.startswith("suites/runs")
        ]
    assert [(suite["seed"], suite["repeats"], len(suite["run"])) for suite in suites] == [
        (3, 2, 4),
        (0, 1, 1),
    ]
    assert suites[0]["run"][0]["limits"] == {"time_s": 30, "memory": str(2 << 30)}
    assert suites[1]["run"][0]["config"] == {"dlx": {"stages": ["s"]}}


def test_names_of_puzzle_files_may_have_a_number_sign(folder: Path) -> None:
    (folder / "mine" / "a#b.toml").write_text(COURTYARD)
    (folder / "own.toml").write_text(SUITE.replace("courtyard.toml", "a#b.toml#1"))
    bench("own.toml")
    for words in (["--suite", "own.toml"], ["--puzzle", "mine/a#b.toml#1"]):
        with ZipFile(pack(*words)) as file:
            (name,) = (name for name in file.namelist() if "a#b" in name)
            assert file.read(name).decode() == COURTYARD
            suite = next(name for name in file.namelist() if re.search("suites/[^/]+.toml", name))
            puzzles = tomllib.loads(file.read(suite).decode())["run"][0]["puzzles"]
        assert [f"suites/{puzzle}" for puzzle in puzzles] == [f"{name}#1"]


def test_a_puzzle_file_may_have_a_catalogue_name_of_impossible_size(folder: Path) -> None:
    (folder / "mine" / "pentominoes-4x5.toml").write_text(COURTYARD.partition("\n")[2])
    bench("mine/pentominoes-4x5.toml", "-b", "dlx")
    with ZipFile(pack("--puzzle", "mine/pentominoes-4x5.toml")) as file:
        assert "suites/puzzles/pentominoes-4x5.toml" in file.namelist()


def test_equal_records_give_equal_bytes(folder: Path) -> None:
    bench("queens-6", "-b", "dlx")
    assert pack().read_bytes() == pack().read_bytes()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "c.tar"], "expected the suffix .zip"),
        (["-o", "c.zip", "--suite", "missing.toml"], "missing.toml"),
    ],
)
def test_unusable_words_are_refused(words: list[str], message: str, folder: Path) -> None:
    (folder / "inner").mkdir()
    text = SUITE.replace("mine/", "../mine/")
    (folder / "inner" / "outside.toml").write_text(text)
    bench("inner/outside.toml")
    words = [word.replace("outside", "inner/outside") for word in words]
    done = dovetail("capsule", "runs.jsonl", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert not Path("c.zip").exists()


def test_suites_in_files_of_the_same_name_are_refused(folder: Path) -> None:
    text = 'name = "{}"\n[[run]]\npuzzles = ["queens-{}"]\nbackends = ["dlx"]\n'
    for size in ("4", "5"):
        (folder / size).mkdir()
        (folder / size / "suite.toml").write_text(text.format(size, size))
        bench(f"{size}/suite.toml")
    words = ["--suite", "4/suite.toml", "--suite", "5/suite.toml"]
    done = dovetail("capsule", "runs.jsonl", "-o", "c.zip", *words)
    assert (done.returncode, Path("c.zip").exists()) == (2, False)
    assert "two suites have different files suite.toml; rename one" in done.stderr
