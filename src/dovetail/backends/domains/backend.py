"""The backend `domains`: bit-set domains of cells together with sets of colours of edges.

Arc consistency in the manner of constraint solvers, with a queue of cells, on bit sets over tile
types and rotations. The edges between cells have domains, sets of colours, through which cells
constrain each other. Identical tiles are a type with copies.

Sources: A. K. Mackworth, "Consistency in networks of relations", 1977, for revising until nothing
changes; F. Boussemart and others, "Boosting systematic search by weighting constraints", 2004, for
the weight of failures.
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
    """A solver of edge-matching puzzles.

    A node is a placement that is tried at a branching; a placement that follows from it is counted
    as `forced`. Node counts compare with constraint solvers only, not with brute force.
    They are split by the number of cells that had several candidates left, the cell of the node
    included: a cell with 1 candidate counts as filled, with or without a branching.

    A search prefers the cells with most failures so far. Descents count none: an estimate is of the
    tree in which ties go by the failures of the first `FAILURE_NODES` nodes of a search.
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
        warm_up()  # the kernel is compiled for the sizes of a board

    def prepare(self, task: Task, config: DomainsConfig) -> DomainsSearch:
        return DomainsSearch(zoned_board(task), config)

    def guided_search(self, task: Task, config: DomainsConfig) -> DomainsSearch:
        beginning, search = (self.prepare(task, config) for _ in range(2))
        beginning.advance(Budget(work=NO_LIMIT, nodes=FAILURE_NODES))
        search.take_failures(beginning)
        return search
