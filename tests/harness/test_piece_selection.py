"""Piece selection by sampling: which is taken, that the answer stays, what is recorded."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.backends.base import TreeEstimator
from dovetail.errors import ConfigError
from dovetail.harness.planning import tree_size
from dovetail.harness.records.run_record import result_fields
from dovetail.harness.run.job import Job, Limits, PieceEstimate, PieceSelection
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cells
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from harness.known import known
from lattices.by_distance import PackingOracle
from oracle.answers import counted
from oracle.strategies import packing_puzzles


def asking(name: str, backend: str = "dlx", symmetry: str = "unique", **changes: Any) -> Job:
    """A job that asks for a probe."""
    request = Request(Symmetry(symmetry), reductions=(Reduction.parse("probe"),))
    return Job(load(name), request, backend, **changes)


def found(finished: Result) -> PieceSelection:
    """What was probed."""
    return known(finished.piece_selection)


def test_short_searches_estimate_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exactly where one comes to its end; within a few errors where none does."""
    nodes = {
        piece: counted(load("soma-cube"), symmetry="unique", reduce=[f"redundancy={piece}"]).nodes
        for piece in "LZAB"  # the others leave duplicates
    }
    for tried in found(finish(execute(asking("soma-cube")))).pieces:
        whole = known(nodes[tried.piece])
        assert tried.estimate is not None
        assert tried.error is not None
        assert tried.nodes == tree_size.SEARCHES * tree_size.NODES
        assert 0 < tried.error < whole / 2
        assert abs(tried.estimate - whole) < 3 * tried.error
    monkeypatch.setattr(tree_size, "NODES", 20_000)
    finished = finish(execute(asking("soma-cube")))
    probed = found(finished)
    exact = {tried.piece: (tried.nodes, tried.estimate, tried.error) for tried in probed.pieces}
    assert exact == {piece: (whole, whole, 0) for piece, whole in nodes.items()}
    assert probed.chosen == min(nodes, key=lambda piece: nodes[piece] or 0) == "Z"
    assert (finished.count, finished.nodes) == (480, nodes["Z"])


@pytest.mark.parametrize("seed", [0])
def test_random_descents_choose(seed: int) -> None:
    """Where a backend makes them: L for the Tetris cube; E, the next, has 40,494,739 nodes."""
    probed = found(
        finish(execute(asking("tetris-cube", "bitset", limits=Limits(nodes=1), seed=seed)))
    )
    assert probed.chosen == "L"
    estimates = {tried.piece: tried.estimate for tried in probed.pieces}
    assert len(estimates) == 12
    assert estimates["L"] == pytest.approx(30_255_329, rel=0.25)
    errors = sorted((tried.error or 0) / (tried.estimate or 1) for tried in probed.pieces)
    assert errors[3] < 0.15, "the four best have many descents"


def test_estimates_whose_squares_are_too_large_have_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Trees that are larger by 2^600 have errors that are as much larger."""
    job = asking("soma-cube", "bitset", limits=Limits(nodes=1))
    small = found(finish(execute(job)))
    totals = TreeEstimator.totals
    monkeypatch.setattr(
        TreeEstimator, "totals", lambda tree, number: totals(tree, number) * 2.0**600
    )
    large = found(finish(execute(job)))
    assert large.chosen == small.chosen
    for one, other in zip(large.pieces, small.pieces, strict=True):
        assert known(one.error) / 2**600 == pytest.approx(known(other.error), abs=1)


@pytest.mark.parametrize(
    ("sizes", "own_choice", "chosen"),
    [
        ({"A": (9, 1), "B": (5, 1), "C": (5, 0)}, "A", "B"),
        ({"A": (9, 3), "B": (5, 3)}, "A", "A"),
        ({"A": (9, 0), "B": (8, 0)}, "A", "B"),
        ({"A": (None, None), "B": (9, 1)}, "A", "A"),
        ({}, None, None),
    ],
)
def test_which_is_taken(
    sizes: dict[str, tuple[int | None, int | None]], own_choice: str | None, chosen: str | None
) -> None:
    """The smallest, unless the filter's own choice may be as small."""
    tried = [PieceEstimate(piece, 600, *size) for piece, size in sizes.items()]
    assert tree_size._smallest(tried, own_choice) == chosen


