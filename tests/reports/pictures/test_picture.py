"""The picture object of the API."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from dovetail import ConfigError, PuzzleError, picture, solve
from dovetail.models.edges import EdgePuzzle
from dovetail.models.partial_board import PartialBoard, mismatched_edges
from dovetail.reports.pictures import picture as picture_module
from reports.pictures.puzzles import SMALL, SMALL_SOLUTION


def test_a_puzzle_by_its_name() -> None:
    """Shows the region and the pieces."""
    shown = picture("pentominoes-6x10")
    assert "the region of pentominoes-6x10" in shown.svg
    assert shown._repr_html_().count("<figure>") == 12
    assert shown.html.startswith("<!DOCTYPE html>")


def test_one_solution_or_several() -> None:
    """As given, from an iterator too."""
    assert "solution 1 of small" in picture(SMALL, SMALL_SOLUTION).svg
    several = picture("pentominoes-3x20", islice(solve("pentominoes-3x20"), 2))
    assert several.html.count("<figure>") == 2
    assert several._repr_html_().count("<figure>") == 2
    with pytest.raises(PuzzleError, match=r"^small: no solution to draw$"):
        picture(SMALL, [])


def test_a_notebook_shows_a_part_of_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a script, and not without end."""
    monkeypatch.setattr(picture_module, "MAX_IN_SVG", 2)
    shown = picture("soma-cube", islice(solve("soma-cube"), 3))._repr_html_()
    assert shown.startswith("<div><style>")
    assert (shown.count("<figure>"), "<script" in shown) == (2, False)
    assert shown.endswith("<p>and 1 more</p></div>")


def test_save(tmp_path: Path) -> None:
    """By the suffix; what cannot be written is one line."""
    shown = picture(SMALL, SMALL_SOLUTION)
    shown.save(tmp_path / "small.svg")
    shown.save(str(tmp_path / "small.html"))
    assert (tmp_path / "small.svg").read_text() == shown.svg
    assert (tmp_path / "small.html").read_text() == shown.html
    with pytest.raises(
        ConfigError, match=r"'\.png': unknown kind of picture; valid: \.svg, \.html"
    ):
        shown.save(tmp_path / "small.png")
    with pytest.raises(ConfigError, match="cannot be written"):
        shown.save(tmp_path / "missing" / "small.svg")


BOARD = EdgePuzzle("board", 2, 2, ((0, 1, 2, 0), (0, 0, 2, 1), (2, 1, 0, 0), (2, 0, 0, 1)))


def test_a_board_that_is_no_solution(tmp_path: Path) -> None:
    """Edges that do not match are marked, in files and in notebooks; its score is below it."""
    crossed = PartialBoard((((0, 1), (3, 0)), (None, (1, 0))))
    shown = picture(BOARD, crossed)
    marks = len(mismatched_edges(BOARD, crossed))
    assert marks == 1
    for text in (shown.svg, shown.html, shown._repr_html_()):
        assert text.count('class="mismatch"') == 1
        assert "1 of 4 edges match" in text
    shown.save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text() == shown.svg


def test_a_board_of_another_puzzle() -> None:
    """Is refused with the rule that it breaks."""
    with pytest.raises(PuzzleError, match="not a board of board: the size of the board is not 2"):
        picture(BOARD, PartialBoard(((None,),)))
    with pytest.raises(PuzzleError, match="not a board of small: it is not an edge-matching"):
        picture(SMALL, PartialBoard(((None,),)))
