"""Boards that no search can fill: every command says why, and names the place."""

from __future__ import annotations

from pathlib import Path

import pytest

from dovetail.cli.main import run
from dovetail.models.edges import EdgePuzzle, Hint, Tile
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.formats.registry import format_named
from oracle.strategies import signed_twin

SQUARE: tuple[Tile, ...] = ((0, 1, 2, 0), (0, 0, 2, 1), (2, 1, 0, 0), (2, 0, 0, 1))
INNER: tuple[Tile, ...] = ((1, 1, 1, 1),) * 4
OFF_THE_FRAME = EdgePuzzle("off", 2, 2, SQUARE, (Hint(0, 0, 3, 0),))
ADJACENT = EdgePuzzle("adjacent", 2, 2, SQUARE, (Hint(0, 0, 0, 1), Hint(1, 0, 3, 0)))
FRAMELESS = EdgePuzzle("frameless", 2, 2, INNER)
SURPLUS = EdgePuzzle("surplus", 2, 2, (*SQUARE[:3], (0, 2, 2, 1)))
# What a puzzle is refused for by `improve`, and why it has no solution.
REASONS = {
    OFF_THE_FRAME: (
        "off: the hint for (0, 0) puts tile 3 where its sides of colour 0 are not on the frame",
        "hints: tile 3 with rotation 0 at (0, 0) shows 0 off the frame",
    ),
    ADJACENT: (
        "adjacent: the hints for (0, 0) and (1, 0) do not match",
        "hints: tile 0 with rotation 1 at (0, 0) and tile 3 with rotation 0 at (1, 0) show 2 and 1 "
        "on the edge between them",
    ),
    FRAMELESS: (
        "frameless cannot be filled: it has 0 corner tiles",
        "tile 0 (1 1 1 1) has the frame's colour 0 on no side; no cell of a 2 x 2 board has such "
        "sides on the frame",
    ),
    SURPLUS: (
        "surplus cannot be filled: it has 3 corner tiles",
        "tile 3 (0 2 2 1) has the frame's colour 0 on one side only; no cell of a 2 x 2 board has "
        "such sides on the frame",
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
        assert text.startswith(f"{puzzle.name}: 0 unique solutions: {reason}")
    status, text = answered(capsys, "explain", str(path))
    assert status == 0
    assert f"solvable no: {reason}" in text
    assert "expected none: it has no solution" in text


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
