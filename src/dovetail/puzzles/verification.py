"""Verification of given solutions against their puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from dovetail.errors import ConfigError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.models.verification.dispatch import solution_error
from dovetail.printable import Shown
from dovetail.puzzles.by_shape import named_by_shape
from dovetail.puzzles.formats.registry import read_solutions


@dataclass(frozen=True)
class WrongSolution:
    """A wrong solution."""

    # The number of the solution, from 1.
    number: int
    # Why the solution is wrong.
    reason: str
    # Its line in the file; None if it comes from no file.
    line: int | None = None


@dataclass(frozen=True)
class Verification(Shown):
    """Result of checking solutions."""

    # Number of solutions, and number of different solutions.
    total: int
    distinct: int
    # The wrong solutions.
    wrong: tuple[WrongSolution, ...] = ()
    # The puzzle, and the name of the file of solutions.
    puzzle: Puzzle | None = field(default=None, repr=False, compare=False)
    file: str | None = field(default=None, repr=False, compare=False)

    @property
    def valid(self) -> bool:
        """True if no solution is wrong."""
        return not self.wrong


def verify_solutions(
    puzzle: Puzzle, solutions: Iterable[Solution], *, by_shape: bool = False
) -> Verification:
    """Check `solutions` against the puzzle.

    With `by_shape` pieces are identified by their shapes and not by their names. Raises
    `PuzzleError` for a solution of another class of puzzles.
    """
    _check_has_pieces(puzzle, by_shape)
    return _verified(puzzle, ((None, solution) for solution in solutions), by_shape)


def verify_file(
    puzzle: Puzzle,
    file: TextFile,
    *,
    fold: Mapping[str, str] | None = None,
    by_shape: bool = False,
) -> Verification:
    """Check the solutions in `file` against the puzzle.

    In pictures a symbol in `fold` stands for the piece it maps to. Raises `FormatError` for a file
    without solutions, and for a file of another format.
    """
    _check_has_pieces(puzzle, by_shape or bool(fold))
    found = _verified(puzzle, read_solutions(file, puzzle, fold), by_shape)
    if found.total == 0:
        raise file.error("no solutions found; expected at least one")
    return replace(found, file=str(file.place))


def _check_has_pieces(puzzle: Puzzle, asked: bool) -> None:
    if asked and not isinstance(puzzle, PackingPuzzle):
        raise ConfigError(f"{puzzle.name} has no pieces; fold and by-shape are for packing puzzles")


def _verified(
    puzzle: Puzzle, solutions: Iterable[tuple[int | None, Solution]], by_shape: bool
) -> Verification:
    """Check solutions with their lines."""
    total, seen, wrong = 0, set[Solution](), list[WrongSolution]()
    for line, solution in solutions:
        total += 1
        reason = _error(puzzle, solution, by_shape)
        if reason is not None:
            wrong.append(WrongSolution(total, reason, line))
        seen.add(solution)
    return Verification(total, len(seen), tuple(wrong), puzzle)


def _error(puzzle: Puzzle, solution: Solution, by_shape: bool) -> str | None:
    """Return the reason why a solution is wrong, or None."""
    if not isinstance(puzzle, PackingPuzzle) or not isinstance(solution, PackingSolution):
        return solution_error(puzzle, solution)
    error = None if by_shape else solution_error(puzzle, solution)
    if error is None and not by_shape:
        return None
    try:
        error_by_shape = solution_error(puzzle, named_by_shape(puzzle, solution))
    except PuzzleError as misfit:
        error_by_shape = str(misfit)
    if by_shape:
        return error_by_shape
    names = {piece.name for piece in puzzle.pieces}
    other_names = any(name not in names for name, _ in solution.placed)
    if other_names or error_by_shape is None:
        return f"{error}; by_shape=True (--by-shape) identifies pieces by shape instead"
    return error
