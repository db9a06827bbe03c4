"""The backend `cpsat`: OR-Tools CP-SAT on the cover problem, one boolean per option.

One worker only: with several, ortools 9.15 reports OPTIMAL for enumerations that have
duplicates and omissions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Config, cannot_watch
from dovetail.backends.found import FoundSolutions
from dovetail.errors import ConfigError
from dovetail.models.cover import UNCOLOURED, CoverProblem
from dovetail.models.outcome import Counters, Status
from dovetail.models.task import Task

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


@dataclass(frozen=True)
class CpSatConfig(Config):
    """`linearization_level`: how much of the model is also put as a linear programme (0 to 2).

    0 is much the fastest for enumeration. `seed`: the solver's random seed.
    """

    linearization_level: Literal[0, 1, 2] = 0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 2**31:
            raise ConfigError(f"backend cpsat: seed is {self.seed}; expected 0 to {2**31 - 1}")


class CpSat:
    """Takes every cover problem; enumerates with one worker; its nodes are not nodes here."""

    name = "cpsat"
    summary = "OR-Tools CP-SAT, exact-cover model, one worker"
    control: Literal["process"] = "process"
    extra = "cpsat"
    config_type = CpSatConfig

    def missing(self) -> str | None:
        return None if find_spec("ortools") else "ortools"

    def refuses(self, task: Task, config: Config) -> str | None:
        return cannot_watch(task)

    def warm_up(self) -> None:
        from ortools.sat.python import cp_model

        cp_model.CpSolver().solve(cp_model.CpModel())

    def warm_up_for(self, task: Task, config: Config) -> None:
        pass

    def prepare(self, task: Task, config: Config) -> CpSatSearch:
        assert isinstance(config, CpSatConfig)
        return CpSatSearch(task.cover, config)


class CpSatSearch:
    """The model, and what its one solve finds."""

    def __init__(self, cover: CoverProblem, config: CpSatConfig) -> None:
        from ortools.sat.python import cp_model

        self._cp_model = cp_model
        self._model, self._chosen = _build_model(cover)
        self._solver = cp_model.CpSolver()
        parameters = self._solver.parameters
        parameters.num_workers = 1
        parameters.enumerate_all_solutions = True
        parameters.linearization_level = config.linearization_level
        parameters.random_seed = config.seed
        self.found = FoundSolutions()
        self.counters = Counters()

    @property
    def count(self) -> int:
        return self.found.count

    def advance(self, budget: Budget) -> Status | None:
        cp_model, chosen, found = self._cp_model, self._chosen, self.found
        if budget.seconds is not None:
            self._solver.parameters.max_time_in_seconds = max(0.0, budget.seconds)

        class Collector(cp_model.CpSolverSolutionCallback):  # type: ignore[name-defined,misc]
            def on_solution_callback(self) -> None:
                found.add(o for o, variable in enumerate(chosen) if self.boolean_value(variable))
                if found.count == budget.solutions:
                    self.stop_search()

        status = self._solver.solve(self._model, Collector())
        self.counters.native = {
            "branches": int(self._solver.num_branches),
            "conflicts": int(self._solver.num_conflicts),
        }
        if status in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
            return Status.EXHAUSTED
        if status == cp_model.MODEL_INVALID:
            raise RuntimeError(f"CP-SAT refused the model: {self._model.validate()}")
        if budget.solutions is not None and self.count >= budget.solutions:
            return Status.SOLUTION_LIMIT
        return Status.TIME_LIMIT

    def take(self) -> NDArray[np.int32]:
        return self.found.take()

    def progress(self) -> float | None:
        return None


def _build_model(cover: CoverProblem) -> tuple[cp_model.CpModel, list[Any]]:
    """One boolean per option; bounds on primary items; colours of secondary items.

    A coloured item gets a boolean per colour, equal to "some chosen option gives it this
    colour". It is fixed by the options, so it does not multiply the solutions.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    chosen = [model.new_bool_var(f"option {o}") for o in range(cover.option_count)]
    for item, members in enumerate(_members_by_item(cover)):
        users = [chosen[cover.option_of_member[m]] for m in members]
        if item < cover.primary_count:
            low, high = int(cover.lower[item]), int(cover.upper[item])
            if (low, high) == (1, 1):
                model.add_exactly_one(users)
            elif (low, high) == (0, 1):
                model.add_at_most_one(users)
            else:
                model.add_linear_constraint(sum(users), low, high)
            continue
        rivals = []  # at most one of these: an uncoloured option, or a colour
        by_colour: dict[int, list[Any]] = {}
        for member, user in zip(members, users, strict=True):
            colour = int(cover.colour[member])
            if colour == UNCOLOURED:
                rivals.append(user)
            else:
                by_colour.setdefault(colour, []).append(user)
        for colour, same in by_colour.items():
            shown = same[0]
            if len(same) > 1:
                shown = model.new_bool_var(f"item {item} has colour {colour}")
                model.add_max_equality(shown, same)
            rivals.append(shown)
        model.add_at_most_one(rivals)
    return model, chosen


def _members_by_item(cover: CoverProblem) -> Iterator[NDArray[np.int64]]:
    """For each item, the numbers of its members."""
    order = np.argsort(cover.item, kind="stable")
    bounds = np.searchsorted(cover.item[order], np.arange(cover.item_count + 1))
    for item in range(cover.item_count):
        yield order[bounds[item] : bounds[item + 1]]
