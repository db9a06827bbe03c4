"""The backend `choco`: the constraint solver Choco, on formulations without `Pair` constraints.

Choco is written in Java; the package pychoco has it compiled to native code. Choco runs in a child
process, because an error in Choco ends its process.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from dovetail.backends.base import Budget, Config, setting
from dovetail.backends.threaded import ModelBackend, ThreadedSearch
from dovetail.models.formulations.model import CONSTRAINTS, BranchingKind, ConstraintModel, Pair
from dovetail.models.formulations.registry import AUTO, ON_MEANING, Supported
from dovetail.models.outcome import Counters, Status
from dovetail.models.task import Task

if TYPE_CHECKING:
    from pychoco import Model
    from pychoco.solver import Solver
    from pychoco.variables.intvar import IntVar
Branching = Literal[
    "auto",
    "smallest",
    "input-order",
    "min-dom",
    "dom/wdeg",
    "conflict-history",
    "failure-rate",
    "failure-length",
    "random",
    "default",
]
Consistency = Literal["complete", "weak"]
Restarts = Literal["none", "luby", "geometric"]
FORMULATIONS = Supported(
    *(CONSTRAINTS - {Pair}),
    defaults={"packing": ["dual"], "board": ["element"], "cover": ["dual"]},
)
SLICE_S = 0.03
FIRST_SLICE = 4  # nodes
FIRST_CUTOFF, GROWTH = 100, 1.5  # failures before the first restart; factor for each next
NEVER = 2**31 - 1


def node_count(solver: Solver) -> int:
    """Return the number of Choco's decisions plus the number of solutions found."""
    from pychoco import backend

    return int(backend.get_node_count(solver._handle))


def search_on(model: Model, solver: Solver, nodes: int) -> bool:
    """Search until a solution is found or for `nodes` nodes; return whether one is found.

    Another call continues the search. If a call makes fewer nodes and finds no solution, the search
    is exhausted. (`Solver.get_search_state` would return this, but each call of it leaks half a
    megabyte.)
    """
    from pychoco import backend
    from pychoco._utils import make_criterion_var_array

    limit = backend.node_counter(model._handle, node_count(solver) + nodes)
    limits = make_criterion_var_array([limit])
    found = backend.find_solution(solver._handle, limits)
    for handle in (limit, limits, found):
        if handle is not None:
            backend.chocosolver_handles_destroy(handle)  # else its Java object is never freed
    return found is not None


NATIVE_SEARCHES: dict[Branching, str] = {
    "input-order": "input_order_lb",
    "min-dom": "min_dom_lb",
    "dom/wdeg": "dom_over_w_deg",
    "conflict-history": "conflict_history",
    "failure-rate": "failure_rate_based",
    "failure-length": "failure_length_based",
}


def set_search(solver: Solver, branching: Branching, phases: list[list[IntVar]], seed: int) -> None:
    """Let a solver branch on the variables of `phases` by a rule that is not `auto`.

    `default` is Choco's own search on all variables. `random` also chooses values at random. All
    other rules try the lowest values first. The native functions are called because pychoco's
    method for dom/wdeg prints text.
    """
    from pychoco import backend
    from pychoco._utils import make_intvar_array

    variables = [variable for phase in phases for variable in phase]
    if branching == "smallest":
        _branch_on_smallest(solver, phases)
    elif branching == "default":
        backend.set_default_search(solver._handle)
    elif branching == "random":
        backend.set_random_search(solver._handle, make_intvar_array(variables), seed)
    else:
        native = getattr(backend, f"set_{NATIVE_SEARCHES[branching]}_search")
        native(solver._handle, make_intvar_array(variables))


def _branch_on_smallest(solver: Solver, phases: list[list[IntVar]]) -> None:
    """Branch on the variable with the smallest value, phase by phase."""

    def select(_: list[IntVar]) -> IntVar | None:
        for phase in phases:
            bounds = [(v.get_lb(), n) for n, v in enumerate(phase) if v.get_lb() != v.get_ub()]
            if bounds:
                return phase[min(bounds)[1]]
        return None

    variables = [variable for phase in phases for variable in phase]
    solver.set_custom_search(variables, select, lambda variable: variable.get_lb())


def set_restarts(
    model: Model, solver: Solver, restarts: Restarts, identifying: list[IntVar]
) -> None:
    """Let a solver restart after some failures without finding a solution twice.

    The values of the variables `identifying` identify a solution. The native functions are called
    because pychoco's methods lack arguments.
    """
    from pychoco import backend

    solver.set_nogood_recording_from_solutions(identifying)
    failures = backend.fail_counter(model._handle, NEVER)
    if restarts == "luby":
        backend.set_luby_restart(solver._handle, failures, FIRST_CUTOFF, NEVER)
    else:
        backend.set_geometrical_restart(solver._handle, failures, FIRST_CUTOFF, GROWTH, NEVER)


