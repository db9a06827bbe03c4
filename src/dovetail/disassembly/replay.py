"""Check of plans: all moves of a plan are played.

The check shares with the search only the directions of lattices and the arrays of plans.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from dovetail.disassembly.assemblies import AssemblyBatch, PlacedCells
from dovetail.disassembly.directions import directions_of
from dovetail.disassembly.kernels import replay as kernel
from dovetail.disassembly.plan import Assembly, PlanTable, Separation, members
from dovetail.errors import PuzzleError, shorten
from dovetail.models.lattices.protocol import Lattice


def plan_error(assembly: Assembly, plan: Separation) -> str | None:
    """Return why a plan does not take an assembly apart, or None if it does.

    All cells that a move passes have to be free; a move that separates has no end. Raises
    `PuzzleError` for an assembly of too many pieces, or on a lattice whose pieces do not slide.
    """
    batch = AssemblyBatch.of(PlacedCells(assembly.lattice), [assembly])
    table = PlanTable.of([plan], directions_of(assembly.lattice).vectors)
    found = _errors(batch, table, np.ones(1, dtype=bool))
    return next((_text(assembly, plan, error, half) for _, error, half in found), None)


def check_plans(batch: AssemblyBatch, plans: PlanTable, wanted: NDArray[np.bool_]) -> None:
    """Raise `PuzzleError` if the plan of a `wanted` assembly does not take it apart."""
    for number, error, half in _errors(batch, plans, wanted):
        assembly, plan = batch.assembly(number), plans.plan(number)
        text = _text(assembly, plan, error, half)
        raise PuzzleError(f"a plan of a disassembly is wrong: {text}")


def _errors(
    batch: AssemblyBatch, table: PlanTable, wanted: NDArray[np.bool_]
) -> Iterator[tuple[int, list[int], tuple[int, ...]]]:
    """Yield for each wrong plan the assembly's number, its row of `Checked.error`, and a half.

    The half has pieces that the plan leaves together although they may not stay together. Without
    such pieces, the half is empty.
    """
    nodes, lattice = len(table.plans.node), batch.placed.lattice
    checked = kernel.Checked(
        wanted=wanted,
        begin=batch.begin,
        cells=batch.cells,
        error=np.zeros((len(batch), 5), dtype=np.int64),
        together=np.zeros(2 * nodes, dtype=np.uint64),
        together_of=np.zeros(2 * nodes, dtype=np.int64),
        away=np.zeros((batch.most_pieces, len(lattice.axes)), dtype=np.int64),
    )
    count = kernel.check(_steps(lattice), batch.arrays, checked, table.plans, table.begin)
    together = dict[int, list[tuple[int, ...]]]()
    for number, half in zip(
        checked.together_of[:count].tolist(), checked.together[:count].tolist(), strict=True
    ):
        together.setdefault(number, []).append(members(half))
    for number in sorted({*together, *np.flatnonzero(checked.error[:, kernel.ERROR]).tolist()}):
        row, halves = checked.error[number].tolist(), together.get(number, [])
        half = _locked_half(batch.assembly(number), halves)  # takes precedence over other errors
        if half or row[kernel.ERROR]:
            yield number, row, half


def _text(
    assembly: Assembly, plan: Separation | None, error: list[int], half: tuple[int, ...]
) -> str:
    """Return the message for the error of a plan."""
    names = [shorten(name) for name in assembly.names]
    if half:
        return f"{', '.join(names[piece] for piece in half)} do not come apart"
    wrong, node, number, moving, met = error
    if wrong == kernel.WHOLE or plan is None:
        return "the plan does not begin with all pieces"
    separation = next(islice(plan.all(), node, None))
    if wrong == kernel.NO_MOVES:
        return "a separation has no moves"
    move = separation.moves[number]
    if wrong == kernel.OTHERS:
        leaving = set(separation.moves[-1].pieces)
        pieces = [piece for piece in separation.pieces if (piece in leaving) == moving]
        return (
            f"the plan continues with pieces other than {', '.join(names[each] for each in pieces)}"
        )
    texts = {
        kernel.LAST: "expected the last move to separate, and no other move",
        kernel.PIECES: "expected some of the part's pieces to move, but not all",
        kernel.DIRECTION: f"{move.direction} is not a direction {assembly.lattice.phrase}",
        kernel.STEPS: f"{move.steps} steps; expected at least 1",
        kernel.MEETS: f"{names[moving]} runs into {names[met]}",
    }
    return f"move {number + 1} of {len(separation.moves)}: {texts[wrong]}"


@cache
def _steps(lattice: Lattice) -> kernel.Steps:
    directions = directions_of(lattice)
    met = [vectors for swept in directions.swept for vectors in swept]
    return kernel.Steps(
        vector=np.array(directions.vectors, dtype=np.int64),
        begin=np.cumsum([0, *map(len, met)]),
        met=np.array([vector for vectors in met for vector in vectors], dtype=np.int64),
    )


def _locked_half(assembly: Assembly, halves: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the first of `halves` that may not stay together, or ().

    The plan has no separations of `halves`. Each half uses up some of the copies that its group
    takes, so that a later half may not stay together.
    """
    together = list[tuple[int, ...]]()
    for half in halves:
        groups = {tuple(group for group, _ in assembly.groups[piece]) for piece in half}
        if len(groups) == 1 and all(len(group) == 1 for group in groups):
            continue  # all pieces of the half are in the same single group
        together.append(half)
        if not _may_stay_together(assembly, together):
            return half
    return ()


def _may_stay_together(assembly: Assembly, together: Sequence[tuple[int, ...]]) -> bool:
    """Return whether sets of pieces fit into groups within the copies that each group takes."""
    taken = {
        (group, assembly.names[piece]): copies
        for pieces in together
        for piece in pieces
        for group, copies in assembly.groups[piece]
    }
    common = [
        set.intersection(*({group for group, _ in assembly.groups[piece]} for piece in pieces))
        for pieces in together
    ]
    for chosen in product(*common):
        used = Counter(
            (group, assembly.names[piece])
            for group, pieces in zip(chosen, together, strict=True)
            for piece in pieces
        )
        if all(number <= taken.get(key, 0) for key, number in used.items()):
            return True
    return False
