"""Plans of the kernel are those of the twin, move for move, and every plan can be played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from random import Random

import pytest

from disassembly.twin import meets, random_assembly, random_burr, take_apart
from dovetail import disassemble
from dovetail.disassembly import Method
from dovetail.disassembly.assemblies import AssemblyBatch, PlacedCells
from dovetail.disassembly.directions import directions_of
from dovetail.disassembly.plan import Assembly, Disassembly, Outcome, Separation
from dovetail.disassembly.replay import plan_error
from dovetail.disassembly.search import DisassemblyLimits, TakingApart
from dovetail.errors import PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.harness.disassembling import packing_of, stored_separations
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box

CUBES = SquareLattice(3)
BURRTOOLS = Path(__file__).resolve().parents[3] / "shared" / "data" / "burrtools"


def taken_apart(assembly: Assembly) -> Disassembly:
    """Return what the kernel finds about one assembly."""
    (found,) = TakingApart(assembly.lattice).all([assembly])
    return found


@pytest.mark.parametrize("empty", [0.35, 0.5])
def test_burrs(empty: float) -> None:
    burrs = [random_burr(seed, empty) for seed in range(12)]
    found = TakingApart(CUBES).all(burrs)
    assert [each.plan for each in found] == [take_apart(burr) for burr in burrs]
    assert {each.outcome for each in found} == {Outcome.APART, Outcome.LOCKED}
    assert max(each.numbers for each in found) > (1,)
    for burr, each in zip(burrs, found, strict=True):
        assert each.plan is None or plan_error(burr, each.plan) is None


@pytest.mark.parametrize(
    "name",
    [
        "square-1",
        "square-2",
        "square-3",
        "square-4",
        "triangular",
        "triangular-prisms",
        "hexagonal",
        "hexagonal-prisms",
        "half-squares",
        "spheres",
    ],
)
def test_assemblies_of_a_lattice(name: str) -> None:
    lattice = lattice_named(name)
    searches = TakingApart(lattice)
    for seed in range(8):
        assembly = random_assembly(lattice, 2 + seed % 5, 9 + 2 * seed, seed)
        if len(assembly.cells) > 1:
            (found,) = searches.all([assembly])
            assert found.plan == take_apart(assembly)
            assert found.plan is None or plan_error(assembly, found.plan) is None


def test_single_steps_are_those_of_the_twin() -> None:
    burrs = [random_burr(seed, 0.5) for seed in range(10, 20)]
    searches = TakingApart(CUBES)
    found = searches.all(burrs, DisassemblyLimits(method=Method.UNIT_STEPS))
    assert [each.plan for each in found] == [take_apart(burr, longest=1) for burr in burrs]
    assert (searches.all(burrs)[7].level, found[7].level) == ("3", "4")
    for burr, each in zip(burrs, found, strict=True):
        assert each.plan is None or plan_error(burr, each.plan) is None


def test_a_guide_finds_the_least_first_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with walks and tables of few entries, which grow and are searched in slices."""
    burrs = [random_burr(seed, empty) for empty in (0.35, 0.5) for seed in range(8)]
    rooms = [random_assembly(CUBES, 5, 30, seed) for seed in range(8)]
    assemblies = burrs + [each for each in rooms if len(each.cells) > 1]
    expected = TakingApart(CUBES).all(assemblies)
    guided = DisassemblyLimits(method=Method.A_STAR)
    found = TakingApart(CUBES).all(assemblies, guided)
    for assembly, plain, each in zip(assemblies, expected, found, strict=True):
        assert (each.outcome, each.numbers[:1]) == (plain.outcome, plain.numbers[:1])
        assert each.plan is None or plan_error(assembly, each.plan) is None
    assert sum(each.states for each in found) < sum(each.states for each in expected)
    for name, size in (("FIRST_STATES", 1), ("SLICE_STATES", 1), ("PAIRS", 32)):
        monkeypatch.setattr(f"dovetail.disassembly.search.{name}", size)
    assert TakingApart(CUBES).all(assemblies, guided) == found
    monkeypatch.setattr("dovetail.disassembly.search.WALK", 2)
    short = TakingApart(CUBES).all(assemblies, guided)
    assert [each.numbers[:1] for each in short] == [each.numbers[:1] for each in expected]


