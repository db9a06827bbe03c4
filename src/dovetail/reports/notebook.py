"""Objects of the API in Python sessions: results as text, and HTML for notebooks.

The models do not import pictures. When dovetail is imported, functions that show puzzles, solutions
and estimates are registered with IPython by the names of the classes. Pictures are imported when an
object is shown.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dovetail.errors import how_many
from dovetail.reports.elements import element
from dovetail.reports.numbers import show_count, show_seconds, show_whole

if TYPE_CHECKING:
    from dovetail.harness.estimating import Estimate
    from dovetail.harness.run.job import Job
    from dovetail.harness.run.result import Result
    from dovetail.models.solution import EdgeSolution, PackingSolution
    from dovetail.models.task import Puzzle
    from dovetail.reports.pictures.drawing import Drawing


def register() -> None:
    """Register the functions that show dovetail's classes with the running IPython, if any."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None:
        return
    formatter = shell.display_formatter.formatters["text/html"]
    for (module, name), show in _SHOWN.items():
        formatter.for_type_by_name(module, name, show)


def _puzzle(puzzle: Puzzle) -> str:
    from dovetail.errors import PuzzleError
    from dovetail.reports.describe_puzzle import describe_puzzle
    from dovetail.reports.pictures.drawing import fragment
    from dovetail.reports.pictures.picture import picture_of

    try:
        return picture_of(puzzle)._repr_html_()
    except PuzzleError:  # of too many dimensions
        return fragment(element("pre", describe_puzzle(puzzle)))


def _packing_solution(solution: PackingSolution) -> str | None:
    """Draw the pieces; a solution does not know the rest of the region."""
    from dovetail.errors import PuzzleError
    from dovetail.reports.pictures.packing import placed_drawing

    try:
        return _drawn(placed_drawing(solution))
    except PuzzleError:
        return None


def _edge_solution(solution: EdgeSolution) -> str:
    """Draw the tile numbers and turns; a solution does not know the colours of the tiles."""
    from dovetail.reports.pictures.board import numbers_drawing

    return _drawn(numbers_drawing(solution))


@dataclass(frozen=True)
class JobView:
    """A job, and its result as text and as HTML."""

    job: Job

    def text(self, result: Result) -> str:
        """Return the lines that the command prints."""
        from dovetail.reports.describe_result import describe_improvement, describe_result

        describe = describe_result if result.board is None else describe_improvement
        return describe(self.job, result)

    def html(self, result: Result) -> str:
        """Return a small table, or the picture of the best board of an improvement."""
        return _result(result)


def _result(result: Result) -> str:
    from dovetail.reports.describe_result import explained
    from dovetail.reports.pictures.picture import picture_of

    if result.job is not None and result.board is not None:
        return picture_of(result.job.puzzle, result.board)._repr_html_()
    status = result.status
    rows = [
        ("status", str(status)),
        ("count", show_count(result.count, status == "exhausted")),
        ("nodes", show_whole(result.nodes)),
        ("prepare", show_seconds(result.prepare_s)),
        ("solve", show_seconds(result.solve_s)),
        ("check", show_seconds(result.check_s)),
        ("verified", how_many(result.verified, "solution")),
    ]
    if result.chosen is not None:
        rows.insert(0, ("auto chose", f"{result.chosen.backend}: {explained(result.chosen)}"))
    if result.reason:
        rows.append(("reason", result.reason))
    return _table(rows)


def _estimate(estimate: Estimate) -> str:
    from dovetail.reports.describe_search import show_interval, show_mean

    rows = [
        ("backend", estimate.job.backend),
        ("nodes", show_interval(estimate.nodes, show_mean)),
        ("by", str(estimate.source)),
        ("solutions found", show_interval(estimate.solutions, show_mean)),
        ("descents", f"{estimate.descents:,} in {show_seconds(estimate.sampling_s)}"),
    ]
    if estimate.solve_s is not None:
        rows.append(("solve", show_interval(estimate.solve_s, show_seconds)))
    return _table(rows)


def _drawn(drawing: Drawing) -> str:
    from dovetail.reports.pictures.drawing import styled, svg_element

    return styled(svg_element(drawing))


def _table(rows: Iterable[tuple[str, str]]) -> str:
    from dovetail.reports.pictures.drawing import fragment

    lines = (element("tr", element("th", name), element("td", value)) for name, value in rows)
    return fragment(element("table", element("tbody", *lines)))


_SHOWN: dict[tuple[str, str], Callable[[Any], str | None]] = {
    ("dovetail.models.packing", "PackingPuzzle"): _puzzle,
    ("dovetail.models.edges", "EdgePuzzle"): _puzzle,
    ("dovetail.models.cover", "CoverProblem"): _puzzle,
    ("dovetail.models.solution", "PackingSolution"): _packing_solution,
    ("dovetail.models.solution", "EdgeSolution"): _edge_solution,
    ("dovetail.harness.run.result", "Result"): _result,
    ("dovetail.harness.estimating", "Estimate"): _estimate,
}
