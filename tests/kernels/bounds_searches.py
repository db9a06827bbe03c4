"""Small searches that together execute every kernel, for `bounds_checked`.

Each public function executes the kernels of the packages of its name. It asserts published counts,
or those of another solver, where a search can be completed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from queue import SimpleQueue
from typing import Any
from unittest.mock import patch

from disassembly.twin import random_burr, take_apart
from dovetail.backends.base import Budget, Search
from dovetail.backends.bitset.search import PRICE, BitsetSearch
from dovetail.backends.bitset.tables import ListPrices
from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.backends.config import build_config
from dovetail.backends.dlx.backend import DlxConfig
from dovetail.backends.dlx.kernels.layout import ITEM_HEURISTICS
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.registry import backend_named
from dovetail.disassembly import Method
from dovetail.disassembly.plan import Assembly
from dovetail.disassembly.replay import plan_error
from dovetail.disassembly.search import DisassemblyLimits, TakingApart
from dovetail.harness.improving import improve, improving_job
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import Result
from dovetail.harness.sampling import sample
from dovetail.harness.tracing import recorded_steps
from dovetail.harness.workers.runs import execute, finish
from dovetail.improvers.breaks.improver import (
    BreaksSearch,
    MismatchSchedule,
    allowed_from,
    sides_of_colours,
)
from dovetail.improvers.repair.improver import DESTROY
from dovetail.improvers.shared.board import board_arrays, fill_order
from dovetail.models.cover import cover
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cell
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.packings.placements import bounded_placements
from dovetail.models.reductions.filters import fit_filter, volume_filter
from dovetail.models.request import Request, Symmetry, Trace
from dovetail.models.task import Puzzle, build_task
from dovetail.puzzles.cover_classics import langford, queens
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from dovetail.puzzles.set_puzzles import in_box
from dovetail.puzzles.statements import board

SIX = in_box("pentominoes-5x6-FLNPUY", "pentominoes", (6, 5), letters="FLNPUY")
FIVE = in_box("pentominoes-5x5-FNPUV", "pentominoes", (5, 5), letters="FNPUV")
SOMA = load("soma-cube")
BOARD = random_board(4, 4, 3, seed=2)
FLIPPED = board("unbounded flippable counts=1-9 lattice=triangular region=triangle-2\n1 1 2\n1 2 3")
BOUNDED = cover(
    [("a", 1, 2), ("b", 0, 3), "c"],
    [["a", "c"], ["a", "b"], ["b", ("s", 1)], ["b", ("s", 2)], ["a", "b", ("s", 1)], ["c", "s"]],
    secondary=["s"],
    name="bounded",
)
COLOURED = build_task(random_board(5, 5, 4, 1, 4), Request(Symmetry.ALL)).cover
COVERS = (queens(6), langford(4), queens(20), BOUNDED, COLOURED)
PLAIN: Mapping[str, object] = {}
NODES = 150  # of a search that is too long to be completed


def fletcher() -> None:
    """Windows of one and of two words, descents; 4x22 by bars: f(n) = f(n − 1) + f(n − 4)."""
    bars = _plane(box(4, 22), Piece("I", tuple((0, y) for y in range(4)), 22, 22))
    ways = [1, 1, 1, 1]
    while len(ways) <= 22:
        ways.append(ways[-1] + ways[-4])
    for sifting in ("tree", "list"):
        assert _count(FIVE, "fletcher", {"sifting": sifting}) == 16
        assert _count(bars, "fletcher", {"sifting": sifting}) == ways[22]
        _descend(FIVE, "fletcher", {"sifting": sifting})


def disassembly() -> None:
    """Separations, locked parts and limits; the levels are those of the twin."""
    burrs = [random_burr(seed, 0.4) for seed in range(12)]
    guided = DisassemblyLimits(method=Method.A_STAR)
    ring = tuple((x, y, 0) for x in range(3) for y in range(3) if (x, y) != (1, 1))
    caps = tuple((x, 1, z) for x in (0, 2) for z in (-1, 2))
    spool = tuple(sorted(((1, 1, -1), (1, 1, 0), (1, 1, 1), (1, 1, 2), *caps)))
    burrs.append(Assembly(SquareLattice(3), ("ring", "spool"), (ring, spool), (1, 1), ((), ())))
    with patch("dovetail.disassembly.search.FIRST_STATES", 1):
        found = list(TakingApart(SquareLattice(3)).all(burrs))
        others = TakingApart(SquareLattice(3)).all(burrs, guided)
        idle = SimpleQueue[TakingApart]()
        idle.put(TakingApart(SquareLattice(3)))
        with patch("dovetail.disassembly.search.LEAST_SHARE", 1):
            assert TakingApart(SquareLattice(3)).all(burrs, None, idle) == found
    assert [each.plan for each in found] == [take_apart(burr) for burr in burrs]
    for burr, each in zip(burrs, found, strict=True):
        assert each.plan is None or plan_error(burr, each.plan) is None
    assert [each.numbers[:1] for each in others] == [each.numbers[:1] for each in found]


def skyline() -> None:
    """A plane that is filled, boxes in space, and a plane with space left over; descents."""
    bar = Piece("I", ((0, 0, 0), (0, 0, 1), (0, 0, 2)), 9, 9)
    cube = PackingPuzzle("bars", SquareLattice(3), box(3, 3, 3), (bar,))
    strip = Piece("I", ((0, 0), (0, 1)), 2, 3)
    loose = replace(_plane(box(2, 3), strip), optional=box(2, 3))
    for puzzle in (cube, loose):
        assert _count(puzzle, "skyline") == _count(puzzle, "dlx")
        _descend(puzzle, "skyline")
    assert _count(load("partridge-4"), "skyline") == 0


def dlx() -> None:
    """Items with bounds and colours, stages, triggers, filters and traces, descents."""
    for problem in COVERS:
        _search(DlxSearch(problem, None), 50)
    stages = DlxConfig(("R", "e@4", "s@2")).schedule().stages
    for puzzle, hand_over in ((SIX, None), (SOMA, 3)):
        options = build_task(puzzle, Request(Symmetry.ALL)).options
        assert isinstance(options, PackingOptions)
        pieces, cells = options.placements_per_solution, options.cells
        _search(DlxSearch(options.cover, pieces, stages, cells, hand_over), 50)
    for heuristic in ITEM_HEURISTICS:
        assert _count(FIVE, "dlx", {"stages": heuristic}) == 16
    filters, triggers = ["parity@2", "volume@2", "fit@3"], ["parity@1", "volume@1"]
    assert _count(FIVE, "dlx", PLAIN, filters, triggers) == 16
    job = _job(FIVE, "dlx", PLAIN, filters, triggers)
    corner = _plane([(0, 1), (1, 0), (1, 1)], Piece("M", box(1, 1), 3, 3))  # white comes last
    assert _count(corner, "dlx", PLAIN, ["parity@1"]) == 1
    traced = replace(job, request=replace(job.request, trace=Trace(50)))
    assert list(recorded_steps(traced))[-1] == {"status": "recorded"}
    for searched in (FIVE, *COVERS):
        _descend(searched, "dlx")


def fila() -> None:
    """With attempts and without: several words, orders of cells, triggers; descents.

    A kernel is compiled for each combination, so that each feature comes in one of them.
    """
    many = _plane(box(70), *(Piece(f"{n}", box(1)) for n in range(65)), Piece("I", box(5)))
    assert _count(SIX, "fila", {"kernel": "fast", "stages": "f"}) == 40
    _count(SIX, "fila", {"kernel": "reference", "stages": "s,R@5,e@4"}, nodes=NODES)
    assert _count(many, "fila", {"stages": "f"}) == 66
    wide = _plane(box(70), Piece("A", box(1)), Piece("B", box(3), 23, 23))
    config = {"kernel": "fast", "stages": "piece,s@23"}
    assert _count(wide, "fila", config, ["redundancy"]) == 24
    assert _count(FIVE, "fila", {"stages": "e"}, (), ["parity@1", "volume@1"]) == 16
    for stages in "fe":
        _descend(FIVE, "fila", {"stages": stages})


def bitset() -> None:
    """Frames packed and options listed always, never and where it pays; descents."""
    counted = cover(
        [(f"p{i}", 0, 1 + i % 2) for i in range(9)],
        [[f"p{i % 9}", f"p{(i * i + 1) % 9}"] for i in range(200) if (i * i + 1 - i) % 9],
        name="counted",
    )
    soma = build_task(SOMA, Request(Symmetry.ALL)).cover
    for problem in (*COVERS, counted, soma):
        _search(BitsetSearch(problem, None, 0), 500)
        for prices in (ListPrices(cost=0, price=0), ListPrices(max_items=-1)):
            _search(BitsetSearch(problem, None, PRICE, prices), 500)
    assert _count(FIVE, "bitset", listing=True) == _count(FIVE, "dlx")
    _descend(SIX, "bitset")


def colorpair() -> None:
    """Every rule, with and without shaving; descents; a search that goes on at its end."""
    boards = random_board(5, 5, 6, seed=1), random_board(4, 4, 5, seed=2)
    for shaving, searched in zip(("none", "all"), boards, strict=True):
        config = {"shaving": shaving, "single_colours": True, "value_order": "probability"}
        assert _count(searched, "colorpair", config) == _count(searched, "domains")
        _descend(searched, "colorpair", config)
    solver, task = backend_named("colorpair"), build_task(board("1 1\n0 0 0 0"), Request())
    search = solver.prepare(task, ColorPairConfig(value_order="probability"))
    assert [search.advance(Budget(work=1)) for _ in range(2)] == [Status.EXHAUSTED] * 2


def rows() -> None:
    """Every way to read colours, tiles once or each, several words of tiles; descents."""
    order = ",".join(f"{x}.{y}" for x in (2, 0, 3, 1) for y in (1, 3, 0, 2))
    for config in ({}, {"identical_tiles": "each", "order": "spiral"}, {"order": order}):
        assert _count(BOARD, "rows", config) == 28
    assert _count(random_board(10, 10, 1, seed=1), "rows") == 1
    _descend(BOARD, "rows")


def domains() -> None:
    """Few colours and many, tiles of which copies have to be used; descents."""
    assert _count(BOARD, "domains") == 28
    assert _count(random_board(4, 4, 80, seed=1), "domains") == 4
    assert _count(FLIPPED, "domains") == _count(FLIPPED, "dlx")
    for searched in (BOARD, FLIPPED):
        _descend(searched, "domains")


def frontier() -> None:
    """Windows of one bit and of all 64, counts beyond 64 bits, listing, threads."""
    domino, corner = ((0, 0), (1, 0)), ((0, 0), (1, 0), (0, 1))
    some = (Piece("A", corner, 0, 2), Piece("B", domino, 0, 2))
    cases = [
        (_plane(box(1), Piece("A", box(1))), "all", 1),
        (_plane(box(64), Piece("A", box(64), 0, 1), Piece("B", box(1), 0, 64)), "all", 2),
        (_plane(box(130), Piece("A", box(2), 65, 65)), "unique", 1),
        (_plane(box(4, 4), Piece("A", domino, 8, 8)), "unique", 9),
        (_plane(box(3, 1), Piece("A", domino, 0, 1), optional=[(1, 0)]), "all", 0),
        (_plane(box(4, 1), *some, optional=[(0, 0), (1, 0)]), "unique", 2),
        (SIX, "unique", 10),
    ]
    for puzzle, symmetry, expected in cases:
        for listing in (False, True):
            found = _count(puzzle, "frontier", symmetry=symmetry, listing=listing)
            assert found == expected
    assert _count(SIX, "frontier", {"threads": 2, "break_symmetry": False}) == 40
    row = _plane(box(100), Piece("A", box(1), 0, 100), Piece("B", box(2), 0, 50))
    assert _count(row, "frontier") == 573_147_844_013_817_084_101  # F(101)


def zdd() -> None:
    """Every choice and order; sampling."""
    for choice in ("fixed", "forced", "fewest"):
        for order in ("given", "narrow"):
            assert _count(FIVE, "zdd", {"choice": choice, "order": order}, listing=True) == 16
    assert len(list(sample(_job(FIVE, "zdd"), 3))) == 3


def reductions() -> None:
    """Filters before a search, to a fixed point."""
    placements = bounded_placements(SIX)
    assert fit_filter(placements, to_fixed_point=True).any()
    assert volume_filter(placements).any()


def improvers() -> None:
    """Each improver, each way of `repair` to take tiles off and to fill a window."""
    board = random_board(6, 6, 4, seed=1)
    configs: list[tuple[str, dict[str, object]]] = [
        ("beam", {"width": 700}),
        ("breaks", {"schedule": ("20", "28"), "restart_nodes": 1_000}),
    ]
    for refill in ("beam", "greedy", "assignment", "exact"):
        configs.append(("repair", {"refill": refill, "width": 20, "destroy": tuple(DESTROY)}))
    for name, config in configs:
        *_, result = improve(improving_job(board, name, config, limits=Limits(nodes=5_000)))
        assert isinstance(result, Result)
        assert (result.score or 0) > 0
    for name in ("beam", "breaks", "repair"):
        limits = Limits(nodes=NODES)
        *_, result = improve(improving_job(board, name, limits=limits, objective="tiles"))
        assert isinstance(result, Result)
        assert (result.score or 0) > 0
    arrays = board_arrays(board)
    order = fill_order(arrays, ("spiral",))
    allowed, nothing = allowed_from([10, 20, 28], len(order)), [0] * len(order)
    schedule = MismatchSchedule(allowed, nothing, restart_nodes=NODES, apart=True)
    search = BreaksSearch(arrays, order, schedule, sides_of_colours(arrays, []), seed=1)
    for _ in range(10):
        search.advance(Budget(100))


def _plane(region: Sequence[Cell], *pieces: Piece, optional: Sequence[Cell] = ()) -> PackingPuzzle:
    """Return a packing puzzle on squares, or on a line."""
    lattice = SquareLattice(len(region[0]))
    return PackingPuzzle("", lattice, tuple(region), pieces, optional=tuple(optional))


def _job(
    puzzle: Puzzle,
    backend: str,
    config: Mapping[str, object] = PLAIN,
    reduce: Sequence[str] = (),
    triggers: Sequence[str] = (),
    *,
    symmetry: str = "all",
    listing: bool = False,
    nodes: int | None = None,
) -> Job:
    request = Request.named(symmetry, False, reduce, triggers, listing=listing)
    return Job(puzzle, request, backend, config, Limits(nodes=nodes))


def _count(*asked: Any, **options: Any) -> int | None:
    """Return the number of solutions that a search in this process finds for a `_job`."""
    return finish(execute(_job(*asked, **options))).count


def _search(search: Search, work: int) -> None:
    """Search on in slices of so much work, reading all that a search tells."""
    while (search.counters.nodes or 0) < NODES and search.advance(Budget(work)) is None:
        search.take()
        search.remaining()


def _descend(puzzle: Puzzle, backend: str, config: Mapping[str, object] = PLAIN) -> None:
    """Estimate a tree by random probes and by samples of its levels."""
    solver, task = backend_named(backend), build_task(puzzle, Request(Symmetry.ALL))
    for width in (0, 5):
        built = build_config(solver.config_type, config, backend)
        estimator = solver.tree_estimator(task, built, 1, 1, width)
        assert estimator is not None
        estimator.levels(2)
