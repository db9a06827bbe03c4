"""How BurrTools counts assemblies: the symmetries that make two of them one.

A symmetry of a result keeps its states and its colours, whatever these forbid. Rotations always
make two assemblies one. Reflections do so where every piece is its own mirror image, or is paired
with a piece that is, colours included. BurrTools has an option to keep mirror images nevertheless,
which its files do not record. The default counts mirror images once only where the file shows it:
where it has all assemblies, some of which have mirror images, and none of these. Elsewhere
`harness.execution.recorded_count` compares counts with the number in the file.

Source: assembler_0.cpp, assembler_1.cpp and assembly.cpp of A. Röver's BurrTools 0.6.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dovetail.errors import FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.lattices.protocol import Cells
from dovetail.models.packing import AssemblyCount
from dovetail.models.request import Symmetry
from dovetail.puzzles.formats.burrtools.problem import Problem
from dovetail.puzzles.formats.burrtools.stored import stored_assemblies

MAX_IMAGES = 200_000  # of pieces in assemblies that are compared

SOLVED = "2"

Maps = list[tuple[int, ...]]
Placed = frozenset[tuple[int, frozenset[int]]]  # numbers of pieces and of cells


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


def assembly_count(file: TextFile, problem: Problem, several: Sequence[str]) -> AssemblyCount:
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
    symmetry = Symmetry.UNIQUE
    improper = _improper(problem)
    if improper:
        partner = _partners(problem)
        if partner is None:
            if any(part.min_count < part.max_count for part in problem.parts):
                doubts.append(
                    "if numbers of copies vary, BurrTools counts some assemblies and their mirror "
                    "images once; here they count twice"
                )
        elif _counts_mirror_images_once(file, problem, improper, partner, int(number)):
            symmetry = Symmetry.MIRROR
    solved = problem.element.attributes.get("state") == SOLVED
    return AssemblyCount(symmetry, int(number) if solved else None, tuple(doubts))


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


def _improper(problem: Problem) -> Maps:
    """The symmetries of the result that only reflections make."""
    rotations = set(_symmetries(problem, reflections=False))
    return [one for one in _symmetries(problem) if one not in rotations]


def _partners(problem: Problem) -> list[int] | None:
    """For each piece the one that is its mirror image, used as often; None if one has none."""
    keys, mirrored = (
        [
            (
                problem.grid.coloured_orientations(
                    part.shape.colours, part.shape.hotspot, reflected=reflected
                ),
                part.min_count,
                part.max_count,
            )
            for part in problem.parts
        ]
        for reflected in (False, True)
    )
    free: dict[object, list[int]] = {}
    for number, key in enumerate(keys):
        free.setdefault(key, []).append(number)
    partners = list[int]()
    for key in mirrored:
        if not free.get(key):
            return None
        partners.append(free[key].pop(0))
    return partners


def _counts_mirror_images_once(
    file: TextFile, problem: Problem, improper: Maps, partner: Sequence[int], number: int
) -> bool:
    """Whether the file has all assemblies, some with mirror images, and none of these images.

    An assembly that a rotation makes its own mirror image shows nothing.
    """
    if number * sum(part.max_count for part in problem.parts) > MAX_IMAGES:
        return False  # reading so many would take longer than they help
    rotations = _symmetries(problem, reflections=False)
    cell_number = {one: n for n, one in enumerate(_positions(problem))}
    names = {part.name: n for n, part in enumerate(problem.parts)}
    stored = list[Placed]()
    try:
        for _, assembly in stored_assemblies(file, problem):
            stored.append(
                frozenset(
                    (names[name], frozenset(cell_number[one] for one in positions))
                    for name, positions in assembly
                )
            )
    except (FormatError, PuzzleError, KeyError):  # whoever reads the solutions will report it
        return False
    known, left, alone = set(stored), MAX_IMAGES, False
    own = range(len(problem.parts))
    for one in stored:
        turned = {_image(one, turn, own) for turn in rotations}
        images = {_image(one, turn, partner) for turn in improper}
        left -= len(one) * (len(rotations) + len(improper))
        if not images & turned:
            alone = True
            if images & known:
                return False
        if left < 0:
            return False
    return alone and len(stored) >= number


def _image(placed: Placed, turn: Sequence[int], names: Sequence[int]) -> Placed:
    return frozenset((names[name], frozenset(turn[c] for c in cells)) for name, cells in placed)
