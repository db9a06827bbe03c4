"""Check of a plan, by playing it: nothing is shared with the search but what a cell meets."""

from __future__ import annotations

from collections.abc import Iterator
from operator import add

import numpy as np

from dovetail.disassembly.directions import directions_of
from dovetail.disassembly.plan import Assembly, Move, Separation
from dovetail.errors import PuzzleError, shorten
from dovetail.models.lattices.protocol import Cell, Lattice

Places = dict[int, set[Cell]]


def plan_error(assembly: Assembly, plan: Separation) -> str | None:
    """Return why a plan does not take an assembly apart; None if it does.

    Each move is played step by step. A move that separates goes on until all that moves has passed
    all that stays.
    """
    places = {number: set(cells) for number, cells in enumerate(assembly.cells)}
    if plan.pieces != tuple(places):
        return "the plan does not begin with all pieces"
    waiting: list[tuple[Separation, Places]] = [(plan, places)]
    while waiting:
        separation, its = waiting.pop()
        for number, move in enumerate(separation.moves, 1):
            last = number == len(separation.moves)
            if (move.steps is None) != last:
                return f"move {number} separates; expected the last of {len(separation.moves)}"
            error = _played(assembly, its, move)
            if error:
                return f"move {number} of {len(separation.moves)}: {error}"
        leaves = set(separation.moves[-1].pieces)
        for half, part in ((set(its) - leaves, separation.stays), (leaves, separation.leaves)):
            if part is None:
                if len(half) > 1 and not _is_grouped(assembly, half):
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
    steps = _steps_past(places, moving, still, move.direction) if move.steps is None else move.steps
    for _ in range(steps):
        for piece in sorted(moving):
            for cell in _met(assembly.lattice, places[piece], ahead):
                if cell in still:
                    names = [assembly.names[piece], assembly.names[still[cell]]]
                    return f"{shorten(names[0])} runs into {shorten(names[1])}"
            places[piece] = {tuple(map(add, cell, move.direction)) for cell in places[piece]}
    return None


def _met(lattice: Lattice, cells: set[Cell], ahead: dict[Cell, tuple[Cell, ...]]) -> Iterator[Cell]:
    ordered = sorted(cells)
    homes = lattice.homes(np.array(ordered, dtype=np.int64)).tolist()
    for cell, home in zip(ordered, homes, strict=True):
        for vector in ahead[tuple(home)]:
            yield tuple(map(add, cell, vector))


def _steps_past(places: Places, moving: set[int], still: dict[Cell, int], direction: Cell) -> int:
    """Return the number of steps after which nothing that moves can meet what stays."""
    axis = int(np.flatnonzero(direction)[0])
    along = [cell[axis] for piece in moving for cell in places[piece]]
    others = [cell[axis] for cell in still]
    return max(*along, *others) - min(*along, *others) + 2


def _is_grouped(assembly: Assembly, pieces: set[int]) -> bool:
    """Return whether there is a group that all of the pieces may be in."""
    common = [{group for group, _ in assembly.groups[piece]} for piece in pieces]
    return bool(set.intersection(*common))


def _names(assembly: Assembly, pieces: set[int]) -> str:
    return ", ".join(shorten(assembly.names[piece]) for piece in sorted(pieces))
