"""The backend `domains`: arc consistency with domains of cells and of edges.

The domain of a cell is a bit set of tile types and rotations. The domain of an edge is a set of
colours, through which the two cells at the edge constrain each other. As in constraint solvers, a
queue has the cells to revise. Identical tiles are a type with copies.

Sources: A. K. Mackworth, "Consistency in networks of relations", 1977, for revising until nothing
changes; F. Boussemart and others, "Boosting systematic search by weighting constraints", 2004, for
weights by failures.
"""

from __future__ import annotations

from dovetail.backends.base import PLACEMENT_TRIED, Budget, trigger_refusal
from dovetail.backends.domains.config import DomainsConfig
from dovetail.backends.domains.search import DomainsSearch, too_large
from dovetail.backends.shared.kernel_backend import KernelBackend
from dovetail.backends.shared.kernel_search import NO_LIMIT
from dovetail.backends.shared.tiles import warm_up, zoned_board
from dovetail.models.task import Task

FAILURE_NODES = 3000


class Domains(KernelBackend[DomainsConfig]):
    """Backend for edge-matching puzzles.

    A node is a placement that is tried at a branching. Placements that follow count as `forced`.
    Numbers of nodes are comparable with those of constraint solvers, not of brute force. Nodes are
    also counted by the number of cells that had several candidates, including the cell of the node.
    A cell with 1 candidate counts as filled, even without a branching.

    On ties, a search branches on the cell with the most failures so far. Descents count no
    failures. An estimate is therefore of the tree in which the failures of the first
    `FAILURE_NODES` nodes of a search decide ties.
    """

    name = "domains"
    summary = "bit-set domains of cells and edge colours, for edge matching (numba)"
    node_meaning = PLACEMENT_TRIED
    learns = True
    config_type = DomainsConfig

    def refuses(self, task: Task, config: DomainsConfig) -> str | None:
        if task.edges is None:
            return "it supports edge-matching puzzles only"
        return trigger_refusal(task) or too_large(zoned_board(task))

    def warm_up(self) -> None:
        warm_up()  # The kernel is not compiled here, because it depends on the size of the board.

    def prepare(self, task: Task, config: DomainsConfig) -> DomainsSearch:
        return DomainsSearch(zoned_board(task), config)

    def guided_search(self, task: Task, config: DomainsConfig) -> DomainsSearch:
        beginning, search = (self.prepare(task, config) for _ in range(2))
        beginning.advance(Budget(work=NO_LIMIT, nodes=FAILURE_NODES))
        search.take_failures(beginning)
        return search
