"""`dovetail improve`: what it prints, writes and refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from signal import SIGINT
from subprocess import PIPE, Popen
from typing import Any

import pytest

from cli.command import DOVETAIL, dovetail
from dovetail.files.text_file import TextFile
from dovetail.harness import improving
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.events import Event
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.models.outcome import Status
from dovetail.models.partial_board import verified_score
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.formats.edges import EdgeJson
from dovetail.puzzles.formats.registry import read_board

BOARD = random_board(12, 12, 20, 1)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A 12 x 12 board that is not solved in a minute."""
    path = tmp_path / "board.json"
    path.write_text(EdgeJson().write_puzzle(BOARD))
    return path


def improved(file: Path, *words: str | Path) -> Any:
    """What it prints with `--json`."""
    done = dovetail("improve", file, "--node-limit", "200000", "--json", *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_best_board_is_printed(file: Path) -> None:
    """With its mismatches marked; better scores and the summary are on standard error."""
    done = dovetail("improve", file, "--node-limit", "200000")
    assert done.returncode == 0
    found = re.search(r"(\d+) of 264 edges match, (\d+) do not \(node limit\)", done.stderr)
    assert found is not None
    assert int(found[1]) + int(found[2]) == 264
    assert done.stdout.count("×") == int(found[2])
    assert len(re.findall(r"\d+/\d", done.stdout)) == 144
    assert re.search(r"edges-12-20-1: \d+ of 264 after", done.stderr)


@pytest.mark.parametrize("suffix", [".txt", ".json", ".url"])
def test_files_are_boards_to_start_from(file: Path, tmp_path: Path, suffix: str) -> None:
    """A board that is written is read back, and no later board is worse."""
    output = tmp_path / f"best{suffix}"
    first = improved(file, "-o", output, "-b", "repair")
    board = read_board(TextFile(output), BOARD)
    assert verified_score(BOARD, board) == first["score"]
    again = improved(file, "--start", output, "-b", "repair", "--seed", "7")
    assert again["score"] >= first["score"]
    assert again["trace"][0]["score"] >= first["score"]


@pytest.mark.parametrize("suffix", [".svg", ".html"])
def test_pictures(file: Path, tmp_path: Path, suffix: str) -> None:
    """Mismatches are marked."""
    output = tmp_path / f"best{suffix}"
    found = improved(file, "-o", output)
    text = output.read_text()
    assert 'class="mismatch"' in text
    assert f"{found['score']} of 264 edges match" in text


def test_ctrl_c_keeps_the_best_board(file: Path, tmp_path: Path) -> None:
    """Status 130, and the file is written."""
    output = tmp_path / "best.txt"
    command = [*DOVETAIL, "improve", str(file), "-o", str(output)]
    with Popen(command, stdout=PIPE, stderr=PIPE, text=True) as process:
        assert process.stderr is not None
        assert "after" in process.stderr.readline()
        process.send_signal(SIGINT)
        printed, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "(interrupted)" in printed
    verified_score(BOARD, read_board(TextFile(output), BOARD))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-b", "beams"], "unknown improver 'beams'; did you mean 'beam'"),
        (["-b", "breaks", "-c", "schedule=9,8"], "numbers of tiles, ascending"),
        (["-b", "breaks", "-c", "schedule=blackwood"], "for boards of 256 cells"),
        (["-b", "breaks", "-c", "order=sideways"], "valid: bottom-up"),
        (["-b", "breaks", "-c", f"restart_nodes={2**62 + 1}"], f"number from 0 to {2**62:,}"),
        (["-b", "beam", "-c", "width=-1"], "width is -1; expected a whole number of 0 or more"),
        (["-b", "beam", "-c", "softness=x"], "'x'; expected a number above 0 to 1,000"),
        (["-b", "repair", "-c", "destroy=square"], "destroy has 'square'; valid: rectangle"),
        (["-o", "best.xyz"], "unknown suffix of a board"),
        (["--start", "none.txt"], "none.txt"),
        (["--time-limit", "soon"], "expected seconds"),
    ],
)
def test_bad_input(file: Path, words: list[str], message: str) -> None:
    """One line, and status 2."""
    done = dovetail("improve", file, *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_output_is_checked_before_the_search(file: Path, tmp_path: Path) -> None:
    """The puzzle's own file, a folder that is not there, a board that no URL shows."""
    before = file.read_text()
    many = tmp_path / "many.json"
    many.write_text(EdgeJson().write_puzzle(random_board(4, 4, 40, 1)))
    for words, message in (
        ((file, "-o", file), "is the file of the puzzle; expected another file"),
        ((file, "-o", tmp_path / "none" / "x.json"), "cannot be written"),
        ((many, "-o", tmp_path / "x.url"), "supports colours up to 25"),
    ):
        done = dovetail("improve", *words)
        assert done.returncode == 2
        assert message in done.stderr
        assert " after " not in done.stderr
    assert file.read_text() == before
    assert not (tmp_path / "x.url").exists()


def test_a_wrong_board_exits_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a wrong count does."""
    improve = improving.improve

    def wrong(job: Job, interruption: Interruption) -> Iterator[Event]:
        for event in improve(job, interruption):
            yield replace(event, status=Status.WRONG) if isinstance(event, Result) else event

    monkeypatch.setattr(improving, "improve", wrong)
    assert dovetail("improve", "edges-2-2-1", "--node-limit", "1").returncode == 1
