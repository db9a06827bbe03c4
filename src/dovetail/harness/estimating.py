"""Estimates of the size of a search tree and of the search time, from samples of the tree.

An estimate samples the nodes of each level, or makes random probes if the population is 1
(`backends.shared.tree_estimator`). The number of sampled nodes is fixed in advance, because a rule
that depends on the estimates would bias them. A time limit may end the sampling early. If few
samples reach the levels with most nodes, the estimate of a model of the puzzle is used instead,
provided that there is a model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import TreeEstimator
from dovetail.backends.registry import backends, backends_that, overrides
from dovetail.errors import BackendError, ConfigError, LimitError, how_many, show
from dovetail.harness.confidence import MIN_NONZERO, Interval, exactly, mean_interval
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import named_backend
from dovetail.harness.planning.planner import check_one_search, lowered_quietly, session_of
from dovetail.harness.planning.tree_size import EstimateSource, by_model, samples_fail
from dovetail.harness.records.fields import json_fields
from dovetail.harness.records.run_record import job_fields
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.session import Session
from dovetail.harness.sizes import parse_seconds
from dovetail.plain_data import plain
from dovetail.printable import Reported

DESCENTS = 2_000_000
TIME_LIMIT = "5s"
# Backends that `auto` does not choose, because each estimate builds the tables of many parts.
TAKES_LONG = ("fila",)
CANNOT = "it cannot estimate a search"
# The default population is at most the wanted number of samples divided by this number, but not
# below 1.
ESTIMATES_PER_PREFIX = 100
# Maximum number of samples for an interval, and minimum number of estimates that are planned. With
# more than `SAMPLES` estimates, each sample is the mean of several estimates.
SAMPLES, MIN_SAMPLES = 300, 50
# Maximum number of samples in a batch of estimates. The clock is read after each batch, and some
# work is done only once for all estimates of a batch.
SAMPLES_AT_ONCE = 10
# Maximum duration of the search that measures the node rate, in seconds and as a share of the time
# limit.
RATE_S, RATE_SHARE = 0.5, 0.1
# Maximum ratio of the size of a batch to the number of all earlier estimates, and maximum ratio of
# a population to the population that is tried before it.
WIDER = 4
# Minimum number of seconds between two reports.
REPORT_S = 0.25
STEERED = "the search learns from failures, and may visit fewer nodes or a few percent more"
SHARED = "the sampled tree is without symmetry breaking, which is expected to leave {:.0%} of it"
# Maximum number of nodes; its square is still a finite floating-point number.
MAX_NODES = 1e150

# Maximum population. The time limit cannot end an estimate, which takes a few seconds at this size.
MAX_POPULATION = 10_000

OnReport = Callable[[Interval, float], object]


@dataclass(frozen=True, repr=False)
class Estimate(Reported):
    """An estimate of a search from samples of its tree.

    The confidence level of intervals from samples is 95 %.

    >>> estimate("queens-6", "dlx", symmetry="all", time_limit="1m").solutions.mean
    4.0
    """

    job: Job = field(repr=False)
    """The job, with the choice of `auto`."""
    nodes: Interval
    """Number of nodes."""
    by_remaining: dict[int, Interval | None] | None
    """Number of nodes by the number of pieces remaining, from samples even if `nodes` is from a
    model. None if solutions can differ in their number of pieces; a value is None if too few
    samples have such nodes."""
    solutions: Interval | None
    """Number of solutions that the search would find, before symmetry expansion; None if too few
    samples have solutions."""
    descents: int
    """Number of random probes, or of nodes sampled of each level; 0 if the whole tree was visited,
    because it is small."""
    sampling_s: float
    node_rate: float | None
    """Nodes per second of a short search, including nodes that known states save; None if there was
    no time for a search, or if the search visited no node."""
    solve_s: Interval | None
    """Seconds of the whole search at the rate `node_rate`; None if the rate is unknown."""
    source: EstimateSource
    """Source of `nodes`. The interval of a model extends from a third to three times its
    estimate."""
    why: str | None = None
    """Reason for using a model, or a note that the search may visit more or fewer nodes than the
    tree that was sampled: the backend learns, or images are compared to break symmetry."""
    counted_by: str | None = None
    """Backend that `auto` would choose for counting; None if this backend can be estimated."""
    sampled_levels: bool = False
    """Whether an estimate samples levels; False if it makes random probes."""


def estimate(
    job: Job,
    descents: int = DESCENTS,
    time_limit: float | str | None = TIME_LIMIT,
    on_report: OnReport | None = None,
    population: int | None = None,
) -> Estimate:
    """Estimate the search of a job, regardless of its limits, from about `descents` samples.

    An estimate samples `population` nodes of each level, by default as many as `descents` and the
    time limit allow, or makes random probes if `population` is 1. `descents` is the total number of
    nodes sampled of each level, or the number of probes.

    `auto` chooses among the backends that can be estimated. `time_limit` is read by `parse_seconds`
    and limits the time of preparing and sampling; None means no limit. Samples with the same seed
    and population are the same on every machine unless the time limit ends them. The default
    population depends on the speed of the machine if there is a time limit. `on_report` is called
    repeatedly with the interval of the number of nodes and the share of the work that is done.

    Raises `ConfigError` for an invalid argument, for a backend that cannot be estimated, for a
    random order, and for triggers and filters during the search. Raises `BackendError` if the
    backend refuses the puzzle or cannot estimate this search, and for too large a tree. Raises
    `LimitError` if the time limit is reached before there are enough estimates for an interval.
    """
    if type(descents) is not int or descents < 1:
        raise ConfigError(f"descents is {show(descents)}; expected a whole number of 1 or more")
    if population is not None and (
        type(population) is not int or not 1 <= population <= MAX_POPULATION
    ):
        shown = show(population)
        raise ConfigError(
            f"population is {shown}; expected a whole number from 1 to {MAX_POPULATION:,}"
        )
    backend = named_backend(job.backend)
    if backend is not None and not overrides(backend, "tree_estimator"):
        valid = backends_that(lambda other: overrides(other, "tree_estimator"))
        raise ConfigError(f"backend {job.backend} cannot estimate a search; valid: {AUTO}, {valid}")
    check_one_search(job, "estimates")
    time_s = None if time_limit is None else parse_seconds(time_limit)
    clock, limited = RunClock(time_s), replace(job, limits=Limits(time_s))
    lowered = lowered_quietly(limited, clock)
    excluded = {
        name: CANNOT
        for name, other in backends().items()
        if not overrides(other, "tree_estimator") or name in TAKES_LONG
    }
    while True:
        session, counted_by = session_of(limited, clock, lowered), None
        if job.backend == AUTO and session.plan.backend in excluded:
            counted_by = session.plan.backend
            session = session_of(limited, clock, lowered, excluded)
        with session.begun():
            for rule in session.task.post_placement_rules:
                raise ConfigError(
                    f"estimates do not support checks during the search ({rule}); expected no "
                    "trigger, and only filters before the search"
                )
            try:
                sampling = _Sampling(session, descents, time_s, on_report, population or 0)
                return replace(_estimated(job, session, sampling), counted_by=counted_by)
            except _NoEstimatorError:
                if job.backend != AUTO:
                    raise
                excluded[session.plan.backend] = CANNOT


def estimate_fields(estimated: Estimate) -> dict[str, Any]:
    """Return the fields of a job and its estimate, as `--json` prints them."""
    fields = {name: plain(value) for name, value in vars(estimated).items() if name != "job"}
    if estimated.by_remaining is not None:
        fields["by_remaining"] = [
            {"remaining": remaining, "fits": plain(interval)}
            for remaining, interval in sorted(estimated.by_remaining.items())
        ]
    return {**json_fields(job_fields(estimated.job)), **fields}


class _NoEstimatorError(BackendError):
    """Raised if a backend cannot estimate its search of a puzzle."""


def _estimated(job: Job, session: Session, sampling: _Sampling) -> Estimate:
    """Sample the search tree of a session and return the estimate."""
    plan = session.plan
    planned = replace(job, backend=plan.backend, config=plan.config, request=plan.request)
    rows = sampling.rows()
    interval = mean_interval if sampling.descents else _same
    columns = rows[:, :-1]
    source = EstimateSource.SAMPLES if sampling.samples_levels else EstimateSource.PROBES
    source = source if sampling.descents else EstimateSource.TREE
    why = STEERED if session.backend.learns else None
    if session.least_images is not None:
        why = SHARED.format(session.least_images.share)
    nodes = interval(columns.sum(axis=1))
    expected = None
    if sampling.descents:
        expected = session.backend.expected_levels(session.task, session.config)
    if expected is not None and (failure := samples_fail(rows, expected)) is not None:
        source, why, nodes = EstimateSource.MODEL, failure, by_model(expected)
        _check_countable(job.puzzle.name, nodes.mean)
    assert nodes is not None, "every estimate of a tree with nodes has nodes"
    by_remaining = None
    pieces = session.task.options.placements_per_solution
    if pieces is not None:
        by_remaining = {pieces - level: interval(columns[:, level]) for level in range(pieces)}
    rate = sampling.node_rate()
    return Estimate(
        job=planned,
        nodes=nodes,
        by_remaining=by_remaining,
        solutions=interval(rows[:, -1]),
        descents=sampling.descents,
        sampling_s=sampling.wall_s,
        node_rate=rate,
        solve_s=None if rate is None else nodes.times(1 / rate),
        source=source,
        why=why,
        sampled_levels=sampling.samples_levels,
    )


def _check_countable(name: str, nodes: float) -> None:
    """Raise `BackendError` for a number of nodes that is too large for an interval."""
    if not nodes <= MAX_NODES:
        raise BackendError(
            f"{name}: its search has more than {MAX_NODES:.0e} nodes; expected a smaller puzzle"
        )


class _Sampling:
    """Samples of the search tree of a session, within the session's time limit.

    Every estimate counts all nodes of the first levels of the tree. If `population` is 1, estimates
    make random probes. If it is larger, an estimate samples this number of nodes of each level. If
    it is 0, the number is as large as `descents` and the time limit allow: an estimate takes at
    most 1 / `MIN_SAMPLES` of the remaining time.
    """

    def __init__(
        self,
        session: Session,
        descents: int,
        time_s: float | None,
        on_report: OnReport | None,
        population: int,
    ) -> None:
        self._population = population
        self._session, self._clock = session, session.clock
        self._wanted, self._time_s, self._on_report = descents, time_s, on_report
        self._rate_s = RATE_S if time_s is None else min(RATE_S, RATE_SHARE * time_s)
        self._building_s = 0.0
        self._has_nodes = True
        self._estimator: TreeEstimator

    @property
    def wall_s(self) -> float:
        """Seconds of sampling so far, including the choice of a population."""
        return self._clock.solving.wall_s

    @property
    def descents(self) -> int:
        """Number of probes, or of nodes sampled of each level; 0 if all were visited."""
        return self._estimator.probes if self._has_nodes else 0

    @property
    def samples_levels(self) -> bool:
        """Whether estimates sample levels instead of making random probes."""
        return self._population != 1

    def rows(self) -> NDArray[np.float64]:
        """Return a row of nodes by level for each sample; see `TreeEstimator.levels`.

        There is a single row if the whole tree was visited. Raises `LimitError` if the time limit
        is reached before there are enough estimates for an interval.
        """
        self._begin(1)
        # The first estimate compiles the kernels and is not used.
        for _ in self._clock.untimed(lambda: self._estimator.levels(1)):
            pass
        self._begin(self._population if self._population > 1 else self._widest())
        return self._samples()

    def node_rate(self) -> float | None:
        """Return the nodes per second at the beginning of a search, by running the search.

        Returns None if not enough time is left or if the search visits no node.
        """
        left_s = self._clock.left_s
        if left_s is not None and left_s < self._building_s:
            return None
        search = self._session.again(RunClock()).prepare_search().search
        clock = RunClock(self._rate_s)
        with self._session.again(clock) as beginning:
            beginning.try_out(search)
        nodes = search.tree_nodes
        return nodes / clock.solving.wall_s if nodes else None

    @property
    def _left_s(self) -> float:
        """Seconds left for sampling; infinite without a time limit.

        The time to prepare a search and to measure its node rate is reserved.
        """
        left_s = self._clock.left_s
        return inf if left_s is None else left_s - self._rate_s - self._building_s

    def _begin(self, width: int) -> None:
        """Build an estimator that samples `width` nodes of each level or makes random probes.

        The first levels are visited whole as long as they have at most `width` nodes. Raises
        `_NoEstimatorError` if the backend has no estimator for this search.
        """
        before_s = self._clock.preparing.wall_s
        estimator = self._session.tree_estimator(width, width if self.samples_levels else 0)
        self._building_s = self._clock.preparing.wall_s - before_s
        if estimator is None:
            plan = self._session.plan
            raise _NoEstimatorError(
                f"{plan.puzzle.name}: {plan.backend} cannot estimate this search; expected another "
                "backend or config"
            )
        self._estimator = estimator

    def _widest(self) -> int:
        """Return a population that leaves enough time for `MIN_SAMPLES` estimates, or 1.

        Populations are tried in ascending order, each at most `WIDER` times the one before. Without
        a time limit, the result is the maximum population. For random probes, the result is the
        `width` of `_begin`. The caller builds another estimator afterwards, so that the estimates
        depend only on the result and the seed.
        """
        widest = max(1, self._wanted // ESTIMATES_PER_PREFIX)
        if self.samples_levels:
            widest = min(MAX_POPULATION, widest)
        if self._time_s is None:
            return widest
        best = width = 1
        while self._left_s > 0:
            self._begin(width)
            took_s = self._duration_of_one()
            if took_s > self._left_s / MIN_SAMPLES and width > 1:
                took_s = self._duration_of_one()  # the first estimate also visited the first levels
            if self.descents == 0:
                return width
            if took_s > self._left_s / MIN_SAMPLES:
                break
            best = width
            if width == widest or WIDER * took_s > self._left_s / MIN_SAMPLES:
                break
            width = min(widest, WIDER * width)
        return best

    def _duration_of_one(self) -> float:
        """Make an estimate, and return the processor seconds that it took."""
        solving = self._clock.solving
        before_s = solving.cpu_s
        self._sample(1)
        return solving.cpu_s - before_s

    def _sample(self, estimates: int) -> NDArray[np.float64]:
        """Return `estimates` independent estimates, a row for each.

        Raises `BackendError` for a number of nodes that is too large for an interval.
        """
        with self._clock.solving:
            rows = self._estimator.levels(estimates)
        self._has_nodes = bool(rows[:, :-1].any())  # the first placement is in every estimate
        _check_countable(self._session.plan.puzzle.name, float(rows.max(initial=0)))
        return rows

    def _samples(self) -> NDArray[np.float64]:
        began_s = reported_s = self.wall_s
        available_s = self._left_s
        rows = self._sample(1)
        if self.descents == 0:
            return rows
        wanted = max(MIN_SAMPLES, self._wanted // self.descents)
        max_at_once = SAMPLES_AT_ONCE * _each(wanted)
        before = last = (1, self.wall_s - began_s)
        while len(rows) < wanted and self._left_s > 0:
            at_once = min(WIDER * len(rows), max_at_once, wanted - len(rows))
            once_s, each_s = _costs(before, last)
            if once_s + each_s * (wanted - len(rows)) > self._left_s:  # too little time for all
                fitting = (min(self._left_s - once_s, REPORT_S + once_s)) / each_s
                if fitting < 1 and len(rows) >= MIN_NONZERO:
                    break
                at_once = max(1, min(at_once, int(fitting)))
            before_s = self.wall_s
            rows = np.concatenate([rows, self._sample(at_once)])
            before, last = last, (at_once, self.wall_s - before_s)
            if self._on_report is not None and self.wall_s >= reported_s + REPORT_S:
                reported_s = self.wall_s
                share = max(len(rows) / wanted, (reported_s - began_s) / available_s)
                self._report(rows, min(1.0, share))
        if len(rows) < MIN_NONZERO:
            raise LimitError(
                f"{self._session.plan.puzzle.name}: the time limit of {self._time_s:g} s was "
                f"reached after {how_many(len(rows), 'estimate')}, and an interval needs "
                f"{MIN_NONZERO}; expected a longer time limit"
            )
        return _means(rows)

    def _report(self, rows: NDArray[np.float64], share: float) -> None:
        """Report the interval of the number of nodes if there are enough rows."""
        nodes = mean_interval(_means(rows[:, :-1]).sum(axis=1))
        if nodes is not None and self._on_report is not None:
            self._on_report(nodes, share)


def _costs(before: tuple[int, float], last: tuple[int, float]) -> tuple[float, float]:
    """Return the fixed seconds of a batch of estimates, and the additional seconds per estimate.

    `before` and `last` are the numbers of estimates and the seconds of the last two batches.

    The fixed seconds are 0 if the last two batches have the same size. The seconds of an estimate
    are at least a quarter of the mean of the last batch.
    """
    (few, few_s), (estimates, seconds) = before, last
    mean_s = more_s = seconds / estimates
    if few != estimates:
        more_s = min(mean_s, max(0.0, (seconds - few_s) / (estimates - few)))
    return seconds - more_s * estimates, max(more_s, mean_s / 4)


def _means(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean rows of at most `SAMPLES` groups of equally many consecutive rows.

    The last rows are left out if they do not fill a group.
    """
    each = _each(len(rows))
    count = len(rows) // each
    means: NDArray[np.float64] = rows[: count * each].reshape(count, each, -1).mean(axis=1)
    return means


def _each(estimates: int) -> int:
    """Return the number of estimates per sample, for this total number of estimates."""
    return -(-estimates // SAMPLES)


def _same(rows: NDArray[np.float64]) -> Interval:
    return exactly(float(rows[0]))
