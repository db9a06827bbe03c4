"""Solutions in xmpuzzle files: read, and written into a new file or back into the puzzle's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dovetail.errors import PuzzleError, shorten
from dovetail.files.text_file import TextFile
from dovetail.models.lattices.protocol import Cells
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution, Solution
from dovetail.puzzles.formats.base import UnboundedWriter
from dovetail.puzzles.formats.burrtools.grids import PLANE, grid_of, min_corner, moved
from dovetail.puzzles.formats.burrtools.problem import Problem
from dovetail.puzzles.formats.burrtools.reader import ProblemReader
from dovetail.puzzles.formats.burrtools.stored import stored_assemblies
from dovetail.puzzles.formats.burrtools.write_back import BurrToolsSource
from dovetail.puzzles.formats.burrtools.writer import BurrToolsSheet


def assembly_writer(puzzle: PackingPuzzle, source: TextFile | None) -> UnboundedWriter:
    """Return a writer of solutions into a new file, or back into the `source` of the puzzle."""
    sheet = BurrToolsSheet(puzzle) if source is None else BurrToolsSource(source, puzzle)

    def one(_: int, solution: Solution) -> str:
        assert isinstance(solution, PackingSolution)
        return sheet.solution(solution)

    return UnboundedWriter(sheet.head, one, sheet.tail)


def read_solutions_of(
    puzzle: PackingPuzzle, file: TextFile
) -> Iterator[tuple[int, PackingSolution]]:
    """The solutions of the one problem in `file` as solutions of `puzzle`, with their lines.

    The problem's result is moved to where the puzzle's region is; for a puzzle in the plane,
    one layer is enough. Of several problems only those that are the puzzle itself count.
    Nothing is verified. Raises `FormatError` if there is none, for what is no assembly of the
    problem's pieces, and for a file whose grid is not the puzzle's; `PuzzleError` for a puzzle
    that no grid has the cells of.
    """
    grid = grid_of(puzzle.lattice)
    problems = ProblemReader(file)
    if problems.grid is not grid:
        raise file.error(
            f"assemblies of cells {problems.grid.lattice.phrase}; expected cells "
            f"{grid.lattice.phrase}, as {shorten(puzzle.name)} has them",
            problems.lines[0],
        )
    numbers = [0]
    if len(problems) > 1:
        numbers = [number for number, _ in problems.equal(puzzle)]
        if not numbers:
            raise file.error(
                f"none of the {len(problems)} problems is {shorten(puzzle.name)}; "
                "expected that problem, or a single problem",
                problems.lines[1],
            )
    for number in numbers:
        yield from _moved_solutions(puzzle, file, problems.problem(number))


def _moved_solutions(
    puzzle: PackingPuzzle, file: TextFile, problem: Problem
) -> Iterator[tuple[int, PackingSolution]]:
    """The solutions of a problem, moved to where the puzzle's region is."""
    grid, flat = problem.grid, puzzle.lattice == PLANE
    there = min_corner(grid.positions(puzzle.region))
    here = min_corner(problem.result.filled + problem.result.variable or ((0, 0, 0),))
    home = tuple(to - at for to, at in zip(there, here, strict=True))
    for line, solution in stored_assemblies(file, problem):
        placed = tuple((name, moved(positions, home)) for name, positions in solution)
        if flat and all(z == 0 for _, positions in placed for _, _, z in positions):
            found = [(name, tuple(one[:2] for one in positions)) for name, positions in placed]
        else:
            try:
                found = [(name, grid.cells(positions)) for name, positions in placed]
            except PuzzleError as error:
                raise file.error(f"a piece is off the grid: {error}", line) from None
        its = [(name, tuple(sorted(cells))) for name, cells in found]
        yield line, PackingSolution(tuple(_by_own_names(puzzle, its)), puzzle.lattice)


def _by_own_names(
    puzzle: PackingPuzzle, placed: list[tuple[str, Cells]]
) -> Iterator[tuple[str, Cells]]:
    """Pieces by their names where a file has several that are equal as copies of the first."""
    names = [piece.name for piece in puzzle.pieces]
    left: dict[str, list[str]] = {}
    used = Counter(name for name, _ in placed)
    for first in set(puzzle.equal_pieces) if puzzle.interchangeable else ():
        same = [
            piece
            for piece, its in zip(puzzle.pieces, puzzle.equal_pieces, strict=True)
            if its == first
        ]
        if not all(p.min_count <= used[p.name] <= p.max_count for p in same):
            needed = [piece.name for piece in same for _ in range(piece.min_count)]
            more = [p.name for p in same for _ in range(p.max_count - p.min_count)]
            left[names[first]] = [*needed, *more]
    for name, cells in placed:
        yield (left[name].pop(0) if left.get(name) else name), cells
