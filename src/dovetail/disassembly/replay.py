"""Check of plans, by playing them: the search shares with it what a cell meets, and plan arrays."""

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
    """Return why a plan does not take an assembly apart; None if it does.

    All cells that a move passes have to be free. A move that separates goes on for ever. Raises
    `PuzzleError` for an assembly of too many pieces.
    """
    batch = AssemblyBatch.of(PlacedCells(assembly.lattice), [assembly])
    table = PlanTable.of([plan], directions_of(assembly.lattice).vectors)
    found = _errors(batch, table, np.ones(1, dtype=bool))
    return next((_text(assembly, plan, error, half) for _, error, half in found), None)


def check_plans(batch: AssemblyBatch, plans: PlanTable, wanted: NDArray[np.bool_]) -> None:
    """Raise `PuzzleError` for a plan of the `wanted` assemblies that does not take one apart."""
    for number, error, half in _errors(batch, plans, wanted):
        assembly, plan = batch.assembly(number), plans.plan(number)
        text = _text(assembly, plan, error, half)
        raise PuzzleError(f"a plan that takes pieces apart is wrong: {text}")


def _errors(
    batch: AssemblyBatch, table: PlanTable, wanted: NDArray[np.bool_]
) -> Iterator[tuple[int, list[int], tuple[int, ...]]]:
    """Yield each assembly with a wrong plan: its number, the row of the kernel, a locked half.

    The half is empty unless its pieces neither come apart nor may stay together.
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
        half = _locked_half(batch.assembly(number), halves)  # found before an error of the kernel
        if half or row[kernel.ERROR]:
            yield number, row, half


def _text(
    assembly: Assembly, plan: Separation | None, error: list[int], half: tuple[int, ...]
) -> str:
    """Return the error of a plan in words."""
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
            f"the plan goes on with other pieces than {', '.join(names[piece] for piece in pieces)}"
        )
    texts = {
        kernel.LAST: "expected the last to separate, and no other",
        kernel.PIECES: "expected some of the pieces of the part to move, and not all",
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
    """Return the first of some halves without a plan that may not stay together, () for none."""
    together = list[tuple[int, ...]]()
    for half in halves:
        groups = {tuple(group for group, _ in assembly.groups[piece]) for piece in half}
        if len(groups) == 1 and all(len(group) == 1 for group in groups):
            continue  # all of its pieces are in one group, and in no other
        together.append(half)
        if not _may_stay_together(assembly, together):
            return half
    return ()


def _may_stay_together(assembly: Assembly, together: Sequence[tuple[int, ...]]) -> bool:
    """Return whether each set can be assigned to a group within the copies that the group takes."""
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
