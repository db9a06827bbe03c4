"""Pieces of four dimensions: as many as there are, and their hands."""

from __future__ import annotations

from dovetail.models.lattices.protocol import Cells
from dovetail.models.packing import Motions, PackingPuzzle
from dovetail.puzzles.loading import load
from dovetail.puzzles.polycubes import FORK, HYPERSPACE, PATH, STAR, hyperspace_pentominoes
from dovetail.puzzles.polyforms import canonical_form, polyforms


def form(cells: Cells) -> Cells:
    """Equal for pieces that can be turned into one another."""
    return canonical_form(HYPERSPACE, cells, Motions.FREE)


def mirrored(cells: Cells) -> Cells:
    """The mirror image."""
    return tuple((-x, *others) for x, *others in cells)


def test_only_the_path_has_two_hands() -> None:
    """The others can be turned into their mirror images."""
    assert form(PATH) != form(mirrored(PATH))
    assert form(FORK) == form(mirrored(FORK))
    assert form(STAR) == form(mirrored(STAR))


def test_the_26_pentominoes() -> None:
    """1, 11, 11 and 3 need one to four dimensions; with the path's other hand, all 27."""
    pieces = hyperspace_pentominoes()
    needed = [sum(max(along) > 0 for along in zip(*c, strict=True)) for c in pieces.values()]
    assert [needed.count(d) for d in (1, 2, 3, 4)] == [1, 11, 11, 3]
    forms = {form(cells) for cells in (*pieces.values(), mirrored(PATH))}
    assert forms == set(polyforms(HYPERSPACE, 5, Motions.FREE))
    assert len(forms) == 27


def test_four_numbers_read_x_last() -> None:
    """`hypercube-paths-2x3x3x5` is 5 long along x."""
    for name, cells, last in (
        ("hypercube-paths-2x3x3x5", 90, (4, 2, 2, 1)),
        ("pentominoes-4d-2x2x3x11", 132, (10, 2, 1, 1)),
    ):
        puzzle = load(name)
        assert isinstance(puzzle, PackingPuzzle)
        assert (len(puzzle.region), max(puzzle.region)) == (cells, last)
        assert sum(piece.min_count * len(piece.cells) for piece in puzzle.pieces) == cells
