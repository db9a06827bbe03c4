"""Estimates beside what whole searches count."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from dovetail.errors import BackendError, ConfigError
from dovetail.harness import estimating as module
from dovetail.harness.confidence import exactly
from dovetail.harness.estimating import Estimate, estimate, estimate_fields
from dovetail.harness.planning.tree_size import Source
from dovetail.harness.run.job import Job
from dovetail.models.edges import EdgePuzzle
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.puzzles.loading import load
from oracle.strategies import signed_twin


def job(
    name: str,
    backend: str = "dlx",
    stages: str | None = None,
    reduce: tuple[str, ...] = (),
    symmetry: Symmetry = Symmetry.UNIQUE,
    seed: int = 0,
) -> Job:
    """A job with these stages and reductions."""
    config = {} if stages is None else {"stages": stages}
    request = Request(symmetry, reductions=tuple(map(Reduction.parse, reduce)))
    return Job(load(name), request, backend, config, seed=seed)


def covering(nodes: int, descents: int, question: Job) -> int:
    """For how many of 20 seeds the interval has the true number of nodes."""
    jobs = [replace(question, seed=seed) for seed in range(20)]
    return sum(estimate(one, descents).nodes.covers(nodes) for one in jobs)


@pytest.fixture(autouse=True)
def _no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Node rates are not waited for."""
    monkeypatch.setattr(module, "RATE_S", 0.01)


@pytest.mark.parametrize(
    ("nodes", "descents", "question"),
    [
        pytest.param(
            256_919, 20_000, job("soma-cube", symmetry=Symmetry.ALL), marks=pytest.mark.slow
        ),
        (861_284, 200_000, job("soma-cube", "fila", "f", symmetry=Symmetry.ALL)),
    ],
    ids=["soma-dlx", "soma-fila"],
)
def test_small_trees_are_covered(nodes: int, descents: int, question: Job) -> None:
    """By the intervals of at least 18 of 20 seeds, from fewer descents than by default."""
    assert covering(nodes, descents, question) >= 18


@pytest.mark.slow
@pytest.mark.parametrize(
    ("nodes", "question"),
    [
        (892_247, job("pentominoes-6x10", "dlx", "s", ("redundancy",))),
        (20_073_791, job("pentominoes-6x10", "fila", "f", ("redundancy",))),
        (9_875_973, job("pentominoes-6x10", "fila", "e", ("redundancy",))),
        (3_791_680, job("pentominoes-5x12", "fila", "f", ("redundancy",))),
        (1_710_176, job("pentominoes-4x15", "fila", "e")),
        (861_284, job("soma-cube", "fila", "f", symmetry=Symmetry.ALL)),
        (30_255_329, job("tetris-cube", "dlx", "s", ("redundancy=L",))),
    ],
    ids=["6x10-dlx", "6x10-f", "6x10-e", "5x12-f", "4x15-e", "soma-f", "tetris-cube"],
)
def test_large_trees_are_covered(nodes: int, question: Job) -> None:
    """By the intervals of at least 18 of 20 seeds, with as many descents as by default."""
    assert covering(nodes, module.DESCENTS, question) >= 18


def test_a_small_tree_is_visited() -> None:
    """Then everything is exact and nothing is drawn."""
    result = estimate(job("queens-8", symmetry=Symmetry.ALL))
    assert (result.descents, result.by_remaining) == (0, None)
    assert result.nodes == exactly(1198)
    assert result.source == Source.TREE
    assert result.solutions == exactly(92)


def test_a_board() -> None:
    """Its levels are sampled one after another, so that few probes suffice."""
    result = estimate(job("edges-6-b4i4-1", "rows", reduce=("redundancy",)), 100_000)
    assert (result.source, result.why) == (Source.PROBES, None)
    assert result.nodes.covers(56_642_230)
    assert result.nodes.high < 1.1 * result.nodes.low


@pytest.mark.parametrize("reduce", [(), ("redundancy",)])
def test_a_model_where_the_probes_fail(reduce: tuple[str, ...]) -> None:
    """A descent alone rarely gets to the level that has most nodes."""
    question = job("edges-6-b4i4-1", "rows", reduce=reduce)
    result = estimate(question, 20)
    assert result.source == Source.MODEL
    assert result.why is not None
    assert result.why.endswith("samples reached the level where most nodes are expected, 23 of 36")
    assert result.nodes.covers(56_642_230 if reduce else 188_000_000)
    nodes = result.nodes
    assert (nodes.low, nodes.high) == (nodes.mean / 3, 3 * nodes.mean)
    assert result.by_remaining is not None
    assert result.by_remaining[13] is None
    fields = estimate_fields(question, result)
    assert (fields["source"], fields["why"]) == ("Owen's model", result.why)


