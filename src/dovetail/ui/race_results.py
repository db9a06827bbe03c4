"""What comes of a race: pictures of solutions, the viewer, files, records, the report."""

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
    """The records of the lanes that have ended, as `bench -o` writes them."""
    lines = (json.dumps(record.json_fields(), allow_nan=False) for record in race.records)
    return "".join(f"{line}\n" for line in lines)


def report_text(records: Sequence[Record], warnings: Sequence[str] = ()) -> str:
    """The report of records as a page; raises `RequestError` (status 404) where there are none."""
    if not records:
        raise RequestError("no run has ended yet, so that there is nothing to report", status=404)
    return page_html(report_page(records, warnings=warnings))


def solutions_fields(race: Race, lane: Lane, first: int, count: int) -> Fields:
    """Some of the solutions of a lane with their pictures; numbers count from 1."""
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
    """The page that shows the solution with a number, or all that there is room for.

    Packings are in the viewer of solids, also flat ones; for others it is a page of pictures.
    Raises `NotFoundError` for a number that no kept solution has.
    """
    puzzle = race.question.stored.puzzle
    solutions = lane.solutions.read(0, MAX_SOLUTIONS) if number is None else _one(lane, number)
    if isinstance(puzzle, PackingPuzzle) and puzzle.lattice.dimension <= 3:
        found = lane.solutions.found if number is None else None
        return viewer_page(puzzle, cast("list[PackingSolution]", solutions), found)
    return Picture(puzzle, tuple(solutions)).html


def lane_file(race: Race, lane: Lane, name: str, number: int | None = None) -> bytes:
    """The content of a file called `name` with the best board of a lane, or its solutions.

    With a `number`, only that solution is in it.

    Raises `DovetailError` for a suffix of no format, or one that cannot hold them.
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
    """The solution with a number alone; raises `NotFoundError` if it is not kept."""
    solutions = lane.solutions.read(number - 1, 1)
    if not solutions:
        raise NotFoundError("solution", number)
    return solutions


def _solutions(lane: Lane) -> list[Solution]:
    """The kept solutions, of which there are some unless none is expected."""
    solutions = lane.solutions.read()
    if not solutions and not lane.has_ended:
        raise RequestError("no solution yet", status=409)
    return solutions


def _picture(
    figures: SolutionFigures, puzzle: Puzzle, solution: Solution, number: int
) -> str | None:
    """The picture of a solution, for a bare cover problem its options; None where it has none."""
    try:
        if isinstance(puzzle, PackingPuzzle | EdgePuzzle):
            return picture_text(figures.figure(solution, number).drawing)
        return fragment(figures.element(solution, number))
    except PuzzleError:
        return None
