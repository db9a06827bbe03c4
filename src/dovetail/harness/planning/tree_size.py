"""Sizes of search trees, and the choice by sampling of the piece that breaks symmetry.

Estimates by random descents are unbiased and far from normal: most are much too small, and a few
are hundreds of times too large. Of several trees, a few thousand descents are made in each, and
then many more in the best ones only. Random probes that all end before the levels with most nodes
give a mean that is too low, and so is the upper end of its interval. A model of the puzzle knows
which levels these are.

The redundancy filter takes the piece that leaves the fewest symmetric solutions to be found twice.
If several pieces leave none, that says little about the length of the search. Sampling estimates
the size of the search tree with each of them and takes the piece with the smallest one, or the
choice of the filter if that may be as small, going by the standard errors.

Backends that estimate quickly make random probes. For other backends the estimate is the mean over
short searches of the nodes of each search divided by its progress. The options are shuffled for
each of them, which changes the order of the branches of a node and not the tree. This is similar to
Knuth's estimator ("Estimating the efficiency of backtrack programs", 1975) with a few leaves
instead of one. It is biased, because searches end at a number of nodes. No search ends at a time,
so that the choice is the same every time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from statistics import fmean, stdev

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

# On all boards tried with more than 2·10^8 nodes the truth was between a third of what B. Owen's
# model expects and three times as much (docs/solvers/methods/owens-model.md).
MODEL_FACTOR = 3.0
# Descents in each tree, and then in the finalists: about 0.2 s for twelve trees.
FIRST_DESCENTS, FINAL_DESCENTS, FINALISTS = 4_000, 15_000, 4
DESCENTS_AT_ONCE = 250  # between two looks at the clock
# Short searches for each piece, and the nodes of each of them.
SEARCHES, NODES = 32, 600


class Source(StrEnum):
    """Source of the number of nodes in an estimate."""

    TREE = "whole tree"
    PROBES = "random probes"
    MODEL = "Owen's model"


def probes_fail(samples: NDArray[np.float64], expected: NDArray[np.float64]) -> str | None:
    """Return the reason not to use random probes, or None.

    `samples`, shape (n, d + 1), are the levels of a `TreeEstimator`, and `expected`, shape (d,), is
    the number of nodes that a model expects at each level. Probes fail if fewer than `MIN_NONZERO`
    of the samples have a node at the level with the most expected nodes.
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
    """Return the total number of nodes that a model expects, and the range of its error."""
    nodes = float(expected.sum())
    return Interval(nodes, nodes / MODEL_FACTOR, nodes * MODEL_FACTOR)


def draw(
    estimator: TreeEstimator, estimates: int, is_over: Callable[[], bool]
) -> NDArray[np.float64]:
    """Return this number of estimates of a tree, or fewer if time `is_over`."""
    drawn = [np.empty(0)]
    while estimates > 0 and not is_over():
        drawn.append(estimator.totals(min(estimates, DESCENTS_AT_ONCE)))
        estimates -= DESCENTS_AT_ONCE
    return np.concatenate(drawn)


def smallest_trees(
    trees: Mapping[str, TreeEstimator], is_over: Callable[[], bool]
) -> tuple[dict[str, NDArray[np.float64]], Sequence[str]]:
    """Return the estimates of each tree, and the names of the finalists, which have more of them.

    When time `is_over` before each tree has its first estimates, there are no finalists.
    """
    drawn = dict[str, NDArray[np.float64]]()
    finalists: Sequence[str] = ()
    for descents in (FIRST_DESCENTS, FINAL_DESCENTS):
        for name in finalists or trees:
            if is_over():
                return drawn, finalists
            estimates = draw(trees[name], descents, is_over)
            if name in drawn:
                drawn[name] = np.concatenate([drawn[name], estimates])
            elif len(estimates) == descents:
                drawn[name] = estimates
        finalists = sorted(drawn, key=lambda name: float(drawn[name].mean()))[:FINALISTS]
    return drawn, finalists


def samples_piece(request: Request) -> bool:
    """Return whether sampling selects the piece that breaks symmetry."""
    return any(reduction.name == ReductionName.PROBE for reduction in request.reductions)


def with_piece(request: Request, piece: str | None) -> Request:
    """Return the request with symmetry broken by `piece`; None: by the choice of the filter."""
    settled = Reduction(ReductionName.REDUNDANCY, piece)
    reductions = (
        settled if reduction.name == ReductionName.PROBE else reduction
        for reduction in request.reductions
    )
    return replace(request, reductions=tuple(reductions))


