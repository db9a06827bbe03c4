"""The backend `clingo`: answer sets of a ground program, by Potassco's clingo (clasp)."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from dovetail.backends.base import Backend, Config, setting, trigger_refusal
from dovetail.backends.clingo.search import ClingoSearch
from dovetail.backends.shared.model_setting import MODEL_MEANING, model_refusal
from dovetail.models.boolean_model import BooleanModel, ModelName, boolean_model
from dovetail.models.task import Task


@dataclass(frozen=True)
class ClingoConfig(Config):
    """Settings of `clingo`."""

    model: ModelName = setting("cover", MODEL_MEANING)
    configuration: Literal["frumpy", "jumpy", "tweety", "handy", "crafty", "trendy"] = setting(
        "jumpy",
        "The solver's own set of defaults for heuristics, restarts and deletion. clingo's usual "
        "one is tweety, which is slow where solutions are many.",
    )
    seed: int = setting(0, "The solver's random seed.", least=0, most=2**31 - 1)


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
        return model_refusal(task, config.model) or trigger_refusal(task)

    def warm_up(self) -> None:
        ClingoSearch(BooleanModel(1), "jumpy", 0)

    def prepare(self, task: Task, config: ClingoConfig) -> ClingoSearch:
        model = boolean_model(task.options, config.model)
        return ClingoSearch(model, config.configuration, config.seed)
