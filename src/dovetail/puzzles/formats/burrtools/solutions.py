"""Solutions in xmpuzzle files: read, and written into a new file or back into the puzzle's.

Solutions written back replace the `<solutions>` of the problem, or are put behind its last element
if it has none. Every other character of the document stays what it was, the problem's state
included, since the solutions need not be all. Assemblies refer to the file's own shapes: about
their hotspots, in the order in which the problem names them, on the grid of its result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from dovetail.errors import PuzzleError, shorten
from dovetail.files.text_file import TextFile
from dovetail.files.xml_tree import Element
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution, Solution
from dovetail.puzzles.formats.base import UnboundedWriter
from dovetail.puzzles.formats.burrtools.grids import PLANE, grid_of, min_corner, moved
from dovetail.puzzles.formats.burrtools.reader import Problem, ProblemReader, coordinate
from dovetail.puzzles.formats.burrtools.writer import AssemblyWriter, BurrToolsSheet

MAX_SOLUTION_CELLS = 1_000_000  # and pieces

_PROBLEM = ["puzzle", "problems", "problem"]

Assembly = list[tuple[str, Cells]]  # pieces with their positions
Turned = tuple[Cells, Cell] | None  # positions and hotspot


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
    """Yield the solutions of the one problem in `file` as solutions of `puzzle`, with their lines.

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
    """Yield the solutions of a problem, moved to the puzzle's region."""
    grid, flat = problem.grid, puzzle.lattice == PLANE
    there = min_corner(grid.positions(puzzle.region))
    here = min_corner(problem.result.cells or ((0, 0, 0),))
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
    """Yield pieces by their names if a file has several equal pieces as copies of the first."""
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


def stored_assemblies(file: TextFile, problem: Problem) -> Iterator[tuple[int, Assembly]]:
    """Yield the solutions of a problem, with their lines, as they lie in the grid of its result."""
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
    """Return a solution; `known` keeps the pieces and their hotspots as they were turned before."""
    words = element.text.split()
    capacity = len(problem.result)
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
    """Return x y z and the number of a transformation."""
    position = [coordinate(file, word, line, "a position") for word in words[:3]]
    number = file.integer(words[3], line, "a transformation")
    if not 0 <= number < rotations:
        raise file.error(
            f"transformation {number}; expected 0 to {rotations - 1}, the rotations", line
        )
    return [*position, number]


class BurrToolsSource:
    """The document in `file` around the solutions of `puzzle`, one of its problems.

    `head`, then what `solution` gives for each solution, then `tail` are the new document.
    Raises `PuzzleError` when the file does not hold the puzzle.
    """

    def __init__(self, file: TextFile, puzzle: PackingPuzzle) -> None:
        problems = ProblemReader(file)
        number = _number_of(file, problems, puzzle)
        problem = problems.problem(number)
        self.solution = AssemblyWriter(problem.grid, problem.parts, (0, 0, 0)).line
        self.head, self.tail = _around_solutions(file, number)


def _number_of(file: TextFile, problems: ProblemReader, puzzle: PackingPuzzle) -> int:
    """Return the number of the problem that is `puzzle`, if possible of the same name."""
    equal = [(one.name != puzzle.name, number) for number, one in problems.equal(puzzle)]
    if not equal:
        raise PuzzleError(
            f"{file.place} does not contain {puzzle.name}; expected one of its problems"
        )
    return min(equal)[1]


@dataclass
class _Places:
    """Places, in bytes of the document, of the solutions and the end of problem `wanted`."""

    wanted: int
    seen: int = -1
    path: list[str] = field(default_factory=list)
    solutions: list[list[int]] = field(default_factory=list)
    end: int = 0


def _around_solutions(file: TextFile, number: int) -> tuple[str, str]:
    """Return the text before and behind the solutions of a problem."""
    data = file.text.encode()
    places = _places(data, number)
    first, behind = places.solutions[0] if places.solutions else (places.end, places.end)
    indent = _indent(data[:first])
    if places.solutions:
        head, tail = [data[:first]], [indent, b"</solutions>"]
    else:
        head, tail = [data[:first], b" "], [indent, b" </solutions>\n", indent]
    for start, end in places.solutions[1:]:
        tail.append(data[behind:start])
        behind = end
    head.append(b"<solutions>\n")
    tail.append(data[behind:])
    return b"".join(head).decode(), b"".join(tail).decode()


def _places(data: bytes, number: int) -> _Places:
    """Return the places in a document, which has been read before and is valid."""
    places = _Places(number)
    parser = expat.ParserCreate("utf-8")

    def start(tag: str, _: object) -> None:
        places.path.append(tag)
        if places.path == _PROBLEM:
            places.seen += 1
        if places.path == [*_PROBLEM, "solutions"] and places.seen == places.wanted:
            places.solutions.append([parser.CurrentByteIndex, 0])

    def end(_: str) -> None:
        # Where the end tag begins, or what stands behind a tag that is empty.
        here = parser.CurrentByteIndex
        if places.seen == places.wanted and places.path == _PROBLEM:
            places.end = here
        if places.seen == places.wanted and places.path == [*_PROBLEM, "solutions"]:
            empty = not data.startswith(b"</solutions", here)
            places.solutions[-1][1] = here if empty else data.index(b">", here) + 1
        places.path.pop()

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.Parse(data, True)
    return places


def _indent(before: bytes) -> bytes:
    """Return the blanks that begin the line in which `before` ends, if it has nothing else."""
    line = before[before.rfind(b"\n") + 1 :]
    return b"" if line.strip() else line
