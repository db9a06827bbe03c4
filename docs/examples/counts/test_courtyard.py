"""Regression tests for counts. Copy this folder, add your puzzle, and record its counts."""

import pytest


@pytest.mark.parametrize("backend", ["dlx", "bitset"])
def test_courtyard(solution_count, backend):
    """Count the puzzle of a file in this folder with two backends."""
    assert solution_count("courtyard.toml", backend).count == 6


def test_every_placement(solution_count):
    """Count rotated and reflected solutions separately; the recorded count is the only check."""
    solution_count("courtyard.toml", "dlx", symmetry="all")


def test_eight_queens(solution_count):
    """Check the recorded count, and also assert the published count 92."""
    result = solution_count("queens-8", "dlx", symmetry="all")
    assert result.count == 92
