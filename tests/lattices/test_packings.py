"""Packings on a triangular lattice and on the edges of squares, against an oracle and publications.

What no square lattice shows: cells of two classes, isometries that permute no axes, cells that
cannot have two colours, pieces that must not cross.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from dovetail.backends.registry import backends
from dovetail.errors import ConfigError, PuzzleError
from dovetail.harness.explanation import PackingFacts, packing_facts
from dovetail.models.cell_orders import cell_ranks
from dovetail.models.lattices.edges import SQUARE_EDGES
from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status
from dovetail.models.packing import FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.models.placements import bounded_placements
from dovetail.models.request import Reduction, Request, Symmetry, Trigger
from dovetail.models.solution import PackingSolution
from dovetail.models.sums import remainder
from dovetail.models.task import build_task
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyforms import polyforms
from dovetail.puzzles.verification import named_by_shape
from lattices.by_distance import PackingOracle
from lattices.regions import hexagon, packing, rhombus, square_grid, triangle
from oracle.answers import counted, listed, solved

TRIANGLES, EDGES = lattice_named("triangular"), lattice_named("square-edges")
RHOMBUS = packing("hexiamonds-6x6")  # 156 solutions
STICKS = packing("polysticks-1-3-4x4-clipped-corners-1")  # 21 up to symmetry

SINGLE = ((0, 0, 0),)
DIAMOND = ((0, 0, 0), (0, 0, 1))
TRIAMOND = ((0, 0, 0), (0, 0, 1), (1, 0, 0))
APART = ((0, 0, 0), (1, 0, 0))  # two that meet in a corner only
BAR, BENT = ((0, 0, 0), (1, 0, 0)), ((0, 0, 0), (0, 0, 1))  # two edges


def pieces(lattice: Lattice, size: int, motions: Motions = Motions.FREE) -> list[Piece]:
    """One of each form of so many cells."""
    forms = polyforms(lattice, size, motions)
    return [Piece(f"{size}{n}", cells, motions=motions) for n, cells in enumerate(forms)]


def copies(cells: Cells, min_count: int, max_count: int, name: str = "A") -> Piece:
    """A piece used so often."""
    return Piece(name, cells, min_count, max_count)


def triangles(name: str, region: Cells, *several: Piece) -> PackingPuzzle:
    """A puzzle of triangles."""
    return PackingPuzzle(name, TRIANGLES, region, several)


SMALL = [
    triangles("pentiamonds", hexagon(2), *pieces(TRIANGLES, 5), pieces(TRIANGLES, 4)[0]),
    triangles(
        "one-sided",
        hexagon(2),
        *(pieces(TRIANGLES, 5, Motions.ONE_SIDED)[number] for number in (0, 1, 2, 5)),
        pieces(TRIANGLES, 4, Motions.ONE_SIDED)[3],
    ),
    triangles("identical", triangle(4), copies(TRIAMOND, 4, 4), copies(DIAMOND, 2, 2, "B")),
    triangles("ranges", triangle(3), copies(DIAMOND, 0, 4), copies(SINGLE, 0, 9, "B")),
    triangles("in-two-parts", triangle(3), copies(APART, 3, 3), copies(SINGLE, 3, 3, "B")),
    PackingPuzzle(
        "empty-cells",
        TRIANGLES,
        triangle(4),
        tuple(pieces(TRIANGLES, 4)),
        optional=triangle(4),
    ),
    PackingPuzzle(
        "hole",
        TRIANGLES,
        rhombus(3, 3),
        (copies(TRIAMOND, 4, 4), copies(DIAMOND, 2, 2, "B")),
        fixed=(FixedPiece("wall", ((1, 1, 0), (1, 1, 1))),),
    ),
    PackingPuzzle("bars", EDGES, square_grid(2, 2), (copies(BAR, 2, 6), copies(BENT, 0, 4, "B"))),
    PackingPuzzle(
        "across-a-wall",
        EDGES,
        square_grid(2, 2),
        (copies(BAR, 1, 5), copies(BENT, 0, 5, "B")),
        fixed=(FixedPiece("wall", ((0, 1, 0), (1, 1, 0))),),
    ),
    PackingPuzzle(
        "loose-edges",
        EDGES,
        square_grid(2, 1),
        tuple(pieces(EDGES, 3)[:2]),
        optional=square_grid(2, 1),
    ),
]
NAMED = {puzzle.name: puzzle for puzzle in SMALL}
DIAMONDS = triangles("diamonds", hexagon(2), copies(DIAMOND, 12, 12))
small_puzzles = pytest.mark.parametrize("puzzle", SMALL, ids=lambda puzzle: puzzle.name)


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


@pytest.mark.parametrize("puzzle", [RHOMBUS, *SMALL], ids=lambda puzzle: puzzle.name)
def test_placements(puzzle: PackingPuzzle) -> None:
    """Each piece's copies within the region, none twice and none across a fixed piece."""
    oracle = PackingOracle(puzzle)
    copies = {piece.name: oracle.copies(piece) for piece in puzzle.pieces}
    table = bounded_placements(puzzle)
    for number, shape in enumerate(table.shapes):
        found = [
            frozenset(table.cell_tuples(int(n))) for n in np.flatnonzero(table.shape == number)
        ]
        assert len(set(found)) == len(found)
        assert set(found) == copies[shape.name]


