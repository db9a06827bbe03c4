"""What `frontier` cannot take, and limits on it, as its users meet them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dovetail.cli.main import run
from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.puzzles.formats.registry import format_named
from dovetail.puzzles.polyominoes import box

LONG = "one-sided-pentominoes-9x10"


def count(*words: str) -> int:
    """The exit status of counting by `frontier`."""
    return run(["count", *words, "-b", "frontier"])




def test_a_window_too_wide_is_refused_with_its_width(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Four layers of the cube lie between the ends of a straight piece across the sweep."""
    pieces = (Piece("I", tuple((0, 0, z) for z in range(5)), 25, 25),)
    path = tmp_path / "wide.toml"
    puzzle = PackingPuzzle("wide", SquareLattice(3), box(5, 5, 5), pieces)
    path.write_text(format_named("toml").text(puzzle))
    assert count(str(path)) == 2
    assert capsys.readouterr().out == (
        "wide: frontier refuses: a piece spans 101 cells in the best order of cells; "
        "the limit is 64\n"
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("hexominoes-box-in-a-diamond",), "its sets of pieces need 35 bits; "),
        (("queens-6",), "it supports packing puzzles only"),
        (("edges-3-1-1",), "it supports packing puzzles only"),
        (("soma-cube", "--node-limit", "5"), "frontier does not count nodes, so it does not "),
        (("soma-cube", "--trigger", "volume"), "it does not support triggers (volume)"),
        (("soma-cube", "--option-order", "random"), "it does not support a random option order"),
    ],
)
def test_refusals(
    words: tuple[str, ...], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line and exit status 2; with --json the status is `skipped`, and there is no count."""
    assert count(*words) == 2
    out = capsys.readouterr().out
    assert out.startswith(f"{words[0]}: frontier refuses: {expected}")
    assert out.count("\n") == 1
    assert count(*words, "--json") == 2
    result = json.loads(capsys.readouterr().out)
    assert (result["status"], result["count"]) == ("skipped", None)
    assert result["reason"].startswith(expected)


@pytest.mark.parametrize(
    ("words", "status"),
    [(("--time-limit", "0.3"), "time-limit"), (("--memory-limit", "400M"), "memory-limit")],
)
def test_limits_leave_no_count(
    words: tuple[str, ...], status: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A dynamic programme has no lower bound until it ends; exit status 3."""
    assert count(LONG, *words, "--json") == 3
    result = json.loads(capsys.readouterr().out)
    assert (result["status"], result["count"], result["verified"]) == (status, None, 0)
    if status == "memory-limit":
        assert re.search(r"would take [\d,]+ bytes; [\d,]+ are left", result["reason"])


