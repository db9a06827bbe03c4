"""Choice of the writer of solutions or boards by the suffix of the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dovetail.files.text_file import TextFile
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.boards.partial_board import PartialBoard, empty_board
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import SolutionWriter
from dovetail.puzzles.formats.registry import (
    board_format,
    solution_formats,
    solution_writer,
    suffix_among,
)
from dovetail.reports.pictures.picture import PICTURES, picture_of, picture_writer
from dovetail.reports.printing import SOLIDS

BoardWriter = Callable[[EdgePuzzle, PartialBoard], str]


def solutions_writer(
    output: Path, puzzle: Puzzle, source: TextFile | None = None
) -> SolutionWriter:
    """Return the writer of solutions of `puzzle` for the file `output`.

    If the format can hold a puzzle and its solutions, the output contains `source`, the file of the
    puzzle. Raises `ConfigError` for an unknown suffix, and `PuzzleError` if the format cannot
    express or show solutions of the puzzle.
    """
    if output.suffix in PICTURES:
        return picture_writer(output.suffix, puzzle)
    if output.suffix in SOLIDS:
        from dovetail.reports.printing.solids import assembly_writer

        return assembly_writer(output.suffix, puzzle)
    suffix = suffix_among(output, solution_formats())
    return solution_writer(suffix, puzzle, source, also=(*PICTURES, *SOLIDS))


def board_writer(output: Path, puzzle: EdgePuzzle) -> BoardWriter:
    """Return a function from a puzzle and its board to the content of the file `output`.

    Edges of the board need not match. Raises `ConfigError` for an unknown suffix, and `PuzzleError`
    if the format cannot express boards of the puzzle.
    """
    if output.suffix in PICTURES:
        return lambda puzzle, board: picture_of(puzzle, board).text(output.suffix)
    chosen = board_format(output, *PICTURES)

    def write(puzzle: EdgePuzzle, board: PartialBoard) -> str:
        return chosen.write_boards(puzzle, [board])

    write(puzzle, empty_board(puzzle))  # raises an error before the search
    return write