@cache
def counts_of(puzzle: PackingPuzzle) -> tuple[int, int]:
    """How many packings there are by the oracle, and how many up to symmetry."""
    oracle = PackingOracle(puzzle)
    return len(oracle.packings()), oracle.up_to_symmetry()


def takes_packings(name: str) -> bool:
    """Whether a backend is there and takes a plain packing of squares."""
    backend, task = backends()[name], build_task(load("pentominoes-3x20"), Request())
    return backend.missing() is None and not backend.refuses(task, backend.config_type())


@small_puzzles
@pytest.mark.parametrize("backend", [name for name in backends() if takes_packings(name)])
def test_all_counts(backend: str, puzzle: PackingPuzzle) -> None:
    """Every backend finds the packings there are, and those that differ, or says why it cannot."""
    every, classes = counts_of(puzzle)
    for symmetry, expected in (("all", every), ("unique", classes), ("mirror", classes)):
        finished = counted(puzzle, backend, symmetry)
        if finished.status == Status.SKIPPED:
            pytest.skip(finished.reason or "")
        assert (finished.status, finished.count) == (Status.EXHAUSTED, expected)


@small_puzzles
def test_auto_takes_them_all(puzzle: PackingPuzzle) -> None:
    """Whatever has to refuse a lattice is passed over."""
    assert counted(puzzle, "auto", "unique").count == counts_of(puzzle)[1]


def test_small_puzzles_show_something() -> None:
    """They have solutions, and symmetries that make fewer of them."""
    for puzzle in SMALL:
        every, classes = counts_of(puzzle)
        assert every > classes > 0


@pytest.mark.parametrize("backend", ["dlx", "bitset", "fila", "frontier"])
def test_diamonds_in_a_hexagon(backend: str) -> None:
    """As many as plane partitions in a box of 2x2x2, 20 (P. A. MacMahon)."""
    assert counts_of(DIAMONDS)[0] == 20
    for symmetry, expected in zip(("all", "unique"), counts_of(DIAMONDS), strict=True):
        assert counted(DIAMONDS, backend, symmetry).count == expected


@small_puzzles
@pytest.mark.parametrize(
    "reduce",
    [["parity"], ["volume"], ["fit"], ["redundancy"], ["parity", "volume", "fit=fixed-point"]],
    ids=",".join,
)
def test_reductions_change_no_count(puzzle: PackingPuzzle, reduce: Sequence[str]) -> None:
    """Up to symmetry and without; edges have no parity."""
    reduce = [one for one in reduce if one != "parity" or puzzle.lattice == TRIANGLES]
    for symmetry in ("all", "unique"):
        expected = counted(puzzle, "dlx", symmetry).count
        assert counted(puzzle, "dlx", symmetry, reduce=reduce).count == expected


def test_triggers_change_no_count() -> None:
    """They go by the neighbours and colours that the lattice gives."""
    triggers = tuple(map(Trigger.parse, ("parity", "volume")))
    finished, _ = solved(RHOMBUS, Request(Symmetry.ALL, triggers=triggers), "dlx", {})
    plain = counted(RHOMBUS, "dlx", "all")
    assert (finished.status, finished.count) == (Status.EXHAUSTED, plain.count)
    assert finished.nodes is not None
    assert plain.nodes is not None
    assert finished.nodes < plain.nodes


