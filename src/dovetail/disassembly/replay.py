"""Check of a plan, by playing it: nothing is shared with the search but what a cell meets."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
from numpy.typing import NDArray

from dovetail.disassembly.directions import directions_of
from dovetail.disassembly.plan import Assembly, Move, Separation
from dovetail.errors import PuzzleError, how_many, shorten


def plan_error(assembly: Assembly, plan: Separation) -> str | None:
    """Return why a plan does not take an assembly apart; None if it does.

    All cells that a move passes have to be free. A move that separates goes on for ever.
    """
    board = _Board(assembly)
    if plan.pieces != tuple(range(len(assembly.cells))):
        return "the plan does not begin with all pieces"
    waiting = [plan]
    together = list[set[int]]()
    while waiting:
        separation = waiting.pop()
        its = set(separation.pieces)
        for number, move in enumerate(separation.moves, 1):
            if (move.steps is None) != (number == len(separation.moves)):
                count = how_many(len(separation.moves), "move")
                return f"move {number} of {count}: expected the last to separate, and no other"
            error = board.play(its, move)
            if error:
                return f"move {number} of {len(separation.moves)}: {error}"
        leaves = set(separation.moves[-1].pieces)
        for half, part in ((its - leaves, separation.stays), (leaves, separation.leaves)):
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


def check_plan(assembly: Assembly, plan: Separation) -> None:
    """Raise `PuzzleError` for a plan that does not take an assembly apart."""
    error = plan_error(assembly, plan)
    if error:
        raise PuzzleError(f"a plan that takes pieces apart is wrong: {error}")


class _Board:
    """The cells of an assembly, where moves have brought them."""

    def __init__(self, assembly: Assembly) -> None:
        lattice = assembly.lattice
        self._assembly, self._directions = assembly, directions_of(lattice)
        rows = [cell for cells in assembly.cells for cell in cells]
        self._cells = np.array(rows, dtype=np.int64).reshape(-1, len(lattice.axes))
        self._piece = np.repeat(np.arange(len(assembly.cells)), list(map(len, assembly.cells)))
        homes = lattice.homes(self._cells)
        self._classes = [
            (homes == cell).all(axis=1) for cell in np.array(lattice.fundamental_cells)
        ]

    def play(self, pieces: set[int], move: Move) -> str | None:
        """Play a move of a part; return what is wrong with it.

        Of the cells on a line along the direction, each that moves may only meet the next one.
        """
        moving = set(move.pieces)
        if not moving or not moving < pieces:
            return "expected some of the pieces of the part to move, and not all"
        if move.direction not in self._directions.vectors:
            return f"{move.direction} is not a direction {self._assembly.lattice.phrase}"
        if move.steps is not None and move.steps < 1:
            return f"{move.steps} steps; expected at least 1"
        moves, stays = (self._of(each) for each in (moving, pieces - moving))
        met = [(self._cells[stays], self._piece[stays])]
        swept = self._directions.swept[self._directions.vectors.index(move.direction)]
        for its, vectors in zip(self._classes, swept, strict=True):
            cells, piece = self._cells[its & moves], self._piece[its & moves]
            met += [(cells + np.array(vector), piece) for vector in vectors]
        cells, piece = (np.concatenate(each) for each in zip(*met, strict=True))
        is_still = np.arange(len(cells)) < len(met[0][1])
        vector = np.array(move.direction)
        axis = int(np.flatnonzero(vector)[0])
        step = cells[:, axis] // vector[axis]
        line = cells - step[:, None] * vector
        order = np.lexsort((is_still, step, *line.T))
        is_still, line, steps = is_still[order], line[order], np.diff(step[order])
        hits = is_still[1:] & ~is_still[:-1] & (line[1:] == line[:-1]).all(axis=1)
        if move.steps is not None:
            hits &= steps < move.steps
            self._cells[moves] += move.steps * vector
        if not hits.any():
            return None
        first = min(np.flatnonzero(hits).tolist(), key=lambda at: int(steps[at]))
        names = [self._assembly.names[piece[order[at]]] for at in (first, first + 1)]
        return f"{shorten(names[0])} runs into {shorten(names[1])}"

    def _of(self, pieces: set[int]) -> NDArray[np.bool_]:
        """Return which cells are of the pieces."""
        chosen = np.zeros(len(self._assembly.cells), dtype=bool)
        chosen[list(pieces)] = True
        return chosen[self._piece]


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
