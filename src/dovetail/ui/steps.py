"""Steps of a search for the page to replay, recorded like `dovetail trace`, within limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dovetail.backends.config import plain_values
from dovetail.errors import PuzzleError
from dovetail.harness.parameters import make_jobs
from dovetail.harness.planning.named import named_config
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.job import LARGEST_SEED, Limits
from dovetail.harness.tracing import PLACED, TAKEN_BACK, recorded_steps
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.request import Trace
from dovetail.reports.pictures.colours import spread_colour
from dovetail.reports.pictures.geometry import SIDE, hatch
from dovetail.ui.requests import Fields, RequestError, check_size, flag, text, whole_number
from dovetail.ui.sheets import cells_fields, solid_fields
from dovetail.ui.workspace import Workspace

KEYS = ("puzzle", "backend", "config", "count", "symmetry", "labelled", "reduce", "seed")
MAX_COUNT, DEFAULT_COUNT = 20_000, 2_000
MAX_REGION = 2_000  # cells
LIMITS = Limits(time_s=5.0)
SIGNS = {PLACED: 1, TAKEN_BACK: -1}


def steps_fields(fields: Fields, workspace: Workspace, interruption: Interruption) -> Fields:
    """Return the first steps of a search of a packing puzzle, with the cells and pieces.

    A step is [1 or −1, number of a piece, numbers of cells, number of the colour and pattern]. The
    first number is 1 if the piece is placed, and −1 if it is removed. If the puzzle has a single
    piece with copies, neighbouring copies differ in colour where possible. The search ends at
    `LIMITS` or on `interruption`. Raises `DovetailError` for a solver that cannot be recorded or
    refuses the puzzle, for another kind of puzzle, and for a puzzle that is too large.
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
    steps = recorded[1:-1]
    if len(names) > 1:
        looks = [number[step["piece"]] for step in steps]
    else:
        looks = list(_spread(steps, puzzle.lattice))
    return {
        "steps": [
            [
                SIGNS[step["step"]],
                number[step["piece"]],
                [place[cell] for cell in step["cells"]],
                look,
            ]
            for step, look in zip(steps, looks, strict=True)
        ],
        "status": recorded[-1]["status"],
        "pieces": names,
        **_board(puzzle),
    }


def _spread(steps: Sequence[Mapping[str, Any]], lattice: Lattice) -> Iterator[int]:
    """Yield the colour number of each step's piece; neighbouring pieces differ where possible."""
    placed = dict[Cells, int]()
    owner = dict[Cell, Cells]()
    for step in steps:
        cells = tuple(step["cells"])
        if step["step"] == PLACED:
            near = {owner.get(other) for cell in cells for other in lattice.neighbours(cell)}
            beside = {placed[other] for other in near if other is not None}
            placed[cells] = spread_colour([*placed.values()], beside)
            owner |= dict.fromkeys(cells, cells)
            yield placed[cells]
        else:
            for cell in cells:
                del owner[cell]
            yield placed.pop(cells)


def _job(puzzle: PackingPuzzle, fields: Mapping[str, Any], wanted: Trace) -> Any:
    name, values = text("backend", fields.get("backend", "dlx")), fields.get("config") or {}
    if not isinstance(values, dict):
        raise RequestError("config: expected an object of settings", "config")
    config = plain_values(named_config(name, values), values)
    symmetry: Any = text("symmetry", fields.get("symmetry", "all"))
    labelled = flag("labelled", fields.get("labelled", False))
    seed = whole_number("seed", fields.get("seed", 0), 0, LARGEST_SEED)
    (job,) = make_jobs(
        [puzzle],
        name,
        symmetry=symmetry,
        labelled=labelled,
        reduce=fields.get("reduce", ()),
        config=config,
        limits=LIMITS,
        seed=seed,
    )
    return replace(job, request=replace(job.request, trace=wanted))


def _board(puzzle: PackingPuzzle) -> Fields:
    """Return the drawn cells of the region, each with the path of its `hatch`.

    Cells in space that have no layers get only the `solid_fields`. Raises `RequestError` for flat
    cells that have no pictures.
    """
    try:
        board = cells_fields(puzzle.lattice, puzzle.region)
    except PuzzleError as error:
        if fields := solid_fields(puzzle.lattice, puzzle.region):
            return fields
        raise RequestError(str(error), "puzzle") from None
    for cell in board["cells"]:
        cell["hatch"] = hatch(tuple((x / SIDE, y / SIDE) for x, y in cell["polygon"]))
    return board
