"""Reads the solutions that an xmpuzzle file holds."""

from __future__ import annotations

from collections.abc import Iterator

from dovetail.models.lattice import Cells
from dovetail.models.solution import PackingSolution
from dovetail.puzzles.formats.burrtools.reader import Problem, coordinate, read_problems, shape_size
from dovetail.puzzles.formats.burrtools.transformations import (
    TRANSFORMATIONS,
    moved,
    opposite,
    turned,
)
from dovetail.puzzles.formats.text_file import TextFile
from dovetail.puzzles.formats.xml_tree import Element

MOST_SOLUTION_CELLS = 1_000_000  # and pieces


def read_burrtools_solutions(file: TextFile) -> Iterator[tuple[int, int, PackingSolution]]:
    """The solutions in `file`, each with the number of its problem, from 1, and its line.

    Nothing is verified. Raises `FormatError` for what is no assembly of the problem's pieces.
    """
    cells = 0
    for number, problem in enumerate(read_problems(file), start=1):
        known: dict[tuple[str, int], Cells] = {}
        for element in problem.element.all("solutions", "solution", "assembly"):
            solution = _assembly(file, problem, element, known)
            cells += sum(1 + len(placed) for _, placed in solution.placed)
            if cells > MOST_SOLUTION_CELLS:
                raise file.error(
                    f"the solutions have too many cells; expected at most {MOST_SOLUTION_CELLS:,}",
                    element.line,
                )
            yield number, element.line, solution


def _assembly(
    file: TextFile, problem: Problem, element: Element, known: dict[tuple[str, int], Cells]
) -> PackingSolution:
    """One solution; `known` keeps the pieces about their hotspots as they were turned before."""
    words = element.text.split()
    room = shape_size(problem.result)
    placed: list[tuple[str, Cells]] = []
    next_word = 0
    for part in problem.parts:
        for _ in range(part.most):
            place = words[next_word : next_word + 4]
            if place[:1] == ["x"]:
                next_word += 1
                continue
            if len(place) < 4:
                copies = sum(part.most for part in problem.parts)
                raise file.error(
                    f"the assembly ends early; expected {copies} times x y z t, or x", element.line
                )
            next_word += 4
            room -= len(part.shape.filled)
            if room < 0:
                raise file.error("the assembly has more cells than its result", element.line)
            *position, number = _place(file, place, element.line)
            if (part.name, number) not in known:
                about = moved(part.shape.filled, opposite(part.shape.hotspot))
                known[part.name, number] = tuple(sorted(turned(about, number)))
            placed.append((part.name, moved(known[part.name, number], tuple(position))))
    if next_word < len(words):
        raise file.error("the assembly goes on behind its last piece", element.line)
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
