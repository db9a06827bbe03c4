"""The backend `sat`: CaDiCaL 1.5.3 by python-sat, all solutions by blocking clauses."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from dovetail.backends.base import Backend, Config, setting, trigger_refusal
from dovetail.backends.sat.formula import Encoding
from dovetail.backends.sat.search import SatSearch
from dovetail.backends.shared.boolean_model import BooleanModel, cover_model, edge_model
from dovetail.backends.shared.tile_model import EdgeModel, tile_model
from dovetail.models.task import Task


@dataclass(frozen=True)
class SatConfig(Config):
    """Settings of `sat`."""

    model: Literal["cover", EdgeModel] = setting(
        "cover",
        "cover has a variable for each option and supports every puzzle. 4-edges and "
        "edge-variables are for edge matching, with variables for tiles and edge colours; 4-edges "
        "restricts the colours of an edge only through the tiles beside it.",
    )
    encoding: Encoding = setting(
        "pairwise",
        "How 'at most one' and other bounds become clauses, by the names of python-sat. pairwise, "
        "ladder and bitwise can only encode 'at most one'; other bounds then use seqcounter.",
    )


class Sat(Backend[SatConfig]):
    """Takes every cover problem; its decisions are not nodes here."""

    name = "sat"
    summary = "CaDiCaL by python-sat, exact-cover model or models of edge matching"
    control = "process"
    extra = "sat"
    config_type = SatConfig

    def missing(self) -> str | None:
        return None if find_spec("pysat") else "python-sat"

    def refuses(self, task: Task, config: SatConfig) -> str | None:
        if config.model != "cover" and task.edges is None:
            return f"its model {config.model} supports edge-matching puzzles only; use model cover"
        return trigger_refusal(task)

    def warm_up(self) -> None:
        model = BooleanModel(options=[0, 1])
        model.add_cardinality([1, 2], 1, 1)
        SatSearch(model, "pairwise")

    def prepare(self, task: Task, config: SatConfig) -> SatSearch:
        if config.model == "cover":
            model = cover_model(task.cover)
        else:
            assert task.edges is not None
            model = edge_model(tile_model(task.edges), config.model)
        return SatSearch(model, config.encoding)