@pytest.mark.parametrize("backend", ["dlx", "bitset", "fila", "frontier"])
def test_labelled(backend: str) -> None:
    """Four triamonds and two diamonds change places in 48 ways."""
    puzzle = NAMED["identical"]
    assert counted(puzzle, backend, "all", labelled=True).count == 48 * counts_of(puzzle)[0]


@pytest.mark.parametrize("backend", ["dlx", "bitset", "frontier", "auto"])
def test_hexiamonds_in_a_rhombus(backend: str) -> None:
    """156 up to its four symmetries, each verified, and none of them symmetric."""
    finished, solutions = listed(RHOMBUS, backend, "unique")
    assert (finished.status, finished.count, len(solutions)) == (Status.EXHAUSTED, 156, 156)
    assert finished.verified >= 156  # all that a search has found, before symmetric ones go
    assert counted(RHOMBUS, backend, "all").count == 4 * 156


def test_each_of_them_in_its_own_terms() -> None:
    """As pieces on cells they are right, and two that change places are not."""
    task = build_task(RHOMBUS, Request(Symmetry.UNIQUE))
    _, solutions = listed(RHOMBUS, "bitset", "unique")
    found = [one for one in map(task.solution, solutions) if isinstance(one, PackingSolution)]
    assert len(found) == 156
    assert all(solution_error(RHOMBUS, solution) is None for solution in found)
    solution = found[0]
    (one, its), (other, others), *rest = solution.placed
    exchanged = PackingSolution(((one, others), (other, its), *rest))
    assert "cannot be placed on" in (solution_error(RHOMBUS, exchanged) or "")
    renamed = PackingSolution(
        tuple((f"{n}", cells) for n, (_, cells) in enumerate(solution.placed))
    )
    assert named_by_shape(RHOMBUS, renamed) == solution
    strange = PackingSolution((("A", ((0, 0, 7),)),))
    with pytest.raises(PuzzleError, match="does not match the shape of any piece"):
        named_by_shape(RHOMBUS, strange)


def test_symmetries_of_a_rhombus() -> None:
    """The identity, a half turn and two reflections; of a region alone a regular hexagon has 12."""
    options = build_task(RHOMBUS, Request()).options
    assert len(options.symmetries(Symmetry.UNIQUE)) == 4
    cells = np.array(sorted(hexagon(3)))
    assert len(TRIANGLES.symmetries(cells, reflections=True)) == 12
    assert len(TRIANGLES.symmetries(cells, reflections=False)) == 6


@pytest.mark.parametrize(
    "stages", [["f"], ["e"], ["s"], ["x"], ["R", "y@3"], ["a@30", "e@2"]], ids=",".join
)
@pytest.mark.parametrize("backend", ["dlx", "fila"])
def test_orders_of_cells(backend: str, stages: list[str]) -> None:
    """Heuristics go by numbers, neighbours and places in the plane; the count is the same."""
    puzzle, config = NAMED["pentiamonds"], {"stages": stages}
    finished, _ = solved(puzzle, Request(Symmetry.ALL), backend, config)
    assert finished.count == counts_of(puzzle)[0]


def test_orders_go_by_where_cells_lie() -> None:
    """A hexagon from inside out: six about the middle, then rings as far away as each other."""
    positions = TRIANGLES.positions(np.array(sorted(hexagon(2))))
    ranks = cell_ranks("r", positions)
    assert np.bincount(ranks).tolist() == [6, 6, 12]
    rows = cell_ranks("y", positions)  # of each row first the triangles that point up
    assert np.bincount(rows).tolist() == [2, 3, 3, 4, 4, 3, 3, 2]


def facts_of(puzzle: PackingPuzzle) -> PackingFacts:
    """What is known before any search."""
    return packing_facts(PackingOptions(puzzle, bounded_placements(puzzle)))


def test_parity() -> None:
    """Triangles that point up against those that point down, found by the lattice."""
    table = bounded_placements(RHOMBUS)
    assert table.colours is not None
    up = table.coordinates[:, 2] == 0
    assert set(zip(up.tolist(), table.colours.tolist(), strict=True)) == {(True, 1), (False, -1)}
    facts = facts_of(RHOMBUS)
    assert facts.parity == 0
    balance = [abs(sum(1 - 2 * t for _, _, t in piece.cells)) for piece in RHOMBUS.pieces]
    counts = [(value, balance.count(value)) for value in (2, 0)]
    assert [(one.value, one.max_count) for one in facts.parities] == counts == [(2, 2), (0, 10)]
    assert facts.impossible is None
    lopsided = triangles("odd", triangle(4), copies(DIAMOND, 8, 8))
    assert "parity" in (facts_of(lopsided).impossible or "")


