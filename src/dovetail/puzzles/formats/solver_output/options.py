"""From the options that a solver has chosen to a solution of the puzzle."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from dovetail.errors import PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.options.base import BareOptions
from dovetail.models.options.packing import PackingOptions
from dovetail.models.solution import PackingSolution, Solution
from dovetail.models.task import Puzzle, lower
from dovetail.models.verification.cover import CoverVerifier
from dovetail.puzzles.formats.base import Numbered, SolutionReader

NumberedChoices = Iterator[tuple[int, Callable[[], list[int]]]]


class SolverOutput(SolutionReader):
    """What reads the output of solvers: the options chosen, then solutions of a puzzle."""

    @abstractmethod
    def choices(self, file: TextFile, count: int, /) -> NumberedChoices:
        """Yield the line in which each solution begins, and what reads the options chosen.

        The puzzle has `count` options, numbered from 0. Raises `FormatError` for a file that is not
        of the format; what reads the options raises `PuzzleError` for what cannot be a solution.
        """

    def read(self, file: TextFile, puzzle: Puzzle, /) -> Numbered:
        options = OptionSolutions(puzzle)
        for line, chosen in self.choices(file, options.count):
            yield line, partial(_solution, options, chosen)


def _solution(options: OptionSolutions, chosen: Callable[[], list[int]]) -> Solution:
    return options.solution(chosen())


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
