"""The backend `choco`: the constraint solver Choco on the classical models of edge matching.

They are those of T. Benoist and E. Bourreau, "Fast global filtering for Eternity II", sections
2.2 and 6.3, which Choco searched there too. Choco (Java, compiled to native code) comes with the
package pychoco. An error within it ends its process, which is why it has one of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

from dovetail.backends.base import Backend, Config, setting, trigger_refusal
from dovetail.backends.choco.model import AllDifferent
from dovetail.backends.choco.search import ChocoSearch
from dovetail.backends.shared.tile_model import tile_model
from dovetail.backends.shared.tile_orientations import warm_up
from dovetail.models.boolean_model import EdgeModel
from dovetail.models.task import Task


@dataclass(frozen=True)
class ChocoConfig(Config):
    """Settings of `choco`."""

    model: EdgeModel = setting(
        "edge-variables",
        "edge-variables keeps, for each edge, the colours that the tiles on both sides can "
        "still show. 4-edges rules out no colour before a tile is placed.",
    )
    all_different: AllDifferent = setting(
        "complete",
        "complete removes from a cell every tile that cannot be there if all cells get "
        "different tiles (arc consistency); weak removes only tiles that are placed elsewhere.",
    )


class Choco(Backend[ChocoConfig]):
    """Takes edge-matching puzzles.

    A node is an orientation that is tried in a cell. What follows from it is none, nor is the other
    branch, in which the orientation is ruled out; Choco's own count, `choco_nodes`, has solutions
    as nodes besides.
    """

    name = "choco"
    summary = "Choco constraint solver, models of edge matching"
    node_meaning = "a placement tried in a cell that has other candidates"
    control = "process"
    extra = "choco"
    config_type = ChocoConfig

    def missing(self) -> str | None:
        return None if find_spec("pychoco") else "pychoco"

    def refuses(self, task: Task, config: ChocoConfig) -> str | None:
        if task.edges is None:
            return "it supports edge-matching puzzles only"
        return trigger_refusal(task)

    def warm_up(self) -> None:
        from pychoco import Model

        Model().get_solver().solve()
        warm_up()

    def prepare(self, task: Task, config: ChocoConfig) -> ChocoSearch:
        assert task.edges is not None
        return ChocoSearch(tile_model(task.edges), config.model, config.all_different)
