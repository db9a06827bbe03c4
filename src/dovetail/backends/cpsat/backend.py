"""The backend `cpsat`: OR-Tools CP-SAT, on the cover problem or on models of edge matching.

Only one worker enumerates: with several, ortools 9.15 reports OPTIMAL for enumerations that have
duplicates and omissions. Several search for one solution.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from dovetail.backends.base import Backend, Config, setting, trigger_refusal
from dovetail.backends.cpsat.search import CpSatSearch
from dovetail.backends.shared.model_setting import MODEL_MEANING, model_refusal
from dovetail.backends.shared.tile_model import tile_model
from dovetail.models.boolean_model import ModelName
from dovetail.models.task import Task


@dataclass(frozen=True)
class CpSatConfig(Config):
    """Settings of `cpsat`."""

    model: ModelName = setting("cover", MODEL_MEANING)
    linearization_level: Literal[0, 1, 2] = setting(
        0,
        "How much of the model is also solved as a linear program. 0 is by far the fastest "
        "for enumeration.",
    )
    seed: int = setting(0, "The solver's random seed.", least=0, most=2**31 - 1)
    workers: int = setting(
        1,
        "Number of the solver's workers. More than 1 find one solution or prove that there is "
        "none, the same one each time, and need a limit of 1 solution: CP-SAT counts wrongly with "
        "several workers.",
        least=1,
        most=1024,
    )


class CpSat(Backend[CpSatConfig]):
    """Takes every cover problem; its nodes are not nodes here."""

    name = "cpsat"
    summary = "OR-Tools CP-SAT, exact-cover model or models of edge matching"
    control = "process"
    extra = "cpsat"
    config_type = CpSatConfig

    def missing(self) -> str | None:
        return None if find_spec("ortools") else "ortools"

    def refuses(self, task: Task, config: CpSatConfig) -> str | None:
        return model_refusal(task, config.model) or trigger_refusal(task)

    def stops_at_first(self, config: CpSatConfig) -> str | None:
        if config.workers == 1:
            return None
        return (
            f"with {config.workers} workers CP-SAT finds one solution but counts wrongly; use "
            "a limit of 1 solution, or workers=1"
        )

    def warm_up(self) -> None:
        from ortools.sat.python import cp_model

        from dovetail.backends.cpsat import cover_model, edge_models  # noqa: F401

        cp_model.CpSolver().solve(cp_model.CpModel())

    def prepare(self, task: Task, config: CpSatConfig) -> CpSatSearch:
        from dovetail.backends.cpsat import cover_model, edge_models  # import ortools

        if config.model == "cover":
            lowered = cover_model.build(task.cover)
        else:
            assert task.edges is not None
            lowered = edge_models.build(tile_model(task.edges), config.model)
        return CpSatSearch(lowered, config.linearization_level, config.seed, config.workers)
