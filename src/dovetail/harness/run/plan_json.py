"""Plans as versioned JSON, so that another process or machine can run the same search.

Every value is validated when a plan is read. Nothing is unpickled.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np
from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from dovetail.backends.backend_file import backend_files
from dovetail.errors import ConfigError, DovetailError, shorten, show
from dovetail.files.validation import problem_of
from dovetail.harness.run.job import LARGEST_SEED, Chosen, PieceSelection, Plan, RandomOrder, Trials
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.cover import CoverProblem
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.request import Request
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import Puzzle

VERSION = 1
LONGEST_MESSAGE = 300
# Element types of the arrays of a cover problem, by field.
ARRAYS: dict[str, type[np.integer]] = {
    **dict.fromkeys(("lower", "upper", "item", "colour", "symmetries"), np.int32),
    "start": np.int64,
}


@dataclass(frozen=True)
class _Cover:
    """A cover problem with tuples in place of arrays; see `CoverProblem`."""

    name: str
    item_names: tuple[str, ...]
    lower: tuple[int, ...]
    upper: tuple[int, ...]
    start: tuple[int, ...]
    item: tuple[int, ...]
    colour: tuple[int, ...]
    symmetries: tuple[tuple[int, ...], ...]
    option_names: tuple[str, ...] | None = None


@dataclass(frozen=True)
class _PlanFile:
    """The fields of a plan in JSON, with exactly one puzzle and at most one order."""

    plan: int
    request: Request
    backend: str
    config: dict[str, Any]
    seed: int
    packing: PackingPuzzle | None = None
    edges: EdgePuzzle | None = None
    cover: _Cover | None = None
    random: RandomOrder | None = None
    trials: Trials | None = None
    sub_problem: SubProblem | None = None
    chosen: Chosen | None = None
    piece_selection: PieceSelection | None = None


def plan_to_json(plan: Plan) -> str:
    """Return a plan as a single line of JSON.

    Raises `ConfigError` for a text or a setting that cannot be encoded.
    """
    puzzle, order = plan.puzzle, plan.order
    file = _PlanFile(
        VERSION,
        plan.request,
        plan.backend,
        dict(plan.config),
        plan.seed,
        packing=puzzle if isinstance(puzzle, PackingPuzzle) else None,
        edges=puzzle if isinstance(puzzle, EdgePuzzle) else None,
        cover=_as_lists(puzzle) if isinstance(puzzle, CoverProblem) else None,
        random=order if isinstance(order, RandomOrder) else None,
        trials=order if isinstance(order, Trials) else None,
        sub_problem=plan.sub_problem,
        chosen=plan.chosen,
        piece_selection=plan.piece_selection,
    )
    try:
        return _adapter().dump_json(file, exclude_none=True).decode()
    except PydanticSerializationError as error:
        raise ConfigError(f"plan: {shorten(str(error), LONGEST_MESSAGE)}") from None


def plan_from_json(text: str) -> Plan:
    """Parse a plan written by `plan_to_json`.

    Raises `ConfigError` for a text that is not a plan of this version; the message names an invalid
    field.
    """
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        raise ConfigError("not a plan; expected a line of JSON") from None
    version = values.get("plan") if isinstance(values, dict) else None
    if version != VERSION:
        raise ConfigError(f"plan version {show(version)}; expected {VERSION}")
    try:
        file = _adapter().validate_json(text, strict=True)
        return _plan(file)
    except ValidationError as error:
        raise ConfigError(f"plan: {problem_of(error, values).text}") from None
    except (DovetailError, ValueError, OverflowError) as error:
        raise ConfigError(f"plan: {shorten(str(error), LONGEST_MESSAGE)}") from None


def _plan(file: _PlanFile) -> Plan:
    puzzles = [kind for kind in (file.packing, file.edges, file.cover) if kind is not None]
    orders = [order for order in (file.random, file.trials) if order is not None]
    if len(puzzles) != 1 or len(orders) > 1:
        raise ConfigError(
            "expected one of packing, edges and cover, and at most one of random and trials"
        )
    if not 0 <= file.seed <= LARGEST_SEED:
        raise ConfigError(f"seed is {file.seed}; expected 0 to {LARGEST_SEED}")
    puzzle: Puzzle = _as_arrays(puzzles[0]) if isinstance(puzzles[0], _Cover) else puzzles[0]
    order = orders[0] if orders else None
    backend = backend_files.get(file.backend, file.backend)
    settings = (backend, file.config, file.seed, order, file.sub_problem)
    return Plan(puzzle, file.request, *settings, file.chosen, file.piece_selection)


def _as_lists(cover: CoverProblem) -> _Cover:
    values = {field.name: getattr(cover, field.name) for field in fields(_Cover)}
    lists = {name: tuple(values[name].tolist()) for name in ARRAYS}
    return _Cover(**values | lists | {"symmetries": tuple(map(tuple, lists["symmetries"]))})


def _as_arrays(cover: _Cover) -> CoverProblem:
    if cover.start[:1] != (0,) or np.any(np.diff(cover.start) < 0):
        raise ConfigError("cover.start: expected ascending numbers that start at 0")
    values = vars(cover)
    arrays = {name: np.array(values[name], dtype) for name, dtype in ARRAYS.items()}
    arrays["symmetries"] = arrays["symmetries"].reshape(len(cover.symmetries), -1)
    return CoverProblem(**values | arrays)


@cache
def _adapter() -> TypeAdapter[_PlanFile]:
    return TypeAdapter(_PlanFile)
