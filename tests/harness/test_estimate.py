"""Estimates beside what whole searches count."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dovetail.backends.base import TreeEstimator
from dovetail.errors import BackendError, ConfigError, LimitError
from dovetail.harness import estimating as module
from dovetail.harness.confidence import MIN_NONZERO, Interval
from dovetail.harness.estimating import Estimate, estimate_fields
from dovetail.harness.estimating import estimate as estimate_within
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.tree_size import EstimateSource
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.job import Job, Plan
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.cover import cover
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.packings.packing import FixedPiece, PackingPuzzle
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Puzzle
from dovetail.puzzles.loading import load
from harness.known import known
from oracle.answers import counted
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


def estimate(question: Job, descents: int = module.DESCENTS) -> Estimate:
    """The estimate of a job from so many descents, however long they take."""
    return estimate_within(question, descents, time_limit=None)


def covering(nodes: int, descents: int, question: Job) -> int:
    """For how many of 20 seeds the interval has the true number of nodes."""
    jobs = [replace(question, seed=seed) for seed in range(20)]
    return sum(estimate(one, descents).nodes.covers(nodes) for one in jobs)


@pytest.fixture(autouse=True)
def _no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Node rates are not waited for."""
    monkeypatch.setattr(module, "RATE_S", 0.01)


SOMA_DLX = job("soma-cube", symmetry=Symmetry.ALL)
SOMA_FILA = job("soma-cube", "fila", "f", symmetry=Symmetry.ALL)
LARGE = [
    (256_919, 20_000, SOMA_DLX),
    (20_073_791, 200_000, job("pentominoes-6x10", "fila", "f", ("redundancy",))),
    (9_875_973, 200_000, job("pentominoes-6x10", "fila", "e", ("redundancy",))),
    (30_255_329, 5_000, job("tetris-cube", "dlx", "s", ("redundancy=L",))),
]


@pytest.mark.parametrize(
    ("nodes", "descents", "question"),
    [(861_284, 20_000, SOMA_FILA), *(pytest.param(*row, marks=pytest.mark.slow) for row in LARGE)],
)
def test_trees_are_covered(nodes: int, descents: int, question: Job) -> None:
    """By the intervals of at least 18 of 20 seeds, from fewer samples than 5 s allow."""
    assert covering(nodes, descents, question) >= 18


@pytest.mark.parametrize("reduce", [(), ("redundancy",)])
def test_a_model_where_the_samples_fail(reduce: tuple[str, ...]) -> None:
    """A descent alone rarely gets to the level that has most nodes."""
    question = job("edges-6-b4i4-1", "rows", reduce=reduce)
    result = estimate(question, 20)
    assert result.source == EstimateSource.MODEL
    nodes = result.nodes
    assert nodes.covers(56_642_230 if reduce else 188_000_000)
    assert (nodes.low, nodes.high) == (nodes.mean / 3, 3 * nodes.mean)
    assert known(result.by_remaining)[13] is None
    fields = estimate_fields(result)
    assert fields["source"] == "Owen's model"
    assert "reached the level where most nodes are expected, 23 of 36" in str(fields["why"])


@pytest.mark.parametrize(
    ("population", "source"), [(None, EstimateSource.SAMPLES), (1, EstimateSource.PROBES)]
)
@pytest.mark.parametrize("backend", ["domains"])
def test_methods_without_a_model(
    backend: str, population: int | None, source: EstimateSource
) -> None:
    """A board whose colours have signs has no model, and a population of 1 makes probes."""
    puzzle = load("edges-6-b4i4-1")
    assert isinstance(puzzle, EdgePuzzle)
    question = Job(signed_twin(puzzle, 1), Request(), backend)
    result = estimate_within(question, 2_000, None, population=population)
    assert result.source == source
    assert 0 < result.descents <= 2_000


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("backend", ["domains"])
def test_more_nodes_than_can_be_added(backend: str) -> None:
    """Are refused at once, whatever counts them, and numpy does not warn."""
    with pytest.raises(BackendError, match="more than 1e\\+150 nodes; expected a smaller puzzle"):
        estimate(job("edges-22-3-1", backend), 200)


def test_samples_of_levels() -> None:
    """They reach the last levels, where as many probes estimate too few nodes."""
    question = job("pentominoes-6x10", symmetry=Symmetry.ALL, seed=2)
    sampled = estimate_within(question, 20_000, None, population=200)
    assert sampled.descents == pytest.approx(20_000, rel=0.1)
    assert sampled.nodes.covers(3_615_971)
    assert known(sampled.solutions).covers(9356)
    assert sampled.nodes.high < 1.1 * sampled.nodes.mean
    assert sampled.source == EstimateSource.SAMPLES
    invalid: tuple[Any, ...] = (0, 10_001, 2.0)
    for population in invalid:
        expected = f"population is {population}; expected a whole number from 1 to 10,000"
        with pytest.raises(ConfigError, match=expected):
            estimate_within(question, population=population)


@dataclass
class Seconds:
    """What things take: building an estimator, a batch of estimates, and each of its descents."""

    build: float = 0.0
    batch: float = 0.0
    descent: float = 0.0


class SlowEstimator(TreeEstimator):
    """Estimates that differ and take their time, the first one more than others."""

    def __init__(self, pass_time: Callable[[float], None], seconds: Seconds, width: int) -> None:
        self._pass_time, self._seconds, self._width = pass_time, seconds, width

    def levels(self, estimates: int) -> NDArray[np.float64]:
        descents = estimates * self._width
        self._pass_time(self._seconds.batch + self._seconds.descent * descents)
        if self.probes == 0:
            self._pass_time(self._seconds.descent * self._width)
        self.probes += descents
        return np.arange(1.0, 2.0 * estimates + 1).reshape(estimates, 2)


