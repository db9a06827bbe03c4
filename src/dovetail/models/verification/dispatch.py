"""Choice of the verifier for a puzzle, and conversion of options into the puzzle's terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.arrays import PADDING
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.cover import CoverProblem
from dovetail.models.options.base import BareOptions
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import CoverSolution, EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle, Task
from dovetail.models.verification.cover import CoverVerifier
from dovetail.models.verification.edges import EdgeVerifier
from dovetail.models.verification.packing import PackingVerifier

_UNKNOWN = -2  # line number of an option that has not been added to the table
# Verifiers that take rows of line numbers into a table of placed pieces or tiles.
TableVerifier = PackingVerifier | EdgeVerifier


class OptionsVerifier:
    """Verifier of solutions given as options, which are converted when they first occur."""

    def __init__(
        self, verifier: TableVerifier, options: PackingOptions | EdgeOptions, labelled: bool
    ) -> None:
        self._verifier = verifier
        self._options = options
        self._labelled = labelled
        self._known = 0
        self._line = np.full(options.option_count + 1, _UNKNOWN, dtype=np.int32)
        self._line[PADDING] = PADDING

    def check(self, solutions: NDArray[np.int32]) -> str | None:
        """Return an error in `solutions`, shape (n, k), padded with −1; None if all are valid."""
        if len(solutions) == 0:
            return None
        unknown = (solutions < PADDING) | (solutions >= self._options.option_count)
        if unknown.any():
            return f"there is no option {solutions[unknown][0]}"
        lines = self._line[solutions]
        found = lines == _UNKNOWN
        if found.any():
            is_new = np.zeros(self._options.option_count, dtype=bool)
            is_new[solutions[found]] = True
            new = np.flatnonzero(is_new)  # `np.unique` would import another module
            placed: list[Any] = [self._options.placed(option) for option in new.tolist()]
            error = self._verifier.add(placed)
            if error is not None:
                return error
            self._line[new] = np.arange(self._known, self._known + len(new))
            self._known += len(new)
            lines = self._line[solutions]
        return self._verifier.check(lines, by_name=self._labelled)


# Verifiers that take a task's solutions as options.
Verifier = OptionsVerifier | CoverVerifier


def verifier_for(task: Task) -> Verifier:
    """Return the verifier of a task's solutions."""
    options = task.all_options
    if isinstance(options, BareOptions):
        return CoverVerifier(options.cover)
    verifier: TableVerifier
    if isinstance(options, PackingOptions):
        verifier = PackingVerifier(options.puzzle)
    else:
        verifier = EdgeVerifier(options.puzzle)
    return OptionsVerifier(verifier, options, task.request.labelled)


def solution_error(puzzle: Puzzle, solution: Solution) -> str | None:
    """Return the error of a solution in the puzzle's own terms, or None.

    Raises `PuzzleError` for a solution of another kind of puzzle.

    >>> solution_error(load("queens-6"), next(solve("queens-4")))
    'item file 1 is covered 2 times; expected 1'
    """
    match puzzle, solution:
        case PackingPuzzle(), PackingSolution():
            return _error_in(PackingVerifier(puzzle), solution.placed)
        case EdgePuzzle(), EdgeSolution():
            placed = [
                (x, y, *laid)
                for y, line in enumerate(solution.cells)
                for x, laid in enumerate(line)
                if laid is not None
            ]
            for x, y, tile, rotation in placed:
                on_board = (x, y) in puzzle.geometry and 0 <= tile < len(puzzle.tiles)
                if not (on_board and rotation in puzzle.turns):
                    return f"tile {tile} with rotation {rotation} cannot be at ({x}, {y})"
            return _error_in(EdgeVerifier(puzzle), placed)
        case CoverProblem(), CoverSolution():
            return CoverVerifier(puzzle).error_in(solution.options)
    raise PuzzleError("the solution is for another kind of puzzle")


def _error_in(verifier: TableVerifier, placed: Sequence[Any]) -> str | None:
    """Return the error of the solution that consists of `placed`, or None."""
    row = np.arange(len(placed), dtype=np.int32)[None, :]
    return verifier.add(placed) or verifier.check(row, by_name=True)
