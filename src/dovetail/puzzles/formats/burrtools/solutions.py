"""Solutions in xmpuzzle files: read, and written into a new file or back into the puzzle's."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from dovetail.errors import PuzzleError, shorten
from dovetail.files.text_file import TextFile
from dovetail.files.xml_tree import Element
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import Numbered, SolutionFormat, UnboundedWriter
from dovetail.puzzles.formats.burrtools import BurrTools
from dovetail.puzzles.formats.burrtools.grids import PLANE, grid_of, min_corner, moved
from dovetail.puzzles.formats.burrtools.reader import (
    Problem,
    coordinate,
    read_burrtools,
    read_problems,
    shape_size,
)
from dovetail.puzzles.formats.burrtools.write_back import BurrToolsSource
from dovetail.puzzles.formats.burrtools.writer import BurrToolsSheet

MAX_SOLUTION_CELLS = 1_000_000  # and pieces

Assembly = list[tuple[str, Cells]]  # pieces with their positions
Turned = tuple[Cells, Cell] | None  # positions and hotspot


class BurrToolsSolutions(SolutionFormat):
    """A BurrTools file of the puzzle, its solutions in it; what else a file has is kept."""

    suffix = ".xmpuzzle"
    extends = BurrTools.name

    def begins(self, first: str, _puzzle: Puzzle, /) -> bool:
        return first.lstrip().startswith("<")

    def read(self, file: TextFile, puzzle: Puzzle, /) -> Numbered:
        if not isinstance(puzzle, PackingPuzzle):
            line, _ = next(file.content(), (1, ""))
            raise file.error(f"a BurrTools file; {puzzle.name} is not a packing puzzle", line)
        for line, solution in read_solutions_of(puzzle, file):
            yield line, partial(_as_read, solution)

    def writer(self, puzzle: Puzzle, source: TextFile | None, /) -> UnboundedWriter:
        if not isinstance(puzzle, PackingPuzzle):
            raise PuzzleError(
                f"BurrTools files support packing puzzles only; {puzzle.name} is not one"
            )
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
    problems = read_problems(file)
    if problems[0].grid is not grid:
        raise file.error(
            f"assemblies of cells {problems[0].grid.lattice.phrase}; expected cells "
            f"{grid.lattice.phrase}, as {shorten(puzzle.name)} has them",
            problems[0].element.line,
        )
    if len(problems) > 1:
        several = zip(problems, read_burrtools(file), strict=True)
        same = [problem for problem, read in several if read.digest == puzzle.digest]
        if not same:
            raise file.error(
                f"none of the {len(problems)} problems is {shorten(puzzle.name)}; "
                "expected that problem, or a single problem",
                problems[1].element.line,
            )
        problems = same
    for problem in problems:
        yield from _moved_solutions(puzzle, file, problem)


def _moved_solutions(
    puzzle: PackingPuzzle, file: TextFile, problem: Problem
) -> Iterator[tuple[int, PackingSolution]]:
    """The solutions of a problem, moved to where the puzzle's region is."""
    grid, flat = problem.grid, puzzle.lattice == PLANE
    there = min_corner(grid.positions(puzzle.region))
    here = min_corner(problem.result.filled + problem.result.variable or ((0, 0, 0),))
    home = tuple(to - at for to, at in zip(there, here, strict=True))
    for line, solution in _solutions(file, problem):
        placed = tuple((name, moved(positions, home)) for name, positions in solution)
        if flat and all(z == 0 for _, positions in placed for _, _, z in positions):
            found = [(name, tuple(one[:2] for one in positions)) for name, positions in placed]
        else:
            try:
                found = [(name, grid.cells(positions)) for name, positions in placed]
            except PuzzleError as error:
                raise file.error(f"a piece is off the grid: {error}", line) from None
        its = tuple((name, tuple(sorted(cells))) for name, cells in found)
        yield line, PackingSolution(its, puzzle.lattice)


def _solutions(file: TextFile, problem: Problem) -> Iterator[tuple[int, Assembly]]:
    """The solutions of one problem, as they lie in the grid of its result."""
    known: dict[tuple[str, int], Turned] = {}
    capacity = MAX_SOLUTION_CELLS
    for element in problem.element.all("solutions", "solution", "assembly"):
        solution = _assembly(file, problem, element, known)
        capacity -= sum(1 + len(positions) for _, positions in solution)
        if capacity < 0:
            raise file.error(
                f"the solutions have too many cells; expected at most {MAX_SOLUTION_CELLS:,}",
                element.line,
            )
        yield element.line, solution


def _assembly(
    file: TextFile, problem: Problem, element: Element, known: dict[tuple[str, int], Turned]
) -> Assembly:
    """One solution; `known` keeps the pieces and their hotspots as they were turned before."""
    words = element.text.split()
    capacity = shape_size(problem.result)
    placed: Assembly = []
    next_word = 0
    for part in problem.parts:
        for _ in range(part.max_count):
            place = words[next_word : next_word + 4]
            if place[:1] == ["x"]:
                next_word += 1
                continue
            if len(place) < 4:
                copies = sum(part.max_count for part in problem.parts)
                raise file.error(
                    f"the assembly ends early; expected {copies} entries, each x y z t or a "
                    "single x",
                    element.line,
                )
            next_word += 4
            capacity -= len(part.shape.filled)
            if capacity < 0:
                raise file.error("the assembly has more cells than its result", element.line)
            *position, number = _place(file, place, problem.grid.rotations, element.line)
            if (part.name, number) not in known:
                shape = part.shape
                known[part.name, number] = problem.grid.turned(shape.filled, shape.hotspot, number)
            turned = known[part.name, number]
            if turned is None:
                raise file.error(
                    f"transformation {number} takes piece {shorten(part.name)} off its grid; "
                    "expected another",
                    element.line,
                )
            positions, hotspot = turned
            vector = tuple(to - at for to, at in zip(position, hotspot, strict=True))
            placed.append((part.name, moved(positions, vector)))
    if next_word < len(words):
        raise file.error("the assembly continues after its last piece", element.line)
    return placed


def _place(file: TextFile, words: list[str], rotations: int, line: int) -> list[int]:
    """x y z and the number of a transformation."""
    position = [coordinate(file, word, line, "a position") for word in words[:3]]
    number = file.integer(words[3], line, "a transformation")
    if not 0 <= number < rotations:
        raise file.error(
            f"transformation {number}; expected 0 to {rotations - 1}, the rotations", line
        )
    return [*position, number]


def _as_read(solution: PackingSolution) -> Solution:
    return solution