class SlowSession:
    """What an estimate asks of a session, by a clock that stands still otherwise."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, seconds: Seconds, time_s: float | None
    ) -> None:
        self._now, self._seconds, self._time_s = 100.0, seconds, time_s
        for name in ("perf_counter", "process_time"):
            monkeypatch.setattr(time, name, lambda: self._now)
        self.clock = RunClock(time_s)
        self.plan = Plan(load("soma-cube"), Request(), "dlx")
        self.widths = list[int]()

    def tree_estimator(self, max_prefix_nodes: int, population: int) -> SlowEstimator:
        assert population == max_prefix_nodes
        self.widths.append(max_prefix_nodes)
        with self.clock.preparing:
            self._pass(self._seconds.build)
        return SlowEstimator(self._pass, self._seconds, max_prefix_nodes)

    def sampling(self, descents: int, report: Any = None) -> module._Sampling:
        """Descents of the session's search."""
        session: Any = self
        return module._Sampling(session, descents, self._time_s, report, 0)

    def _pass(self, seconds: float) -> None:
        self._now += seconds


@pytest.mark.parametrize("build", [0.0, 0.001])
@pytest.mark.parametrize("batch", [0.0, 0.02])
@pytest.mark.parametrize("descent", [1e-7, 1e-3, 0.02])
def test_a_time_limit_is_kept(
    build: float, batch: float, descent: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By batches that fit into what is left, whatever takes the time; most of it is used."""
    session = SlowSession(monkeypatch, Seconds(build, batch, descent), 1.0)
    made = session.sampling(10**6)
    rows = made.rows()
    assert len(rows) >= MIN_NONZERO
    assert session.clock.charged_s <= 1.0
    if descent > 1e-6:
        assert made.descents < 10**6
        assert session.clock.charged_s > 0.7


@pytest.mark.parametrize("seconds", [Seconds(descent=0.2), Seconds(batch=0.4), Seconds(build=2.0)])
def test_a_time_limit_that_is_too_short(seconds: Seconds, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is an error, and not exceeded by more than an estimate."""
    session = SlowSession(monkeypatch, seconds, 1.0)
    with pytest.raises(LimitError, match=r"time limit of 1 s was reached after \d estimates?, and"):
        session.sampling(10**6).rows()
    once_s = seconds.batch + 2 * seconds.descent + 2 * seconds.build
    assert session.clock.charged_s <= 1.0 + once_s


@pytest.mark.parametrize("descents", [1, 301, 10**7])
def test_estimates_make_samples(descents: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """At least 50 and at most 300, of as many estimates as are asked for."""
    session = SlowSession(monkeypatch, Seconds(), None)
    made = session.sampling(descents)
    assert 50 <= len(made.rows()) <= 300
    width = min(module.MAX_POPULATION, max(1, descents // module.ESTIMATES_PER_PREFIX))
    assert made.descents == width * max(50, descents // width)
    assert session.widths[-1] == width


# Every item is covered twice.
TWICE = cover([(one, 2, 2) for one in "abcdef"], combinations("abcdef", 2), name="twice")


@pytest.mark.parametrize(
    "puzzle",
    [*map(load, ("soma-cube", "edges-4-b3i3-1")), TWICE],
    ids=lambda one: one.name,
)
def test_auto_chooses_what_can_be_estimated(puzzle: Puzzle) -> None:
    """And the job of the estimate says what; `bitset` cannot where an item is covered twice."""
    result = estimate(Job(puzzle, Request(), AUTO), 2_000)
    assert result.job.backend in {"bitset", "dlx", "fila", "rows", "domains"}
    fields = estimate_fields(result)
    assert (fields["backend"], fields["puzzle"]) == (result.job.backend, puzzle.name)
    assert result.counted_by == ("bitset" if puzzle is TWICE else None)
    assert result.nodes == estimate(result.job, 2_000).nodes


FULL = PackingPuzzle("full", SquareLattice(1), ((0,),), (), (FixedPiece("wall", ((0,),)),))
UNCOVERED = cover(["a"], [], name="uncovered")


@pytest.mark.parametrize("descents", [100, module.DESCENTS])
@pytest.mark.parametrize("backend", ["dlx", "bitset"])
@pytest.mark.parametrize("puzzle", [FULL, UNCOVERED], ids=lambda one: one.name)
def test_a_tree_without_nodes(puzzle: Puzzle, backend: str, descents: int) -> None:
    result = estimate(Job(puzzle, Request(), backend), descents)
    assert (result.nodes.mean, result.source) == (0, EstimateSource.TREE)
    assert result.solutions is not None
    assert result.solutions.mean == counted(puzzle, AUTO).count == (puzzle is FULL)


def test_what_cannot_be_estimated() -> None:
    """Is an error that says what can."""
    with pytest.raises(ConfigError, match="cannot estimate a search; valid: auto, dlx, fila"):
        estimate(job("soma-cube", "cpsat"))
    with pytest.raises(
        BackendError, match="queens-8: fila refuses: it supports packing puzzles only"
    ):
        estimate(job("queens-8", "fila"))
    with pytest.raises(ConfigError, match="descents is 0; expected a whole number of 1 or more"):
        estimate(job("queens-8"), 0)


def test_reports_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Now and then the nodes so far are reported, and the share that is done."""
    reports = list[tuple[Interval, float]]()
    session = SlowSession(monkeypatch, Seconds(descent=1e-4), 5.0)
    session.sampling(10**6, lambda *report: reports.append(report)).rows()
    shares = [share for _, share in reports]
    assert 5 < len(reports) <= 5.0 / module.REPORT_S
    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.2
    assert 0.9 < shares[-1] <= 1
