"""Counts that are guarded: copy this folder, put a puzzle of yours into it, and record anew."""

import pytest


@pytest.mark.parametrize("backend", ["dlx", "bitset"])
def test_courtyard(solution_count, backend):
    """The puzzle in the file beside this one, by two backends."""
    assert solution_count("courtyard.toml", backend).count == 6


def test_every_placement(solution_count):
    """Boards turned and mirrored count, too; nobody told how many: what is recorded is guarded."""
    solution_count("courtyard.toml", "dlx", symmetry="all")


def test_eight_queens(solution_count):
    """92 is a fact of its own, found by others: it stands in the test as well."""
    result = solution_count("queens-8", "dlx", symmetry="all")
    assert result.count == 92
