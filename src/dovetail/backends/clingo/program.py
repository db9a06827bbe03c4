"""A boolean model as a ground program, given to clingo without a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.models.boolean_model import BooleanModel, Bound

if TYPE_CHECKING:
    from clingo import Backend, Control, Model


def add_program(control: Control, model: BooleanModel) -> None:
    """Let clingo choose among all variables, and rule out what contradicts a constraint.

    The atom of an option is `option(number)`; the others have no symbol. They are fixed by the
    options, so that no projection is needed: each answer set is another solution.
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


def _add_bound(backend: Backend, atoms: list[int], bound: Bound) -> None:
    """Rule out more than `upper` true atoms, and more than all but `lower` false ones."""
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