class ChocoSearch(ThreadedSearch):
    """A search of a constraint model.

    Choco holds the interpreter while it searches. Other threads can see the progress of the search
    and interrupt it only between two slices. With restarts, Choco starts again after each slice.
    The length of slices therefore doubles, however long a slice takes.
    """

    def __init__(self, source: ConstraintModel, config: ChocoConfig) -> None:
        super().__init__()
        self._counters = Counters(nodes=0)
        self._source = source
        self._exhausted = source.is_impossible
        if not self._exhausted:
            from dovetail.backends.choco.posting import ChocoPosting  # imports pychoco

            posting = ChocoPosting(source, config.all_different, learning=config.learning)
            self._model, self._variables = posting.model, posting.variables
            self._solver = self._model.get_solver()
            usual: Branching = "smallest" if source.in_phases else "min-dom"
            branching = usual if config.branching == "auto" else config.branching
            phases = [posting.of(phase) for phase in source.phases(config.on)]
            if any(phases):  # an empty list would end the process
                set_search(self._solver, branching, phases, config.seed)
            self._restarts = any(phases) and config.restarts != "none"
            if self._restarts:
                identifying = [
                    each for phase in source.phases("auto") for each in posting.of(phase)
                ]
                set_restarts(self._model, self._solver, config.restarts, identifying)

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
                in_time = int(nodes * SLICE_S / (time.perf_counter() - begun))
                segment = 2 * segment if self._restarts else max(1, min(2 * segment, in_time))
        return Status.EXHAUSTED

    @property
    def _nodes(self) -> int:
        return self.counters.nodes or 0

    def _search_on(self, nodes: int) -> bool:
        """Search for `nodes` nodes or until a solution is found; return whether one is found.

        A solution is stored in `found`.
        """
        solver, before = self._solver, node_count(self._solver)
        found = search_on(self._model, solver, nodes)
        node_total = node_count(solver)
        self._exhausted = not found and node_total < before + nodes
        self._counters = Counters(
            nodes=node_total - self.count - found,
            native={
                "choco_nodes": node_total,
                "fails": int(solver.get_fail_count()),
                "backtracks": int(solver.get_backtrack_count()),
                "restarts": int(solver.get_restart_count()),
            },
        )
        if found:
            values = [variable.get_value() for variable in self._variables]
            self.found.add(self._source.options(values))
        return found


@dataclass(frozen=True)
class ChocoConfig(Config):
    """Settings of `choco`."""

    formulation: str = setting(AUTO, FORMULATIONS.meaning, choices=FORMULATIONS.names)
    all_different: Consistency = setting(
        "complete",
        "complete removes from a cell every tile that cannot be there if all cells get "
        "different tiles (arc consistency); weak removes only tiles that are placed elsewhere.",
    )
    branching: Branching = setting(
        "auto",
        "Rule that picks the next variable: the one with the smallest value, the first one, the "
        "one with the smallest domain, or one chosen by weights from conflicts (dom/wdeg, "
        "conflict-history) or failures. auto is smallest for boxes, else min-dom.",
    )
    on: BranchingKind = setting("auto", ON_MEANING)
    learning: bool = setting(False, "Learn clauses from failures (lazy clause generation).")
    restarts: Restarts = setting(
        "none",
        f"Start again after failures: {FIRST_CUTOFF} times Luby's sequence (luby), or first "
        f"{FIRST_CUTOFF}, then {GROWTH} times as many each time (geometric). No solution recurs.",
    )
    seed: int = setting(0, "Seed of random branching.", least=0, most=2**31 - 1)


class Choco(ModelBackend[ChocoConfig]):
    """Backend for every puzzle for which there is a formulation.

    A node is a value that is tried for a variable. Values that follow by propagation are no nodes,
    nor is the second branch, which rules the value out. Choco's own count, `choco_nodes`, also
    counts solutions as nodes.
    """

    name = "choco"
    summary = "Choco constraint solver, several formulations"
    node_meaning = "a value tried for a variable that has other values"
    extra, package, module = "choco", "pychoco", "pychoco"
    config_type = ChocoConfig
    formulations = FORMULATIONS

    def refuses(self, task: Task, config: ChocoConfig) -> str | None:
        if config.learning and config.restarts != "none":
            return "restarts with learning find solutions again; expected restarts=none"
        return super().refuses(task, config)

    def warm_up(self) -> None:
        from pychoco import Model

        Model().get_solver().solve()

    def prepare(self, task: Task, config: ChocoConfig) -> ChocoSearch:
        return ChocoSearch(self.model(task, config), config)