def test_probes_without_a_model() -> None:
    """Are all there is for a board whose colours have signs."""
    puzzle = load("edges-6-b4i4-1")
    assert isinstance(puzzle, EdgePuzzle)
    result = estimate(Job(signed_twin(puzzle, 1), Request(), "rows"), 20)
    assert (result.source, result.why) == (Source.PROBES, None)


def test_more_nodes_than_can_be_added() -> None:
    """Are refused, whatever counts them."""
    with pytest.raises(BackendError, match="more than 1e\\+150 nodes; expected a smaller puzzle"):
        estimate(job("edges-30-b4i4-1", "rows"), 2_000)


def test_one_seed_gives_one_estimate() -> None:
    """And another seed another."""

    def drawn(seed: int) -> Estimate:
        return estimate(job("soma-cube", symmetry=Symmetry.ALL, seed=seed), 20_000)

    first = drawn(1)
    assert drawn(1).by_remaining == first.by_remaining
    assert drawn(2).by_remaining != first.by_remaining
    assert first.descents == pytest.approx(20_000, rel=0.1)


def test_figures_fit_together() -> None:
    """Means by pieces remaining add up; seconds are nodes by the rate."""
    result = estimate(job("soma-cube", symmetry=Symmetry.ALL), 20_000)
    assert result.by_remaining is not None
    means = [one.mean for one in result.by_remaining.values() if one is not None]
    assert sum(means) == pytest.approx(result.nodes.mean)
    assert result.node_rate is not None
    assert result.solve_s is not None
    assert result.solve_s.mean * result.node_rate == pytest.approx(result.nodes.mean)


def test_time_ends_the_descents_early() -> None:
    """But not before there is an interval."""
    whole = estimate(job("soma-cube", symmetry=Symmetry.ALL), 50_000)
    cut = estimate(job("soma-cube", symmetry=Symmetry.ALL), 50_000, time_limit=0.0)
    assert 0 < cut.descents < whole.descents
    assert cut.nodes.low < cut.nodes.mean < cut.nodes.high


@dataclass
class SlowEstimator:
    """A clock, and descents of so many seconds by it."""

    seconds: float
    now: float = 0.0
    descents: int = 1

    def probe(self, estimates: int) -> NDArray[np.float64]:
        """Estimates that differ."""
        self.descents += estimates
        self.now += estimates * self.seconds
        return np.arange(2.0 * estimates).reshape(estimates, 2)

    def monotonic(self) -> float:
        """As of the module `time`."""
        return self.now


@pytest.mark.parametrize("seconds", [0.0001, 0.01, 0.4, 7.0])
def test_the_clock_is_looked_at_in_time(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Late by no more than the time given, or by the estimates that an interval needs."""
    estimator = SlowEstimator(seconds)
    monkeypatch.setattr(module, "time", estimator)
    samples = module._samples(estimator.probe, 1, 10**6, time_s=1.0)
    assert len(samples) >= 10
    assert 1.0 <= estimator.now <= max(2.0, 10 * seconds) + 1e-6


@pytest.mark.parametrize("descents", [1, 60, 299, 300, 301, 1000])
def test_estimates_make_samples(descents: int) -> None:
    """At least 50 and at most 300, of as many estimates as are asked for."""
    estimator = SlowEstimator(0.0)
    samples = module._samples(estimator.probe, 1, descents, time_s=None)
    assert 50 <= len(samples) <= 300
    assert estimator.descents - 1 == max(50, descents)


def test_what_cannot_be_estimated() -> None:
    """Is an error that says what can."""
    with pytest.raises(ConfigError, match="cannot estimate a search; valid: dlx, fila"):
        estimate(job("soma-cube", "cpsat"))
    with pytest.raises(
        BackendError, match="queens-8: fila refuses: it supports packing puzzles only"
    ):
        estimate(job("queens-8", "fila"))
    with pytest.raises(ConfigError, match="descents is 0; expected a whole number of 1 or more"):
        estimate(job("queens-8"), 0)
