"""The backend `cpsat`: OR-Tools CP-SAT, on the cover problem or on models of edge matching.

A single worker enumerates: with several, ortools 9.15 reports OPTIMAL for enumerations that have
duplicates and omissions. Several search for one solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import compress
from typing import TYPE_CHECKING, Any, Literal

from dovetail.backends.base import (
    MODEL_MEANING,
    Backend,
    Budget,
    Config,
    model_refusal,
    setting,
    trigger_refusal,
)
from dovetail.backends.shared.tiles import CellTable, TileModel, tile_model
from dovetail.backends.threaded import ThreadedSearch
from dovetail.models.boolean_model import Bound, EdgeModel, ModelName, cover_model
from dovetail.models.cover import CoverProblem
from dovetail.models.outcome import Counters, Status
from dovetail.models.task import Task

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


@dataclass(frozen=True)
class Lowered:
    """A model for CP-SAT, and how to read the options of a solution that it has found.

    `options` is called with the values of all variables, in the order of their indices: reading
    them one by one took a sixth of the time to enumerate the solutions of 8 queens.
    """

    model: cp_model.CpModel
    options: Callable[[Iterable[int]], Iterable[int]]


class CpSatSearch(ThreadedSearch):
    """A search of a model by a single solve.

    With several workers the solve ends at the first solution. They search in batches of a fixed
    amount of work and exchange their clauses in between, so that the solution is the same each
    time, however fast they are.
    """

    def __init__(
        self, lowered: Lowered, linearization_level: int, seed: int, workers: int = 1
    ) -> None:
        from ortools.sat.python import cp_model

        super().__init__()
        self._cp_model = cp_model
        self._lowered = lowered
        self._solver = cp_model.CpSolver()
        self.uses_threads = workers > 1
        parameters = self._solver.parameters
        parameters.num_workers = workers
        parameters.enumerate_all_solutions = not self.uses_threads
        parameters.interleave_search = self.uses_threads
        parameters.linearization_level = linearization_level
        parameters.random_seed = seed
        self._native: dict[str, int] = {}

    @property
    def counters(self) -> Counters:
        return Counters(native=self._native)

    def advance(self, budget: Budget) -> Status | None:
        return self._find_one() if self.uses_threads else self._enumerate(budget)

    def stop(self) -> None:
        """As of `ThreadedSearch`: a limit of CP-SAT's own would count the pauses."""
        self._solver.stop_search()

    def _find_one(self) -> Status:
        """Search for a solution."""
        cp_model, lowered = self._cp_model, self._lowered
        status = self._solve()
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            self.found.add(lowered.options(self._solver.response_proto.solution), is_last=True)
            return Status.SOLUTION_LIMIT
        return Status.EXHAUSTED if status == cp_model.INFEASIBLE else Status.TIME_LIMIT

    def _enumerate(self, budget: Budget) -> Status:
        """Search for all solutions, or as many as the budget has."""
        cp_model, lowered, found = self._cp_model, self._lowered, self.found

        class Collector(cp_model.CpSolverSolutionCallback):  # type: ignore[name-defined,misc]
            def on_solution_callback(self) -> None:
                is_last = found.count + 1 == budget.solutions
                found.add(lowered.options(self.response_proto.solution), is_last=is_last)
                if is_last:
                    self.stop_search()

        status = self._solve(Collector())
        if status in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
            return Status.EXHAUSTED
        if budget.solutions is not None and self.count >= budget.solutions:
            return Status.SOLUTION_LIMIT
        return Status.TIME_LIMIT

    def _solve(self, callback: cp_model.CpSolverSolutionCallback | None = None) -> Any:
        """Solve the model and return CP-SAT's status; raises `RuntimeError` for a wrong model."""
        model = self._lowered.model
        status = self._solver.solve(model, callback)
        self._native = {
            "branches": int(self._solver.num_branches),
            "conflicts": int(self._solver.num_conflicts),
        }
        if status == self._cp_model.MODEL_INVALID:
            raise RuntimeError(f"CP-SAT rejected the model: {model.validate()}")
        return status


@dataclass(frozen=True)
class CpSatConfig(Config):
    """Settings of `cpsat`."""

    model: ModelName = setting("cover", MODEL_MEANING)
    linearization_level: Literal[0, 1, 2] = setting(
        0,
        "How much of the model is also solved as a linear program. 0 is by far the fastest "
        "for enumeration.",
    )
    seed: int = setting(0, "The solver's random seed.", least=0, most=2**31 - 1)
    workers: int = setting(
        1,
        "Number of the solver's workers. More than 1 find one solution or prove that there is "
        "none, the same one each time, and need a limit of 1 solution: CP-SAT counts wrongly with "
        "several workers.",
        least=1,
        most=1024,
    )


