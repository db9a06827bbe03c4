"""The size of a backend's search tree, and how long the search would take, from random descents.

Source: D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation
29, 1975; `backends.shared.tree_estimator` says what is arranged differently. The number of
descents is given beforehand: a rule that looked at the estimates would bias them. Where the
descents do not get to the levels that matter, a model of the puzzle takes their place if there is
one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import TreeEstimator
from dovetail.backends.registry import backends_that, overrides
from dovetail.errors import BackendError, ConfigError
from dovetail.harness.confidence import MIN_NONZERO, Interval, exactly, mean_interval
from dovetail.harness.planning.named import named_backend
from dovetail.harness.planning.planner import begin_session
from dovetail.harness.planning.tree_size import Source, by_model, probes_fail
from dovetail.harness.records.recording import job_fields
from dovetail.harness.run.clock import RunClock, Stopwatch
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.session import Session
from dovetail.harness.sizes import parse_seconds

DESCENTS = 2_000_000
# The levels gone through whole have no more nodes than leave room for so many estimates.
ESTIMATES_PER_PREFIX = 100
# Samples of which an interval is made: so many, each the mean of as many estimates as need be, or
# fewer of one estimate each, but no fewer than the least.
SAMPLES, MIN_SAMPLES = 300, 50
# So many are made between two looks at the clock, since some work is done once for all that are
# made together; and at first no more than there are already.
SAMPLES_AT_ONCE = 10
RATE_S = 0.5  # of searching
STEERED = "failures steer the search, which may make a few percent more or fewer nodes than that"
MAX_NODES = 1e150  # whose squares are still numbers


@dataclass(frozen=True)
class Estimate:
    """What random descents tell of a search.

    `nodes` are placements made, by pieces remaining too where every solution has equally many;
    `solutions` those that the search would find, before they are completed or sorted into
    classes. Intervals are of 95 % confidence, None where too few descents have come so far.
    `descents` is how many were made, 0 where the tree is so small that all of it was visited.
    `source` is where `nodes` comes from. It is a model of the puzzle where the descents fail, for
    the reason `why`; its interval is from a third to three times of it. For a backend that learns,
    `why` says that intervals are of the nodes that samples are drawn from. `node_rate` is how many
    nodes per second a short search made, and `solve_s` what the whole one would take at that rate;
    None where it made none.
    """

    nodes: Interval
    by_remaining: dict[int, Interval | None] | None
    solutions: Interval | None
    descents: int
    sampling_s: float
    node_rate: float | None
    solve_s: Interval | None
    source: Source
    why: str | None = None


def estimate(job: Job, descents: int = DESCENTS, time_limit: float | str | None = None) -> Estimate:
    """Estimate the search of a job, whose limits do not matter, with about so many descents.

    Descents of one seed are the same everywhere; `time_limit`, as `parse_seconds` reads it, ends
    them early, but not before there are `MIN_NONZERO` estimates, enough for an interval. Raises
    `ConfigError` for a backend that cannot be estimated, and `BackendError` where it refuses the
    puzzle.
    """
    if not isinstance(descents, int) or descents < 1:
        raise ConfigError(f"descents is {descents!r}; expected a whole number of 1 or more")
    backend = named_backend(job.backend)
    if backend is None or not overrides(backend, "tree_estimator"):
        valid = backends_that(lambda one: overrides(one, "tree_estimator"))
        raise ConfigError(f"backend {job.backend} cannot estimate a search; valid: {valid}")
    time_s = None if time_limit is None else parse_seconds(time_limit)
    with begin_session(replace(job, limits=Limits())) as session:
        for rule in session.task.post_placement_rules:
            raise ConfigError(
                f"estimates do not support checks during the search ({rule}); expected no "
                "trigger, and only filters before the search"
            )
        return _estimated(session, descents, time_s)


def _estimated(session: Session, descents: int, time_s: float | None) -> Estimate:
    """What about so many descents show of a session's search."""
    task = session.task
    max_prefix_nodes = max(1, descents // ESTIMATES_PER_PREFIX)
    estimator = session.tree_estimator(max_prefix_nodes)
    if estimator is None:
        raise BackendError(
            f"{task.puzzle.name}: {session.plan.backend} cannot estimate this search"
        )
    # The first estimate compiles, and shows how many descents one takes.
    by_level = estimator.levels(1) is not None
    sample = _sampler(estimator, by_level=by_level)
    if not by_level:
        sample(1)
    sampling = Stopwatch()
    with sampling:
        rows = _samples(sample, estimator.probes, descents, time_s)
    _check_countable(task.puzzle.name, float(rows.max(initial=0)))
    interval = mean_interval if estimator.probes else _same
    columns = rows[:, :-1] if by_level else rows
    source = Source.PROBES if estimator.probes else Source.TREE
    why = STEERED if session.backend.learns else None
    nodes = interval(columns.sum(axis=1))
    expected = _expected_levels(session) if source == Source.PROBES and by_level else None
    if expected is not None and (failure := probes_fail(rows, expected)) is not None:
        source, why, nodes = Source.MODEL, failure, by_model(expected)
        _check_countable(task.puzzle.name, nodes.mean)
    assert nodes is not None, "the first placement is in every estimate"
    by_remaining = None
    pieces = task.options.placements_per_solution
    if by_level and pieces is not None:
        by_remaining = {pieces - made: interval(columns[:, made]) for made in range(pieces)}
    rate = _node_rate(session)
    return Estimate(
        nodes=nodes,
        by_remaining=by_remaining,
        solutions=interval(rows[:, -1]) if by_level else None,
        descents=estimator.probes,
        sampling_s=sampling.wall_s,
        node_rate=rate,
        solve_s=None if rate is None else nodes.times(1 / rate),
        source=source,
        why=why,
    )


def estimate_fields(job: Job, estimated: Estimate) -> dict[str, Any]:
    """The fields that describe a job and its estimate, as `--json` prints them."""
    fields = asdict(estimated)
    by_remaining = estimated.by_remaining
    if by_remaining is not None:
        fields["by_remaining"] = [
            {"remaining": remaining, "fits": None if interval is None else asdict(interval)}
            for remaining, interval in sorted(by_remaining.items())
        ]
    return {
        **job_fields(job).json_fields(),
        "seed": job.seed,
        **fields,
    }


def _check_countable(name: str, nodes: float) -> None:
    """Raises `BackendError` for more nodes than intervals are made of."""
    if nodes > MAX_NODES:
        raise BackendError(f"{name}: more than {MAX_NODES:.0e} nodes; expected a smaller puzzle")


def _expected_levels(session: Session) -> NDArray[np.float64] | None:
    """What a model expects of each level of a session's search, None where there is none."""
    return session.backend.expected_levels(session.task, session.config)


def _sampler(estimator: TreeEstimator, *, by_level: bool) -> Callable[[int], NDArray[np.float64]]:
    """What makes so many independent estimates, a row each: by level, or of the nodes alone."""

    def sample(estimates: int) -> NDArray[np.float64]:
        rows = estimator.levels(estimates) if by_level else estimator.totals(estimates)[:, None]
        assert rows is not None
        return rows

    return sample


def _samples(
    sample: Callable[[int], NDArray[np.float64]],
    probes_each: int,
    descents: int,
    time_s: float | None,
) -> NDArray[np.float64]:
    """Independent estimates of about so many descents, a row each; one where all are the same."""
    if probes_each == 0:
        return sample(1)
    wanted = max(MIN_SAMPLES, descents // probes_each)
    max_at_once = SAMPLES_AT_ONCE * _each(wanted)
    begun, rows = time.monotonic(), sample(1)
    while len(rows) < wanted:
        at_once = min(len(rows), max_at_once, wanted - len(rows))
        rows = np.concatenate([rows, sample(at_once)])
        if time_s is not None and time.monotonic() - begun >= time_s:
            wanted = MIN_NONZERO
    each = _each(len(rows))
    count = len(rows) // each
    samples: NDArray[np.float64] = rows[: count * each].reshape(count, each, -1).mean(axis=1)
    return samples


def _each(estimates: int) -> int:
    """Of how many estimates a sample is the mean."""
    return -(-estimates // SAMPLES)


def _same(rows: NDArray[np.float64]) -> Interval:
    return exactly(float(rows[0]))


def _node_rate(session: Session) -> float | None:
    """Nodes per second at the beginning of a search; None where it makes none."""
    search = session.again(RunClock()).prepare_search().search
    clock = RunClock(RATE_S)
    with session.again(clock) as beginning:
        beginning.try_out(search)
    nodes = search.counters.nodes
    return nodes / clock.solving.wall_s if nodes else None
