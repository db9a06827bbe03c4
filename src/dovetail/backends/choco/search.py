"""One search by Choco, run in short slices so that limits are met when they should be."""

from __future__ import annotations

import time

from dovetail.backends.base import Budget
from dovetail.backends.choco.bindings import node_count, search_on
from dovetail.backends.choco.model import AllDifferent, build
from dovetail.backends.shared.tile_model import TileModel
from dovetail.backends.threaded import ThreadedSearch
from dovetail.models.boolean_model import EdgeModel
from dovetail.models.outcome import Counters, Status

SLICE_S = 0.03
FIRST_SLICE = 4  # nodes


class ChocoSearch(ThreadedSearch):
    """The model, and what is found in it by the cell of fewest rows, the lowest row first.

    Choco keeps the interpreter to itself while it searches: between two slices others that
    share it get to know how far the search is, and may interrupt it.
    """

    def __init__(self, tiles: TileModel, edges: EdgeModel, all_different: AllDifferent) -> None:
        super().__init__()
        self._counters = Counters(nodes=0)
        self._options = [cell.option.tolist() for cell in tiles.cells]
        self._exhausted = tiles.has_empty_cell
        if not self._exhausted:
            self._model, self._rows = build(tiles, edges, all_different)
            self._solver = self._model.get_solver()
            self._solver.set_min_dom_lb_search(*self._rows)

    @property
    def counters(self) -> Counters:
        return self._counters

    def advance(self, budget: Budget) -> Status | None:
        deadline = self.deadline(budget)
        segment = FIRST_SLICE
        while not self._exhausted:
            if self.count == budget.solutions:
                return Status.SOLUTION_LIMIT
            if deadline.is_over:
                return Status.TIME_LIMIT
            if self.counters.nodes == budget.nodes:
                return Status.NODE_LIMIT
            nodes = segment if budget.nodes is None else min(segment, budget.nodes - self._nodes)
            begun = time.perf_counter()
            if not self._search_on(nodes):
                took_s = time.perf_counter() - begun
                segment = max(1, min(2 * segment, int(nodes * SLICE_S / took_s)))
        return Status.EXHAUSTED

    @property
    def _nodes(self) -> int:
        return self.counters.nodes or 0

    def _search_on(self, nodes: int) -> bool:
        """Go on until a solution, which is kept, or for so many nodes; whether there is one."""
        solver, before = self._solver, node_count(self._solver)
        found = search_on(self._model, solver, nodes)
        made = node_count(solver)
        self._exhausted = not found and made < before + nodes
        self._counters = Counters(
            nodes=made - self.count - found,
            native={
                "choco_nodes": made,
                "fails": int(solver.get_fail_count()),
                "backtracks": int(solver.get_backtrack_count()),
            },
        )
        if found:
            values = (row.get_value() for row in self._rows)
            self.found.add(its[row] for its, row in zip(self._options, values, strict=True))
        return found
