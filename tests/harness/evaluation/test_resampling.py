"""Intervals of geometric means: how often they cover, and what they are of few puzzles."""

from __future__ import annotations

import numpy as np
import pytest

from dovetail.harness.confidence import exactly
from dovetail.harness.evaluation.ranking import geometric_mean

TRIALS = 600
SEED = 7
# Per cent of the trials in which the interval covers the mean of equal solvers, by the number of
# puzzles; docs/solvers/methods/evaluation.md has these figures.
COVERED = {
    "normal": {6: 95, 10: 96, 20: 96, 40: 94},
    "exponential": {6: 88, 10: 90, 20: 90, 40: 96},
}


def covered(kind: str, puzzles: int, random: np.random.Generator) -> float:
    """The share of trials whose interval has 1 in it, by logarithms with a mean of 0."""
    covers = 0
    for _ in range(TRIALS):
        if kind == "normal":
            logarithms = random.normal(0.0, 1.0, puzzles)
        else:
            logarithms = random.exponential(1.0, puzzles) - 1.0
        covers += geometric_mean(np.exp(logarithms)).covers(1.0)
    return covers / TRIALS


@pytest.mark.slow
def test_coverage() -> None:
    random = np.random.default_rng(SEED)
    found = {
        kind: {puzzles: round(100 * covered(kind, puzzles, random)) for puzzles in figures}
        for kind, figures in COVERED.items()
    }
    assert found == COVERED


def test_one_puzzle_has_no_interval() -> None:
    assert geometric_mean(np.array([3.0])) == exactly(3.0)


def test_the_wider_of_two() -> None:
    """Student's t for two puzzles, of which resamples know no more than their range."""
    found = geometric_mean(np.array([1.0, 4.0]))
    assert found.mean == pytest.approx(2.0)
    assert found.low < 1.0
    assert found.high > 4.0
