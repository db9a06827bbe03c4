"""The backend `clingo`: answer sets of a ground program, by Potassco's clingo (clasp)."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from dovetail.backends.base import Backend, Config, setting, trigger_refusal
from dovetail.backends.clingo.search import ClingoSearch
from dovetail.backends.shared.boolean_model import BooleanModel, cover_model, edge_model
from dovetail.backends.shared.tile_model import EdgeModel, tile_model
from dovetail.errors import ConfigError
from dovetail.models.task import Task


@dataclass(frozen=True)
class ClingoConfig(Config):
    """Settings of `clingo`.

    Raises `ConfigError` for a seed below 0 or from 2^31 on.
    """

    model: Literal["cover", EdgeModel] = setting(
        "cover",
        "cover has an atom for each option and supports every puzzle. 4-edges and "
        "edge-variables are for edge matching, with atoms for tiles and edge colours; 4-edges "
        "restricts the colours of an edge only through the tiles beside it.",
    )
    configuration: Literal["frumpy", "jumpy", "tweety", "handy", "crafty", "trendy"] = setting(
        "jumpy",
        "The solver's own set of defaults for heuristics, restarts and deletion. clingo's usual "
        "one is tweety, which is slow where solutions are many.",
    )
    seed: int = setting(0, "The solver's random seed.")

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 2**31:
            raise ConfigError(f"backend clingo: seed is {self.seed}; expected 0 to {2**31 - 1}")


class Clingo(Backend[ClingoConfig]):
    """Takes every cover problem; its choices are not nodes here."""

    name = "clingo"
    summary = "clingo, answer sets of the exact-cover model or of models of edge matching"
    control = "process"
    extra = "clingo"
    config_type = ClingoConfig

    def missing(self) -> str | None:
        return None if find_spec("clingo") else "clingo"

    def refuses(self, task: Task, config: ClingoConfig) -> str | None:
        if config.model != "cover" and task.edges is None:
            return f"its model {config.model} supports edge-matching puzzles only; use model cover"
        return trigger_refusal(task)

    def warm_up(self) -> None:
        ClingoSearch(BooleanModel(options=[0]), "jumpy", 0)

    def prepare(self, task: Task, config: ClingoConfig) -> ClingoSearch:
        if config.model == "cover":
            model = cover_model(task.cover)
        else:
            assert task.edges is not None
            model = edge_model(tile_model(task.edges), config.model)
        return ClingoSearch(model, config.configuration, config.seed)
