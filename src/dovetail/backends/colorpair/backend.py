"""The backend `colorpair`: pairs of colours that tiles offer and cells demand.

A cell whose neighbours show two colours takes a tile with this pair. If fewer tiles have a pair
than cells demand it, there is no completion. If the numbers are equal, these tiles go to these
cells. The search compares the offer and the demand of each pair, and keeps no domains of cells.

Source: T. Benoist and E. Bourreau, "Fast global filtering for Eternity II", Constraint Programming
Letters 3, 2008.
"""

from __future__ import annotations

from dovetail.backends.base import PLACEMENT_TRIED, trigger_refusal
from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.backends.colorpair.search import ColorPairSearch, too_large
from dovetail.backends.shared.kernel_backend import KernelBackend
from dovetail.backends.shared.tiles import warm_up, zoned_board
from dovetail.models.boards.edges import unsupported
from dovetail.models.task import Task


class ColorPair(KernelBackend[ColorPairConfig]):
    """Backend for edge-matching puzzles.

    A node is a placement that is tried at a branching. Placements that follow by a rule count as
    `forced`, and trials of shaving as `probes`. Numbers of nodes are comparable with those of
    constraint solvers, not of brute force. Nodes are also counted by the number of filled cells.

    Estimates are of a tree without backjumping, in which the random choice of a cell depends on the
    branches that lead to the node. A search with backjumping usually makes fewer nodes.
    """

    name = "colorpair"
    summary = "offers and demands of colour pairs, backjumping, for edge matching (numba)"
    node_meaning = PLACEMENT_TRIED
    learns = True
    config_type = ColorPairConfig

    def refuses(self, task: Task, config: ColorPairConfig) -> str | None:
        if task.edges is None:
            return "it supports edge-matching puzzles only"
        refusal = unsupported(task.edges.puzzle) or trigger_refusal(task)
        return refusal or too_large(zoned_board(task), config)

    def warm_up(self) -> None:
        warm_up()  # The kernel is not compiled here, because it depends on the size of the board.

    def prepare(self, task: Task, config: ColorPairConfig) -> ColorPairSearch:
        return ColorPairSearch(zoned_board(task), config)
