"""How charts name their series."""

from __future__ import annotations

from dovetail.reports.results.solvers import named_first


def test_the_first_names_of_many() -> None:
    """Five at most."""
    counts = [(f"s{number}", f"{number}") for number in range(7)]
    assert named_first(counts) == "s0 0, s1 1, s2 2, s3 3, s4 4 and 2 more"
    assert named_first(counts[:1]) == "s0 0"
