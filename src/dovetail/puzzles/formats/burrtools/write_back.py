"""Writes solutions back into the xmpuzzle file that their puzzle came from.

The `<solutions>` of the problem are replaced, or put behind its last element if it has none;
every other character of the document stays what it was, the problem's state included, since
nobody says that the solutions are all. Assemblies refer to the file's own shapes: about
their hotspots, in the order in which the problem names them, on the grid of its result.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from dovetail.errors import PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.packing import PackingPuzzle
from dovetail.puzzles.formats.burrtools.assemblies import AssembledPiece, AssemblyWriter
from dovetail.puzzles.formats.burrtools.reader import ProblemReader

_PROBLEM = ["puzzle", "problems", "problem"]


class BurrToolsSource:
    """The document in `file` around the solutions of `puzzle`, one of its problems.

    `head`, then what `solution` gives for each solution, then `tail` are the new document.
    Raises `PuzzleError` when the file does not hold the puzzle.
    """

    def __init__(self, file: TextFile, puzzle: PackingPuzzle) -> None:
        problems = ProblemReader(file)
        number = _number_of(file, problems, puzzle)
        problem = problems.problem(number)
        pieces = [
            AssembledPiece(
                part.name,
                part.shape.filled,
                part.shape.hotspot,
                part.min_count,
                part.max_count,
            )
            for part in problem.parts
        ]
        self.solution = AssemblyWriter(problem.grid, pieces, (0, 0, 0)).line
        self.head, self.tail = _around_solutions(file, number)


def _number_of(file: TextFile, problems: ProblemReader, puzzle: PackingPuzzle) -> int:
    """Which problem is `puzzle`, from 0: of equal ones the one that has its name."""
    equal = [(one.name != puzzle.name, number) for number, one in problems.equal(puzzle)]
    if not equal:
        raise PuzzleError(
            f"{file.place} does not contain {puzzle.name}; expected one of its problems"
        )
    return min(equal)[1]


@dataclass
class _Places:
    """Where, in bytes of the document, problem `wanted` has its solutions and its end."""

    wanted: int
    seen: int = -1
    path: list[str] = field(default_factory=list)
    solutions: list[list[int]] = field(default_factory=list)
    end: int = 0


def _around_solutions(file: TextFile, number: int) -> tuple[str, str]:
    """What stands before and behind the solutions of a problem."""
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
    """Goes through the document, which has been read before and is in order."""
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
    """The blanks that begin the line in which `before` ends, if it has nothing else."""
    line = before[before.rfind(b"\n") + 1 :]
    return b"" if line.strip() else line
