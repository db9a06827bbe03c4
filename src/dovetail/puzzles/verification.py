"""Verification of given solutions against their puzzle.

A solution may use other names for the pieces than the puzzle. On request, `named_by_shape`
identifies the pieces by shape. Interchangeable pieces are identified in any order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, repeat

from dovetail.errors import ConfigError, PuzzleError, shorten
from dovetail.files.text_file import TextFile
from dovetail.models.lattices.protocol import Cells
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.solution import CoverSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.models.verification.dispatch import solution_error
from dovetail.printable import Reported
from dovetail.puzzles.formats.registry import read_solutions


@dataclass(frozen=True)
class WrongSolution:
    """A solution that is wrong, and the reason."""

    # Number of the solution among all checked solutions, from 1.
    number: int
    # Why the solution is wrong.
    reason: str
    # Line in which the solution begins in the file; None if the solution comes from no file.
    line: int | None = None


@dataclass(frozen=True, repr=False)
class Verification(Reported):
    """Result of checking solutions.

    >>> verify("queens-6", solve("queens-6", symmetry="all")).valid
    True
    """

    # Number of solutions, and number of different solutions; both include wrong solutions.
    total: int
    distinct: int
    # The wrong solutions.
    wrong: tuple[WrongSolution, ...] = ()
    # The puzzle, and the name of the file of solutions; None if the solutions come from no file.
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

    With `by_shape`, pieces are identified by their shapes and not by their names. Raises
    `ConfigError` for `by_shape` if the puzzle has no pieces, and `PuzzleError` for a solution of
    another class of puzzles.
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

    In pictures, a symbol in `fold` stands for the piece that it maps to. Raises `FormatError` for a
    file without solutions or with other content, and `ConfigError` for `fold` or `by_shape` if the
    puzzle has no pieces.
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
    """Check solutions, each given with its line in the file, if any."""
    total, seen, wrong = 0, set[object](), list[WrongSolution]()
    for line, solution in solutions:
        total += 1
        reason = _error(puzzle, solution, by_shape)
        if reason is not None:
            wrong.append(WrongSolution(total, reason, line))
        seen.add(_key(solution, by_shape))
    return Verification(total, len(seen), tuple(wrong), puzzle)


def _key(solution: Solution, by_shape: bool) -> object:
    """Return a key that does not depend on the order of pieces, of their cells or of options.

    With `by_shape`, the key does not depend on the names of pieces, either.
    """
    if isinstance(solution, PackingSolution):
        placed = ((name, tuple(sorted(cells))) for name, cells in solution.placed)
        return tuple(sorted(("" if by_shape else name, cells) for name, cells in placed))
    return tuple(sorted(solution.options)) if isinstance(solution, CoverSolution) else solution


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


@dataclass
class _PieceClass:
    """Interchangeable pieces, and the numbers of the laid pieces that get their names."""

    places: frozenset[Cells] | None  # allowed placements; None if all are allowed
    pieces: list[Piece] = field(default_factory=list)
    laid: dict[int, None] = field(default_factory=dict)  # used as an ordered set
    capacity: int = 0  # maximum number of laid pieces; `_assign` sets it

    def names(self) -> Iterator[str]:
        """Yield the name of each piece `min_count` times, then the names of further copies."""
        yield from chain.from_iterable(repeat(p.name, p.min_count) for p in self.pieces)
        yield from chain.from_iterable(
            repeat(p.name, p.max_count - p.min_count) for p in self.pieces
        )


def named_by_shape(puzzle: PackingPuzzle, solution: PackingSolution) -> PackingSolution:
    """Return `solution` with names of the puzzle's pieces instead of its own names.

    Raises `PuzzleError` for a laid piece if no piece of the puzzle has its shape or may be placed
    there, and for more laid pieces of a shape than the puzzle has.
    """
    by_orientation = _piece_classes(puzzle)
    candidates = []
    for name, cells in solution.placed:
        known = cells and all(map(puzzle.lattice.is_cell, cells))
        shape = puzzle.lattice.normalise(cells) if known else ()
        place = tuple(sorted(cells))
        classes = by_orientation.get(shape, [])
        candidates.append([k for k in classes if k.places is None or place in k.places])
        if not candidates[-1]:
            why = "may not be placed there" if classes else "does not match the shape of any piece"
            raise PuzzleError(f"{shorten(name)!r} on {shorten(str(place))} {why}")
    _assign(candidates, _distinct(by_orientation))
    names: dict[int, str] = {}
    for piece_class in _distinct(by_orientation):
        names |= zip(piece_class.laid, piece_class.names(), strict=False)
    for number, (name, _) in enumerate(solution.placed):
        if number not in names:
            raise PuzzleError(f"the puzzle has too few pieces with the shape of {shorten(name)!r}")
    placed = ((names[number], cells) for number, (_, cells) in enumerate(solution.placed))
    return replace(solution, placed=tuple(placed))


def _piece_classes(puzzle: PackingPuzzle) -> dict[Cells, list[_PieceClass]]:
    """Return for each orientation the classes of the pieces that have it."""
    classes: dict[object, _PieceClass] = {}
    found: dict[Cells, list[_PieceClass]] = {}
    for piece in puzzle.pieces:
        orientations = piece.motions.orientations(puzzle.lattice, piece.cells)
        places = None if piece.placements is None else frozenset(piece.placements)
        key = (orientations.identity, places, puzzle.pattern(piece, piece.motions))
        if key not in classes:
            classes[key] = _PieceClass(places)
            for orientation in orientations:
                found.setdefault(orientation, []).append(classes[key])
        classes[key].pieces.append(piece)
    return found


def _distinct(by_orientation: dict[Cells, list[_PieceClass]]) -> list[_PieceClass]:
    classes = chain.from_iterable(by_orientation.values())
    return list({id(piece_class): piece_class for piece_class in classes}.values())


def _assign(candidates: list[list[_PieceClass]], classes: list[_PieceClass]) -> None:
    """Assign as many laid pieces as possible to their candidate classes.

    Finds a maximum matching by augmenting paths, first up to the minimum counts of the pieces, then
    up to their maximum counts. No path reduces the number of laid pieces of a class, so the second
    pass preserves every minimum count that the first pass has reached.
    """
    assigned = set[int]()
    for bound in ("min_count", "max_count"):
        for piece_class in classes:
            piece_class.capacity = sum(getattr(piece, bound) for piece in piece_class.pieces)
        for number in range(len(candidates)):
            if number not in assigned and _augment(number, candidates):
                assigned.add(number)


def _augment(number: int, candidates: list[list[_PieceClass]]) -> bool:
    """Assign laid piece `number`, reassigning others if necessary; return False if impossible."""
    # By id of a class: the laid piece that would move into the class, and the class that this piece
    # would leave, None for an unassigned piece.
    reached: dict[int, tuple[int, _PieceClass | None]] = {}
    queue: deque[tuple[int, _PieceClass | None]] = deque([(number, None)])
    while queue:
        mover, home = queue.popleft()
        for target in candidates[mover]:
            if id(target) in reached:
                continue
            reached[id(target)] = mover, home
            if len(target.laid) < target.capacity:
                place: _PieceClass | None = target
                while place is not None:
                    mover, home = reached[id(place)]
                    if home is not None:
                        del home.laid[mover]
                    place.laid[mover] = None
                    place = home
                return True
            queue.extend((other, target) for other in target.laid if len(candidates[other]) > 1)
    return False