def test_edges_have_no_parity() -> None:
    """Three that meet in a vertex are neighbours of each other: who needs colours refuses."""
    puzzle = NAMED["bars"]
    assert bounded_placements(puzzle).colours is None
    parity, trigger = Reduction.parse("parity"), Trigger.parse("parity")
    for request in (Request(reductions=(parity,)), Request(triggers=(trigger,))):
        with pytest.raises(
            ConfigError, match=r"two-colouring.*of the square-edges lattice have none"
        ):
            build_task(puzzle, request)
    facts = facts_of(puzzle)
    assert (facts.parity, facts.parities, facts.impossible) == (None, (), None)
    assert [effect.reduction for effect in facts.effects] == [
        "redundancy",
        "volume",
        "fit",
        "fit=fixed-point",
    ]


def test_crossings_are_items_taken_at_most_once() -> None:
    """Two bars that cross exclude each other, and the count is another one without that."""

    passable = replace(STICKS, lattice=PointLattice(SQUARE_EDGES))  # nothing crosses
    assert counted(STICKS, "dlx", "unique").count == 21
    more = counted(passable, "dlx", "unique").count
    assert more is not None
    assert more > 21
    cover = build_task(STICKS, Request()).options.cover
    crossings = cover.item_names[cover.primary_count :]
    assert crossings
    assert all(name.startswith("crossing@") for name in crossings)


def test_what_is_left_beside_a_crossing_piece() -> None:
    """A placement across one that is made is none any more; crossings keep their numbers."""
    table = bounded_placements(
        PackingPuzzle("bars", EDGES, square_grid(2, 2), (copies(BAR, 2, 6),))
    )
    level = next(n for n in range(len(table)) if table.cell_tuples(n) == ((0, 1, 0), (1, 1, 0)))
    upright = next(n for n in range(len(table)) if table.cell_tuples(n) == ((1, 0, 1), (1, 1, 1)))
    left = remainder(table, np.array([level]))
    assert upright not in left.options.tolist()
    assert len(left.options) == len(table) - 2
    assert left.placements.crossing_places == table.crossing_places


def test_pieces_that_cross_are_no_solution() -> None:
    """Each other or a fixed piece; fixed pieces do not cross either."""
    bars = PackingPuzzle(
        "bars", EDGES, square_grid(2, 2), (copies(BAR, 0, 6), copies(SINGLE, 0, 12, "S"))
    )
    level, upright = ((0, 1, 0), (1, 1, 0)), ((1, 0, 1), (1, 1, 1))
    others = tuple(("S", (cell,)) for cell in square_grid(2, 2) if cell not in level + upright)
    crossed = PackingSolution((("A", level), ("A", upright), *others))
    assert solution_error(bars, crossed) == "pieces cross at (1, 1, 0)"
    walled = replace(bars, fixed=(FixedPiece("wall", level),))
    assert solution_error(walled, PackingSolution((("A", upright), *others))) == (
        "piece A crosses a fixed piece"
    )
    with pytest.raises(PuzzleError, match="fixed piece door crosses another one"):
        replace(walled, fixed=(*walled.fixed, FixedPiece("door", upright)))


@pytest.mark.parametrize(
    ("backend", "puzzle", "reason"),
    [
        (
            "fletcher",
            NAMED["pentiamonds"],
            "translates of one another; the cells of the triangular",
        ),
        ("fletcher", NAMED["bars"], "translates of one another; the cells of the square-edges"),
        ("fila", NAMED["bars"], "cannot detect where pieces of the square-edges lattice cross"),
        (
            "frontier",
            packing("tritrigs-heart-1"),
            "cells and crossing places in the best order of cells; the limit is 64",
        ),
    ],
)
def test_refusals_name_the_lattice(backend: str, puzzle: PackingPuzzle, reason: str) -> None:
    """And what it lacks."""
    finished = counted(puzzle, backend)
    assert finished.status == Status.SKIPPED
    assert reason in (finished.reason or "")