def select_piece(plan: Plan, filtered: Task, clock: RunClock) -> tuple[Request, PieceSelection]:
    """Return the request of a plan with the piece that breaks symmetry, and how it was selected.

    `filtered` is the task with the choice of the redundancy filter. The candidates are the pieces
    that the filter chooses from, or only those that leave no symmetric duplicates, if any. When
    time is up, the estimates so far decide, or else the filter. Random choices use the seed of the
    plan.

    Raises `ConfigError` if the backend does not report the progress of a search.
    """
    # Each search of a trial uses a different random order.
    order = RandomOrder(plan.seed, restarts=True)
    trials = dict[str, Session]()
    for piece, task in _tasks(filtered, plan.request):
        sampled = replace(plan, request=task.request, order=order)
        session = Session(sampled, Limits(nodes=NODES), clock=clock.for_trial(), task=task)
        if session.backend.refuses(task, session.config) is None:
            trials[piece] = session
    own_choice = _restricted_piece(filtered)
    estimators = _quick_estimators(trials)
    if estimators:
        tried, finalists = _by_estimates(estimators, clock)
        best = [estimate for estimate in tried if not finalists or estimate.piece in finalists]
        if finalists and own_choice not in finalists:
            own_choice = None
    else:
        best = tried = _by_searches(trials, plan.backend)
    chosen = _smallest(best, own_choice)
    return with_piece(plan.request, chosen), PieceSelection(tuple(tried), chosen)


def _tasks(filtered: Task, request: Request) -> Iterator[tuple[str, Task]]:
    """Yield the pieces that may break symmetry, each with the task in which it does."""
    own = _symmetry_breaking(filtered)
    every = filtered.all_options
    if own is None or not isinstance(every, PackingOptions):
        return
    for number, shape in enumerate(every.placements.shapes):
        if shape.min_count == shape.max_count == 1 and number in every.placements.shape:
            task = filtered.lowered.task(with_piece(request, shape.name))
            symmetry_breaking = _symmetry_breaking(task)
            # The choice of the filter leaves no duplicates if any piece leaves none.
            if symmetry_breaking is not None and (symmetry_breaking.complete or not own.complete):
                yield shape.name, task


def _symmetry_breaking(task: Task) -> SymmetryBreaking | None:
    return None if task.reduced is None else task.reduced.symmetry_breaking


def _restricted_piece(task: Task) -> str | None:
    symmetry_breaking, placements = _symmetry_breaking(task), task.placements
    if symmetry_breaking is None or placements is None:
        return None
    return placements.shapes[symmetry_breaking.option_group].name


def _smallest(tried: Iterable[PieceEstimate], own_choice: str | None) -> str | None:
    """Return the first piece with the smallest estimate; the filter's choice if it is a toss-up."""
    sizes = {p.piece: (p.estimate, p.error or 0) for p in tried if p.estimate is not None}
    if not sizes:
        return own_choice
    if own_choice is not None and own_choice not in sizes:
        return own_choice
    best = min(sizes, key=lambda piece: sizes[piece][0])
    if own_choice in sizes:
        (size, error), (smallest, best_error) = sizes[own_choice], sizes[best]
        if size - smallest <= math.hypot(error, best_error):
            return own_choice
    return best


def _quick_estimators(trials: Mapping[str, Session]) -> dict[str, TreeEstimator]:
    """Return an estimator for each piece; none if the backend has none that is quick."""
    estimators = dict[str, TreeEstimator]()
    for piece, trial in trials.items():
        quick = trial.backend.estimates_quickly
        estimator = trial.tree_estimator(max_prefix_nodes=1) if quick else None
        if estimator is None:
            return {}
        estimators[piece] = estimator
    return estimators


def _by_estimates(
    estimators: Mapping[str, TreeEstimator], clock: RunClock
) -> tuple[list[PieceEstimate], Sequence[str]]:
    """Return the estimates by random probes, and the pieces with the smallest trees."""
    drawn, finalists = smallest_trees(estimators, clock.is_over)
    tried = [
        PieceEstimate(
            piece,
            estimators[piece].nodes,
            round(float(estimates.mean())),
            round(float(estimates.std(ddof=1)) / math.sqrt(len(estimates))),
        )
        for piece, estimates in drawn.items()
    ]
    return tried, finalists


def _by_searches(trials: Mapping[str, Session], backend: str) -> list[PieceEstimate]:
    """Return the estimates by short searches, until they are interrupted."""
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
    """Return the estimate of a piece by short searches; None if they are interrupted."""
    backend, nodes, sizes = trial.backend, 0, list[float]()
    for _ in range(SEARCHES):
        search = trial.prepare_search().search
        if backend.control != "slices" or None in (search.counters.nodes, search.progress()):
            raise ConfigError(
                "probe needs a backend that counts nodes and estimates its progress; "
                f"{backend.name} does not"
            )
        status = trial.try_out(search)
        made = search.counters.nodes or 0
        nodes += made
        if status == Status.EXHAUSTED:
            return PieceEstimate(piece, nodes, made, error=0)
        if status != Status.NODE_LIMIT:
            return None
        share = search.progress()
        if not share:
            return PieceEstimate(piece, nodes, None, None)
        sizes.append(made / share)
    error = stdev(sizes) / math.sqrt(len(sizes))
    return PieceEstimate(piece, nodes, round(fmean(sizes)), round(error))
