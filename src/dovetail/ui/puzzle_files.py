"""Files of a puzzle and of its solutions: their names and formats."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from dovetail.errors import DovetailError, shorten
from dovetail.models.cover import CoverProblem
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.registry import (
    format_to_write,
    puzzle_formats,
    solution_formats,
)
from dovetail.reports.pictures.picture import PICTURES, puzzles_picture
from dovetail.reports.solution_file import solutions_writer
from dovetail.ui.requests import RequestError, text
from dovetail.ui.workspace import StoredPuzzle


def puzzle_text(stored: StoredPuzzle, suffix: str) -> str:
    """Return the puzzle as a file in the format, or as the picture, that a suffix stands for.

    Raises `DovetailError` if the format cannot hold the puzzle.
    """
    if suffix in PICTURES:
        return puzzles_picture(suffix, [stored.puzzle])
    name = file_name(stored.puzzle.name, text("format", suffix))
    return format_to_write(Path(name), stored.puzzle).text(stored.puzzle)


def puzzle_suffixes(puzzle: Puzzle) -> list[str]:
    """Return the suffixes of the formats that can hold a puzzle, then the suffixes of pictures.

    Formats of solvers follow the other formats. Formats that may hold the puzzle as a cover problem
    are included without a test, which would take long.
    """
    found = list[str]()
    for one in puzzle_formats().values():
        with suppress(DovetailError):
            if one.is_for(puzzle):
                one.text(puzzle)
            elif one.puzzle_type is not CoverProblem:
                continue
            found.append(one.suffixes[0])
    for suffix in PICTURES:
        with suppress(DovetailError):
            puzzles_picture(suffix, [puzzle])
            found.append(suffix)
    return list(dict.fromkeys(found))


def solution_suffixes(stored: StoredPuzzle) -> list[str]:
    """Return the suffixes of the files that can hold solutions of a puzzle."""
    found = list[str]()
    for suffix in (*solution_formats(), *PICTURES):
        with suppress(DovetailError):
            solutions_writer(Path(f"solutions{suffix}"), stored.puzzle, stored.source)
            found.append(suffix)
    return found


def file_name(name: str, suffix: str) -> str:
    """Return a file name for a download: letters, digits and dashes of `name`, and a suffix.

    Raises `RequestError` for an invalid suffix.
    """
    if not suffix.startswith(".") or not suffix[1:].replace(".", "").isalnum():
        raise RequestError(
            f"format is {shorten(suffix)!r}; expected a suffix such as .svg", "format"
        )
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in name)
    return f"{kept[:80].strip('-') or 'puzzle'}{suffix}"
