"""What every backend has to do, on the same small puzzles.

The backends come from the registry: a new one is tested here without a line being added.
"""

from __future__ import annotations

import time
from dataclasses import is_dataclass

import pytest
from hypothesis import given, settings

from dovetail.backends.config import build_config
from dovetail.backends.registry import backends
from dovetail.errors import ConfigError
from dovetail.harness.execution.launch import finish, run
from dovetail.harness.run.job import Job, Limits, RandomOrder
from dovetail.models.cover import CoverProblem, cover_problem
from dovetail.models.edges import EdgePuzzle, Hint
from dovetail.models.lattice import SquareLattice
from dovetail.models.outcome import Status
from dovetail.models.packing import FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle, build_task
from dovetail.puzzles.cover_classics import langford, queens
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.polyominoes import (
    box,
    one_sided_pentominoes_in_rectangle,
    pentominoes_in_rectangle,
)
from oracle.answers import counted, listed
from oracle.brute_force import boards, covers, packings
from oracle.strategies import cover_problems, signed_twin

NAMES = [name for name, backend in backends().items() if backend.missing() is None]

SIX_PIECES = pentominoes_in_rectangle(5, 6, "FLNPUY")
PLANE = SquareLattice(2)
MONOMINO = ((0, 0),)
DOMINO = ((0, 0), (1, 0))
CORNER = ((0, 0), (1, 0), (0, 1))
ELL = ((0, 0), (1, 0), (2, 0), (2, 1))


def packing(name: str, region: tuple[tuple[int, ...], ...], *pieces: Piece) -> PackingPuzzle:
    """A packing puzzle in the plane."""
    return PackingPuzzle(name, PLANE, region, pieces)


def copies(count: int, cells: tuple[tuple[int, ...], ...], motions: Motions) -> Piece:
    """One piece, used `count` times."""
    return Piece("A", cells, min_count=count, max_count=count, motions=motions)


# Puzzles that the oracle counts by filling cells.
PLAIN_PACKINGS = [
    packing("dominoes-4x4", box(4, 4), copies(8, DOMINO, Motions.FREE)),
    packing("upright-dominoes", box(3, 2), copies(3, ((0, 0), (0, 1)), Motions.FIXED)),
    packing("two-free-ells", box(4, 2), copies(2, ELL, Motions.FREE)),
    packing("two-one-sided-ells", box(4, 2), copies(2, ELL, Motions.ONE_SIDED)),
    packing("corners-2x3", box(2, 3), Piece("A", CORNER), Piece("B", ((0, 0), (0, 1), (1, 1)))),
    pentominoes_in_rectangle(3, 5, "LPU"),
    PackingPuzzle(
        "boxes-2x2x2",
        SquareLattice(3),
        box(2, 2, 2),
        (Piece("A", ((0, 0, 0), (1, 0, 0)), min_count=4, max_count=4),),
    ),
    PackingPuzzle(
        "hyper-dominoes",
        SquareLattice(4),
        box(2, 1, 2, 2),
        (Piece("A", ((0, 0, 0, 0), (0, 0, 0, 1)), min_count=4, max_count=4),),
    ),
]

# Puzzles counted by hand: (puzzle, symmetry, labelled, count).
COUNTED: list[tuple[Puzzle, str, bool, int]] = [
    (PLAIN_PACKINGS[0], "unique", False, 9),  # OEIS A060312: domino tilings up to symmetry
    (pentominoes_in_rectangle(5, 6, "FLNPUY"), "unique", False, 10),
    (packing("two-dominoes", box(2, 2), copies(2, DOMINO, Motions.FREE)), "all", True, 4),
    (packing("two-dominoes", box(2, 2), copies(2, DOMINO, Motions.FREE)), "unique", True, 1),
    (
        PackingPuzzle("corner-in-square", PLANE, box(2, 2), (Piece("A", CORNER),), (), box(2, 2)),
        "all",
        False,
        4,
    ),
    (
        PackingPuzzle("middle", PLANE, box(3, 1), (Piece("A", DOMINO),), (), ((0, 0), (2, 0))),
        "unique",
        False,
        1,
    ),
    (
        PackingPuzzle(
            "beside-a-wall",
            PLANE,
            box(3, 2),
            (copies(2, DOMINO, Motions.FREE),),
            fixed=(FixedPiece("*", ((0, 0), (0, 1))),),
        ),
        "all",
        False,
        2,
    ),
    (
        packing(
            "held-down",
            box(2, 2),
            Piece("A", DOMINO, placements=(((0, 0), (1, 0)),)),
            Piece("B", DOMINO),
        ),
        "all",
        False,
        1,
    ),
    # Two dominoes 2 ways, one and two monominoes 4 ways, four monominoes 1 way.
    (
        packing(
            "up-to",
            box(2, 2),
            Piece("A", DOMINO, 0, 2),
            Piece("B", MONOMINO, min_count=0, max_count=4),
        ),
        "all",
        False,
        7,
    ),
    (queens(6), "all", False, 4),
    (queens(6), "unique", False, 1),
    (queens(3), "all", False, 0),
    (langford(4), "all", False, 2),
    (langford(4), "unique", False, 1),
    (cover_problem("no-options", ["a"], []), "all", False, 0),
    (cover_problem("nothing", [], []), "all", False, 1),
    (
        PackingPuzzle("all-fixed", PLANE, box(1, 1), (), (FixedPiece("*", box(1, 1)),)),
        "unique",
        False,
        1,
    ),
    (cover_problem("one-way", ["a", "b"], [["a", "b"], ["a"]]), "all", False, 1),
]

