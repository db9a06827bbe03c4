"""The assemblies that an xmpuzzle file holds, as they lie in the grid of a problem's result."""

from __future__ import annotations

from collections.abc import Iterator

from dovetail.errors import shorten
from dovetail.files.text_file import TextFile
from dovetail.files.xml_tree import Element
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.puzzles.formats.burrtools.grids import moved
from dovetail.puzzles.formats.burrtools.problem import Problem, coordinate

MAX_SOLUTION_CELLS = 1_000_000  # and pieces

Assembly = list[tuple[str, Cells]]  # pieces with their positions
Turned = tuple[Cells, Cell] | None  # positions and hotspot


def stored_assemblies(file: TextFile, problem: Problem) -> Iterator[tuple[int, Assembly]]:
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
    """x y z and the number of a transformation."""
    position = [coordinate(file, word, line, "a position") for word in words[:3]]
    number = file.integer(words[3], line, "a transformation")
    if not 0 <= number < rotations:
        raise file.error(
            f"transformation {number}; expected 0 to {rotations - 1}, the rotations", line
        )
    return [*position, number]
