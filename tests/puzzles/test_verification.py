"""Solutions from anywhere, checked against the puzzle itself."""

from __future__ import annotations

from pathlib import Path

import pytest

import dovetail
from dovetail.files.text_file import TextFile
from dovetail.models.solution import PackingSolution
from dovetail.puzzles.verification import WrongSolution, verify_file, verify_solutions

ROW = dovetail.PackingPuzzle(
    name="a row",
    lattice=dovetail.SquareLattice(2),
    region=((0, 0), (1, 0), (2, 0)),
    pieces=(dovetail.Piece("I", ((0, 0),)), dovetail.Piece("L", ((0, 0), (1, 0)))),
)
GOOD = PackingSolution((("I", ((0, 0),)), ("L", ((1, 0), (2, 0)))))
OTHER_NAMES = PackingSolution((("a", ((0, 0),)), ("b", ((1, 0), (2, 0)))))
BAD = PackingSolution((("I", ((1, 0),)), ("L", ((1, 0), (2, 0)))))


def test_the_wrong_ones_are_numbered() -> None:
    """From 1 on, each with its reason; the same one twice is counted twice."""
    found = verify_solutions(ROW, [GOOD, BAD, GOOD])
    assert (found.total, found.distinct, found.valid) == (3, 2, False)
    (wrong,) = found.wrong
    assert (wrong.number, wrong.line) == (2, None)
    assert wrong.reason == "cell (0, 0) is empty"


def test_pieces_by_their_shapes() -> None:
    """Whatever they are called, if that is asked for."""
    (wrong,) = verify_solutions(ROW, [OTHER_NAMES]).wrong
    assert "by-shape" in wrong.reason
    assert dovetail.verify(ROW, OTHER_NAMES, by_shape=True).valid
    assert not dovetail.verify(ROW, BAD, by_shape=True).valid
    with pytest.raises(dovetail.ConfigError, match="queens-6 has no pieces"):
        dovetail.verify("queens-6", [], by_shape=True)


def test_files(tmp_path: Path) -> None:
    """Wrong ones with their lines; symbols may stand for pieces; an empty file is refused."""
    path = tmp_path / "found.txt"
    path.write_text("I L L\n\nL I L\n")
    (wrong,) = verify_file(ROW, TextFile(path)).wrong
    assert isinstance(wrong, WrongSolution)
    assert (wrong.number, wrong.line) == (2, 3)
    path.write_text("i L L\n")
    assert verify_file(ROW, TextFile(path), fold={"i": "I"}).valid
    path.write_text("# nothing\n")
    with pytest.raises(dovetail.FormatError, match="no solutions found"):
        dovetail.verify(ROW, path)


def test_nothing_is_valid() -> None:
    """Of no solutions none is wrong."""
    assert verify_solutions(ROW, []) == dovetail.Verification(0, 0)
