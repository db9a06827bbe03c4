"""`dovetail improve`, `dovetail explain`, and boards that cannot be filled."""

from __future__ import annotations

import json
import re
from pathlib import Path
from signal import SIGINT
from subprocess import PIPE, Popen
from typing import Any

import pytest

from cli.command import DOVETAIL, dovetail
from dovetail.cli.main import run
from dovetail.files.text_file import TextFile
from dovetail.models.boards.edges import EdgePuzzle, Hint, Tile
from dovetail.models.boards.partial_board import verified_score
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.formats.edge_documents import EdgeJson
from dovetail.puzzles.formats.registry import format_named, read_board
from oracle.strategies import signed_twin

BOARD = random_board(12, 12, 20, 1)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A 12 x 12 board that is not solved in a minute."""
    path = tmp_path / "board.json"
    path.write_text(EdgeJson().write_puzzle(BOARD))
    return path


def improved(file: Path, *words: str | Path) -> Any:
    """What it prints with `--json`."""
    done = dovetail("improve", file, "--node-limit", "50000", "--json", *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_best_board_is_printed(file: Path) -> None:
    """With its mismatches marked; better scores and the summary are on standard error."""
    done = dovetail("improve", file, "--node-limit", "50000")
    assert done.returncode == 0
    found = re.search(r"(\d+) of 264 edges match, (\d+) do not \(node limit\)", done.stderr)
    assert found is not None
    assert int(found[1]) + int(found[2]) == 264
    assert done.stdout.count("×") == int(found[2])
    assert len(re.findall(r"\d+/\d", done.stdout)) == 144
    assert re.search(r"edges-12-20-1: \d+ of 264 after", done.stderr)


@pytest.mark.parametrize("suffix", [".txt", ".url"])
def test_files_are_boards_to_start_from(file: Path, tmp_path: Path, suffix: str) -> None:
    """A board that is written is read back, and no later board is worse."""
    output = tmp_path / f"best{suffix}"
    first = improved(file, "-o", output, "-b", "repair")
    board = read_board(TextFile(output), BOARD)
    assert verified_score(BOARD, board) == first["score"]
    again = improved(file, "--start", output, "-b", "repair", "--seed", "7")
    assert again["score"] >= first["score"]
    assert again["trace"][0]["score"] >= first["score"]


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
        (["-b", "breaks", "-c", f"restart_nodes={2**62 + 1}"], f"number from 0 to {2**62:,}"),
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


@pytest.mark.parametrize("region", ["W", "?"])
def test_no_pieces(region: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A region that a fixed piece fills, or that may stay empty: one solution, nothing placed."""
    path = tmp_path / "empty.toml"
    path.write_text(f'name = "empty"\nregion = "{region}"\n')
    assert run(["explain", str(path)]) == 0
    assert "0 pieces" in capsys.readouterr().out
    for reduction in ("redundancy", "probe", "parity", "volume", "fit"):
        assert run(["count", str(path), "-b", "dlx", "--reduce", reduction]) == 0
        assert capsys.readouterr().out.startswith("empty: 1 solution")


SQUARE: tuple[Tile, ...] = ((0, 1, 2, 0), (0, 0, 2, 1), (2, 1, 0, 0), (2, 0, 0, 1))
INNER: tuple[Tile, ...] = ((1, 1, 1, 1),) * 4
OFF_THE_FRAME = EdgePuzzle("off", 2, 2, SQUARE, (Hint(0, 0, 3, 0),))
FRAMELESS = EdgePuzzle("frameless", 2, 2, INNER)
# What a puzzle is refused for by `improve`, and why it has no solution.
REASONS = {
    OFF_THE_FRAME: (
        "off: the hint for (0, 0) puts tile 3 where its sides of colour 0 are not the sides on the "
        "frame",
        "hints: tile 3 with rotation 0 at (0, 0) shows 0 off the frame",
    ),
}


def answered(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """The exit status of a command, and all that it prints, with single spaces."""
    status = run(list(words))
    return status, " ".join("".join(capsys.readouterr()).split())


@pytest.mark.parametrize("puzzle", REASONS, ids=lambda puzzle: puzzle.name)
def test_boards_that_cannot_be_filled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], puzzle: EdgePuzzle
) -> None:
    """What needs a solution is refused; that there is none is an answer of the others."""
    path = tmp_path / f"{puzzle.name}.json"
    path.write_text(format_named("json").text(puzzle))
    refused, reason = REASONS[puzzle]
    status, text = answered(capsys, "improve", str(path), "--time-limit", "1s")
    assert (status, text.startswith(f"dovetail: {refused}")) == (2, True)
    for backend in ("rows", "dlx"):
        status, text = answered(capsys, "estimate", str(path), "-b", backend)
        nothing = f"dovetail: {puzzle.name} has no solution, so there is nothing to search: "
        assert (status, text) == (2, nothing + reason)
    for words in (["solve"], ["count", "-b", "rows"]):
        status, text = answered(capsys, *words, str(path))
        assert status == 0
        assert text.startswith(f"{puzzle.name}: 0 solutions: {reason}")
    status, text = answered(capsys, "explain", str(path))
    assert status == 0
    assert f"solvable no: {reason}" in text
    assert "expected none: it has no solution" in text


@pytest.mark.parametrize("words", [["count"], ["improve"]])
def test_a_tile_that_lies_nowhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    """Is an error that names it."""
    path = tmp_path / "frameless.json"
    path.write_text(format_named("json").text(FRAMELESS))
    status, text = answered(capsys, *words, str(path))
    assert status == 2
    assert "tile 0 (1 1 1 1) has the frame's colour 0 on no side; no cell of a 2 x 2 board" in text


def test_a_board_whose_colours_have_signs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Is searched and estimated, but neither improved nor described by the model."""
    path = tmp_path / "signed.json"
    path.write_text(format_named("json").text(signed_twin(random_board(2, 2, 2, 1), 1)))
    status, text = answered(capsys, "improve", str(path))
    assert status == 2
    assert text.endswith("portfolio refuses: it supports unsigned colours only")
    assert answered(capsys, "solve", str(path))[0] == 0
    assert answered(capsys, "estimate", str(path), "-b", "rows")[0] == 0
    assert (
        "expected unknown: the model does not describe" in answered(capsys, "explain", str(path))[1]
    )
