"""`zdd` on several workers: each sub-problem has its own table, and counts add up."""

from __future__ import annotations

from dovetail.api import count
from dovetail.harness.workers.options import ParallelOptions

TWO = ParallelOptions(jobs=2)


def test_counts_add_up() -> None:
    """Divided at the task."""
    finished = count("latin-4", backend="zdd", symmetry="all", spread=TWO)
    assert finished.count == 576
    assert finished.parallel is not None
    assert finished.parallel.why_whole is None


def test_counts_up_to_symmetry_are_not_divided() -> None:
    """Solutions that a symmetry leaves as they are are counted for the whole puzzle."""
    finished = count("dominoes-6x6", backend="zdd", symmetry="unique", spread=TWO)
    assert finished.count == count("dominoes-6x6", backend="frontier", symmetry="unique").count
    assert finished.parallel is not None
    assert finished.parallel.why_whole == "zdd counts symmetric solutions of the whole puzzle only"
