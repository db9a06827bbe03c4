"""Time a search and check its count; needs pytest-benchmark."""

import pytest

pytest.importorskip("pytest_benchmark")


def test_how_long_it_takes(solution_count, benchmark):
    """Time only the search; each round must find the recorded count."""
    solution_count("queens-8", "dlx", symmetry="all", benchmark=benchmark, rounds=3)