BOARD = random_board(3, 2, 2, seed=5)
MANY_BOARDS = random_board(4, 4, 2, seed=2)  # 388 solutions
LONG_BOARD = random_board(10, 10, 6, seed=1)
IMPOSSIBLE_PACKING = pentominoes_in_rectangle(1, 60)
IMPOSSIBLE_BOARD = EdgePuzzle("impossible", 2, 1, ((0, 1, 0, 0), (0, 0, 0, 2)))
LONG_PACKING = one_sided_pentominoes_in_rectangle(9, 10)
BOARDS = [
    BOARD,
    random_board(2, 2, 1, seed=1),
    signed_twin(BOARD, seed=8),
    EdgePuzzle("hinted", 3, 2, BOARD.tiles, hints=(Hint(0, 0, 1, 1),)),
]

COVERS = [
    cover_problem(
        "coloured",
        ["a", "b", "c"],
        [["a", ("s", 1)], ["a", ("s", 2)], ["b", ("s", 1)], ["b", "s"], ["c", ("s", 1)], ["c"]],
        secondary=["s"],
    ),
    cover_problem(
        "bounded",
        [("a", 1, 2), ("b", 0, 3), "c"],
        [["a", "c"], ["a", "b"], ["b", ("s", 1)], ["b", ("s", 2)], ["a", "b", ("s", 1)], ["c"]],
        secondary=["s"],
    ),
]


def taken_by(backend: str, *puzzles: Puzzle) -> Puzzle:
    """The first of `puzzles` that a backend does not refuse."""
    chosen = backends()[backend]
    for puzzle in puzzles:
        if chosen.refuses(build_task(puzzle, Request(Symmetry.ALL)), chosen.config_type()) is None:
            return puzzle
    raise AssertionError(f"{backend} takes none of them")


def takes_covers(backend: str) -> bool:
    """Whether a backend takes bare cover problems; others are for one kind of puzzle only."""
    return taken_by(backend, queens(6), SIX_PIECES, MANY_BOARDS) == queens(6)


def answered(backend: str, puzzle: Puzzle, symmetry: str = "all", *, labelled: bool = False) -> int:
    """The count, or a skip of the test where the backend refuses and says why."""
    finished = counted(puzzle, backend, symmetry, labelled=labelled)
    if finished.status == Status.SKIPPED:
        assert finished.reason
        pytest.skip(finished.reason)
    assert finished.status == Status.EXHAUSTED, finished.reason
    assert finished.count is not None
    return finished.count


@pytest.mark.parametrize("backend", NAMES)
@pytest.mark.parametrize("puzzle", PLAIN_PACKINGS, ids=lambda puzzle: puzzle.name)
def test_packings(backend: str, puzzle: PackingPuzzle) -> None:
    """Pieces with copies and every kind of motion, in two to four dimensions."""
    assert answered(backend, puzzle) == packings(puzzle)


@pytest.mark.parametrize("backend", NAMES)
@pytest.mark.parametrize(
    ("puzzle", "symmetry", "labelled", "count"),
    COUNTED,
    ids=[f"{p.name}-{s}{'-labelled' * lab}" for p, s, lab, _ in COUNTED],
)
def test_counts(backend: str, puzzle: Puzzle, symmetry: str, labelled: bool, count: int) -> None:
    """Optional cells, fixed pieces, listed placements, ranges of copies, symmetry, labels."""
    assert answered(backend, puzzle, symmetry, labelled=labelled) == count


@pytest.mark.parametrize("backend", NAMES)
@pytest.mark.parametrize("puzzle", BOARDS, ids=lambda puzzle: puzzle.name)
def test_boards(backend: str, puzzle: EdgePuzzle) -> None:
    """Oblong boards, identical tiles, signed colours, hints."""
    assert answered(backend, puzzle) == len(boards(puzzle))


@pytest.mark.parametrize("backend", NAMES)
@pytest.mark.parametrize("problem", COVERS, ids=lambda problem: problem.name)
def test_covers_are_listed(backend: str, problem: CoverProblem) -> None:
    """Colours and bounds; the solutions themselves are right, not only their number."""
    finished, solutions = listed(problem, backend)
    if finished.status == Status.SKIPPED:
        pytest.skip(finished.reason or "")
    assert solutions == covers(problem)
    assert finished.count == finished.verified == len(solutions)


