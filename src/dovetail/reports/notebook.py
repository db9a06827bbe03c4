"""Objects of the API in Python sessions: results as text, and HTML for notebooks.

The models do not import pictures. When dovetail is imported, functions that show puzzles and
solutions are registered with IPython by the names of the classes. Results are `Shown`. Pictures are
imported when an object is shown.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dovetail.printable import Shown
from dovetail.reports.elements import element

if TYPE_CHECKING:
    from dovetail.models.solution import EdgeSolution, PackingSolution
    from dovetail.models.task import Puzzle
    from dovetail.reports.pictures.drawing import SvgDrawing


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
    from dovetail.reports.describe.puzzle import describe_puzzle
    from dovetail.reports.pictures.drawing import fragment
    from dovetail.reports.pictures.picture import picture_of

    try:
        return picture_of(puzzle)._repr_html_()
    except PuzzleError:  # too many dimensions
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


def show_results() -> None:
    """Register the functions that show results of the API as text and as HTML."""
    Shown.as_text, Shown.as_html = _as_text, _as_html


def _as_text(result: object) -> str:
    return _description(result) or repr(result)


def _description(result: object) -> str | None:
    """Return the lines that the command prints; None for a result without its job or puzzle."""
    from dovetail.harness.estimating import Estimate
    from dovetail.harness.run.result import Result
    from dovetail.puzzles.verification import Verification
    from dovetail.reports.describe import result as describe
    from dovetail.reports.describe.search import describe_estimate

    match result:
        case Estimate():
            return describe_estimate(result)
        case Result(job=job) if job is not None:
            is_count = result.best is None
            words = describe.describe_result if is_count else describe.describe_improvement
            return words(job, result)
        case Verification(puzzle=puzzle) if puzzle is not None:
            return describe.describe_verification(puzzle, result)
    return None


def _as_html(result: object) -> str | None:
    """Return the best board of an improvement, or the lines as a list with a table of levels."""
    from dovetail.harness.estimating import Estimate
    from dovetail.harness.run.result import Result
    from dovetail.reports.describe.search import levels_table
    from dovetail.reports.html import table_element
    from dovetail.reports.pictures.drawing import fragment
    from dovetail.reports.pictures.picture import picture_of

    if isinstance(result, Result) and result.job is not None and result.board is not None:
        job = result.job
        return picture_of(job.puzzle, result.board, job.objective)._repr_html_()
    description = _description(result)
    if description is None:
        return None
    head, *lines = description.partition("\n\n")[0].splitlines()
    levels = None
    if isinstance(result, Estimate) and result.by_remaining is not None:
        levels = table_element(levels_table(result))
    return fragment(
        element(
            "div",
            element("p", element("strong", head)),
            element("ul", *(element("li", line.strip()) for line in lines)) if lines else None,
            levels,
        )
    )


def _drawn(drawing: SvgDrawing) -> str:
    from dovetail.reports.pictures.drawing import styled, svg_element

    return styled(svg_element(drawing))


_SHOWN: dict[tuple[str, str], Callable[[Any], str | None]] = {
    ("dovetail.models.packing", "PackingPuzzle"): _puzzle,
    ("dovetail.models.edges", "EdgePuzzle"): _puzzle,
    ("dovetail.models.cover", "CoverProblem"): _puzzle,
    ("dovetail.models.solution", "PackingSolution"): _packing_solution,
    ("dovetail.models.solution", "EdgeSolution"): _edge_solution,
}
