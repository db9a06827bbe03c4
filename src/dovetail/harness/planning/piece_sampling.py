"""Selects by sampling the piece that breaks symmetry.

The redundancy filter takes the piece that leaves fewest symmetric solutions to be found twice,
which says little of how long the search takes where several leave none. Sampling estimates the
size of the search tree with each of them and takes the piece with the smallest; the filter's own
choice if that may be as small, going by the standard errors.

Backends that estimate quickly are asked for random probes; see `smallest_tree`. Of others an
estimate is the mean over short searches, each of the nodes that it made divided by the share of the
tree that it took them for. They go through the tree in orders of their own: the options are
shuffled, which changes the order of a node's branches and not the tree. It is akin to Knuth's
estimator ("Estimating the efficiency of backtrack programs", 1975), with a few leaves in place of
one, and biased, since searches end by nodes. Neither ends by seconds, so that it is the same piece
every time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from statistics import fmean, stdev

from dovetail.backends.base import Search, TreeEstimator
from dovetail.errors import ConfigError
from dovetail.harness.planning.candidate import Candidate
from dovetail.harness.planning.tree_size import smallest_trees
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.job import Limits, RandomOrder
from dovetail.harness.run.result import PieceEstimate, PieceSelection
from dovetail.harness.run.session import Session
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status
from dovetail.models.reductions.redundancy import SymmetryBreaking
from dovetail.models.request import Reduction, ReductionName, Request
from dovetail.models.task import LoweredPuzzle, Task

# For each piece, and the nodes that each of them makes.
SEARCHES, NODES = 32, 600


def samples_piece(request: Request) -> bool:
    """Whether short trials are to select the piece that breaks symmetry."""
    return any(reduction.name == ReductionName.PROBE for reduction in request.reductions)


def select_piece(
    filtered: Candidate, request: Request, lowered: LoweredPuzzle, seed: int, clock: RunClock
) -> tuple[Request, PieceSelection]:
    """Return the request with the piece that breaks symmetry selected, and how.

    `filtered` is the backend with the task of the redundancy filter's own choice. Tried are the
    pieces that the filter chooses from; where some leave no symmetric duplicates, only these.
    Shuffles are seeded. At the end of the clock what is known by then decides, or else the filter's
    choice.

    Raises `ConfigError` where the backend does not report what share of a search is done.
    """
    # Each search of a trial uses a different random order.
    order = RandomOrder(seed, restarts=True)
    trials = {
        piece: Candidate(filtered.backend, task, filtered.settings).session(
            Limits(nodes=NODES), clock, seed=seed, order=order
        )
        for piece, task in _tasks(filtered.task, request, lowered)
        if filtered.backend.refuses(task, filtered.config) is None
    }
    own_choice = _restricted_piece(filtered.task)
    estimators = _quick_estimators(trials)
    if estimators:
        return _by_estimates(request, estimators, own_choice, clock)
    tried = list[PieceEstimate]()
    for piece, trial in trials.items():
        with trial:
            sampled = _sampled(piece, trial)
        if sampled is None:
            break
        tried.append(sampled)
    else:
        if tried and all(sampled.estimate is None for sampled in tried):
            raise ConfigError(
                f"probe: after {NODES:,} nodes {filtered.name} cannot estimate the progress of "
                "its search; expected another backend or config, or redundancy"
            )
    chosen = _smallest(tried, own_choice)
    return with_piece(request, chosen), PieceSelection(tuple(tried), chosen)


def with_piece(request: Request, piece: str | None) -> Request:
    """Return the request with symmetry broken by `piece`; None: by the filter's own choice."""
    found = Reduction(ReductionName.REDUNDANCY, piece)
    reductions = request.reductions
    reductions = tuple(found if r.name == ReductionName.PROBE else r for r in reductions)
    return replace(request, reductions=reductions)


def _tasks(filtered: Task, request: Request, lowered: LoweredPuzzle) -> Iterator[tuple[str, Task]]:
    """The pieces that may break symmetry, each with the task in which it does."""
    own = _symmetry_breaking(filtered)
    every = filtered.all_options
    if own is None or not isinstance(every, PackingOptions):
        return
    for number, shape in enumerate(every.placements.shapes):
        if shape.min_count == shape.max_count == 1 and number in every.placements.shape:
            task = lowered.task(with_piece(request, shape.name))
            symmetry_breaking = _symmetry_breaking(task)
            # The filter's own choice leaves no duplicates if any leaves none.
            if symmetry_breaking is not None and (symmetry_breaking.complete or not own.complete):
                yield shape.name, task


def _smallest(tried: Iterable[PieceEstimate], own_choice: str | None) -> str | None:
    """The first piece with the smallest estimate; the filter's choice if it is a toss-up."""
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


def _symmetry_breaking(task: Task) -> SymmetryBreaking | None:
    return None if task.reduced is None else task.reduced.symmetry_breaking


def _restricted_piece(task: Task) -> str | None:
    symmetry_breaking, placements = _symmetry_breaking(task), task.placements
    if symmetry_breaking is None or placements is None:
        return None
    return placements.shapes[symmetry_breaking.option_group].name


def _quick_estimators(trials: Mapping[str, Session]) -> dict[str, TreeEstimator]:
    """Return an estimator for each piece; none where the backend has none that is quick."""
    found = dict[str, TreeEstimator]()
    for piece, trial in trials.items():
        quick = trial.backend.estimates_quickly
        estimator = trial.tree_estimator(max_prefix_nodes=1) if quick else None
        if estimator is None:
            return {}
        found[piece] = estimator
    return found


def _by_estimates(
    request: Request,
    estimators: Mapping[str, TreeEstimator],
    own_choice: str | None,
    clock: RunClock,
) -> tuple[Request, PieceSelection]:
    """Return the request with the piece whose tree is the smallest, and the estimates."""
    sampled, finalists = smallest_trees(estimators, clock.is_over)
    tried = [
        PieceEstimate(piece, estimators[piece].nodes, round(each.mean), round(each.error))
        for piece, each in sampled.items()
    ]
    best = [each for each in tried if not finalists or each.piece in finalists]
    if finalists and own_choice not in finalists:
        own_choice = None
    chosen = _smallest(best, own_choice)
    return with_piece(request, chosen), PieceSelection(tuple(tried), chosen)


def _searches(trial: Session) -> Iterator[Search]:
    """Searches of the same tree in different orders."""
    backend = trial.backend
    for _ in range(SEARCHES):
        search = trial.prepare_search().search
        if backend.control != "slices" or None in (search.counters.nodes, search.progress()):
            raise ConfigError(
                "probe needs a backend that counts nodes and estimates its progress; "
                f"{backend.name} does not"
            )
        yield search


def _sampled(piece: str, trial: Session) -> PieceEstimate | None:
    """Return what short searches show of a piece; None when they were cut from outside."""
    nodes, sizes = 0, []
    for search in _searches(trial):
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
