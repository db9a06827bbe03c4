"""The backend `clingo`: Potassco's clingo (clasp) lists the answer sets of a ground program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from dovetail.backends.base import Budget, Config, setting
from dovetail.backends.threaded import Deadline, ModelBackend, ThreadedSearch
from dovetail.models.formulations.model import Bound, ConstraintModel
from dovetail.models.formulations.registry import AUTO, BOOLEANS, Supported
from dovetail.models.outcome import Status
from dovetail.models.task import Task

if TYPE_CHECKING:
    from clingo import Backend as Program
    from clingo import Control, Model, SolveHandle


def add_program(control: Control, model: ConstraintModel) -> None:
    """Add a choice rule over all variables, and rules that exclude violated constraints.

    The atom of an option has the symbol `option(number)`. Other atoms have no symbol. The values of
    these atoms follow from the options, so that each answer set is a different solution without
    projection.
    """
    from clingo import Function, Number

    plain, bounds = model.clauses_and_bounds()
    with control.backend() as backend:
        symbols = (Function("option", [Number(o)]) for o in range(model.option_count))
        atoms = [backend.add_atom(symbol) for symbol in symbols]
        atoms += [backend.add_atom() for _ in range(plain.variable_count - len(atoms))]
        if atoms:
            backend.add_rule(atoms, choice=True)
        for clause in plain.clauses:
            backend.add_rule([], [_literal(atoms, -literal) for literal in clause])
        for bound in bounds:
            _add_bound(backend, atoms, bound)


def options(answer: Model) -> list[int]:
    """Return the options that are true in an answer set."""
    return [symbol.arguments[0].number for symbol in answer.symbols(atoms=True)]


def _literal(atoms: list[int], literal: int) -> int:
    atom = atoms[abs(literal) - 1]
    return atom if literal > 0 else -atom


def _add_bound(backend: Program, atoms: list[int], bound: Bound) -> None:
    """Rule out that more than `upper` or fewer than `lower` atoms of the bound are true."""
    its = [atoms[variable - 1] for variable in bound.variables]
    if bound.upper < len(its):
        backend.add_weight_rule([], bound.upper + 1, [(atom, 1) for atom in its])
    if bound.is_impossible:
        backend.add_rule([])
    elif bound.lower == 1:
        backend.add_rule([], [-atom for atom in its])
    elif bound.lower > 1:
        too_many = len(its) - bound.lower + 1
        backend.add_weight_rule([], too_many, [(-atom, 1) for atom in its])


class ClingoSearch(ThreadedSearch):
    """A search of the ground program by a single call of `solve`.

    clingo searches in its own thread while the caller waits, so that a time limit also holds
    between two solutions. The counters are known only at the end.
    """

    uses_threads = True

    def __init__(self, model: ConstraintModel, configuration: str, seed: int) -> None:
        from clingo import Control

        super().__init__()
        self._control = Control(
            ["--models=0", f"--configuration={configuration}", f"--seed={seed}"]
        )
        add_program(self._control, model)

    def advance(self, budget: Budget) -> Status | None:
        if budget.solutions == 0:
            return Status.SOLUTION_LIMIT
        deadline = self.deadline(budget)
        with self._control.solve(yield_=True, async_=True) as handle:
            status = self._enumerate(handle, budget, deadline)
        figures = self._control.statistics["solving"]["solvers"]
        self._native = {name: int(figures[name]) for name in ("choices", "conflicts")}
        return status

    def _enumerate(self, handle: SolveHandle, budget: Budget, deadline: Deadline) -> Status:
        """Take answer sets from the handle until none is left or a limit is reached."""
        while True:
            handle.resume()
            if not handle.wait(deadline.left_s):
                handle.cancel()
                return Status.TIME_LIMIT
            answer = handle.model()
            if answer is None:
                return Status.EXHAUSTED
            is_last = self.count + 1 == budget.solutions
            self.found.add(options(answer), is_last=is_last)
            if is_last:
                handle.cancel()
                return Status.SOLUTION_LIMIT


FORMULATIONS = Supported(*BOOLEANS)


@dataclass(frozen=True)
class ClingoConfig(Config):
    """Settings of `clingo`."""

    formulation: str = setting(AUTO, FORMULATIONS.meaning, choices=FORMULATIONS.names)
    configuration: Literal["frumpy", "jumpy", "tweety", "handy", "crafty", "trendy"] = setting(
        "jumpy",
        "The solver's own set of defaults for heuristics, restarts and deletion. clingo's default "
        "is tweety, which is slow for puzzles with many solutions.",
    )
    seed: int = setting(0, "The solver's random seed.", least=0, most=2**31 - 1)


class Clingo(ModelBackend[ClingoConfig]):
    """Backend for every cover problem; choices of the solver do not count as nodes."""

    name = "clingo"
    summary = "clingo, answer sets of the exact-cover model or of models of edge matching"
    extra = package = module = "clingo"
    config_type = ClingoConfig
    formulations = FORMULATIONS

    def warm_up(self) -> None:
        ClingoSearch(ConstraintModel(), "jumpy", 0)

    def prepare(self, task: Task, config: ClingoConfig) -> ClingoSearch:
        return ClingoSearch(self.model(task, config), config.configuration, config.seed)
