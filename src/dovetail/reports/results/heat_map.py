"""A heat map: for each puzzle how many times the fastest solver's time each solver took."""

from __future__ import annotations

from collections.abc import Sequence

from dovetail.harness.evaluation.solver_runs import SolverRuns
from dovetail.harness.records.record import Record
from dovetail.reports.numbers import ABSENT, show_ratio, show_seconds
from dovetail.reports.page import MAX_SHADE, Part, Table
from dovetail.reports.result_cells import ratios_to_best
from dovetail.reports.results.overview import ENDS

LIMITS = (1.0, 2.0, 5.0, 20.0)  # the largest ratio of each shade but the last two
MAX_CELLS = 8_000
MAX_SOLVERS = 30
TITLE = "Every puzzle by every solver"
DEFINITIONS = (
    "fastest: the least time (prepare + solve) of any solver. ×: how many times that a solver "
    "took; the stronger the colour, the fewer. >: a limit stopped the run before the answer, after "
    "that many times. stopped: before the fastest time had passed. "
    "refused: the solver does not take such puzzles. –: it was not asked.",
)
STOPPED = "stopped"
CAPTION = "times that of the fastest solver of the puzzle"


def heat_map_part(runs: SolverRuns, order: Sequence[str]) -> Part | None:
    """The map, with the solvers in `order` first; None for one solver or for no answer."""
    questions = runs.finished_by_some()
    if len(runs.solvers) < 2 or not questions:
        return None
    ordered = [*order, *(solver for solver in runs.solvers if solver not in order)]
    solvers = ordered[:MAX_SOLVERS]
    shown = questions[: MAX_CELLS // len(solvers)]
    rows = [_row(runs, question, solvers) for question in shown]
    texts = tuple((question, *cells) for question, (cells, _) in zip(shown, rows, strict=True))
    shades = tuple((None, *row) for _, row in rows)
    table = Table(("puzzle", "fastest", *solvers), texts, CAPTION, shades=shades)
    paragraphs = []
    if len(solvers) < len(ordered):
        paragraphs.append(f"The first {MAX_SOLVERS} of {len(ordered)} solvers.")
    if len(shown) < len(questions):
        paragraphs.append(f"The first {len(shown)} of {len(questions)} puzzles.")
    return Part("heat-map", TITLE, tuple(paragraphs), tables=(table,), definitions=DEFINITIONS)


Row = tuple[tuple[str, ...], tuple[int | None, ...]]


def _row(runs: SolverRuns, question: str, solvers: Sequence[str]) -> Row:
    """The least time and a ratio for each solver, as shown, and the shades of the ratios."""
    asked = [runs.runs.get((solver, question)) for solver in solvers]
    everyone = [run for solver in runs.solvers if (run := runs.runs.get((solver, question)))]
    ratios = dict(zip(map(id, everyone), ratios_to_best(everyone), strict=True))
    best = min(run.result.total_s for run in everyone if run.result.is_answered)
    cells = [(None if run is None else ratios[id(run)][1], run) for run in asked]
    texts = (_text(ratio, run) for ratio, run in cells)
    return (show_seconds(best), *texts), tuple(_shade(ratio, run) for ratio, run in cells)


def _text(ratio: float | None, run: Record | None) -> str:
    if run is None:
        return ABSENT
    if ratio is None:
        return ENDS.get(run.result.status, STOPPED)
    return f"{'' if run.result.is_answered else '> '}×{show_ratio(ratio)}"


def _shade(ratio: float | None, run: Record | None) -> int | None:
    """The strongest for the fastest, and the last for those without an answer."""
    if run is None:
        return None
    if ratio is None or not run.result.is_answered:
        return MAX_SHADE
    return next((shade for shade, limit in enumerate(LIMITS) if ratio <= limit), MAX_SHADE - 1)
