"""Results of a race: pictures of solutions, the viewer, files, records, and the report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from dovetail.errors import PuzzleError
from dovetail.harness.records.record import Record
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import solutions_text
from dovetail.reports.html import page_html
from dovetail.reports.pictures.drawing import fragment
from dovetail.reports.pictures.picture import Picture, SolutionFigures
from dovetail.reports.results.page import report_page
from dovetail.reports.solution_file import board_writer, solutions_writer
from dovetail.reports.viewer.viewer import MAX_SOLUTIONS, viewer_page
from dovetail.ui.puzzle_pictures import picture_text
from dovetail.ui.race import Lane, Race
from dovetail.ui.requests import Fields, NotFoundError, RequestError


def records_text(race: Race) -> str:
    """Return the records of the lanes that have ended, in the form that `bench -o` writes."""
    lines = (json.dumps(record.json_fields(), allow_nan=False) for record in race.records)
    return "".join(f"{line}\n" for line in lines)


def report_text(records: Sequence[Record], warnings: Sequence[str] = ()) -> str:
    """Return the report of records as HTML; raise `RequestError` (status 404) for no records."""
    if not records:
        raise RequestError("no run has ended yet, so that there is nothing to report", status=404)
    return page_html(report_page(records, warnings=warnings))


def solutions_fields(race: Race, lane: Lane, first: int, count: int) -> Fields:
    """Return `count` solutions of a lane from index `first` on, with their pictures.

    The numbers in the result start at 1.
    """
    puzzle = race.question.stored.puzzle
    figures = SolutionFigures(puzzle)
    return {
        "found": lane.solutions.found,
        "kept": lane.solutions.kept,
        "solutions": [
            {"number": number, "picture": _picture(figures, puzzle, solution, number)}
            for number, solution in enumerate(lane.solutions.read(first, count), start=first + 1)
        ],
    }


def viewer_text(race: Race, lane: Lane, number: int | None) -> str:
    """Return the page that shows one solution, or up to `MAX_SOLUTIONS` solutions.

    Packings of at most three dimensions, flat ones included, are shown in the viewer; other puzzles
    get a page of pictures. Raises `NotFoundError` if no kept solution has the number.
    """
    puzzle = race.question.stored.puzzle
    solutions = lane.solutions.read(0, MAX_SOLUTIONS) if number is None else _one(lane, number)
    if isinstance(puzzle, PackingPuzzle) and puzzle.lattice.dimension <= 3:
        found = lane.solutions.found if number is None else None
        return viewer_page(puzzle, cast("list[PackingSolution]", solutions), found)
    return Picture(puzzle, tuple(solutions)).html


def lane_file(race: Race, lane: Lane, name: str, number: int | None = None) -> bytes:
    """Return the content of a file called `name` with the best board of a lane, or its solutions.

    With a `number`, the file has only that solution. Raises `DovetailError` for a suffix without a
    format, and for a format that cannot hold the solutions.
    """
    stored = race.question.stored
    if lane.job.improves:
        if lane.best is None or not isinstance(stored.puzzle, EdgePuzzle):
            raise RequestError("no board yet", status=409)
        return board_writer(Path(name), stored.puzzle)(stored.puzzle, lane.best.board).encode()
    writer = solutions_writer(Path(name), stored.puzzle, stored.source)
    solutions = _solutions(lane) if number is None else _one(lane, number)
    text = solutions_text(writer, solutions, number or 1)
    return text.encode("utf-8" if stored.source is None else stored.source.encoding)


def _one(lane: Lane, number: int) -> list[Solution]:
    """Return a list of the solution with a number; raise `NotFoundError` if it is not kept."""
    solutions = lane.solutions.read(number - 1, 1)
    if not solutions:
        raise NotFoundError("solution", number)
    return solutions


def _solutions(lane: Lane) -> list[Solution]:
    """Return the kept solutions; raise `RequestError` if there are none yet."""
    solutions = lane.solutions.read()
    if not solutions and not lane.has_ended:
        raise RequestError("no solution yet", status=409)
    return solutions


def _picture(
    figures: SolutionFigures, puzzle: Puzzle, solution: Solution, number: int
) -> str | None:
    """Return the picture of a solution, or the options of a cover problem; None if impossible."""
    try:
        if isinstance(puzzle, PackingPuzzle | EdgePuzzle):
            return picture_text(figures.figure(solution, number).drawing)
        return fragment(figures.element(solution, number))
    except PuzzleError:
        return None
