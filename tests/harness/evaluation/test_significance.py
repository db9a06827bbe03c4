"""Tests of solvers against published examples and against scikit-posthocs."""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
import pytest

from dovetail.harness.evaluation.significance import (
    critical_difference,
    holm_adjusted,
    nemenyi_difference,
    pair_tests,
)
from harness.evaluation.contested import answers, contests_of
from harness.known import known

pytest.importorskip("scipy", reason="the extra evaluation is not installed")

# The example of the critical-difference diagram in the documentation of scikit-posthocs: scores of
# eight models by `default_rng(1)`, here with the pairs that its `posthoc_nemenyi_friedman` (version
# 0.17.1) finds no different, p > 0.05, its average ranks, and Friedman's p by scipy.
LOCATIONS = (0.2, 0.2, 0.4, 0.5, 0.7, 0.7, 0.8, 0.9)
AVERAGE_RANKS = (1.6667, 1.5333, 2.9333, 3.9667, 5.6667, 5.9000, 6.8000, 7.5333)
ALIKE = {(1, 2), (1, 3), (2, 3), (3, 4), (4, 5), (5, 6), (5, 7), (5, 8), (6, 7), (6, 8), (7, 8)}
FRIEDMAN_P = 6.787361102785178e-37


def test_the_diagram_of_scikit_posthocs() -> None:
    random = np.random.default_rng(1)
    scores = [random.normal(loc=location, scale=0.1, size=30) for location in LOCATIONS]
    times = {f"model {n}": tuple(np.exp(row)) for n, row in enumerate(scores, start=1)}
    found = known(critical_difference(contests_of(answers(times))[0]))
    ranks = {f"model {n}": rank for n, rank in enumerate(AVERAGE_RANKS, start=1)}
    assert found.solvers == tuple(sorted(ranks, key=lambda solver: ranks[solver]))
    assert found.ranks == pytest.approx(sorted(AVERAGE_RANKS), abs=1e-4)
    assert found.friedman_p == pytest.approx(FRIEDMAN_P, rel=1e-9)
    joined = {
        tuple(sorted(int(found.solvers[place].split()[1]) for place in pair))
        for first, last in found.groups
        for pair in combinations(range(first, last + 1), 2)
    }
    assert joined == ALIKE


# J. Demšar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7 (2006): table
# 5 (a), quantiles of Nemenyi's test at 5 % for two to ten classifiers, and the example of section
# 3.2.
QUANTILES = (1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164)


def test_nemenyi_difference_by_the_published_table() -> None:
    for solvers, quantile in enumerate(QUANTILES, start=2):
        expected = quantile * math.sqrt(solvers * (solvers + 1) / (6 * 14))
        assert nemenyi_difference(solvers, 14) == pytest.approx(expected, abs=1e-3)
    assert round(nemenyi_difference(4, 14), 2) == 1.25


def test_holm_by_hand() -> None:
    """The least p times 4, the next times 3, …; never below one before, and 1 at most."""
    assert holm_adjusted([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm_adjusted([0.9, 0.8]) == [1.0, 1.0]
    assert holm_adjusted([]) == []


def signed_rank_p(differences: list[float]) -> float:
    """Wilcoxon's p by its definition: all signs of the ranks are equally likely."""
    order = sorted(map(abs, differences))
    ranks = [order.index(abs(d)) + 1 for d in differences]
    observed = sum(rank for rank, d in zip(ranks, differences, strict=True) if d > 0)
    total = sum(ranks)
    extreme = max(observed, total - observed)
    signs = list(product((0, 1), repeat=len(ranks)))
    sums = [sum(r for r, s in zip(ranks, choice, strict=True) if s) for choice in signs]
    return sum(one >= extreme or total - one >= extreme for one in sums) / len(signs)


def test_pairs_by_the_definition_of_the_test() -> None:
    """Solvers whose times differ by other factors on each of seven puzzles."""
    times = {"A": (1.0,) * 7, "B": (2.0, 3.0, 5.0, 7.0, 0.9, 11.0, 13.0)}
    (found,) = pair_tests(contests_of(answers(times))[0])
    differences = [math.log(a / b) for a, b in zip(times["A"], times["B"], strict=True)]
    assert (found.first, found.second) == ("A", "B")
    assert found.p == found.holm_p == pytest.approx(signed_rank_p(differences))
    assert found.is_significant


def test_solvers_that_are_equally_fast_do_not_differ() -> None:
    contest = contests_of(answers(dict.fromkeys("ABC", (1.0,) * 8)))[0]
    assert [test.p for test in pair_tests(contest)] == [1.0] * 3
    found = known(critical_difference(contest))
    assert (found.friedman_p, found.groups) == (1.0, ((0, 2),))
