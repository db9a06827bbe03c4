"""Steps of a search for the page to replay, recorded like `dovetail trace`, within limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dovetail.backends.config import plain_values
from dovetail.errors import PuzzleError
from dovetail.harness.parameters import make_jobs
from dovetail.harness.planning.named import named_config
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.job import Limits
from dovetail.harness.tracing import PLACED, TAKEN_BACK, recorded_steps
from dovetail.models.packing import PackingPuzzle
from dovetail.models.request import Trace
from dovetail.ui.drawings import cells_fields
from dovetail.ui.requests import Fields, RequestError, check_size, text, whole_number
from dovetail.ui.workspace import Workspace

KEYS = ("puzzle", "backend", "config", "count", "symmetry")
MAX_COUNT, DEFAULT_COUNT = 20_000, 2_000
MAX_REGION = 2_000  # cells
LIMITS = Limits(time_s=5.0)
SIGNS = {PLACED: 1, TAKEN_BACK: -1}


def steps_fields(fields: Fields, workspace: Workspace, interruption: Interruption) -> Fields:
    """Return the first steps of a search of a packing puzzle, with the cells and pieces.

    A step is [1 or −1, number of a piece, numbers of cells]: a piece is placed or removed. The
    search ends at `LIMITS` or with the `interruption`. Raises `DovetailError` for a solver that
    cannot be recorded or refuses the puzzle, and for a puzzle that is too large.
    """
    puzzle = workspace.puzzle(text("puzzle", fields.get("puzzle"))).puzzle
    if not isinstance(puzzle, PackingPuzzle) or len(puzzle.region) > MAX_REGION:
        raise RequestError(
            f"puzzle: expected a packing puzzle of at most {MAX_REGION:,} cells", "puzzle"
        )
    count = whole_number("count", fields.get("count", DEFAULT_COUNT), 1, MAX_COUNT)
    check_size(puzzle)
    recorded = list(recorded_steps(_job(puzzle, fields, Trace(count)), interruption))
    names = [piece.name for piece in puzzle.pieces]
    number = {name: place for place, name in enumerate(names)}
    place = {cell: index for index, cell in enumerate(puzzle.region)}
    return {
        "steps": [
            [SIGNS[step["step"]], number[step["piece"]], [place[cell] for cell in step["cells"]]]
            for step in recorded[1:-1]
        ],
        "status": recorded[-1]["status"],
        "pieces": names,
        **_board(puzzle),
    }


def _job(puzzle: PackingPuzzle, fields: Mapping[str, Any], wanted: Trace) -> Any:
    name, values = text("backend", fields.get("backend", "dlx")), fields.get("config") or {}
    if not isinstance(values, dict):
        raise RequestError("config: expected an object of settings", "config")
    config = plain_values(named_config(name, values), values)
    symmetry: Any = text("symmetry", fields.get("symmetry", "all"))
    (job,) = make_jobs([puzzle], name, symmetry=symmetry, config=config, limits=LIMITS)
    return replace(job, request=replace(job.request, trace=wanted))


def _board(puzzle: PackingPuzzle) -> Fields:
    """Return the drawn cells of the region; raise `RequestError` if the lattice has no pictures."""
    try:
        return cells_fields(puzzle.lattice, puzzle.region)
    except PuzzleError as error:
        raise RequestError(str(error), "puzzle") from None
