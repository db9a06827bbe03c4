"""Files of solutions and of boards, by their suffix: those of the formats, and pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dovetail.files.text_file import TextFile
from dovetail.models.edges import EdgePuzzle
from dovetail.models.partial_board import PartialBoard, empty_board
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import SolutionWriter
from dovetail.puzzles.formats.registry import (
    board_format,
    solution_formats,
    solution_writer,
    suffix_among,
)
from dovetail.reports.pictures.picture import PICTURES, picture_of, picture_writer

BoardWriter = Callable[[EdgePuzzle, PartialBoard], str]


def solutions_writer(
    output: Path, puzzle: Puzzle, source: TextFile | None = None
) -> SolutionWriter:
    """How solutions of `puzzle` are written into a file called `output`, or back into its `source`.

    Raises `ConfigError` for a suffix that nothing has, and `PuzzleError` where the format cannot
    hold or show such a puzzle's solutions.
    """
    if output.suffix in PICTURES:
        return picture_writer(output.suffix, puzzle)
    suffix = suffix_among(output, solution_formats())
    return solution_writer(suffix, puzzle, source, also=PICTURES)


def board_writer(output: Path, puzzle: EdgePuzzle) -> BoardWriter:
    """What makes the content of a file called `output` with a board whose edges need not match.

    Raises `ConfigError` for an unknown suffix, and `PuzzleError` for boards it cannot express.
    """
    if output.suffix in PICTURES:
        return lambda puzzle, board: picture_of(puzzle, board).text(output.suffix)
    chosen = board_format(output, *PICTURES)

    def write(puzzle: EdgePuzzle, board: PartialBoard) -> str:
        return chosen.write_boards(puzzle, [board])

    write(puzzle, empty_board(puzzle))  # or what cannot be written is known after the search
    return write
