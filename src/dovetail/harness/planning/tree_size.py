"""Sizes of search trees, and the selection of the piece that breaks symmetry by sampling.

Trees are estimated by samples of each level (stochastic enumeration): nodes at which a random
descent would end are replaced by other nodes of the level. At the same cost, the error is at most
the error of random descents (docs/solvers/auto-measurements.md). To compare several trees, each
tree is sampled a few times, and the trees with the smallest estimates are sampled again. If all
samples end before the levels with most nodes, the mean and the upper end of its interval are too
low. A model of the puzzle predicts the levels with most nodes, so that this can be detected.

The redundancy filter chooses the piece that leaves the fewest symmetric duplicates of solutions. If
several pieces leave no duplicates, the filter does not tell which of their searches is shortest.
Sampling estimates the search tree for each of these pieces and selects the piece with the smallest
tree. The choice of the filter is kept if its tree does not differ significantly from this tree.

Backends that estimate quickly sample levels. For other backends, short searches are run, and the
estimate is the mean of the nodes of each search divided by its progress. The options are shuffled
for each search; a shuffle changes the order of the branches at a node but not the tree. The method
is similar to Knuth's estimator ("Estimating the efficiency of backtrack programs", 1975) with a few
leaves instead of a single leaf. The mean is biased, because each search ends after a fixed number
of nodes. The limit is a number of nodes rather than a time, so that the selection is reproducible.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import TreeEstimator
from dovetail.errors import ConfigError
from dovetail.harness.confidence import MIN_NONZERO, Interval
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.job import Limits, PieceEstimate, PieceSelection, Plan, RandomOrder
from dovetail.harness.run.session import Session
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status
from dovetail.models.reductions.redundancy import SymmetryBreaking
from dovetail.models.request import Reduction, ReductionName, Request
from dovetail.models.task import Task

# Maximum error factor of B. Owen's model: the number of nodes is expected to be between a third of
# the prediction and three times the prediction (docs/solvers/estimates-measurements.md).
MODEL_FACTOR = 3.0
# Number of sampled nodes of each level, number of estimates of each tree, number of further
# estimates of each finalist, and number of finalists.
POPULATION, FIRST_ESTIMATES, FINAL_ESTIMATES, FINALISTS = 500, 2, 6, 4
# Number of short searches for each piece, and number of nodes of each search.
SEARCHES, NODES = 32, 600


class EstimateSource(StrEnum):
    """The source of the number of nodes in an estimate."""

    TREE = "whole tree"
    SAMPLES = "samples of levels"
    PROBES = "random probes"
    MODEL = "Owen's model"


def samples_fail(samples: NDArray[np.float64], expected: NDArray[np.float64]) -> str | None:
    """Return the reason why samples of a tree are not usable, or None if they are usable.

    `samples`, shape (n, d + 1), are n samples of the levels of a tree with d levels, from a
    `TreeEstimator`. `expected`, shape (d,), is the number of nodes that a model expects at each
    level. Samples are not usable if fewer than `MIN_NONZERO` samples have a node at the level with
    the most expected nodes.
    """
    level = int(expected.argmax())
    reached = int(np.count_nonzero(samples[:, level]))
    if reached >= MIN_NONZERO:
        return None
    return (
        f"{reached} of {len(samples)} samples reached the level where most nodes are expected, "
        f"{level + 1} of {len(expected)}"
    )


def by_model(expected: NDArray[np.float64]) -> Interval:
    """Return the total number of nodes that a model expects, with the range of its error."""
    nodes = float(expected.sum())
    return Interval(nodes, nodes / MODEL_FACTOR, nodes * MODEL_FACTOR)


def smallest_trees(
    trees: Mapping[str, TreeEstimator], is_over: Callable[[], bool]
) -> tuple[dict[str, NDArray[np.float64]], Sequence[str]]:
    """Return the estimates of each tree, and the names of the finalists.

    Finalists are the trees with the smallest means, for which more estimates are made. There are no
    finalists if `is_over` returns True before each tree has its first estimates.
    """
    drawn = dict[str, NDArray[np.float64]]()
    finalists: Sequence[str] = ()
    for estimates in (FIRST_ESTIMATES, FINAL_ESTIMATES):
        for name in finalists or trees:
            totals = [drawn.get(name, np.empty(0))]
            for _ in range(estimates):
                if is_over():
                    return drawn, finalists
                totals.append(trees[name].totals(1))
            drawn[name] = np.concatenate(totals)
        finalists = sorted(drawn, key=lambda name: float(drawn[name].mean()))[:FINALISTS]
    return drawn, finalists


def samples_piece(request: Request) -> bool:
    """Return whether sampling selects the piece that breaks symmetry."""
    return any(reduction.name == ReductionName.PROBE for reduction in request.reductions)


def with_piece(request: Request, piece: str | None) -> Request:
    """Return the request in which `piece` breaks symmetry instead of a sampled piece.

    If `piece` is None, the redundancy filter chooses the piece.
    """
    redundancy = Reduction(ReductionName.REDUNDANCY, piece)
    reductions = (
        redundancy if reduction.name == ReductionName.PROBE else reduction
        for reduction in request.reductions
    )
    return replace(request, reductions=tuple(reductions))


def select_piece(plan: Plan, filtered: Task, clock: RunClock) -> tuple[Request, PieceSelection]:
    """Select the piece that breaks symmetry; return the request with this piece, and the selection.

    `filtered` is the task with the choice of the redundancy filter. The candidates are the pieces
    that leave no symmetric duplicates, or all pieces that the filter may choose if each piece
    leaves duplicates. If `clock` ends the selection early, the piece is selected from the estimates
    so far, or by the filter if its choice has no estimate. Random choices use the seed of the plan.

    Raises `ConfigError` if the backend neither estimates quickly nor has slices, node counts and
    progress.
    """
    # Each search of a session uses a different random order.
    order = RandomOrder(plan.seed, restarts=True)
    trials = dict[str, Session]()
    for piece, task in _tasks(filtered, plan.request):
        sampled = replace(plan, request=task.request, order=order)
        session = Session(sampled, Limits(nodes=NODES), clock=clock.for_trial(), task=task)
        if session.backend.refuses(task, session.config) is None:
            trials[piece] = session
    filter_choice = _restricted_piece(filtered)
    estimators = _quick_estimators(trials)
    if estimators:
        tried, finalists = _by_estimates(estimators, clock)
        best = [estimate for estimate in tried if not finalists or estimate.piece in finalists]
        if finalists and filter_choice not in finalists:
            filter_choice = None
    else:
        best = tried = _by_searches(trials, plan.backend)
    chosen = _smallest(best, filter_choice)
    return with_piece(plan.request, chosen), PieceSelection(tuple(tried), chosen)


def _tasks(filtered: Task, request: Request) -> Iterator[tuple[str, Task]]:
    """Yield each piece that may break symmetry, and the task in which the piece breaks symmetry."""
    by_filter = _symmetry_breaking(filtered)
    every = filtered.all_options
    if by_filter is None or not isinstance(every, PackingOptions):
        return
    for number, shape in enumerate(every.placements.shapes):
        if shape.min_count == shape.max_count == 1 and number in every.placements.shape:
            task = filtered.lowered.task(with_piece(request, shape.name))
            symmetry_breaking = _symmetry_breaking(task)
            # If a piece leaves no duplicates, then the choice of the filter leaves none, either.
            if symmetry_breaking is not None and (
                symmetry_breaking.complete or not by_filter.complete
            ):
                yield shape.name, task


def _symmetry_breaking(task: Task) -> SymmetryBreaking | None:
    return None if task.reduced is None else task.reduced.symmetry_breaking


def _restricted_piece(task: Task) -> str | None:
    symmetry_breaking, placements = _symmetry_breaking(task), task.placements
    if symmetry_breaking is None or placements is None:
        return None
    return placements.shapes[symmetry_breaking.option_group].name


def _smallest(tried: Iterable[PieceEstimate], filter_choice: str | None) -> str | None:
    """Return the first piece with the smallest estimate, or the choice of the filter.

    The choice of the filter, None if there is none, is returned if there are no estimates. A choice
    is also returned if it has no estimate, or an estimate that does not differ significantly from
    the smallest estimate.
    """
    sizes = {p.piece: (p.estimate, p.error or 0) for p in tried if p.estimate is not None}
    if not sizes:
        return filter_choice
    if filter_choice is not None and filter_choice not in sizes:
        return filter_choice
    best = min(sizes, key=lambda piece: sizes[piece][0])
    if filter_choice in sizes:
        (size, error), (smallest, best_error) = sizes[filter_choice], sizes[best]
        if size - smallest <= math.hypot(error, best_error):
            return filter_choice
    return best


def _quick_estimators(trials: Mapping[str, Session]) -> dict[str, TreeEstimator]:
    """Return a tree estimator for each piece; empty if the backend does not estimate quickly."""
    estimators = dict[str, TreeEstimator]()
    for piece, trial in trials.items():
        quick = trial.backend.estimates_quickly
        estimator = trial.tree_estimator(population=POPULATION) if quick else None
        if estimator is None:
            return {}
        estimators[piece] = estimator
    return estimators


def _by_estimates(
    estimators: Mapping[str, TreeEstimator], clock: RunClock
) -> tuple[list[PieceEstimate], Sequence[str]]:
    """Return the estimates from samples of levels, and the pieces with the smallest trees."""
    drawn, finalists = smallest_trees(estimators, clock.is_over)
    tried = [
        PieceEstimate(
            piece,
            estimators[piece].nodes,
            round(float(estimates.mean())),
            round(_standard_error(estimates)),
        )
        for piece, estimates in drawn.items()
    ]
    return tried, finalists


def _standard_error(estimates: NDArray[np.float64]) -> float:
    """Return the standard error of the mean, also of estimates whose squares are no floats."""
    scale = math.ldexp(1.0, math.frexp(float(estimates.max()))[1] - 1)
    return float((estimates / scale).std(ddof=1)) * scale / math.sqrt(len(estimates))


def _by_searches(trials: Mapping[str, Session], backend: str) -> list[PieceEstimate]:
    """Return the estimate of each piece from short searches, or only of the first pieces.

    If a search is cut short, its piece and the following pieces have no estimate. Raises
    `ConfigError` if all searches end without a known progress.
    """
    tried = list[PieceEstimate]()
    for piece, trial in trials.items():
        with trial:
            sampled = _sampled(piece, trial)
        if sampled is None:
            return tried
        tried.append(sampled)
    if tried and all(sampled.estimate is None for sampled in tried):
        raise ConfigError(
            f"probe: after {NODES:,} nodes {backend} cannot estimate the progress of "
            "its search; expected another backend or config, or redundancy"
        )
    return tried


def _sampled(piece: str, trial: Session) -> PieceEstimate | None:
    """Return the estimate of a piece from short searches, or None if a search is cut short.

    Raises `ConfigError` if the backend has no slices, node counts or progress.
    """
    backend, nodes, sizes = trial.backend, 0, list[float]()
    for _ in range(SEARCHES):
        search = trial.prepare_search().search
        if backend.control != "slices" or None in (search.counters.nodes, search.progress()):
            raise ConfigError(
                "probe needs a backend that counts nodes and estimates its progress; "
                f"{backend.name} does not"
            )
        status = trial.try_out(search)
        visited = search.counters.nodes or 0
        nodes += visited
        if status == Status.EXHAUSTED:
            return PieceEstimate(piece, nodes, visited, error=0)
        if status != Status.NODE_LIMIT:
            return None
        share = search.progress()
        if not share or math.isinf(SEARCHES * visited / share):
            return PieceEstimate(piece, nodes, None, None)
        sizes.append(visited / share)
    from statistics import fmean, stdev

    error = stdev(sizes) / math.sqrt(len(sizes))
    return PieceEstimate(piece, nodes, round(fmean(sizes)), round(error))
