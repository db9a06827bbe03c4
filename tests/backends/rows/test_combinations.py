"""Whatever is asked, the answer is that of `dlx`; limits, progress, and what is refused."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.backends.base import Budget
from dovetail.backends.rows.backend import RowsBackend, RowsConfig
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.edges import EdgePuzzle
from dovetail.models.outcome import Status
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.cover_classics import queens
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.polyominoes import pentominoes_in_rectangle
from golden.edge_boards import with_first_corner
from oracle.answers import solved
from oracle.brute_force import boards
from oracle.strategies import edge_puzzles

BOARD = random_board(5, 5, 4, seed=1)


@given(
    puzzle=edge_puzzles(),
    symmetry=st.sampled_from(list(Symmetry)),
    labelled=st.booleans(),
    order=st.sampled_from(["top-down", "bottom-up", "columns", "spiral"]),
    identical_tiles=st.sampled_from(["once", "each"]),
    reduce=st.sampled_from([(), ("redundancy",), ("redundancy:top-left",)]),
)
@settings(max_examples=35)
def test_any_request(
    puzzle: EdgePuzzle,
    symmetry: Symmetry,
    labelled: bool,
    order: str,
    identical_tiles: str,
    reduce: tuple[str, ...],
) -> None:
    """Random boards, signed ones too; of all solutions each one is the same."""
    reductions = tuple(map(Reduction.parse, reduce))
    request = Request(symmetry, labelled=labelled, reductions=reductions, listing=True)
    config: dict[str, object] = {"order": order, "identical_tiles": identical_tiles}
    plain = Request(symmetry, labelled=labelled, listing=True)
    expected, its_solutions = solved(puzzle, plain, "dlx", {})
    finished, solutions = solved(puzzle, request, "rows", config)
    assert (finished.status, finished.count) == (Status.EXHAUSTED, expected.count)
    if symmetry == Symmetry.ALL:
        assert solutions == its_solutions
        assert labelled or finished.count == len(boards(puzzle))


@pytest.mark.parametrize("order", ["bottom-up", "top-down"])
def test_the_fixed_corner_is_filled_first(order: str) -> None:
    """As many nodes as with that tile as a hint where the order begins, named or by its cells."""
    request = Request(reductions=(Reduction.parse("redundancy"),))
    ys = range(5) if order == "bottom-up" else reversed(range(5))
    cells = ",".join(f"{x}.{y}" for y in ys for x in range(5))
    hinted = Job(with_first_corner(BOARD, order), Request(Symmetry.ALL), "rows", {"order": order})
    expected = finish(execute(hinted))
    for words in (order, cells):
        finished = finish(execute(Job(BOARD, request, "rows", {"order": words})))
        assert (finished.count, finished.nodes) == (expected.count, expected.nodes)


@pytest.mark.parametrize("identical_tiles", ["once", "each"])
def test_limits(identical_tiles: str) -> None:
    """Those on nodes and on solutions are exact, wherever a slice ends."""
    request, config = Request(Symmetry.ALL), {"identical_tiles": identical_tiles}
    for nodes in (1, 2, 30_000, 30_001):
        finished = finish(execute(Job(BOARD, request, "rows", config, Limits(nodes=nodes))))
        assert (finished.status, finished.nodes) == (Status.NODE_LIMIT, nodes)
    some = Job(random_board(5, 5, 2, seed=1), request, "rows", config, Limits(solutions=5_001))
    finished = finish(execute(some))
    assert (finished.status, finished.count) == (Status.SOLUTION_LIMIT, 5_001)


@pytest.mark.parametrize("order", ["top-down", "spiral"])
def test_progress_goes_up(order: str) -> None:
    """From nothing to everything, slice by slice."""
    search = RowsBackend().prepare(build_task(BOARD, Request(Symmetry.ALL)), RowsConfig((order,)))
    shares = list[float]()
    status = None
    while status is None:
        share = search.progress()
        assert share is not None
        shares.append(share)
        status = search.advance(Budget(work=500))
        search.take()
    assert len(shares) > 20
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert search.progress() == pytest.approx(1)


def test_what_is_refused() -> None:
    """Other puzzles, and boards whose tables would not fit, with the reason."""
    for puzzle in (queens(4), pentominoes_in_rectangle(3, 5, "LPU")):
        finished = finish(execute(Job(puzzle, backend="rows")))
        assert (finished.status, finished.reason) == (
            Status.SKIPPED,
            "it supports edge-matching puzzles only",
        )
    cells = [f"{x}.{y}" for x, y in product(range(22), repeat=2)]
    Random(1).shuffle(cells)
    scattered = {"order": ",".join(cells)}
    job = Job(random_board(22, 22, 2000, seed=1), backend="rows", config=scattered)
    finished = finish(execute(job))
    assert finished.status == Status.SKIPPED
    assert finished.reason is not None
    assert finished.reason.startswith("its tables would take ")
    assert finished.reason.endswith("bytes; the limit is 268,435,456")
