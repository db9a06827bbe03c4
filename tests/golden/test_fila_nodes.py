"""Rows of Busche 2018, Table 1, that FILA runs: fits and no-fits, exact."""

from __future__ import annotations

import pytest

from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.puzzles.loading import load
from oracle.answers import counted

# The article's listing of row P4, 12 pieces remaining first.
P4_ATTEMPTS = [7, 131, 3088, 28279, 126819, 200366, 386776, 1284992]
P4_ATTEMPTS += [3665538, 5722296, 3478035, 301677]
P4_FITS = [7, 131, 1744, 7994, 17275, 26950, 82406, 272072, 617667, 760374, 302256, 2339]


def row(name: str, reduce: list[str], stages: str, *, nof: bool) -> Result:
    """One row."""
    reductions = tuple(map(Reduction.parse, reduce))
    request = Request(Symmetry.UNIQUE, reductions=reductions)
    return finish(execute(Job(load(name), request, "fila", {"stages": stages, "nof": nof})))


def no_fits(finished: Result) -> int:
    """Attempts that were no fits."""
    assert finished.counters.attempts is not None
    assert finished.nodes is not None
    return finished.counters.attempts - finished.nodes


@pytest.mark.parametrize(("nof", "misses"), [(False, 13_106_789), (True, 4_682_886)])
def test_p4_and_p5(nof: bool, misses: int) -> None:
    """2,091,215 fits; P4 without NOF and with the published list, P5 with NOF."""
    finished = row("pentominoes-6x10", ["redundancy", "volume"], "piece,f@11", nof=nof)
    assert (finished.nodes, no_fits(finished), finished.count) == (2_091_215, misses, 2339)
    counters = finished.counters
    assert counters.attempts_by_remaining is not None
    assert counters.fits_by_remaining is not None
    assert list(counters.fits_by_remaining.values()) == P4_FITS
    if not nof:
        assert list(counters.attempts_by_remaining.values()) == P4_ATTEMPTS


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stages", "nof", "fits", "misses"),
    [
        ("piece,e@11", False, 48_705_459, 1_093_916_558),
        ("piece,e@11,f@3", False, 80_346_268, 1_526_897_959),
        ("piece,e@11,f@3", True, 80_346_268, 393_143_352),
    ],
    ids=["TC2", "TC3", "TC4"],
)
def test_tetris_cube(stages: str, nof: bool, fits: int, misses: int) -> None:
    """9839 solutions with L restricted to one orientation; about a minute each."""
    finished = row("tetris-cube", ["redundancy=L"], stages, nof=nof)
    assert (finished.nodes, no_fits(finished), finished.count) == (fits, misses, 9839)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stages", "nof", "fits", "misses"),
    [
        ("dlx:s,fila:e@13", False, 153_069_413, 1_094_305_862),
        ("dlx:s,fila:e@13,fila:f@3", False, 185_469_244, 1_203_943_050),
        ("dlx:s,fila:e@13,fila:f@3", True, 185_469_244, 291_191_337),
    ],
    ids=["PT3", "PT4", "PT5"],
)
def test_diamond(stages: str, nof: bool, fits: int, misses: int) -> None:
    """51,184 solutions; about half a minute each."""
    name, reduce = "tetro-pentominoes-diamond-13", ["redundancy", "volume@13"]
    finished = row(name, reduce, stages, nof=nof)
    assert (finished.nodes, no_fits(finished), finished.count) == (fits, misses, 51_184)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reduce", "fits"), [([], 1_816_931_170), (["volume"], 1_771_195_065)], ids=["OP1", "OP2"]
)
def test_one_sided_pentominoes_by_sets(reduce: list[str], fits: int) -> None:
    """By `bitset`, which makes the nodes of `dlx`; five to eight minutes each."""
    finished = counted(
        load("one-sided-pentominoes-5x18"),
        "bitset",
        symmetry="unique",
        reduce=["redundancy:one-sided", *reduce],
    )
    assert (finished.nodes, finished.count) == (fits, 686_628)
