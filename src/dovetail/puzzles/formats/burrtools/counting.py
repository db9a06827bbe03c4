"""How BurrTools counts assemblies: the symmetries that make two of them one.

A symmetry of a result keeps its states and its colours, whatever these forbid. Rotations always
make two assemblies one. Reflections do so where every piece is its own mirror image, or is paired
with a piece that is, colours included. BurrTools has an option to keep mirror images nevertheless,
which its files do not record: `harness.convention` compares counts with the number in the file.

Source: assembler_0.cpp, assembler_1.cpp and assembly.cpp of A. Röver's BurrTools 0.6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from dovetail.models.lattices.protocol import Cells
from dovetail.models.packing import AssemblyCount
from dovetail.puzzles.formats.burrtools.problem import Problem

SOLVED = "2"

Maps = list[tuple[int, ...]]


def markings(problem: Problem) -> tuple[Cells, ...]:
    """The cells of the result by their colours, if these take symmetries from it."""
    result, grid = problem.result, problem.grid
    colours = [result.colours[one] for one in _positions(problem)]
    if len(set(colours)) < 2:
        return ()
    if len(_symmetries(problem, colours=True)) == len(_symmetries(problem, colours=False)):
        return ()
    return tuple(
        grid.cells(tuple(one for one, its in result.colours.items() if its == colour))
        for colour in sorted(set(colours) - {0})
    )


def assembly_count(problem: Problem, several: Sequence[str]) -> AssemblyCount:
    """How the file counts the assemblies of a problem.

    The colours of the pieces `several` can lie on the same cells in more than one way. Without a
    number in the file, reflections are not considered.
    """
    doubts = list[str]()
    if several:
        doubts.append(
            f"the colours of {', '.join(several)} can lie on the same cells in several ways: "
            "BurrTools counts each, here they count once"
        )
    number = problem.element.attributes.get("assemblies", "")
    if not (number.isascii() and number.isdigit() and len(number) < 19):
        return AssemblyCount(doubts=tuple(doubts))
    varying = any(part.min_count < part.max_count for part in problem.parts)
    if varying and _reflects(problem) and not _all_have_mirror_images(problem):
        doubts.append(
            "if numbers of copies vary, BurrTools counts some assemblies and their mirror "
            "images once; here they count twice"
        )
    solved = problem.element.attributes.get("state") == SOLVED
    return AssemblyCount(int(number) if solved else None, tuple(doubts))


def _positions(problem: Problem) -> Cells:
    """Where the cells of the result stand, filled ones first."""
    return problem.result.filled + problem.result.variable


def _symmetries(problem: Problem, *, colours: bool = True, reflections: bool = True) -> Maps:
    """How the symmetries of the result permute `_positions`, those of its colours if asked."""
    result, grid = problem.result, problem.grid
    every = _positions(problem)
    if not every:
        return []
    filled = len(result.filled)
    kept = [(n < filled, result.colours[one] if colours else 0) for n, one in enumerate(every)]
    cells = np.array(grid.cells(every), dtype=np.int64)
    maps = grid.lattice.symmetries(cells, reflections=reflections).tolist()
    return [tuple(one) for one in maps if all(kept[to] == kept[n] for n, to in enumerate(one))]


def _reflects(problem: Problem) -> bool:
    """Whether the result has symmetries that only reflections make."""
    rotations = set(_symmetries(problem, reflections=False))
    return any(one not in rotations for one in _symmetries(problem))


def _all_have_mirror_images(problem: Problem) -> bool:
    """Whether each piece is paired with its mirror image, used as often."""
    keys, mirrored = (
        Counter(
            (
                problem.grid.coloured_orientations(
                    part.shape.colours, part.shape.hotspot, reflected=reflected
                ),
                part.min_count,
                part.max_count,
            )
            for part in problem.parts
        )
        for reflected in (False, True)
    )
    return keys == mirrored
