"""A boolean model as a ground program, given to clingo without a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.backends.shared.boolean_model import BooleanModel, Cardinality

if TYPE_CHECKING:
    from clingo import Backend, Control, Model


def add_program(control: Control, model: BooleanModel) -> None:
    """Let clingo choose among all variables, and rule out what contradicts a constraint.

    The atom of an option is `option(number)`; the others have no symbol. They are fixed by the
    options, so that no projection is needed: each answer set is another solution.
    """
    from clingo import Function, Number

    with control.backend() as backend:
        atoms = [backend.add_atom(Function("option", [Number(o)])) for o in model.options]
        atoms += [backend.add_atom() for _ in range(model.variable_count - len(atoms))]
        if atoms:
            backend.add_rule(atoms, choice=True)
        for clause in model.clauses:
            backend.add_rule([], [_literal(atoms, -literal) for literal in clause])
        for cardinality in model.cardinalities:
            _add_cardinality(backend, atoms, cardinality)


def options(answer: Model) -> list[int]:
    """Return the options that are true in an answer set."""
    return [symbol.arguments[0].number for symbol in answer.symbols(atoms=True)]


def _literal(atoms: list[int], literal: int) -> int:
    atom = atoms[abs(literal) - 1]
    return atom if literal > 0 else -atom


def _add_cardinality(backend: Backend, atoms: list[int], cardinality: Cardinality) -> None:
    """Rule out more than `high` true atoms, and more than all but `low` false ones."""
    its = [atoms[variable - 1] for variable in cardinality.variables]
    if cardinality.high < len(its):
        backend.add_weight_rule([], cardinality.high + 1, [(atom, 1) for atom in its])
    if cardinality.low == 1:
        backend.add_rule([], [-atom for atom in its])
    elif cardinality.low > 1:
        too_many = len(its) - cardinality.low + 1
        backend.add_weight_rule([], too_many, [(-atom, 1) for atom in its])
