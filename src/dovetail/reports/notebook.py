"""Text and notebook HTML of the objects of the API.

`dovetail` imports this module when an object is shown. The functions for classes that show more
than their fields are registered at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import singledispatch
from typing import Any

from dovetail.backends.registry import counts_probably
from dovetail.errors import PuzzleError
from dovetail.harness.confidence import Interval
from dovetail.harness.disassembling import TakenApart
from dovetail.harness.estimating import Estimate
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import SeedRuns, seed_runs
from dovetail.harness.run.result import Result
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.boards.partial_board import PartialBoard
from dovetail.models.cover import CoverProblem
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import EdgeSolution, PackingSolution
from dovetail.models.task import Puzzle
from dovetail.printable import Shown, ShownList, fields_of, printable
from dovetail.puzzles.catalogue import CatalogueEntry
from dovetail.puzzles.verification import Verification
from dovetail.reports.columns import compared, results_table, scores_table
from dovetail.reports.describe.disassembly import describe_moves, describe_taken_apart
from dovetail.reports.describe.puzzle import describe_puzzle
from dovetail.reports.describe.result import (
    describe_improvement,
    describe_result,
    describe_verification,
)
from dovetail.reports.describe.search import describe_estimate, levels_table, show_interval
from dovetail.reports.elements import Child, element
from dovetail.reports.numbers import show_count, show_seconds, show_whole
from dovetail.reports.pictures.board import numbers_drawing
from dovetail.reports.pictures.drawing import fragment, styled, svg_element
from dovetail.reports.pictures.packing import placed_drawing
from dovetail.reports.pictures.picture import picture_of
from dovetail.reports.rendering.html import table_element
from dovetail.reports.table import Table, facts_table, table_lines, text_table

# Maximum number of rows of a table as text, and as HTML.
MAX_LINES, MAX_ROWS = 12, 100
# Notebooks align the cells of all tables to the right.
STYLE = ".dovetail table .words { text-align: left; }"
RESULT_COLUMNS = ("question", "solver", "count", "placements_made", "prepare_s", "solve_s")


@singledispatch
def as_text(thing: Shown) -> str:
    """Return the text of an object; by default, its fields."""
    return Shown.__str__(thing)


@singledispatch
def as_html(thing: Any) -> str:
    """Return the HTML of an object.

    By default, the HTML shows the text that the class of the object defines. For a class without
    its own text, the HTML is a table of the fields that differ from their defaults.
    """
    kind: Any = type(thing)
    if kind.__str__ is not Shown.__str__:
        return fragment(element("pre", str(thing)))
    facts = facts_table(fields_of(thing, every=False).items())
    return _html(element("strong", kind.__name__), table_element(facts))


def _puzzle_html(puzzle: Puzzle) -> str:
    try:
        return picture_of(puzzle)._repr_html_()
    except PuzzleError:  # for a puzzle without pictures
        return fragment(element("pre", describe_puzzle(puzzle)))


def _packing_html(solution: PackingSolution) -> str:
    """Draw the pieces, because a solution does not have the other cells of the region."""
    try:
        return styled(svg_element(placed_drawing(solution)))
    except PuzzleError:
        return fragment(element("pre", str(solution)))


def _board_html(board: EdgeSolution | PartialBoard) -> str:
    """Draw the tile numbers and rotations, because a board does not have the colours of tiles."""
    return styled(svg_element(numbers_drawing(board)))


def _estimate_html(estimate: Estimate) -> str:
    levels = None if estimate.by_remaining is None else table_element(levels_table(estimate))
    return _lines_html(str(estimate).partition("\n\n")[0].splitlines(), levels)


def _result_text(result: Result) -> str:
    if result.job is None:
        return as_text.dispatch(object)(result)
    return (describe_result if result.best is None else describe_improvement)(result.job, result)


def _result_html(result: Result) -> str:
    """Return the best board of an improvement, or the lines and a table about a count."""
    job = result.job
    if job is None:
        return as_html.dispatch(object)(result)
    if result.board is not None:
        return picture_of(job.puzzle, result.board, job.objective)._repr_html_()
    first, *others = str(result).splitlines()  # the first line has the name, which may be any text
    lines = [first, *(line for line in others if ", prepare " not in line)]
    probable = counts_probably(job.backend, job.config)
    figures = {
        "solver": (result.chosen or job).backend,
        "status": result.status,
        "solutions": show_count(result.count, result.is_finished, probable=probable),
        "nodes": show_whole(result.nodes),
        "prepare": show_seconds(result.prepare_s),
        "solve": show_seconds(result.solve_s),
        "verified": show_whole(result.verified),
    }
    table = text_table(list(figures), [list(figures.values())], words=2)
    return _lines_html(lines, table_element(table))


def _taken_apart_text(taken: TakenApart) -> str:
    return "\n".join([describe_taken_apart(taken), *describe_moves(taken)])


def _verification_text(found: Verification) -> str:
    if found.puzzle is None:
        return as_text.dispatch(object)(found)
    return describe_verification(found.puzzle, found)


def _list_text(things: Sequence[Any]) -> str:
    rows = _rows(things)
    lines = [line for table in _tables(rows[:MAX_LINES]) for line in table_lines(table)]
    return "\n".join([*map(printable, lines), *_left_out(rows, MAX_LINES)]) or "[]"


def _list_html(things: Sequence[Any]) -> str:
    rows = _rows(things)
    more = (element("p", line) for line in _left_out(rows, MAX_ROWS))
    return _html(*map(table_element, _tables(rows[:MAX_ROWS])), *more)


def _html(*parts: Child) -> str:
    return fragment(element("div", element("style", STYLE), *parts, class_="dovetail"))


def _lines_html(lines: Sequence[str], table: Child = None) -> str:
    """Return the first line in bold, the table, and the other lines as a list."""
    head, *items = (line.strip() for line in lines if line)
    more = element("ul", *(element("li", item) for item in items)) if items else None
    return _html(element("p", element("strong", head)), table, more)


def _left_out(things: Sequence[Any], most: int) -> list[str]:
    return [f"… and {len(things) - most:,} more"] if len(things) > most else []


def _rows(things: Sequence[Any]) -> list[Any]:
    """Return the things that have a row each: improvements of a board with all of their seeds."""
    scores = seed_runs(thing for thing in things if isinstance(thing, Record))
    return [*scores, *(t for t in things if not (isinstance(t, Record) and t.job.improves))]


def _tables(things: Sequence[Any]) -> Iterator[Table]:
    """Yield tables of scores, of records, of assemblies, or of entries of the catalogue."""
    taken = [thing for thing in things if isinstance(thing, TakenApart)]
    entries = [thing for thing in things if isinstance(thing, CatalogueEntry)]
    improved = [thing for thing in things if isinstance(thing, SeedRuns)]
    counted = [thing for thing in things if isinstance(thing, Record)]
    if entries:
        rows = [(entry.pattern, entry.summary) for entry in entries]
        yield text_table(("puzzles", "content"), rows, words=2)
    if taken:
        assembly_rows = [
            (str(t.number), str(t.outcome), t.level, show_whole(t.moves)) for t in taken
        ]
        yield text_table(("assembly", "outcome", "level", "moves"), assembly_rows, words=3)
    if improved:
        yield scores_table(improved)
    if counted:
        yield results_table(RESULT_COLUMNS, compared(counted))


for puzzle_class in (PackingPuzzle, EdgePuzzle, CoverProblem):
    as_html.register(puzzle_class, _puzzle_html)
as_text.register(Interval, lambda interval: show_interval(interval, lambda mean: f"{mean:,.6g}"))
as_text.register(Estimate, describe_estimate)
as_text.register(Result, _result_text)
as_text.register(Verification, _verification_text)
as_text.register(TakenApart, _taken_apart_text)
as_text.register(Record, lambda record: _list_text([record]))
as_text.register(ShownList, _list_text)
as_html.register(PackingSolution, _packing_html)
as_html.register(EdgeSolution, _board_html)
as_html.register(PartialBoard, _board_html)
as_html.register(Estimate, _estimate_html)
as_html.register(Result, _result_html)
as_html.register(TakenApart, lambda assembly: _lines_html(str(assembly).splitlines()))
as_html.register(Verification, lambda verification: _lines_html(str(verification).splitlines()))
as_html.register(Record, lambda record: _list_html([record]))
as_html.register(ShownList, _list_html)
