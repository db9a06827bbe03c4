"""Fletcher's tree: its shape for the pentominoes, and one leaf for every orientation."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.backends.fletcher.orientations import (
    NONE,
    Orientation,
    TreeStep,
    orientations_of,
    tree_of,
)
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packing import PackingPuzzle
from dovetail.models.placements import bounded_placements
from dovetail.puzzles.loading import load
from oracle.strategies import packing_puzzles


def every_orientation(puzzle: PackingPuzzle, *, labelled: bool = False) -> Sequence[Orientation]:
    """Those of all shapes of a puzzle."""
    options = PackingOptions(puzzle, bounded_placements(puzzle, labelled=labelled))
    return orientations_of(options, range(len(options.placements.shapes)))


def leaves(steps: Sequence[TreeStep]) -> int:
    """How many of some steps are leaves."""
    return sum(step.orientation != NONE for step in steps)


def test_the_shape_for_the_pentominoes() -> None:
    """63 leaves under 90 tests; what stands below each test of the cells next to the target."""
    puzzle = load("pentominoes-6x10")
    assert isinstance(puzzle, PackingPuzzle)
    orientations = every_orientation(puzzle)
    steps = tree_of(orientations, puzzle.lattice)
    assert (len(orientations), leaves(steps), len(steps)) == (63, 63, 90)
    skipped = [(step.cell, leaves(steps[at : step.skip])) for at, step in enumerate(steps)]
    assert skipped[0] == ((0, 1), 29)
    assert [count for cell, count in skipped if cell == (1, 0)] == [1, 4, 10, 34]


@given(packing_puzzles(), st.booleans())
@settings(max_examples=20)
def test_a_leaf_for_every_orientation(puzzle: PackingPuzzle, labelled: bool) -> None:
    """With only an orientation's cells open, leaves are met of those that lie within them."""
    orientations = every_orientation(puzzle, labelled=labelled)
    steps = tree_of(orientations, puzzle.lattice)
    assert leaves(steps) == len(orientations)
    target = (0,) * puzzle.lattice.dimension
    for chosen in orientations:
        cells = {target, *chosen.cells}
        met, at = [], 0
        while at < len(steps):
            step = steps[at]
            is_open = step.cell in cells
            met += [step.orientation] if is_open and step.orientation != NONE else []
            at = at + 1 if is_open else step.skip
        within = [number for number, one in enumerate(orientations) if cells.issuperset(one.cells)]
        assert sorted(met) == within
