"""Whatever is asked, the solutions are those of `dlx`; reasons for which backends refuse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations_with_replacement, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.lattices.cell_orders import ANGLE, orders_of
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cells
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Puzzle
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from oracle.answers import solved
from oracle.strategies import edge_puzzles, loose_packings, packing_puzzles

ALL = Request(Symmetry.ALL, listing=True)
CORNER: Cells = ((0, 0), (0, 1), (1, 0))
OTHER: Cells = ((0, 2), (1, 1), (1, 2))
SIX = load("pentominoes-5x6-FLNPUY")


def plane(region: Cells, *pieces: Piece) -> PackingPuzzle:
    """A packing puzzle on squares."""
    return PackingPuzzle("", SquareLattice(2), region, pieces)


def corners(listed: Sequence[Cells], copies: int = 1) -> PackingPuzzle:
    """6x3 by six corners; A, in `copies`, has listed placements."""
    first = Piece("A", CORNER, copies, copies, placements=tuple(listed))
    return plane(box(6, 3), first, Piece("B", CORNER, 6 - copies, 6 - copies))


FOURTEEN_ALIKE = plane(box(5, 14), Piece("I", tuple((0, y) for y in range(5)), 14, 14))
# `piece` begins with A: two places for two copies, where every cell has three images or more.
FEWEST_OF_COPIES = corners((CORNER, OTHER), 2)
# `dlx` begins with A: its two copies have three places, two choices; every cell has three or more.
BRANCHES_ON_A_SHAPE = corners((CORNER, OTHER, ((4, 0), (5, 0), (5, 1))), 2)
SEVERAL_COPIES = plane(
    box(4, 5),
    Piece("L", ((0, 0), (1, 0), (2, 0), (2, 1)), 2, 2),
    Piece("P", ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2)), 2, 2),
    Piece("I", ((0, 0), (1, 0)), 1, 1),
)


@lru_cache(maxsize=8)  # of one puzzle after another
def by_dlx(puzzle: Puzzle, request: Request) -> tuple[Result, set[tuple[int, ...]]]:
    """The result of `dlx`, and its solutions."""
    return solved(puzzle, request, "dlx", {})


def assert_equal_to_dlx(
    puzzle: Puzzle, request: Request, backend: str, config: Mapping[str, object]
) -> None:
    """The count; of all solutions, which are the same by any search, each one too."""
    expected, its_solutions = by_dlx(puzzle, request)
    finished, solutions = solved(puzzle, request, backend, config)
    assert (finished.status, finished.count) == (Status.EXHAUSTED, expected.count)
    assert not request.listing or finished.count == len(solutions)
    if request.listing and request.symmetry == Symmetry.ALL:
        assert solutions == its_solutions


@st.composite
def requests(draw: st.DrawFn) -> Request:
    """Any symmetry, labelled or not, with reductions in any order."""
    words = draw(st.permutations(["redundancy", "volume"]))[: draw(st.integers(0, 2))]
    symmetry, labelled = draw(st.sampled_from(list(Symmetry))), draw(st.booleans())
    return Request(symmetry, labelled, True, tuple(map(Reduction.parse, words)))


@st.composite
def stages(draw: st.DrawFn, puzzle: PackingPuzzle) -> str:
    """Up to three stages of FILA, the first of which `dlx` or the heuristic `piece` may be."""
    pieces, cells = len(puzzle.pieces), len(puzzle.region)
    listed = "[" + " ".join(map(str, draw(st.permutations(range(cells))))) + "]"
    orders = [name for name in orders_of(puzzle.lattice.dimension) if name in "fxYRr"]
    angle = ["a@90"] if ANGLE in orders_of(puzzle.lattice.dimension) else []
    heuristic = st.sampled_from(["e", "s", *orders, *angle, listed])
    first = [st.just("dlx:s"), st.just("piece"), heuristic.map("fila:{}".format)]
    words = [draw(st.one_of(first[1:] if pieces == 1 else first))]
    later = sorted(draw(st.sets(st.integers(1, pieces - 1), max_size=2))) if pieces > 1 else []
    if words == ["piece"] and pieces > 1:
        later = sorted({*later, pieces - 1})
    return ",".join([*words, *(f"fila:{draw(heuristic)}@{begins}" for begins in later[::-1])])


@given(packing_puzzles(), requests(), st.data())
@settings(max_examples=40)
def test_packings(puzzle: PackingPuzzle, request: Request, data: st.DataObject) -> None:
    """On random puzzles of one to four dimensions, many with pieces that are alike."""
    config: dict[str, object] = {
        "stages": data.draw(stages(puzzle)),
        "nof": data.draw(st.booleans()),
        "kernel": data.draw(st.sampled_from(["reference", "fast"])),
    }
    assert_equal_to_dlx(puzzle, request, "fila", config)
    sifting = data.draw(st.sampled_from(["tree", "list"]))
    assert_equal_to_dlx(puzzle, request, "fletcher", {"sifting": sifting})


@given(packing_puzzles() | loose_packings(), requests(), st.booleans(), st.integers(1, 3))
@settings(max_examples=25)
def test_loose_packings(
    puzzle: PackingPuzzle, request: Request, break_symmetry: bool, threads: int
) -> None:
    """Ranges of copies and cells that may stay empty."""
    if any(piece.min_count < piece.max_count for piece in puzzle.pieces):
        request = replace(request, labelled=False)
    config = {"break_symmetry": break_symmetry, "threads": threads}
    for listing in (False, True):
        asked = replace(request, listing=listing)
        assert_equal_to_dlx(puzzle, asked, "frontier", config)
        assert_equal_to_dlx(puzzle, asked, "bitset", {"break_symmetry": break_symmetry})


@given(
    puzzle=edge_puzzles(),
    symmetry=st.sampled_from(list(Symmetry)),
    labelled=st.booleans(),
    order=st.sampled_from(["top-down", "bottom-up", "columns", "spiral"]),
    identical_tiles=st.sampled_from(["once", "each"]),
    reduce=st.sampled_from([(), ("redundancy",), ("redundancy:top-left",)]),
)
@settings(max_examples=25)
def test_boards_of_rows(
    puzzle: EdgePuzzle,
    symmetry: Symmetry,
    labelled: bool,
    order: str,
    identical_tiles: str,
    reduce: tuple[str, ...],
) -> None:
    """In any order, whichever corner is restricted."""
    request = Request(symmetry, labelled, True, tuple(map(Reduction.parse, reduce)))
    plain = Request(symmetry, labelled, listing=True)
    config = {"order": order, "identical_tiles": identical_tiles}
    finished, solutions = solved(puzzle, request, "rows", config)
    expected, its_solutions = by_dlx(puzzle, plain)
    assert (finished.status, finished.count) == (Status.EXHAUSTED, expected.count)
    assert symmetry != Symmetry.ALL or solutions == its_solutions


CASES: list[tuple[Puzzle, str, str, Sequence[str]]] = [
    # 70 cells, fourteen pieces: two words
    (FOURTEEN_ALIKE, "fila", "s", ("volume",)),
    (FOURTEEN_ALIKE, "fila", "dlx:s,fila:R@8", ("volume@12",)),
    (FOURTEEN_ALIKE, "fila", "piece,Y@13", ()),
    (FEWEST_OF_COPIES, "fila", "piece,s@5,x@2", ()),
    *(
        (puzzle, "fila", f"dlx:s,fila:{heuristic}@{begins}", ())
        for puzzle, begins, heuristic in (
            (BRANCHES_ON_A_SHAPE, 5, "f"),
            (BRANCHES_ON_A_SHAPE, 2, "Y"),
        )
    ),
    *((SEVERAL_COPIES, "fila", f"dlx:s,fila:s@{begins}", ()) for begins in (3, 1)),
    *((SIX, "fila", words, ()) for words in ("piece,s@5,e@2", "s,e@4,f@1")),
    (load("soma-cube"), "fila", "piece,s@6,e@2", ()),
    *((SIX, "dlx", words, ()) for words in ("a@160", "e,r@5,s@2")),
    *((load("edges-4-b3i3-1"), "dlx", words, ()) for words in ("y,s@8",)),
    (load("edges-3-b2i2-1"), "dlx", "[4 0 1 2 3 5 6 7 8]", ()),
]


@pytest.mark.parametrize(("puzzle", "backend", "words", "reduce"), CASES)
def test_stages(puzzle: Puzzle, backend: str, words: str, reduce: Sequence[str]) -> None:
    """No solution is lost, and none is found twice, whatever picks the next target."""
    request = Request(Symmetry.ALL, listing=True, reductions=tuple(map(Reduction.parse, reduce)))
    kernels = [("reference", True), ("fast", False)] if backend == "fila" else [("", True)]
    for kernel, nof in kernels:
        own = {"kernel": kernel, "nof": nof} if kernel else {}
        assert_equal_to_dlx(puzzle, request, backend, {"stages": words, **own})


@pytest.mark.parametrize(
    ("words", "kernel"), [("piece,f@17,e@6", "fast"), ("dlx:s,fila:x@15", "reference")]
)
def test_a_board_of_two_words_with_a_restricted_piece(words: str, kernel: str) -> None:
    """90 cells and eighteen one-sided pentominoes: 46 solutions."""
    request = Request(Symmetry.UNIQUE, reductions=(Reduction.parse("redundancy"),))
    puzzle, config = load("one-sided-pentominoes-3x30"), {"stages": words, "kernel": kernel}
    assert solved(puzzle, request, "fila", config)[0].count == 46


@pytest.mark.parametrize("sifting", ["tree", "list"])
@pytest.mark.parametrize("listed", [(CORNER,), (CORNER, OTHER), ()])
def test_a_piece_with_listed_placements(listed: tuple[Cells, ...], sifting: str) -> None:
    """`fletcher` places it first; without any place for it there is no solution."""
    assert_equal_to_dlx(corners(listed), ALL, "fletcher", {"sifting": sifting})


SOMA, QUEENS = load("soma-cube"), load("queens-8")


TWO_LISTED = plane(
    box(2, 3), Piece("A", CORNER, placements=(CORNER,)), Piece("B", CORNER, placements=(OTHER,))
)


OPTIONAL = PackingPuzzle("", SquareLattice(2), box(2, 2), (Piece("A", CORNER),), optional=box(2, 2))


VARIED = plane(box(2, 3), Piece("A", CORNER, 0, 2))


FAR_APART = plane(((0, 0), (0, 1), (10**6, 10**6)), Piece("A", ((0, 0),), 3, 3))


LARGE = plane(box(200, 200), Piece("D", box(2, 1), 20_000, 20_000))


SCATTERED = [f"{x}.{y}" for x, y in product(range(22), repeat=2)]


Random(1).shuffle(SCATTERED)


REFUSED: list[tuple[str, Puzzle, Sequence[str], str]] = [
    # backend and what is asked of it, the words of settings, the reason or a part of it
    ("dlx", SIX, ["stages=z"], "stage dlx:z: cells of dimension 2 have no order z"),
    ("dlx", SIX, ["stages=s,f@6"], "begins too early for 6 pieces; expected @5 or less"),
    ("dlx", QUEENS, ["stages=f"], "picks cells, but the problem has no cells; valid heuristics: s"),
    ("fila", SOMA, ["stages=e,f@7"], "fila:f@7 begins too early for 7 pieces; expect"),
    ("fila", SOMA, ["stages=piece,f@3"], "expected a second stage @6"),
    ("fila", SOMA, ["stages=f", "-r", "volume@3"], "only dlx filters placements during the search"),
    ("fila", SOMA, ["stages=piece,f@6", "-t", "parity"], "stage piece supports neither triggers n"),
    ("fila", LARGE, [], "the region has 40,000 open cells; the limit is 16,384"),
    ("fila", QUEENS, [], "it supports packing puzzles only"),
    ("bitset", SOMA, ["-t", "volume"], "it does not support triggers (volume)"),
    ("bitset", SOMA, ["-r", "fit@3"], "it cannot filter placements during the search (fit@3); exp"),
    ("fletcher", TWO_LISTED, [], "both A and B have them"),
    ("fletcher", corners((CORNER, OTHER), 2), [], "used once, unlike A"),
    ("fletcher", VARIED, [], "used a fixed number of times"),
    ("fletcher", FAR_APART, [], "its board would take"),
    (
        "rows",
        random_board(22, 22, 2000, seed=1),
        ["order=" + ",".join(SCATTERED)],
        "bytes; the limit is 268,435,456",
    ),
]


@pytest.mark.parametrize(("backend", "puzzle", "words", "reason"), REFUSED)
def test_reasons(backend: str, puzzle: Puzzle, words: Sequence[str], reason: str) -> None:
    """The run is skipped; the reason names what is at fault, and what is valid."""
    settings = dict(word.split("=") for word in words if "=" in word)
    asked = {key: [words[k + 1]] for k, key in enumerate(words) if key in ("-r", "-t")}
    request = Request.named("all", False, asked.get("-r", []), asked.get("-t", []))
    finished = finish(execute(Job(puzzle, request, backend, settings)))
    assert finished.status == Status.SKIPPED
    assert reason in (finished.reason or "")


@pytest.mark.parametrize(
    ("limit", "value", "reason"),
    [
        ("MAX_BYTES", 10_000, "its records would take"),
        ("MAX_WORDS", 3, "its domains take 4 words of bits; the limit is 3"),
    ],
)
def test_domains_have_limits(
    limit: str, value: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boards of which `domains` cannot keep enough, or whose kernel compiles for too long."""
    monkeypatch.setattr(f"dovetail.backends.domains.search.{limit}", value)
    finished = finish(execute(Job(random_board(5, 5, 3, seed=4), backend="domains")))
    assert finished.status == Status.SKIPPED
    assert reason in (finished.reason or "")


def test_ways_to_fit_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """`rows` has an entry for each combination of colours that match a tile."""
    monkeypatch.setattr("dovetail.backends.rows.slots.MAX_OPTIONS", 600)
    plain = random_board(5, 5, 3, seed=4)
    joined = replace(plain, matches=tuple(combinations_with_replacement(range(1, 4), 2)))
    assert finish(execute(Job(plain, backend="rows"))).status != Status.SKIPPED
    finished = finish(execute(Job(joined, backend="rows")))
    assert finished.status == Status.SKIPPED
    assert "ways by the colours known in" in (finished.reason or "")
