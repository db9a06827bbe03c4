"""Problems for the sweep: of fixed puzzles and of random ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from dovetail.backends.frontier.automaton import Automaton, AutomatonBuilder
from dovetail.backends.frontier.layers import PieceSets
from dovetail.backends.frontier.problem import SweepProblem, fixed_problem, packing_problem
from dovetail.backends.shared.state_search import MemoryBudget
from dovetail.harness.run.session import returned
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cells
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packings.packing import Motions, PackingPuzzle, Piece
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Task, build_task
from dovetail.puzzles.polyominoes import box
from dovetail.puzzles.set_puzzles import in_box
from oracle.strategies import loose_packings, packing_puzzles

EVERYTHING = 2**40  # more work than there is
DOMINO, CORNER = ((0, 0), (1, 0)), ((0, 0), (1, 0), (0, 1))
ELL = ((0, 0), (1, 0), (2, 0), (2, 1))


def packing(name: str, region: Cells, *pieces: Piece, optional: Cells = ()) -> PackingPuzzle:
    """A packing puzzle in as many dimensions as its cells have coordinates."""
    return PackingPuzzle(name, SquareLattice(len(region[0])), region, pieces, optional=optional)


def several(name: str, cells: Cells, min_count: int, max_count: int | None = None) -> Piece:
    """A piece that is used so many times, or from so many times on."""
    return Piece(name, cells, min_count, min_count if max_count is None else max_count)


# With repeats, ranges of copies, unequal sizes, optional cells, holes, chirality, three dimensions.
PUZZLES = [
    packing("dominoes-4x4", box(4, 4), several("A", DOMINO, 8)),
    packing("mixed-3x4", box(3, 4), several("A", DOMINO, 0, 4), several("B", CORNER, 1, 3)),
    packing(
        "optional-3x4",
        box(3, 4),
        several("A", DOMINO, 2, 3),
        Piece("B", ELL, motions=Motions.ONE_SIDED),
        optional=((0, 0), (1, 1), (2, 3)),
    ),
    packing("bricks-2x2x3", box(2, 2, 3), several("A", ((0, 0, 0), (1, 0, 0)), 6)),
    in_box("six", "pentominoes", (6, 5), letters="FLNPUY"),
]


def task_of(puzzle: PackingPuzzle, *reductions: str, symmetry: Symmetry = Symmetry.ALL) -> Task:
    """The task of counting a puzzle."""
    return build_task(puzzle, Request(symmetry, reductions=tuple(map(Reduction.parse, reductions))))


def problem_of(puzzle: PackingPuzzle, *reductions: str) -> SweepProblem:
    """All solutions of a puzzle."""
    return packing_problem(task_of(puzzle, *reductions))


def quotients(puzzle: PackingPuzzle) -> list[SweepProblem]:
    """The solutions that each symmetry of a puzzle leaves as they are."""
    options = task_of(puzzle).options
    assert isinstance(options, PackingOptions)
    return [fixed_problem(options, each) for each in options.symmetries(Symmetry.MIRROR)]


@st.composite
def problems(draw: st.DrawFn) -> SweepProblem:
    """Of random puzzles: all solutions, those weighted by orbits, or those that are symmetric."""
    puzzle = draw(packing_puzzles() | loose_packings())
    if draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from(quotients(puzzle)))
    if any(piece.min_count == piece.max_count == 1 for piece in puzzle.pieces) and draw(
        st.booleans()
    ):
        return problem_of(puzzle, "redundancy")
    return problem_of(puzzle)


FIXED: Sequence[tuple[str, SweepProblem]] = [
    *((puzzle.name, problem_of(puzzle)) for puzzle in PUZZLES),
    (
        "weighted",
        problem_of(in_box("six", "pentominoes", (6, 5), letters="FLNPUY"), "redundancy"),
    ),
    *((f"symmetric-{n}", each) for n, each in enumerate(quotients(PUZZLES[0])) if n),
]


def built(problem: SweepProblem, work: int = EVERYTHING) -> Automaton:
    """The automaton of a problem, expanded in slices of so much work."""
    builder = AutomatonBuilder(problem, MemoryBudget(work))
    for _ in builder.expand():
        pass
    return returned(builder.finish())


def sets_of(problem: SweepProblem) -> PieceSets:
    """Return all sets of pieces of a problem."""
    sets = PieceSets(problem)
    for _ in sets.make(MemoryBudget(EVERYTHING)):
        pass
    return sets


def bits(word: np.uint64) -> set[int]:
    """The bits that are set."""
    return {bit for bit in range(64) if int(word) >> bit & 1}
