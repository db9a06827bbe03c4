"""`dovetail explain` as its users meet it."""

from __future__ import annotations

import json

import pytest

from dovetail.cli.main import run

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
    assert run(["explain", name]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{name}: ")
    assert max(map(len, lines)) <= 80
    assert {"dlx", "fila", "cpsat"} <= {line.split()[0] for line in lines}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "pentominoes-6x10",
            [
                "pentominoes-6x10: 60 cells, 12 pieces, 2,056 placements",
                "solvable          not ruled out by parity or volumes",
                "  ±3              1 piece: X",
                "  5 cells         12 pieces",
                "symmetries        all 1, unique 4, mirror 4",
                "  redundancy      confines X from 32 placements to 8; no symmetric solutions are",
                "  fit                 144    7.0%",
            ],
        ),
        (
            "hexominoes-14x15",
            [
                "solvable          no: parity: 11 pieces show ±2 and 24 show 0, which never add",
                "                  up to 0",
            ],
        ),
        (
            "soma-cube",
            ["parity            of the region −1", "  0               4 pieces: L Z A B"],
        ),
        ("queens-8", ["  fila            refuses: it takes packing puzzles only"]),
    ],
)
def test_what_is_said(name: str, said: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Line by line."""
    run(["explain", name])
    assert set(said) <= set(capsys.readouterr().out.splitlines())


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """One object per puzzle."""
    assert run(["explain", "pentominoes-5x6-FLNPUY", "queens-6", "--json"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["packing"]["impossible"] is None
    assert {effect["reduction"] for effect in first["packing"]["effects"]} >= {"fit", "parity"}
    assert (second["puzzle"], second["packing"]) == ("queens-6", None)


def test_a_count_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    """0, with the reason, and exit status 0: nothing is left to search."""
    assert run(["count", "hexominoes-14x15"]) == 0
    assert capsys.readouterr().out.startswith(
        "hexominoes-14x15: 0 unique solutions: parity: 11 pieces show ±2 and 24 show 0, "
    )
