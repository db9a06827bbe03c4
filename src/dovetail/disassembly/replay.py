"""Check of a plan, by playing it: nothing is shared with the search but what a cell meets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from operator import add

import numpy as np

from dovetail.disassembly.directions import directions_of
from dovetail.disassembly.plan import Assembly, Move, Separation
from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.models.lattices.protocol import Cell, Lattice

Places = dict[int, set[Cell]]


def plan_error(assembly: Assembly, plan: Separation) -> str | None:
    """Return why a plan does not take an assembly apart; None if it does.

    Each move is played step by step, without the steps whose cells are too far from all that stays.
    A move that separates goes on until all that moves has passed all that stays.
    """
    places = {number: set(cells) for number, cells in enumerate(assembly.cells)}
    if plan.pieces != tuple(places):
        return "the plan does not begin with all pieces"
    waiting: list[tuple[Separation, Places]] = [(plan, places)]
    together = list[set[int]]()
    while waiting:
        separation, its = waiting.pop()
        for number, move in enumerate(separation.moves, 1):
            if (move.steps is None) != (number == len(separation.moves)):
                count = how_many(len(separation.moves), "move")
                return f"move {number} of {count}: expected the last to separate, and no other"
            error = _played(assembly, its, move)
            if error:
                return f"move {number} of {len(separation.moves)}: {error}"
        leaves = set(separation.moves[-1].pieces)
        for half, part in ((set(its) - leaves, separation.stays), (leaves, separation.leaves)):
            if part is None:
                if len(half) > 1 and not _is_group(assembly, half):
                    together.append(half)
                    if not _may_stay_together(assembly, together):
                        return f"{_names(assembly, half)} do not come apart"
            elif set(part.pieces) != half:
                return f"the plan goes on with other pieces than {_names(assembly, half)}"
            else:
                waiting.append((part, {piece: set(its[piece]) for piece in half}))
    return None


def check_plan(assembly: Assembly, plan: Separation) -> None:
    """Raise `PuzzleError` for a plan that does not take an assembly apart."""
    error = plan_error(assembly, plan)
    if error:
        raise PuzzleError(f"a plan that takes pieces apart is wrong: {error}")


def _played(assembly: Assembly, places: Places, move: Move) -> str | None:
    """Play a move on the places of pieces; return what is wrong with it."""
    moving = set(move.pieces)
    if not moving or not moving < set(places):
        return "expected some of the pieces of the part to move, and not all"
    directions = directions_of(assembly.lattice)
    if move.direction not in directions.vectors:
        return f"{move.direction} is not a direction {assembly.lattice.phrase}"
    if move.steps is not None and move.steps < 1:
        return f"{move.steps} steps; expected at least 1"
    swept = directions.swept[directions.vectors.index(move.direction)]
    ahead = dict(zip(assembly.lattice.fundamental_cells, swept, strict=True))
    still = {cell: piece for piece in set(places) - moving for cell in places[piece]}
    axis = int(np.flatnonzero(move.direction)[0])
    # The steps at whose end a cell that moves may have the coordinate of one that stays.
    ours = {
        cell[axis] + vector[axis]
        for piece in moving
        for cell in places[piece]
        for vectors in swept
        for vector in vectors
    }
    meeting = {
        (its - at) // move.direction[axis] for at in ours for its in {c[axis] for c in still}
    }
    last = max(meeting) + 1 if move.steps is None else move.steps
    for step in sorted(step for step in meeting if 0 <= step < last):
        for piece in sorted(moving):
            for cell in _met(
                assembly.lattice, _shifted(places[piece], move.direction, step), ahead
            ):
                if cell in still:
                    names = [assembly.names[piece], assembly.names[still[cell]]]
                    return f"{shorten(names[0])} runs into {shorten(names[1])}"
    for piece in moving:
        places[piece] = _shifted(places[piece], move.direction, max(last, 0))
    return None


def _shifted(cells: set[Cell], direction: Cell, steps: int) -> set[Cell]:
    way = tuple(steps * step for step in direction)
    return {tuple(map(add, cell, way)) for cell in cells}


def _met(lattice: Lattice, cells: set[Cell], ahead: dict[Cell, tuple[Cell, ...]]) -> Iterator[Cell]:
    ordered = sorted(cells)
    homes = lattice.homes(np.array(ordered, dtype=np.int64)).tolist()
    for cell, home in zip(ordered, homes, strict=True):
        for vector in ahead[tuple(home)]:
            yield tuple(map(add, cell, vector))


def _is_group(assembly: Assembly, pieces: set[int]) -> bool:
    """Return whether all of the pieces are in one group, and in no other."""
    groups = {tuple(group for group, _ in assembly.groups[piece]) for piece in pieces}
    return len(groups) == 1 and all(len(group) == 1 for group in groups)


def _may_stay_together(assembly: Assembly, together: list[set[int]]) -> bool:
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


def _names(assembly: Assembly, pieces: set[int]) -> str:
    return ", ".join(shorten(assembly.names[piece]) for piece in sorted(pieces))
