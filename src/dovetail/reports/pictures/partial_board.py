"""Files with a picture of a board whose edges need not match."""

from __future__ import annotations

from dovetail.models.edges import EdgePuzzle
from dovetail.models.partial_board import PartialBoard, max_score, score
from dovetail.reports.elements import html_text
from dovetail.reports.pictures.board import partial_board_drawing
from dovetail.reports.pictures.drawing import svg_text
from dovetail.reports.pictures.page import figure_element, page
from dovetail.reports.pictures.sheet import Figure

SUFFIXES = (".svg", ".html")


def partial_board_figure(puzzle: EdgePuzzle, board: PartialBoard) -> Figure:
    """A board with bars where edges do not match; its score is the caption."""
    caption = f"{score(puzzle, board)} of {max_score(puzzle)} edges match"
    return Figure(partial_board_drawing(puzzle, board, f"{puzzle.name}: {caption}"), caption)


def partial_board_picture(suffix: str, puzzle: EdgePuzzle, board: PartialBoard) -> str:
    """The text of a file with one of `SUFFIXES` that shows a board and its score."""
    figure = partial_board_figure(puzzle, board)
    if suffix == ".svg":
        return svg_text(figure.drawing)
    return html_text(page(puzzle.name, figure_element(figure)))
