"""Picks the verifier for a puzzle, and puts solutions into its terms."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import CoverSolution, EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle, Task
from dovetail.models.verification.cover import CoverVerifier
from dovetail.models.verification.edges import EdgeVerifier
from dovetail.models.verification.packing import PackingVerifier


class Verifier(Protocol):
    """Checks solutions of one task, as options."""

    def check(self, solutions: NDArray[np.int32]) -> str | None:
        """What is wrong with the first bad solution, or None; (n, k), padded with −1."""
        ...


class _OptionsVerifier:
    """Puts options into the puzzle's terms, each once, and checks those."""

    def __init__(
        self,
        verifier: PackingVerifier | EdgeVerifier,
        options: PackingOptions | EdgeOptions,
        labelled: bool,
    ) -> None:
        self._verifier = verifier
        self._options = options
        self._labelled = labelled

    def check(self, solutions: NDArray[np.int32]) -> str | None:
        if len(solutions) == 0:
            return None
        used, lines = np.unique(solutions, return_inverse=True)
        lines = lines.reshape(solutions.shape).astype(np.int32)
        if len(used) and used[0] < 0:  # the padding
            used, lines = used[1:], lines - 1
        table = [self._options.placed(int(option)) for option in used]
        return self._verifier.check(table, lines, by_name=self._labelled)  # type: ignore[arg-type]


def verifier_for(task: Task) -> Verifier:
    """The verifier of a task's solutions."""
    match task.puzzle:
        case PackingPuzzle():
            options = task.all_options
            assert isinstance(options, PackingOptions)
            return _OptionsVerifier(PackingVerifier(task.puzzle), options, task.request.labelled)
        case EdgePuzzle():
            edges = task.all_options
            assert isinstance(edges, EdgeOptions)
            return _OptionsVerifier(EdgeVerifier(task.puzzle), edges, task.request.labelled)
        case CoverProblem():
            return CoverVerifier(task.puzzle)


def solution_error(puzzle: Puzzle, solution: Solution) -> str | None:
    """What is wrong with one solution in the puzzle's own terms, or None.

    Raises `PuzzleError` when the solution is one of another kind of puzzle.
    """
    match puzzle, solution:
        case PackingPuzzle(), PackingSolution():
            row = np.arange(len(solution.placed), dtype=np.int32)[None, :]
            return PackingVerifier(puzzle).check(list(solution.placed), row, by_name=True)
        case EdgePuzzle(), EdgeSolution():
            laid = [
                (x, y, tile, rotation)
                for y, line in enumerate(solution.cells)
                for x, (tile, rotation) in enumerate(line)
            ]
            for x, y, tile, rotation in laid:
                if not (0 <= tile < len(puzzle.tiles) and 0 <= rotation < 4):
                    return f"tile {tile} with rotation {rotation} cannot be at ({x}, {y})"
            row = np.arange(len(laid), dtype=np.int32)[None, :]
            return EdgeVerifier(puzzle).check(laid, row, by_name=True)
        case CoverProblem(), CoverSolution():
            return CoverVerifier(puzzle).error_in(list(solution.options))
    raise PuzzleError("the solution is for another kind of puzzle")
