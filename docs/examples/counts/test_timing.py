"""How long a search takes, beside what it has to find: for those who have pytest-benchmark."""

import pytest

pytest.importorskip("pytest_benchmark")


def test_how_long_it_takes(solution_count, benchmark):
    """Only the search is timed (pytest-benchmark); each round has to find what is recorded."""
    solution_count("queens-8", "dlx", symmetry="all", benchmark=benchmark, rounds=3)