def test_idle_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small tables fill up, separations lie ahead, and limits end within what was looked at."""
    rows = ("kAAB", "CC.B", ".DD.")  # only the cell k fits through the hole of the wall
    box: dict[str, list[tuple[int, int]]] = {letter: [] for letter in "kABCD"} | {
        "wall": [(-1, y) for y in range(-1, 4)]
    }
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter != ".":
                box[letter].append((x, y))
    box["wall"] += [(4, y) for y in range(-1, 4)] + [(x, y) for x in range(4) for y in (-1, 3)]
    box["wall"].remove((3, 3))
    shapes = tuple(tuple(sorted(cells)) for cells in box.values())
    plane = SquareLattice(2)
    sliding = Assembly(plane, tuple(box), shapes, (1,) * 6, ((),) * 6)
    every = [
        ([sliding], DisassemblyLimits()),
        ([sliding], DisassemblyLimits(method=Method.UNIT_STEPS)),
        ([sliding], DisassemblyLimits(99)),
        ([random_burr(seed, 0.35) for seed in range(15)], DisassemblyLimits()),
    ]
    expected = [TakingApart(batch[0].lattice).all(batch, limits) for batch, limits in every]
    assert expected[0][0].states > 500
    sizes = (("LEAST_SHARE", 1), ("SLICE_STATES", 9), ("MOVES_AHEAD", 40), ("FIRST_STATES", 1))
    for name, size in sizes:
        monkeypatch.setattr(f"dovetail.disassembly.search.{name}", size)
    idle = SimpleQueue[TakingApart]()
    for _ in range(3):
        idle.put(TakingApart(plane))
    found = [TakingApart(batch[0].lattice).all(batch, limits, idle) for batch, limits in every]
    assert found == expected
    assert idle.qsize() == 3


def test_limits_leave_an_assembly_undecided() -> None:
    locked = next(
        burr
        for burr in (random_burr(seed, 0.35) for seed in range(100))
        if taken_apart(burr).outcome == Outcome.LOCKED and taken_apart(burr).states > 3
    )
    searches = TakingApart(CUBES)
    two = Assembly(CUBES, ("a", "b"), (((0, 0, 0),), ((1, 0, 0),)), (1, 1), ((), ()))
    cut, whole = searches.all([locked, two], DisassemblyLimits(states=1))
    assert (cut.outcome, cut.reason) == (Outcome.UNDECIDED, "the limit on states")
    assert whole.outcome == Outcome.APART
    (late,) = searches.all([locked], DisassemblyLimits(deadline=0.0))
    assert (late.outcome, late.reason) == (Outcome.UNDECIDED, "the time limit")
    (stopped,) = searches.all([locked], DisassemblyLimits(stopped=lambda: True))
    assert stopped.outcome == Outcome.UNDECIDED


def test_memory_leaves_an_assembly_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """A room of 4 x 4 x 4 cells with three loose cells has many states."""
    room = [(x, y, z) for x in range(6) for y in range(6) for z in range(6)]
    walls = tuple(cell for cell in room if not {0, 5}.isdisjoint(cell))
    cells = (walls, ((1, 1, 1),), ((2, 2, 2),), ((4, 4, 4),))
    assembly = Assembly(CUBES, tuple("abcd"), cells, (1,) * 4, ((),) * 4)
    two = Assembly(CUBES, ("a", "b"), (((0, 0, 0),), ((1, 0, 0),)), (1, 1), ((), ()))
    monkeypatch.setattr("dovetail.disassembly.search.MAX_BYTES", 1 << 17)
    full, other = TakingApart(CUBES).all([assembly, two])
    assert (full.outcome, full.states > 50) == (Outcome.UNDECIDED, True)
    assert full.reason.startswith("its states need more than")
    assert other.outcome == Outcome.APART


def test_puzzles_of_one_piece_and_of_copies() -> None:
    domino = Piece("I", ((0, 0), (1, 0)))
    (one,) = disassemble(PackingPuzzle("one", SquareLattice(2), domino.cells, (domino,)))
    assert (one.outcome, one.level, one.moves) == (Outcome.APART, "0", 0)
    assert taken_apart(Assembly(CUBES, (), (), (), ())).level == "0"
    copies = replace(domino, min_count=3, max_count=3)
    found = disassemble(PackingPuzzle("three", SquareLattice(2), box(2, 3), (copies,)))
    assert [each.assembly.names for each in found] == [("I", "I", "I")] * len(found)
    assert {(each.level, each.moves) for each in found} == {("1", 2)}


def test_pieces_far_apart_are_played_at_once() -> None:
    far = tuple(((x, 0, 0),) for x in (0, 10**5, -(10**5)))
    assembly = Assembly(CUBES, tuple("abc"), far, (1,) * 3, ((),) * 3)
    plan = taken_apart(assembly).plan
    assert plan is not None
    assert plan_error(assembly, plan) is None


def test_the_pieces_of_a_group_may_stay_together() -> None:
    ring = tuple((x, y, 0) for x in range(3) for y in range(3) if (x, y) != (1, 1))
    bar = ((1, 1, -1), (1, 1, 0), (1, 1, 1))
    caps = ((0, 1, -1), (2, 1, -1)), ((0, 1, 1), (2, 1, 1))
    spool = tuple(sorted((*bar, *caps[0], *caps[1])))
    loose = ((5, 5, 5),)
    assembly = Assembly(
        CUBES, ("ring", "spool", "loose"), (ring, spool, loose), (1,) * 3, ((),) * 3
    )
    assert taken_apart(assembly).outcome == Outcome.LOCKED
    for groups, outcome in (
        ((((1, 1),), ((1, 1),), ()), Outcome.APART),
        ((((1, 1), (2, 1)), ((2, 1),), ()), Outcome.APART),
        ((((1, 1),), ((2, 1),), ()), Outcome.LOCKED),
    ):
        grouped = replace(assembly, groups=groups)
        found = taken_apart(grouped)
        assert found.outcome == outcome
        assert found.plan is None or plan_error(grouped, found.plan) is None
    # Two such pairs: a group takes as many copies as it says, in the search and in the check.
    away = [tuple((x + 9, y, z) for x, y, z in cells) for cells in (ring, spool)]
    pairs = Assembly(CUBES, ("ring", "spool") * 2, (ring, spool, *away), (1,) * 4, ((),) * 4)
    several, few = (
        replace(pairs, groups=(((1, copies),), ((1, copies), (2, 1))) * 2) for copies in (2, 1)
    )
    found = taken_apart(several)
    assert found.outcome == Outcome.APART
    assert found.plan is not None
    assert plan_error(several, found.plan) is None
    assert taken_apart(few).outcome == Outcome.LOCKED
    assert "do not come apart" in str(plan_error(few, found.plan))


def test_what_is_heavier_stays() -> None:
    two = Assembly(CUBES, ("a", "b"), (((0, 0, 0),), ((1, 0, 0),)), (1, 1), ((), ()))
    light, heavy = taken_apart(two), taken_apart(replace(two, weights=(1, 5)))
    assert light.plan is not None
    assert heavy.plan is not None
    assert [(move.pieces, move.direction) for move in light.plan.moves] == [((1,), (1, 0, 0))]
    assert [(move.pieces, move.direction) for move in heavy.plan.moves] == [((0,), (-1, 0, 0))]


def test_changed_plans_are_refused() -> None:
    burr = next(
        burr
        for burr in (random_burr(seed, 0.35) for seed in range(100))
        if taken_apart(burr).numbers[:1] > (1,)
    )
    plan = taken_apart(burr).plan
    assert plan is not None
    first, *others = plan.moves
    changed: list[Separation] = [
        replace(plan, moves=tuple(others)),
        replace(plan, moves=(*plan.moves, *plan.moves)),
        replace(plan, moves=(replace(first, steps=20), *others)),
        replace(plan, moves=(replace(first, steps=0), *others)),
        replace(plan, moves=(replace(first, direction=(1, 1, 0)), *others)),
        replace(plan, moves=(replace(first, pieces=()), *others)),
        replace(plan, moves=(replace(first, pieces=plan.pieces), *others)),
        replace(plan, pieces=plan.pieces[1:]),
        replace(plan, stays=None),
        replace(plan, stays=plan),
    ]
    assert plan_error(burr, plan) is None
    for wrong in changed:
        assert plan_error(burr, wrong) is not None


@pytest.mark.parametrize("name", ["square-3", "triangular-prisms", "hexagonal", "spheres"])
def test_moves_that_meet_a_piece_are_refused(name: str) -> None:
    """Of plans whose moves have other steps, directions or pieces, as the twin finds."""
    lattice, draw, refused = lattice_named(name), Random(7), 0
    vectors = directions_of(lattice).vectors
    assemblies = [random_assembly(lattice, 4, 16, seed) for seed in range(20)]
    assemblies = [each for each in assemblies if len(each.cells) > 1]
    for assembly, found in zip(assemblies, TakingApart(lattice).all(assemblies), strict=True):
        for _ in range(6):
            if found.plan is None:
                break
            plan = _changed(found.plan, vectors, draw)
            error, is_wrong = plan_error(assembly, plan), meets(assembly, plan)
            assert ("runs into" in (error or "")) == is_wrong, error
            refused += is_wrong
    assert refused > 5


def _changed(plan: Separation, vectors: Cells, draw: Random) -> Separation:
    """Return a plan with another direction of a move, and maybe more steps, of one separation."""
    if plan.stays is not None and draw.random() < 0.4:
        return replace(plan, stays=_changed(plan.stays, vectors, draw))
    if plan.leaves is not None and draw.random() < 0.4:
        return replace(plan, leaves=_changed(plan.leaves, vectors, draw))
    moves = list(plan.moves)
    at = draw.randrange(len(moves))
    steps = moves[at].steps
    more = steps if steps is None else steps + draw.randrange(2)
    moves[at] = replace(moves[at], direction=draw.choice(vectors), steps=more)
    return replace(plan, moves=tuple(moves))


def test_edges_and_too_many_pieces_are_refused() -> None:
    sticks = Assembly(lattice_named("square-edges"), (), (), (), ())
    with pytest.raises(
        PuzzleError, match=r"cross one another; pieces slide on square-1, .*, spheres"
    ):
        TakingApart(sticks.lattice)
    many = tuple(((x, 0, 0),) for x in range(65))
    names = tuple(map(str, range(65)))
    row = Assembly(CUBES, names, many, (1,) * 65, ((),) * 65)
    with pytest.raises(PuzzleError, match="65 pieces cannot be taken apart; the limit is 64"):
        taken_apart(row)
    assert AssemblyBatch.of(PlacedCells(CUBES), [row]).assembly(0) == row


@pytest.mark.skipif(not BURRTOOLS.exists(), reason="the examples of BurrTools are not here")
@pytest.mark.parametrize(
    ("name", "assemblies", "levels"),
    [
        ("CubeInCage", 96, ["4.9.3"]),
        ("PelikanBurr", 12, ["98.2.4.2"]),
        ("AlPackino", 1, ["1.1.1.1.1.2.1.3.1.2.1.2"]),
    ],
)
def test_levels_of_burrtools(name: str, assemblies: int, levels: list[str]) -> None:
    """Levels by BurrTools 0.7.1."""
    found = disassemble(BURRTOOLS / f"{name}.xmpuzzle")
    assert len(found) == assemblies
    assert [each.level for each in found if each.outcome == Outcome.APART] == levels
    puzzle = packing_of(load(BURRTOOLS / f"{name}.xmpuzzle"))
    stored = stored_separations(puzzle, TextFile(BURRTOOLS / f"{name}.xmpuzzle"))
    assert [each.level for each in stored] == levels