class CpSat(Backend[CpSatConfig]):
    """Takes every cover problem; its nodes are not nodes here."""

    name = "cpsat"
    summary = "OR-Tools CP-SAT, exact-cover model or models of edge matching"
    control = "process"
    extra = "cpsat"
    config_type = CpSatConfig

    def missing(self) -> str | None:
        return None if find_spec("ortools") else "ortools"

    def refuses(self, task: Task, config: CpSatConfig) -> str | None:
        return model_refusal(task, config.model) or trigger_refusal(task)

    def stops_at_first(self, config: CpSatConfig) -> str | None:
        if config.workers == 1:
            return None
        return (
            f"with {config.workers} workers CP-SAT finds one solution but counts wrongly; use "
            "a limit of 1 solution, or workers=1"
        )

    def warm_up(self) -> None:
        from ortools.sat.python import cp_model

        cp_model.CpSolver().solve(cp_model.CpModel())

    def prepare(self, task: Task, config: CpSatConfig) -> CpSatSearch:
        if config.model == "cover":
            lowered = lower_cover(task.cover)
        else:
            assert task.edges is not None
            lowered = lower_tiles(tile_model(task.edges), config.model)
        return CpSatSearch(lowered, config.linearization_level, config.seed, config.workers)


def lower_cover(cover: CoverProblem) -> Lowered:
    """Lower a cover problem: a boolean per option, bounds of primary items, colours of secondary.

    A coloured item gets a boolean per colour, equal to "some chosen option gives it this
    colour". It is fixed by the options, so it does not multiply the solutions.
    """
    from ortools.sat.python import cp_model

    model, constraints = cp_model.CpModel(), cover_model(cover)
    chosen = [model.new_bool_var(f"option {o}") for o in range(cover.option_count)]
    for bound in constraints.bounds:
        _add_bound(model, bound, [chosen[variable - 1] for variable in bound.variables])
    for exclusion in constraints.exclusions:
        rivals = []
        for variables in exclusion.classes:
            shown = chosen[variables[0] - 1]
            if len(variables) > 1:
                shown = model.new_bool_var(f"a colour of {exclusion.name}")
                model.add_max_equality(shown, [chosen[variable - 1] for variable in variables])
            rivals.append(shown)
        model.add_at_most_one(rivals)

    def options(values: Iterable[int]) -> Iterable[int]:
        return compress(range(cover.option_count), values)  # options are the first variables

    return Lowered(model, options)


def _add_bound(model: cp_model.CpModel, bound: Bound, users: list[Any]) -> None:
    """Require at least `lower` and at most `upper` of the options of an item."""
    if bound.is_impossible:
        model.add_bool_or([])
    elif (bound.lower, bound.upper) == (1, 1):
        model.add_exactly_one(users)
    elif (bound.lower, bound.upper) == (0, 1):
        model.add_at_most_one(users)
    else:
        model.add_linear_constraint(sum(users), bound.lower, bound.upper)


def lower_tiles(tiles: TileModel, edges: EdgeModel) -> Lowered:
    """Lower a tile model: by cell the row of its table and its type, and the colours of edges.

    Types and colours follow from the rows, so that they do not multiply the solutions.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    if tiles.has_empty_cell:
        model.add_bool_or([])  # no variable may have an empty domain
        return Lowered(model, lambda _: [])
    colours = [
        model.new_int_var(1, tiles.colour_count, f"edge {e}") for e in range(tiles.edge_count)
    ]
    rows, kinds = [], []
    for number, cell in enumerate(tiles.cells):
        row = model.new_int_var(0, len(cell.option) - 1, f"row {number}")
        domain = cp_model.Domain.from_values(cell.tile_type.tolist())
        kind = model.new_int_var_from_domain(domain, f"type {number}")
        model.add_allowed_assignments([row, kind], cell.tile_rows)
        if edges == "edge-variables":
            for place, edge in enumerate(cell.edges):
                model.add_allowed_assignments([row, colours[edge]], cell.colour_rows(place))
        else:
            _add_known_edges(model, cell, row, [colours[edge] for edge in cell.edges])
        rows.append(row)
        kinds.append(kind)
    _add_all_different(model, tiles, kinds)

    def options(values: Iterable[int]) -> list[int]:
        of = tuple(values)
        return [
            int(cell.option[of[row.index]]) for cell, row in zip(tiles.cells, rows, strict=True)
        ]

    return Lowered(model, options)


def _add_known_edges(
    model: cp_model.CpModel, cell: CellTable, row: Any, colours: list[Any]
) -> None:
    """Let a row imply the colours of its edges; a colour that no row shows is not ruled out."""
    for number, shown in enumerate(cell.colour.tolist()):
        lies = _is(model, row, number)
        for colour, variable in zip(shown, colours, strict=True):
            model.add(variable == colour).only_enforce_if(lies)


def _add_all_different(model: cp_model.CpModel, tiles: TileModel, kinds: list[Any]) -> None:
    """Require every type as often as it has tiles."""
    if tiles.all_tiles_differ:
        model.add_all_different(kinds)
        return
    for number, copies in enumerate(tiles.copies.tolist()):
        places = [
            _is(model, kind, number)
            for kind, cell in zip(kinds, tiles.cells, strict=True)
            if number in cell.tile_type
        ]
        model.add(sum(places) == copies)


def _is(model: cp_model.CpModel, variable: Any, value: int) -> Any:
    """Return a boolean that is true just when a variable has a value."""
    literal = model.new_bool_var(f"{variable.name} is {value}")
    model.add(variable == value).only_enforce_if(literal)
    model.add(variable != value).only_enforce_if(~literal)
    return literal
