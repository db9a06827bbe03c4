"""The backend `domains`: bit-set domains of cells together with sets of colours of edges.

Arc consistency in the manner of constraint solvers, with a queue of cells, on bit sets over tile
types and rotations. The edges between cells have domains of their own, sets of colours, through
which cells work on each other. Tiles that nothing tells apart are one type with copies.

Sources: A. K. Mackworth, "Consistency in networks of relations", 1977, for revising until nothing
changes; F. Boussemart and others, "Boosting systematic search by weighting constraints", 2004, for
the weight of failures.
"""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.backends.base import (
    PLACEMENT_TRIED,
    Backend,
    Budget,
    Config,
    setting,
    trigger_refusal,
)
from dovetail.backends.domains.arrays import Choice, SearchArrays, search_arrays
from dovetail.backends.domains.search import DomainsSearch, too_large
from dovetail.backends.domains.tree_estimator import DomainsTreeEstimator
from dovetail.backends.shared.tile_orientations import warm_up
from dovetail.backends.shared.zoned_board import ZonedBoard, zoned_board
from dovetail.models.options.edges import MAX_OPTIONS
from dovetail.models.task import Task


@dataclass(frozen=True)
class DomainsConfig(Config):
    """Settings of `domains`. No number of colours or candidates is above `MAX_OPTIONS`."""

    choice: Choice = setting(
        "per-edge",
        "Cell to branch on: the one with the fewest candidates (fewest), or with the fewest "
        "candidates per edge that has several colours left (per-edge).",
    )
    single_place: bool = setting(
        True, "Place a tile type that has exactly as many cells left as copies."
    )
    lazy_colours: int = setting(
        3,
        "Propagate a change of an edge at once if at most this many colours are left; "
        "otherwise wait until the cell is visited for another reason.",
        least=1,
        most=MAX_OPTIONS,
    )
    lazy_candidates: int = setting(
        24,
        "Propagate the loss of a tile type in a cell at once if the cell has at most this many "
        "candidates left; otherwise wait until the cell is visited for another reason.",
        least=1,
        most=MAX_OPTIONS,
    )


class Domains(Backend[DomainsConfig]):
    """Takes edge-matching puzzles.

    A node is a placement that is tried at a branching; what follows from it is counted as
    `forced`. So nodes compare with those of such solvers only, not with those of brute force.
    They are split by how many cells had several candidates left, that of the node among them: a
    cell with one counts as filled, whether or not a branching was needed.
    """

    name = "domains"
    summary = "bit-set domains of cells and edge colours, for edge matching (numba)"
    node_meaning = PLACEMENT_TRIED
    cuts = True
    learns = True
    config_type = DomainsConfig

    def refuses(self, task: Task, config: DomainsConfig) -> str | None:
        if task.edges is None:
            return "it supports edge-matching puzzles only"
        return trigger_refusal(task) or too_large(zoned_board(task))

    def warm_up(self) -> None:
        warm_up()  # the kernel is compiled for the sizes of a board

    def warm_up_for(self, task: Task, config: DomainsConfig) -> None:
        self.prepare(task, config).advance(Budget(work=1))

    def prepare(self, task: Task, config: DomainsConfig) -> DomainsSearch:
        board = zoned_board(task)
        return DomainsSearch(board, _arrays(board, config))

    def tree_estimator(
        self, task: Task, config: DomainsConfig, seed: int, max_prefix_nodes: int
    ) -> DomainsTreeEstimator:
        arrays = _arrays(zoned_board(task), config)
        return DomainsTreeEstimator(arrays, seed, max_prefix_nodes)


def _arrays(board: ZonedBoard, config: DomainsConfig) -> SearchArrays:
    return search_arrays(
        board,
        config.choice,
        single_place=config.single_place,
        lazy_colours=config.lazy_colours,
        lazy_candidates=config.lazy_candidates,
    )
