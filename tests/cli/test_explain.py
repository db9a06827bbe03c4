"""`dovetail explain` as its users meet it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dovetail.cli.main import run
from dovetail.harness.explanation import explain
from dovetail.models.edges import EdgePuzzle, Hint
from dovetail.reports.describe_puzzle import describe_puzzle
from dovetail.reports.explanation import explain_puzzle

PUZZLES = [
    "pentominoes-6x10",
    "soma-cube",
    "hexominoes-9x12-8x12-without-I",
    "pentominoes-4d-2x2x3x11",
    "edges-4x5-b3i4-1",
    "queens-8",
]


@pytest.mark.parametrize("name", PUZZLES)
def test_fits_the_screen(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """80 columns, one block, every backend named."""
    assert run(["explain", name, "--orientations"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{name}: ")
    assert max(map(len, lines)) <= 80
    assert {"dlx", "fila", "cpsat"} <= {line.split()[0] for line in lines}


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """One object per puzzle."""
    names = ["pentominoes-5x6-FLNPUY", "queens-6", "edges-30-1-1"]
    assert run(["explain", *names, "--json"]) == 0
    first, second, third = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["packing"]["impossible"] is None
    assert {effect["reduction"] for effect in first["packing"]["effects"]} >= {"fit", "parity"}
    assert (second["puzzle"], second["packing"], second["edges"]) == ("queens-6", None, None)
    assert third["edges"]["kinds"][0] == {"kind": "corner", "tiles": 4, "cells": 4}
    assert third["edges"]["labelled_factor"] is None


def test_a_count_gives_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    """0, with the reason, and exit status 0: nothing is left to search."""
    assert run(["count", "hexominoes-14x15"]) == 0
    assert capsys.readouterr().out.startswith(
        "hexominoes-14x15: 0 unique solutions: parity: 11 pieces show ±2 and 24 show 0, "
    )


@pytest.mark.parametrize("region", ["W", "?"])
def test_no_pieces(region: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A region that a fixed piece fills, or that may stay empty: one solution, nothing placed."""
    path = tmp_path / "empty.toml"
    path.write_text(f'name = "empty"\nregion = "{region}"\n')
    assert run(["explain", str(path)]) == 0
    assert "0 pieces" in capsys.readouterr().out
    for reduction in ("redundancy", "probe", "parity", "volume", "fit"):
        assert run(["count", str(path), "-b", "dlx", "--reduce", reduction]) == 0
        assert capsys.readouterr().out.startswith("empty: 1 unique solution")


@pytest.mark.parametrize(
    ("corner", "why"),
    [
        ("0 1 0 2", "tile 0 (0 1 0 2) has the frame's colour 0 on two opposite sides; no cell "),
        ("0 1 1 1", "there are 3 corner and 5 border tiles; a 3 x 3 board has 4 corner and "),
        (
            "0 0 1 2",
            "colours: on edges ending at the frame, tiles show 1 on 15 sides; expected an even ",
        ),
    ],
)
def test_an_impossible_board(
    corner: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A count and an explanation give the same reason."""
    path = tmp_path / "board.txt"
    others = ["0 0 1 1"] * 3 + ["0 1 2 1"] * 4 + ["2 2 2 2"]
    path.write_text("\n".join(["3 3", corner, *others]) + "\n")
    assert run(["count", str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"board: 0 unique solutions: {why}")
    assert run(["explain", str(path)]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert f"solvable no: {why}" in printed


def test_hints_and_signs(capsys: pytest.CaptureFixture[str]) -> None:
    """What is said, and what is shown, of a board that has them."""
    tiles = ((1, 2, 0, 0), (0, -3, -1, 0), (4, 0, 0, -2), (0, 0, -4, 3))
    board = EdgePuzzle("signed", 2, 2, tiles, (Hint(0, 0, 0, 0),), signed=True)
    printed = explain_puzzle(explain(board)).splitlines()
    assert "hints             tile 0 with rotation 0 at (0, 0)" in printed
    assert "colours           of signed edges, by position" in printed
    at_frame = "  along border    4 edges: 1 on 1 side, -1 on 1, 2 on 1, -2 on 1, 3 on 1,"
    assert at_frame in printed
    assert "  other           0 edges" in printed
    assert (
        "2 wide, 2 high, 5 colours including the frame's, 1 hint, signed colours"
        in describe_puzzle(board)
    )


def test_identical_tiles_are_shown() -> None:
    """With the first that each is identical to, however turned, and the kind of every tile."""
    tiles = ((0, 0, 1, 1), (0, 1, 2, 1), (1, 0, 0, 1), (0, 0, 1, 1), (1, 0, 1, 2), (0, 0, 1, 2))
    shown = describe_puzzle(EdgePuzzle("board", 3, 2, tiles)).splitlines()[3:]
    assert shown == [
        "   0: 0 0 1 1  corner",
        "   1: 0 1 2 1  border",
        "   2: 1 0 0 1  corner, identical to 0",
        "   3: 0 0 1 1  corner, identical to 0",
        "   4: 1 0 1 2  border, identical to 1",
        "   5: 0 0 1 2  corner",
    ]
