"""The backend `choco`: the constraint solver Choco on the classical models of edge matching.

The models are from T. Benoist and E. Bourreau, "Fast global filtering for Eternity II", sections
2.2 and 6.3, who used Choco too. Choco (Java, compiled to native code) comes with the
package pychoco. An error in it ends its process, so it runs in a child process.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from dovetail.backends.base import Backend, Budget, Config, setting, trigger_refusal
from dovetail.backends.shared.tiles import TileModel, tile_model, warm_up
from dovetail.backends.threaded import ThreadedSearch
from dovetail.models.boolean_model import EdgeModel
from dovetail.models.outcome import Counters, Status
from dovetail.models.task import Task

if TYPE_CHECKING:
    from pychoco import Model
    from pychoco.solver import Solver
    from pychoco.variables.intvar import IntVar
AllDifferent = Literal["complete", "weak"]
SLICE_S = 0.03
FIRST_SLICE = 4  # nodes


def node_count(solver: Solver) -> int:
    """Return the decisions that Choco has made, and the solutions that it has found."""
    from pychoco import backend

    return int(backend.get_node_count(solver._handle))


def search_on(model: Model, solver: Solver, nodes: int) -> bool:
    """Search until a solution, or for `nodes` nodes; return whether there is a solution.

    Called again it goes on where it has stopped. When it finds nothing in fewer nodes, there is
    nothing more to be found. (`Solver.get_search_state` would tell, but each call of it holds on
    to half a megabyte.)
    """
    from pychoco import backend
    from pychoco._utils import make_criterion_var_array

    limit = backend.node_counter(model._handle, node_count(solver) + nodes)
    limits = make_criterion_var_array([limit])
    found = backend.find_solution(solver._handle, limits)
    for handle in (limit, limits, found):
        if handle is not None:
            backend.chocosolver_handles_destroy(handle)  # else what it stands for is kept
    return found is not None


def forward_checking_table(
    model: Model, pair: tuple[IntVar, IntVar], rows: Sequence[Sequence[int]]
) -> None:
    """Post a table of two variables that filters once either variable has its value."""
    from pychoco import backend
    from pychoco._utils import make_int_2d_array, make_intvar_array
    from pychoco.constraints.constraint import Constraint

    variables, tuples = make_intvar_array(pair), make_int_2d_array(rows)
    Constraint(backend.table(model._handle, variables, tuples, True, "FC"), model).post()


def build(
    tiles: TileModel, edges: EdgeModel, all_different: AllDifferent
) -> tuple[Model, list[IntVar]]:
    """Return the model, and by cell the variable of the row of its table.

    A row settles the type and all colours, so that tables of two variables filter as much as a
    table of all, in a third of the time. In `4-edges` they work only from a variable that has
    its value: a row gives its edges their colours, and a colour takes from the other cell the rows
    that do not show it. Until then an edge may have any colour, whatever can still lie beside it.
    """
    from pychoco import Model

    model = Model()
    colours = [model.intvar(1, tiles.colour_count) for _ in range(tiles.edge_count)]
    rows, kinds = [], []
    for cell in tiles.cells:
        row = model.intvar(0, len(cell.option) - 1)
        kind = model.intvar(sorted(set(cell.tile_type.tolist())))
        model.table([row, kind], cell.tile_rows).post()
        for place, edge in enumerate(cell.edges):
            pair = (row, colours[edge])
            if edges == "edge-variables":
                model.table(pair, cell.colour_rows(place)).post()
            else:
                forward_checking_table(model, pair, cell.colour_rows(place))
        rows.append(row)
        kinds.append(kind)
    _add_all_different(model, tiles, kinds, all_different)
    return model, rows


def _add_all_different(
    model: Model, tiles: TileModel, kinds: list[IntVar], strength: AllDifferent
) -> None:
    """Require every tile once, and every type as often as it has tiles.

    The cardinality constraint is AllDifferent for values that several variables have, and filters
    the same where all tiles differ, but takes two to three times as long. Its counts between 0 and
    the number of tiles make it as weak as disequalities.
    """
    complete = strength == "complete"
    if tiles.all_tiles_differ:
        model.all_different(kinds, "AC" if complete else "FC").post()
        return
    copies = tiles.copies.tolist()
    used = [model.intvar(number if complete else 0, number) for number in copies]
    consistency = "AC" if complete else "DEFAULT"
    model.global_cardinality(kinds, list(range(len(copies))), used, consistency=consistency).post()


class ChocoSearch(ThreadedSearch):
    """A search of the model by the cell with fewest rows, the lowest row first.

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
        """Go on until a solution, which is kept, or for this many nodes; whether there is one."""
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
