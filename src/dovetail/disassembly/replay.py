"""Check of a plan, by playing it: nothing is shared with the search but what a cell meets."""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.disassembly.directions import directions_of
from dovetail.disassembly.kernels.replay import MOVES, STAYS, Steps, play
from dovetail.disassembly.plan import Assembly, Move, Separation
from dovetail.errors import PuzzleError, shorten
from dovetail.models.lattices.protocol import Cells, Lattice

KEPT = 1 << 14  # placements whose cells are kept as arrays


def plan_error(assembly: Assembly, plan: Separation) -> str | None:
    """Return why a plan does not take an assembly apart; None if it does.

    All cells that a move passes have to be free. A move that separates goes on for ever.
    """
    if plan.pieces != tuple(range(len(assembly.cells))):
        return "the plan does not begin with all pieces"
    moves = list[_Played]()
    error = _structure_error(assembly, plan, moves)
    cells, kinds = zip(*(_cells(assembly.lattice, its) for its in assembly.cells), strict=True)
    at, *met = play(
        _steps(assembly.lattice),
        np.concatenate(cells),
        np.concatenate(kinds),
        np.repeat(np.arange(len(cells)), list(map(len, cells))),
        np.array([move.row for move in moves], dtype=np.int64).reshape(-1, 2),
        np.frombuffer(b"".join(move.side for move in moves), np.uint8).reshape(-1, len(cells)),
    )
    if at < 0:
        return error
    one, other = (shorten(assembly.names[piece]) for piece in met)
    return f"{moves[at].title}: {one} runs into {other}"


def check_plan(assembly: Assembly, plan: Separation) -> None:
    """Raise `PuzzleError` for a plan that does not take an assembly apart."""
    error = plan_error(assembly, plan)
    if error:
        raise PuzzleError(f"a plan that takes pieces apart is wrong: {error}")


class _Played(NamedTuple):
    """A move for the kernel."""

    title: str
    row: tuple[int, int]
    side: bytes


def _structure_error(assembly: Assembly, plan: Separation, moves: list[_Played]) -> str | None:
    """Add the moves of a plan up to the first error that needs no playing; return that error."""
    vectors = directions_of(assembly.lattice).vectors
    waiting, together = [plan], list[set[int]]()
    while waiting:
        separation = waiting.pop()
        if not separation.moves:
            return "a separation has no moves"
        pieces, leaves = set(separation.pieces), set(separation.moves[-1].pieces)
        for number, move in enumerate(separation.moves, 1):
            title = f"move {number} of {len(separation.moves)}"
            error = _move_error(assembly.lattice, pieces, move)
            if (move.steps is None) != (number == len(separation.moves)):
                error = "expected the last to separate, and no other"
            if error:
                return f"{title}: {error}"
            side = bytearray(len(assembly.cells))
            for piece in pieces:
                side[piece] = MOVES if piece in move.pieces else STAYS
            row = vectors.index(move.direction), move.steps or 0
            moves.append(_Played(title, row, bytes(side)))
        for half, part in ((pieces - leaves, separation.stays), (leaves, separation.leaves)):
            if part is None:
                if len(half) > 1 and not _is_group(assembly, half):
                    together.append(half)
                    if not _may_stay_together(assembly, together):
                        return f"{_names(assembly, half)} do not come apart"
            elif set(part.pieces) != half:
                return f"the plan goes on with other pieces than {_names(assembly, half)}"
            else:
                waiting.append(part)
    return None


def _move_error(lattice: Lattice, pieces: set[int], move: Move) -> str | None:
    """Return what is wrong with a move of a part, whatever it meets."""
    if not move.pieces or not set(move.pieces) < pieces:
        return "expected some of the pieces of the part to move, and not all"
    if move.direction not in directions_of(lattice).vectors:
        return f"{move.direction} is not a direction {lattice.phrase}"
    if move.steps is not None and move.steps < 1:
        return f"{move.steps} steps; expected at least 1"
    return None


@cache
def _steps(lattice: Lattice) -> Steps:
    directions = directions_of(lattice)
    met = [vectors for swept in directions.swept for vectors in swept]
    return Steps(
        vector=np.array(directions.vectors, dtype=np.int64),
        begin=np.cumsum([0, *map(len, met)]),
        met=np.array([vector for vectors in met for vector in vectors], dtype=np.int64),
    )


@lru_cache(KEPT)
def _cells(lattice: Lattice, cells: Cells) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return cells as an array, and the number of the fundamental cell of each."""
    array = np.array(cells, dtype=np.int64)
    return array, lattice.classes(array)


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
