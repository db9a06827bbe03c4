"""A window as an optimisation model for CP-SAT: which tile lies where, for most matched edges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from ortools.sat.python import cp_model

from dovetail.improvers.base import Placed
from dovetail.improvers.shared.board import EMPTY, BoardArrays
from dovetail.models.board_geometry import SIDES, opposite
from dovetail.models.edges import EAST, NORTH


class CpSatWindow:
    """A boolean for each cell of a window and each orientation that may lie there.

    An edge inside the window has a boolean for each colour, which is true only where both of its
    sides show that colour; an edge to what lies around counts with the orientation itself.
    """

    def __init__(self, board: BoardArrays, placed: Placed, cells: Sequence[int]) -> None:
        self._board, self._lies, self._cells = board, placed, set(cells)
        self._model = cp_model.CpModel()
        self._worth: list[cp_model.LinearExprT] = []
        tiles = sorted(int(placed[cell]) // 4 for cell in cells)
        self._laid = {cell: self._orientations(cell, tiles) for cell in cells}
        for laid in self._laid.values():
            self._model.add_exactly_one(laid.values())
        for tile in tiles:
            self._model.add_exactly_one(
                variable
                for laid in self._laid.values()
                for one, variable in laid.items()
                if one // 4 == tile
            )
        for cell in cells:
            self._add_edges(cell)
        self._model.maximize(cp_model.LinearExpr.sum(self._worth))

    def solve(self, seconds: float, work: float, seed: int) -> tuple[Placed | None, bool]:
        """Return the best board found, None where there is none, and whether no other is better.

        `work` is in CP-SAT's deterministic seconds, `seed` from 0 to 2^31 − 1.
        """
        solver = cp_model.CpSolver()
        parameters = solver.parameters
        parameters.num_workers = 1
        parameters.random_seed = seed
        parameters.max_time_in_seconds = seconds
        parameters.max_deterministic_time = work
        parameters.linearization_level = 2  # 30 times faster than 0 or 1
        parameters.catch_sigint_signal = False  # an interruption ends the run after this window
        status = solver.solve(self._model)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None, False
        found = self._lies.copy()
        for cell, laid in self._laid.items():
            found[cell] = next(one for one, variable in laid.items() if solver.value(variable))
        return found, status == cp_model.OPTIMAL

    def _orientations(self, cell: int, tiles: Sequence[int]) -> dict[int, cp_model.IntVar]:
        """Return a variable for each orientation that a cell may take; hint the present one."""
        board, found = self._board, {}
        for one in (4 * tile + rotation for tile in tiles for rotation in SIDES):
            if board.frame[one] == board.cell_frame[cell] and board.distinct[one]:
                found[one] = self._model.new_bool_var(f"{one} in {cell}")
                self._model.add_hint(found[one], bool(self._lies[cell] == one))
        return found

    def _add_edges(self, cell: int) -> None:
        board = self._board
        for side in SIDES:
            other = int(board.neighbours[cell, side])
            if other in self._cells:
                if side in (NORTH, EAST):
                    self._add_edge_inside(cell, side, other)
            elif other >= 0 and self._lies[other] != EMPTY:
                facing = board.sides[self._lies[other], opposite(side)]
                laid = self._laid[cell].items()
                self._worth += [
                    variable for one, variable in laid if board.sides[one, side] == facing
                ]

    def _add_edge_inside(self, cell: int, side: int, other: int) -> None:
        shown, facing = self._by_colour(cell, side), self._by_colour(other, opposite(side))
        for colour in np.intersect1d(list(shown), list(facing)).tolist():
            matches = self._model.new_bool_var(f"{colour} at {side} of {cell}")
            for variables in (shown[colour], facing[colour]):
                self._model.add_bool_or([*variables, ~matches])
            self._worth.append(matches)

    def _by_colour(self, cell: int, side: int) -> dict[int, list[cp_model.IntVar]]:
        found: dict[int, list[cp_model.IntVar]] = {}
        for one, variable in self._laid[cell].items():
            found.setdefault(int(self._board.sides[one, side]), []).append(variable)
        return found
