"""The setting `model`: the formulation given to solvers that know no puzzles."""

from __future__ import annotations

from dovetail.models.boolean_model import ModelName
from dovetail.models.task import Task

MODEL_MEANING = (
    "cover has a variable for each option and supports every puzzle. 4-edges and edge-variables "
    "are for edge matching and also have variables for edge colours; 4-edges restricts the "
    "colours of an edge only through the tiles beside it."
)


def model_refusal(task: Task, model: ModelName) -> str | None:
    """Return why a task has no such model, or None."""
    if model != "cover" and task.edges is None:
        return f"its model {model} supports edge-matching puzzles only; use model cover"
    return None
