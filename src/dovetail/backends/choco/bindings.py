"""What pychoco's own classes lack or have wrong, from the functions that they call.

Its `Solver.get_node_count` gives seconds, its tables offer no forward checking, and limits given
to `Solver.solve` stay for good, which makes each further solution dearer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pychoco import Model
    from pychoco.solver import Solver
    from pychoco.variables.intvar import IntVar


def node_count(solver: Solver) -> int:
    """The decisions that Choco has made, and the solutions that it has found."""
    from pychoco import backend

    return int(backend.get_node_count(solver._handle))


def search_on(model: Model, solver: Solver, nodes: int) -> bool:
    """Search until a solution or for so many nodes, the last one propagated; whether it found one.

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
    """Post a table of two variables that works only from one that has its value on the other."""
    from pychoco import backend
    from pychoco._utils import make_int_2d_array, make_intvar_array
    from pychoco.constraints.constraint import Constraint

    variables, tuples = make_intvar_array(pair), make_int_2d_array(rows)
    Constraint(backend.table(model._handle, variables, tuples, True, "FC"), model).post()
