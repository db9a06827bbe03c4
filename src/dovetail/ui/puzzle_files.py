"""Files of a puzzle and of its solutions: what each is called, and which formats there are."""

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
    """The puzzle as a file with a suffix, of a format or of a picture.

    Raises `DovetailError` for one that cannot hold it.
    """
    if suffix in PICTURES:
        return puzzles_picture(suffix, [stored.puzzle])
    name = file_name(stored.puzzle.name, text("format", suffix))
    return format_to_write(Path(name), stored.puzzle).text(stored.puzzle)


def puzzle_suffixes(puzzle: Puzzle) -> list[str]:
    """The suffixes of the formats that can hold a puzzle, those of solvers after others; pictures.

    Whether one holds it as a cover problem is not tried: that would take its time.
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
    """The suffixes of the files that solutions of a puzzle can be written into."""
    found = list[str]()
    for suffix in (*solution_formats(), *PICTURES):
        with suppress(DovetailError):
            solutions_writer(Path(f"solutions{suffix}"), stored.puzzle, stored.source)
            found.append(suffix)
    return found


def file_name(name: str, suffix: str) -> str:
    """The name of a file to download: letters, digits and dashes of `name`, and a suffix.

    Raises `RequestError` for what is no suffix.
    """
    if not suffix.startswith(".") or not suffix[1:].replace(".", "").isalnum():
        raise RequestError(
            f"format is {shorten(suffix)!r}; expected a suffix such as .svg", "format"
        )
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in name)
    return f"{kept[:80].strip('-') or 'puzzle'}{suffix}"