@given(packing_puzzles(), st.sampled_from(list(Symmetry)), st.permutations(["probe", "volume"]))
@settings(max_examples=8)
def test_the_answer_is_the_same(
    puzzle: PackingPuzzle, symmetry: Symmetry, reduce: list[str]
) -> None:
    """Whatever piece is taken, also where none can be."""
    plain = counted(puzzle, symmetry=symmetry)
    probed = counted(puzzle, symmetry=symmetry, reduce=reduce)
    assert (probed.count, probed.status) == (plain.count, Status.EXHAUSTED)
    assert probed.piece_selection is not None


I2, I4, L3, T4 = (
    ((0, 0, 0), (1, 0, 0)),
    ((0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0)),
    ((0, 0, 0), (1, 0, 0), (0, 1, 0)),
    ((0, 0, 0), (1, 0, 0), (2, 0, 0), (1, 1, 0)),
)
SCREW = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1))


@pytest.mark.parametrize("symmetry", ["unique", "mirror"])
@pytest.mark.parametrize(
    ("sides", "pieces"),
    [((4, 3, 1), [(T4, 1), (L3, 2), (I2, 1)]), ((2, 2, 2), [(SCREW, 1), (I2, 2)])],
)
def test_states_are_counted_in_classes(
    sides: tuple[int, int, int], pieces: list[tuple[Cells, int]], symmetry: str
) -> None:
    """A trial that goes through the whole counts classes too, whatever order its options have."""
    made = tuple(Piece(str(n), cells, count, count) for n, (cells, count) in enumerate(pieces))
    puzzle = PackingPuzzle("small", SquareLattice(3), box(*sides), made)
    expected = PackingOracle(puzzle).up_to_symmetry(mirror=symmetry == "mirror")
    for reduce in ([], ["redundancy"], ["probe"]):
        assert counted(puzzle, "zdd", symmetry, reduce=reduce).count == expected


def test_what_is_recorded() -> None:
    """The request as it was made, what was tried and taken; its nodes are not the search's."""
    job = asking("pentominoes-5x6-FLNPUY")
    finished = finish(execute(job))
    fields = json.loads(json.dumps(result_fields(job, finished), allow_nan=False))
    assert fields["reductions"] == ["probe"]
    assert set(fields["placements"]) == {"before", "redundancy"}
    assert set(fields["piece_selection"]) == {"pieces", "chosen"}
    chosen = found(finished).chosen
    alone = counted(job.puzzle, symmetry="unique", reduce=[f"redundancy={chosen}"])
    assert (finished.nodes, finished.count) == (alone.nodes, alone.count)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["probe=X"], "'probe=X'; expected redundancy, redundancy=PIECE, redundancy:"),
        (["probe", "redundancy"], "redundancy and probe both restrict a piece"),
    ],
)
def test_contradictions(words: list[str], message: str) -> None:
    """Two pieces cannot break the symmetry."""
    with pytest.raises(ConfigError, match=message):
        counted(load("soma-cube"), reduce=words)


def test_trees_that_are_too_large_for_a_float(monkeypatch: pytest.MonkeyPatch) -> None:
    """They have no estimate."""
    monkeypatch.setattr(tree_size, "SEARCHES", 3)
    row = tuple((x,) for x in range(1275))
    rods = [Piece(f"rod {size}", row[:size], min_count=0, max_count=2000) for size in range(1, 5)]
    puzzle = PackingPuzzle("row", SquareLattice(1), row, (*rods, Piece("X", row[:5])))
    request = Request(Symmetry.ALL, reductions=(Reduction.parse("probe"),))
    with pytest.raises(ConfigError, match="dlx cannot estimate the progress"):
        finish(execute(Job(puzzle, request, "dlx")))
