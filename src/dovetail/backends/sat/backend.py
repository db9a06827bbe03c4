"""The backend `sat`: CaDiCaL 1.5.3 by python-sat, all solutions by blocking clauses."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

from dovetail.backends.base import Backend, Config, setting, trigger_refusal
from dovetail.backends.sat.formula import Encoding
from dovetail.backends.sat.search import SatSearch
from dovetail.backends.shared.model_setting import MODEL_MEANING, model_refusal
from dovetail.models.boolean_model import BooleanModel, ModelName, boolean_model
from dovetail.models.task import Task


@dataclass(frozen=True)
class SatConfig(Config):
    """Settings of `sat`."""

    model: ModelName = setting("cover", MODEL_MEANING)
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
        return model_refusal(task, config.model) or trigger_refusal(task)

    def warm_up(self) -> None:
        model = BooleanModel(2)
        model.add_bound("either", [1, 2], 1, 1)
        SatSearch(model, "pairwise")

    def prepare(self, task: Task, config: SatConfig) -> SatSearch:
        return SatSearch(boolean_model(task.options, config.model), config.encoding)
