"""Parser of requests that start a race."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dovetail.backends.config import plain_values
from dovetail.errors import DovetailError
from dovetail.harness.improving import improving_job
from dovetail.harness.parameters import make_jobs
from dovetail.harness.planning.named import named_config
from dovetail.harness.run.job import LARGEST_SEED, Job, Limits
from dovetail.harness.sizes import parse_seconds, parse_size
from dovetail.improvers.registry import improver_config
from dovetail.models.request import Symmetry
from dovetail.models.task import Puzzle
from dovetail.ui.race import Find, Order, Question, WhenClosed
from dovetail.ui.requests import Fields, RequestError, check_keys, text, whole_number
from dovetail.ui.workspace import Workspace

KEYS = (
    *("puzzle", "find", "when_closed", "order", "lanes"),
    *("symmetry", "labelled", "reduce", "time_s", "nodes", "memory", "solutions"),
)
LANE_KEYS = ("backend", "config", "seed")
MAX_LANES = 12
MAX_LIMIT = 2**62


def read_race(fields: Fields, workspace: Workspace) -> tuple[Question, list[Job]]:
    """Return the question of a race and the jobs of its lanes.

    Raises `RequestError` with the path of an invalid value.
    """
    check_keys(fields, KEYS)
    question = Question(
        workspace.puzzle(text("puzzle", fields.get("puzzle"))),
        Find(text("find", fields.get("find", Find.COUNT), Find)),
        WhenClosed(text("when_closed", fields.get("when_closed", WhenClosed.END), WhenClosed)),
        Order(text("order", fields.get("order", Order.TOGETHER), Order)),
    )
    lanes = fields.get("lanes")
    if not isinstance(lanes, list) or not 1 <= len(lanes) <= MAX_LANES:
        raise RequestError(f"lanes: expected a list of 1 to {MAX_LANES}", "lanes")
    asked = _asked(fields)
    return question, [
        _job(question, asked, lane, f"lanes[{number}]") for number, lane in enumerate(lanes)
    ]


def _asked(fields: Fields) -> dict[str, Any]:
    """Return the parameters that all lanes share."""
    labelled = fields.get("labelled", False)
    if not isinstance(labelled, bool):
        raise RequestError("labelled: expected true or false", "labelled")
    symmetry = fields.get("symmetry")
    return {
        "symmetry": None if symmetry is None else text("symmetry", symmetry, map(str, Symmetry)),
        "labelled": labelled,
        "reduce": fields.get("reduce", ()),
        "limits": _limits(fields),
    }


def _limits(fields: Fields) -> Limits:
    found: dict[str, Any] = {}
    if fields.get("time_s") is not None:
        found["time_s"] = _at("time_s", parse_seconds, fields["time_s"])
    for key in ("nodes", "solutions"):
        if fields.get(key) is not None:
            found[key] = whole_number(key, fields[key], int(key == "solutions"), MAX_LIMIT)
    if fields.get("memory") is not None:
        found["memory_bytes"] = _at("memory", parse_size, str(fields["memory"]))
    return Limits(**found)


def _at(path: str, read: Any, value: object) -> Any:
    """Return the value that `read` converts; an error gets the path of the value."""
    try:
        return read(value)
    except DovetailError as error:
        raise RequestError(str(error), path) from None


def _job(question: Question, asked: Mapping[str, Any], lane: object, path: str) -> Job:
    if not isinstance(lane, dict):
        raise RequestError(f"{path}: expected an object", path)
    check_keys(lane, LANE_KEYS, path)
    name = text(f"{path}.backend", lane.get("backend"))
    values, seed = lane.get("config") or {}, lane.get("seed", 0)
    if not isinstance(values, dict):
        raise RequestError(f"{path}.config: expected an object of settings", f"{path}.config")
    seed = whole_number(f"{path}.seed", seed, 0, LARGEST_SEED)
    improves = question.find == Find.IMPROVE
    try:
        read = improver_config if improves else named_config
        config = plain_values(read(name, values), values)
        if improves:
            return _improving_job(question.stored.puzzle, name, config, asked, seed)
        (job,) = make_jobs([question.stored.puzzle], name, config=config, seed=seed, **asked)
    except RequestError:
        raise
    except DovetailError as error:
        raise RequestError(f"{path}: {error}", path) from None
    return job.listed() if question.find == Find.SOLUTIONS else job


def _improving_job(
    puzzle: Puzzle, name: str, config: Mapping[str, object], asked: Mapping[str, Any], seed: int
) -> Job:
    """Return the job of an improver, which has neither symmetry nor reductions."""
    limits: Limits = asked["limits"]
    if limits.solutions is not None:
        raise RequestError("solutions: an improvement has no limit on solutions", "solutions")
    return improving_job(puzzle, name, config, limits, seed=seed)
