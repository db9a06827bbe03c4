"""From a file of solutions, whatever its format, to the solutions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from dovetail.errors import PuzzleError
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.burrtools.solutions import read_solutions_of
from dovetail.puzzles.formats.solutions.csv_rows import csv_blocks, is_csv, solution_from_rows
from dovetail.puzzles.formats.solutions.json_values import json_objects, solution_from_json
from dovetail.puzzles.formats.solutions.text import solution_from_text, text_blocks
from dovetail.puzzles.formats.text_file import TextFile
from dovetail.puzzles.formats.viewer.solutions import solution_from_board
from dovetail.puzzles.formats.viewer.urls import BEGINS, read_boards

Numbered = Iterator[tuple[int, Callable[[], Solution]]]


def read_solutions(
    file: TextFile, puzzle: Puzzle, fold: Mapping[str, str] | None = None
) -> Iterator[tuple[int, Solution]]:
    """The solutions in `file` with the line each begins in; the format is told by the content.

    In layered text a symbol in `fold` stands for the piece it maps to, so that a piece may
    be drawn with several symbols.

    Raises `FormatError` for what cannot be a solution of this kind of puzzle.
    """
    for line, solution in _unread(file, puzzle, fold or {}):
        try:
            yield line, solution()
        except (PuzzleError, ValueError, TypeError, KeyError, IndexError) as error:
            reason = str(error) if isinstance(error, PuzzleError) else "not such a solution"
            raise file.error(f"{reason}; expected a solution of {puzzle.name}", line) from None


def _unread(file: TextFile, puzzle: Puzzle, fold: Mapping[str, str]) -> Numbered:
    """The solutions' lines, and how to make each."""
    saying = (
        (number, line)
        for number, line in enumerate(file.lines, start=1)
        if line.strip() and not line.startswith("#")
    )
    number, first = next(saying, (1, ""))
    in_json, in_csv = first.lstrip().startswith("{"), is_csv(first)
    in_xml = first.lstrip().startswith("<")
    if fold and (in_json or in_csv or in_xml):
        raise file.error(
            "not a picture; expected layered text, whose symbols can be folded", number
        )
    if in_json:
        for line, value in json_objects(file, first):
            yield line, partial(solution_from_json, puzzle, value)
    elif in_csv:
        for line, rows in csv_blocks(file, puzzle):
            yield line, partial(solution_from_rows, puzzle, rows)
    elif in_xml:
        if not isinstance(puzzle, PackingPuzzle):
            raise file.error(f"a BurrTools file; {puzzle.name} is no packing puzzle", number)
        for line, solution in read_solutions_of(puzzle, file):
            yield line, partial(_as_read, solution)
    elif isinstance(puzzle, EdgePuzzle) and re.match(BEGINS, first.lstrip()):
        for line, shown in read_boards(file):
            yield line, partial(solution_from_board, puzzle, shown)
    else:
        for line, lines in text_blocks(file):
            yield line, partial(solution_from_text, puzzle, lines, fold)


def _as_read(solution: Solution) -> Solution:
    return solution
