"""Solutions in xmpuzzle files: read, and written into a new file or back into the puzzle's."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from dovetail.errors import PuzzleError, shorten
from dovetail.files.text_file import TextFile
from dovetail.files.xml_tree import Element
from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.square import require_squares
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import Numbered, SolutionFormat, UnboundedWriter
from dovetail.puzzles.formats.burrtools import BurrTools
from dovetail.puzzles.formats.burrtools.reader import (
    Problem,
    coordinate,
    read_burrtools,
    read_problems,
    shape_size,
)
from dovetail.puzzles.formats.burrtools.transformations import (
    TRANSFORMATIONS,
    moved,
    opposite,
    turned,
)
from dovetail.puzzles.formats.burrtools.write_back import BurrToolsSource
from dovetail.puzzles.formats.burrtools.writer import BurrToolsSheet

MAX_SOLUTION_CELLS = 1_000_000  # and pieces


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
    Nothing is verified. Raises `FormatError` if there is none, and for what is no assembly of
    the problem's pieces; `PuzzleError` for a puzzle whose cells are not square.
    """
    require_squares(puzzle.lattice, "a BurrTools file")
    problems = read_problems(file)
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
    dimension = puzzle.lattice.dimension
    result = problem.result.filled + problem.result.variable
    there = (*(min(axis) for axis in zip(*puzzle.region, strict=True)), 0)[:3]
    here = (min(axis, default=0) for axis in zip(*result, strict=True))
    home = tuple(to - at for to, at in zip(there, here, strict=False))
    for line, solution in _solutions(file, problem):
        placed = tuple((name, moved(cells, home)) for name, cells in solution.placed)
        if dimension == 2 and all(z == 0 for _, cells in placed for _, _, z in cells):
            placed = tuple((name, tuple(cell[:2] for cell in cells)) for name, cells in placed)
        yield line, PackingSolution(placed)


def _solutions(file: TextFile, problem: Problem) -> Iterator[tuple[int, PackingSolution]]:
    """The solutions of one problem, as they lie in the grid of its result."""
    known: dict[tuple[str, int], Cells] = {}
    capacity = MAX_SOLUTION_CELLS
    for element in problem.element.all("solutions", "solution", "assembly"):
        solution = _assembly(file, problem, element, known)
        capacity -= sum(1 + len(cells) for _, cells in solution.placed)
        if capacity < 0:
            raise file.error(
                f"the solutions have too many cells; expected at most {MAX_SOLUTION_CELLS:,}",
                element.line,
            )
        yield element.line, solution


def _assembly(
    file: TextFile, problem: Problem, element: Element, known: dict[tuple[str, int], Cells]
) -> PackingSolution:
    """One solution; `known` keeps the pieces about their hotspots as they were turned before."""
    words = element.text.split()
    capacity = shape_size(problem.result)
    placed: list[tuple[str, Cells]] = []
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
            *position, number = _place(file, place, element.line)
            if (part.name, number) not in known:
                about = moved(part.shape.filled, opposite(part.shape.hotspot))
                known[part.name, number] = tuple(sorted(turned(about, number)))
            placed.append((part.name, moved(known[part.name, number], tuple(position))))
    if next_word < len(words):
        raise file.error("the assembly continues after its last piece", element.line)
    return PackingSolution(tuple(placed))


def _place(file: TextFile, words: list[str], line: int) -> list[int]:
    """x y z and the number of a transformation."""
    position = [coordinate(file, word, line, "a position") for word in words[:3]]
    number = file.integer(words[3], line, "a transformation")
    if not 0 <= number < TRANSFORMATIONS:
        raise file.error(
            f"transformation {number}; expected 0 to {TRANSFORMATIONS - 1}, the rotations", line
        )
    return [*position, number]


def _as_read(solution: PackingSolution) -> Solution:
    return solution