@pytest.mark.parametrize("backend", NAMES)
@given(problem=cover_problems(unit_bounds=True))
@settings(max_examples=25)
def test_random_covers(backend: str, problem: CoverProblem) -> None:
    """Random problems whose items are covered once, which every family can take."""
    finished, solutions = listed(problem, backend)
    if finished.status == Status.SKIPPED:
        assert not takes_covers(backend)
        return
    assert finished.status == Status.EXHAUSTED
    assert solutions == covers(problem)


@pytest.mark.parametrize("backend", NAMES)
def test_solution_limit(backend: str) -> None:
    """A limit on solutions is kept exactly."""
    puzzle = taken_by(backend, queens(6), SIX_PIECES, MANY_BOARDS)
    finished, solutions = listed(puzzle, backend, limits=Limits(solutions=3))
    assert (finished.status, finished.count, len(solutions)) == (Status.SOLUTION_LIMIT, 3, 3)


@pytest.mark.parametrize("backend", NAMES)
def test_time_limit(backend: str) -> None:
    """A run is cut near its limit, and says that its count is a lower bound.

    Run where it belongs: a search that cannot be sliced goes on in its process until that ends.
    """
    puzzle = taken_by(backend, queens(20), LONG_PACKING, LONG_BOARD)
    request = Request(Symmetry.ALL)
    job = Job(puzzle, request, backend, limits=Limits(time_s=0.2))
    finished = finish(run(job))
    assert finished.status == Status.TIME_LIMIT
    chosen = backends()[backend]
    search = chosen.prepare(build_task(puzzle, request), chosen.config_type())
    assert (finished.count is None) == search.counts_only
    assert finished.solve_s < 1.0


@pytest.mark.parametrize("backend", NAMES)
def test_node_limit(backend: str) -> None:
    """A backend that counts nodes stops at the one asked for; others refuse, saying so."""
    finished = counted(
        taken_by(backend, queens(6), SIX_PIECES, MANY_BOARDS), backend, limits=Limits(nodes=10)
    )
    if finished.status == Status.SKIPPED:
        assert finished.reason is not None
        assert "counts no nodes" in finished.reason
    else:
        assert (finished.status, finished.nodes) == (Status.NODE_LIMIT, 10)


@pytest.mark.parametrize("backend", NAMES)
def test_nodes_mean_what_it_says(backend: str) -> None:
    """It counts nodes just if it says what one is, also where nothing had to be searched."""
    meaning = backends()[backend].node_meaning
    for puzzles in ((queens(6), SIX_PIECES, MANY_BOARDS), (IMPOSSIBLE_PACKING, IMPOSSIBLE_BOARD)):
        finished = counted(taken_by(backend, *puzzles), backend)
        assert finished.status == Status.EXHAUSTED
        assert (finished.nodes is None) == (meaning is None)
    if meaning is not None:  # it completes "a node is …"
        assert meaning
        assert meaning.isprintable()
        assert not meaning.endswith(".")


@pytest.mark.parametrize("backend", NAMES)
def test_nothing_is_timed_twice(backend: str) -> None:
    """Prepare, solve and check together take no longer than the whole run does."""
    puzzle = taken_by(backend, queens(8), SIX_PIECES, MANY_BOARDS)
    counted(puzzle, backend)
    begun = time.perf_counter()
    finished = counted(puzzle, backend)
    timed_s = finished.warm_up_s + finished.total_s + finished.check_s
    assert timed_s <= time.perf_counter() - begun
    assert 0 < finished.solve_cpu_s <= finished.solve_s * 1.1


@pytest.mark.parametrize("backend", NAMES)
def test_the_same_twice(backend: str) -> None:
    """Runs are deterministic: counts and counters repeat."""
    puzzle = taken_by(backend, queens(6), SIX_PIECES, MANY_BOARDS)
    first, second = counted(puzzle, backend), counted(puzzle, backend)
    assert first.outcome == second.outcome


@pytest.mark.parametrize("backend", NAMES)
@pytest.mark.parametrize("puzzle", [*PLAIN_PACKINGS, SIX_PIECES], ids=lambda puzzle: puzzle.name)
def test_random_order(backend: str, puzzle: PackingPuzzle) -> None:
    """An order of the options does not change the answer; who has no use for it refuses."""
    finished = finish(run(Job(puzzle, backend=backend, random=RandomOrder(1))))
    if backends()[backend].by_option_order:
        expected = counted(puzzle, "dlx", "unique")
        assert (finished.status, finished.count) == (Status.EXHAUSTED, expected.count)
    else:
        assert finished.status == Status.SKIPPED
        assert finished.reason


@pytest.mark.parametrize("backend", NAMES)
def test_config_is_checked(backend: str) -> None:
    """A config is a frozen dataclass with defaults; an unknown key is an error."""
    config_type = backends()[backend].config_type
    assert is_dataclass(config_type)
    assert config_type() == config_type()
    with pytest.raises(ConfigError, match="has no config key 'nonsense'; valid: "):
        build_config(config_type, {"nonsense": "1"}, f"backend {backend}")
