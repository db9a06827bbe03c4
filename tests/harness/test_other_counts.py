"""Counts by another symmetry, where the same search determines them."""

from functools import cache

import pytest

import dovetail
from dovetail.harness.parameters import make_jobs
from dovetail.harness.workers.options import ParallelOptions
from dovetail.harness.workers.runs import Runs, finish
from dovetail.models.request import Symmetry
from dovetail.reports.describe.result import describe_result

# Symmetric solutions, a solid, a board, a cover problem.
PUZZLES = ("dominoes-4x4", "soma-cube", "edges-4-b3i3-1", "queens-6")
BACKENDS = ("dlx", "bitset", "frontier", "zdd")


def counted(name: str, backend: str, symmetry: str, **more: object) -> dovetail.Result:
    return dovetail.count(name, backend, symmetry=symmetry, **more)  # type: ignore[arg-type]


@cache
def number(name: str, symmetry: str) -> int | None:
    return counted(name, "dlx", symmetry).count


@pytest.mark.parametrize(
    ("name", "backend"),
    [
        (name, backend)
        for name in PUZZLES
        for backend in BACKENDS
        if backend != "frontier" or name not in ("edges-4-b3i3-1", "queens-6")
    ],
)
def test_others_are_what_another_count_finds(name: str, backend: str) -> None:
    """By searches that merge states, expand images, keep least images, or sort into classes."""
    for symmetry in Symmetry:
        for reduce in [()] if name.startswith("queens") else [(), ("redundancy",)]:
            result = counted(name, backend, symmetry, reduce=reduce)
            assert result.count == number(name, symmetry)
            for other, count in result.other_counts.items():
                assert other != symmetry
                assert count == number(name, other)
            assert symmetry == Symmetry.ALL or result.other_counts


def test_labelled_tiles_and_workers() -> None:
    """Every turn of a labelled board is another board. Where all classes are whole, parts do."""
    board = counted("edges-4-b3i3-1", "rows", "unique", reduce=["redundancy"], labelled=True)
    assert (board.count, board.other_counts) == (2, {"all": 8})
    assert counted("edges-4-b3i3-1", "rows", "all", labelled=True).count == 8
    jobs = make_jobs(["pentominoes-5x6-FLNPUY"], "bitset", symmetry="unique", reduce=["redundancy"])
    with Runs(jobs, ParallelOptions(2)) as runs:
        divided = finish(runs.run(0))
    assert divided.parallel is not None
    assert (divided.count, divided.other_counts) == (10, {"all": 40})


def test_only_exhausted_searches_know() -> None:
    """A lower bound of one count is no count of another."""
    cut = counted("pentominoes-5x6-FLNPUY", "dlx", "unique", limit=3)
    assert (cut.count, cut.other_counts) == (3, {})
    none = counted("pentominoes-5x6-FLNPUY", "dlx", "all")
    assert (none.count, none.other_counts) == (40, {})


@pytest.mark.parametrize(
    ("name", "symmetry", "line"),
    [
        ("soma-cube", "mirror", "soma-cube: 240 solutions up to rotation and reflection; 11,520 "),
        ("edges-4-b3i3-1", "mirror", "edges-4-b3i3-1: 1 solution up to rotation; 4 in all"),
        ("hexominoes-14x15", "unique", "hexominoes-14x15: 0 solutions: parity: "),
    ],
)
def test_which_solutions_count(name: str, symmetry: str, line: str) -> None:
    result = counted(name, "auto", symmetry)
    assert result.job is not None
    assert describe_result(result.job, result).startswith(line)
