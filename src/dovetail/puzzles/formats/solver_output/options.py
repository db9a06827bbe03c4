"""From the options that a solver has chosen to a solution of the puzzle."""

from __future__ import annotations

from collections.abc import Iterable

from dovetail.errors import PuzzleError
from dovetail.models.options.base import BareOptions
from dovetail.models.options.packing import PackingOptions
from dovetail.models.solution import PackingSolution, Solution
from dovetail.models.task import Puzzle, lower
from dovetail.models.verification.cover import CoverVerifier


class OptionSolutions:
    """The options of a puzzle, numbered as in the files that solvers are given."""

    def __init__(self, puzzle: Puzzle) -> None:
        """Raise `PuzzleError` for a puzzle that is too large."""
        self._options = lower(puzzle).options
        self._verifier = CoverVerifier(self._options.cover)

    @property
    def count(self) -> int:
        """How many options there are."""
        return self._options.option_count

    def solution(self, numbers: Iterable[int]) -> Solution:
        """Return the solution that options are, wrong ones included where they can be expressed.

        Raises `PuzzleError` for other wrong choices: on a board, several tiles in a cell.
        """
        chosen, options = sorted(numbers), self._options
        error = self._verifier.error_in(chosen)
        if error is None or isinstance(options, BareOptions):
            return options.solution(chosen)
        if isinstance(options, PackingOptions):
            placed = tuple(options.placed(option) for option in chosen)
            return PackingSolution(placed, options.puzzle.lattice)
        raise PuzzleError(error)
