"""Edge-matching text: read, written, and refused with a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from dovetail.errors import FormatError
from dovetail.models.edges import EdgePuzzle
from dovetail.puzzles.loading import load

TEXT = "2 2\n# clockwise from the top\n0 0 1 1\n\n0 0 1 1\n0 0 1 1  # the third\n0 0 1 1\n"


def test_sizes_and_order(tmp_path: Path) -> None:
    """Width before height; tiles in the order of the file, clockwise from the top."""
    board = load("edges-4x5-b3i4-1")
    assert isinstance(board, EdgePuzzle)
    path = tmp_path / "board.txt"
    lines = [f"{top} {right} {bottom} {left}" for top, right, bottom, left in board.tiles]
    path.write_text("5 4\n" + "\n".join(lines))
    assert load(path).digest == board.digest


def test_comments_and_blank_lines(tmp_path: Path) -> None:
    """Are passed over."""
    path = tmp_path / "board.txt"
    path.write_text(TEXT)
    board = load(path)
    assert isinstance(board, EdgePuzzle)
    assert board.tiles == ((0, 0, 1, 1),) * 4


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (TEXT.replace("0 0 1 1  # the third", "0 0 1"), 6, "3 numbers; expected four"),
        (TEXT.replace("0 0 1 1\n\n", "0 0 -1 1\n\n"), 3, "colour -1; expected 0"),
        (TEXT + "0 0 1 1\n", 8, "a tile too many; expected 2 · 2 = 4"),
        ("2 2\n0 0 1 1\n", 3, "the file ends after 1 tiles; expected 2 · 2 = 4"),
        ("2\n0 0 1 1\n", 1, "expected two numbers"),
        ("2 x\n", 1, "expected a whole number"),
        ("0 2\n", 1, "expected sides of 1 to 256"),
        ("999999999 2\n", 1, "expected sides of 1 to 256"),
        (TEXT.replace("0 0 1 1\n\n", "0 0 1 1.5\n\n"), 3, "expected a whole number"),
        (TEXT.replace("0 0 1 1\n\n", "0 0 1 " + "9" * 5000 + "\n\n"), 3, "expected a whole number"),
    ],
)
def test_mistakes_are_placed(tmp_path: Path, content: str, line: int, message: str) -> None:
    """File, line, what is wrong and what was expected."""
    path = tmp_path / "board.txt"
    path.write_text(content)
    with pytest.raises(FormatError, match=message) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}:{line}:")
    assert len(str(caught.value)) < 400
