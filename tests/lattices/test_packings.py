"""Packings on a triangular lattice and on the edges of squares, beside publications.

What no square lattice shows: cells of two classes, cells that cannot have two colours.
"""

from __future__ import annotations

import pytest

from dovetail.errors import ConfigError
from dovetail.harness.explanation import PackingFacts, packing_facts
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packings.packing import FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.models.packings.placements import bounded_placements
from dovetail.models.request import Reduction, Request, Trigger
from dovetail.models.task import build_task
from dovetail.puzzles.piece_sets import polyforms
from dovetail.reports.describe.explanation import packing_rows
from oracle.answers import counted, packing

TRIANGLES, EDGES = lattice_named("triangular"), lattice_named("square-edges")
DIAMOND, TRIAMOND = ((0, 0, 0), (0, 0, 1)), ((0, 0, 0), (0, 0, 1), (1, 0, 0))


RHOMBUS = packing("hexiamonds-6x6")  # 156 solutions
STICKS = packing("polysticks-1-3-4x4-clipped-corners-1")  # 21 up to symmetry


def rhombus(width: int, height: int) -> Cells:
    """The triangles of a parallelogram of so many triangles' sides."""
    return tuple((x, y, t) for x in range(width) for y in range(height) for t in range(2))


def triangle(side: int) -> Cells:
    """The triangles of a triangle that points up."""
    return tuple(cell for cell in rhombus(side, side) if sum(cell) < side)


HEXAGON = tuple(cell for cell in rhombus(4, 4) if 2 <= sum(cell) < 6)
TETRIAMONDS = tuple(
    Piece(f"{n}", cells) for n, cells in enumerate(polyforms(TRIANGLES, 4, Motions.FREE))
)
DIAMONDS = PackingPuzzle("diamonds", TRIANGLES, HEXAGON, (Piece("A", DIAMOND, 12, 12),))
LOOSE = PackingPuzzle("loose", TRIANGLES, triangle(4), TETRIAMONDS, optional=triangle(4))
HOLE = PackingPuzzle(
    "hole",
    TRIANGLES,
    rhombus(3, 3),
    (Piece("A", TRIAMOND, 4, 4), Piece("B", DIAMOND, 2, 2)),
    fixed=(FixedPiece("wall", ((1, 1, 0), (1, 1, 1))),),
)


@pytest.mark.parametrize(
    ("lattice", "motions", "numbers"),
    [
        (TRIANGLES, Motions.FREE, [1, 1, 1, 3, 4, 12, 24]),  # OEIS A000577
        (TRIANGLES, Motions.ONE_SIDED, [1, 1, 1, 4, 6, 19, 43]),  # OEIS A006534
        (TRIANGLES, Motions.FIXED, [2, 3, 6, 14, 36, 94]),  # OEIS A001420
        (EDGES, Motions.FREE, [1, 2, 5, 16, 55]),  # OEIS A019988
        (EDGES, Motions.ONE_SIDED, [1, 2, 7, 25, 99]),  # OEIS A151537
        (EDGES, Motions.FIXED, [2, 6, 22, 88]),  # OEIS A096267
    ],
)
def test_numbers_of_polyforms(lattice: Lattice, motions: Motions, numbers: list[int]) -> None:
    """Polyiamonds and polysticks, as published."""
    assert [len(polyforms(lattice, size + 1, motions)) for size in range(len(numbers))] == numbers


@pytest.mark.parametrize("stages", [["R", "y@3"], ["a@30", "e@2"]], ids=",".join)
@pytest.mark.parametrize("backend", ["dlx", "fila"])
def test_orders_of_cells(backend: str, stages: list[str]) -> None:
    """Heuristics go by numbers, neighbours and places; as many as plane partitions in 2x2x2."""
    assert counted(DIAMONDS, backend, config={"stages": stages}).count == 20  # P. A. MacMahon


def facts_of(puzzle: PackingPuzzle) -> PackingFacts:
    """What is known before any search."""
    return packing_facts(PackingOptions(puzzle, bounded_placements(puzzle)))


def test_edges_have_no_parity() -> None:
    """Three that meet in a vertex are neighbours of each other: who needs colours refuses."""
    parity, trigger = Reduction.parse("parity"), Trigger.parse("parity")
    for request in (Request(reductions=(parity,)), Request(triggers=(trigger,))):
        with pytest.raises(
            ConfigError, match=r"two-colouring.*of the square-edges lattice have none"
        ):
            build_task(STICKS, request)
    facts = facts_of(STICKS)
    assert (facts.parity, facts.parities, facts.impossible) == (None, (), None)
    assert "parity" not in [effect.reduction for effect in facts.effects]
    assert any(row.text.startswith("none: two colours cannot") for row in packing_rows(facts))
