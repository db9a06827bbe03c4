"""Which piece to confine, found by trying.

The redundancy filter takes the piece that leaves fewest symmetric solutions to be found twice,
which says little of how long the search takes where several leave none. A probe estimates the
size of the search tree with each of them confined and takes the piece with the smallest; the
filter's own choice if that may be as small, going by the standard errors.

Backends that make random descents fast are asked for those; see `descents`. Of others an estimate
is the mean over short searches, each of the nodes that it made divided by the share of the tree
that it took them for. They go through the tree in orders of their own: the options are shuffled,
which changes the order of a node's branches and not the tree. It is akin to Knuth's estimator
("Estimating the efficiency of backtrack programs", 1975), with a few leaves in place of one, and
biased, since searches end by nodes. Neither ends by seconds, so that it is the same piece every
time.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean, stdev

from dovetail.backends.base import Backend, Config, Search, Sizer, TreeSizes
from dovetail.errors import ConfigError
from dovetail.harness.descents import smallest_trees
from dovetail.harness.drive import Stopwatch, drive_slices
from dovetail.harness.interruption import Interruption
from dovetail.harness.job import Job, Limits
from dovetail.harness.plain_data import Count, Text
from dovetail.harness.random_order import shuffled
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status
from dovetail.models.reductions.redundancy import Confinement
from dovetail.models.request import Reduction, ReductionName, Request
from dovetail.models.task import Task, lower, packing_task

# For each piece, and the nodes that each of them makes.
SEARCHES, NODES = 32, 600

# A deadline as a `time.monotonic` time, and whether the user asked to stop.
Watch = tuple[float | None, Interruption]


@dataclass(frozen=True)
class ProbedPiece:
    """A piece that was tried: the nodes made, and how many a whole search is estimated to make.

    `estimate` and its standard `error` are None where a search could not tell what share of its
    tree was done; the error is 0 where one has made it all.
    """

    piece: Text
    nodes: Count
    estimate: Count | None
    error: Count | None


@dataclass(frozen=True)
class Probe:
    """The pieces tried, in the puzzle's order, and the one chosen; None: none can be confined."""

    pieces: tuple[ProbedPiece, ...]
    chosen: Text | None


def probes(request: Request) -> bool:
    """Whether the piece to confine is to be found by trying."""
    return any(reduction.name == ReductionName.PROBE for reduction in request.reductions)


def resolved(
    job: Job,
    backend: Backend,
    config: Config,
    deadline: float | None,
    interruption: Interruption,
) -> tuple[Request, Probe | None]:
    """The request of `job` with the piece to confine found, and how; as it is if not asked to.

    Tried are the pieces that the redundancy filter chooses from; where some can be confined so
    that no symmetric duplicates are left, only these. Shuffles are seeded with the job's seed.
    At the `deadline` (a `time.monotonic` time) or when interrupted, what is known by then
    decides, or else the filter's own choice.

    Raises `ConfigError` where the backend does not tell what share of a search is done.
    """
    if not probes(job.request):
        return job.request, None
    filtered = lower(job.puzzle, confining(job.request, None))
    candidates = [
        (piece, task)
        for piece, task in _candidates(job, filtered)
        if backend.refuses(task, config) is None
    ]
    watch, own_choice = (deadline, interruption), _confined_piece(filtered)
    sizes = _tree_sizes(candidates, job.seed, backend, config)
    if sizes:
        return _by_descents(job.request, sizes, own_choice, watch)
    tried = list[ProbedPiece]()
    for piece, task in candidates:
        probed = _probed(piece, _searches(task, job.seed, backend, config), watch)
        if probed is None:
            break
        tried.append(probed)
    else:
        if tried and all(probed.estimate is None for probed in tried):
            raise ConfigError(
                f"probe: after {NODES:,} nodes {backend.name} cannot tell what share of its "
                "search is done; expected another backend or config, or redundancy"
            )
    chosen = _smallest(tried, own_choice)
    return confining(job.request, chosen), Probe(tuple(tried), chosen)


def confining(request: Request, piece: str | None) -> Request:
    """The request with `piece` confined instead of a probe; None: the filter's own choice."""
    found = Reduction(ReductionName.REDUNDANCY, piece)
    reductions = request.reductions
    reductions = tuple(found if r.name == ReductionName.PROBE else r for r in reductions)
    return replace(request, reductions=reductions)


def _candidates(job: Job, filtered: Task) -> Iterator[tuple[str, Task]]:
    """The pieces that may be confined, each with the task in which it is."""
    own = _confinement(filtered)
    every = filtered.all_options
    if own is None or not isinstance(every, PackingOptions):
        return
    for number, shape in enumerate(every.placements.shapes):
        if shape.least == shape.most == 1 and number in every.placements.shape:
            task = packing_task(every, confining(job.request, shape.name))
            confinement = _confinement(task)
            # The filter's own choice leaves no duplicates if any leaves none.
            if confinement is not None and (confinement.complete or not own.complete):
                yield shape.name, task


def _smallest(tried: Iterable[ProbedPiece], own_choice: str | None) -> str | None:
    """The first piece with the smallest estimate; the filter's choice if it is a toss-up."""
    sizes = {p.piece: (p.estimate, p.error or 0) for p in tried if p.estimate is not None}
    if not sizes:
        return own_choice
    if own_choice is not None and own_choice not in sizes:
        return own_choice
    best = min(sizes, key=lambda piece: sizes[piece][0])
    if own_choice in sizes:
        (size, error), (least, least_error) = sizes[own_choice], sizes[best]
        if size - least <= math.hypot(error, least_error):
            return own_choice
    return best


def _confinement(task: Task) -> Confinement | None:
    return None if task.reduced is None else task.reduced.confinement


def _confined_piece(task: Task) -> str | None:
    confinement, placements = _confinement(task), task.placements
    if confinement is None or placements is None:
        return None
    return placements.shapes[confinement.kind].name


def _tree_sizes(
    candidates: Iterable[tuple[str, Task]], seed: int, backend: Backend, config: Config
) -> dict[str, TreeSizes]:
    """The estimates for each piece; none where the backend has none for some."""
    found = dict[str, TreeSizes]()
    for piece, task in candidates:
        sizes = backend.tree_sizes(task, config, seed) if isinstance(backend, Sizer) else None
        if sizes is None:
            return {}
        found[piece] = sizes
    return found


def _by_descents(
    request: Request, sizes: Mapping[str, TreeSizes], own_choice: str | None, watch: Watch
) -> tuple[Request, Probe]:
    """The request with the piece confined that descents find best, and what they told."""
    drawn, finalists = smallest_trees(sizes, partial(_is_over, watch))
    tried = [
        ProbedPiece(piece, each.nodes, round(each.mean), round(each.error))
        for piece, each in drawn.items()
    ]
    best = [each for each in tried if not finalists or each.piece in finalists]
    if finalists and own_choice not in finalists:
        own_choice = None
    chosen = _smallest(best, own_choice)
    return confining(request, chosen), Probe(tuple(tried), chosen)


def _is_over(watch: Watch) -> bool:
    """Whether the time is up, or the user asked to stop."""
    deadline, interruption = watch
    return interruption.requested or (deadline is not None and time.monotonic() >= deadline)


def _searches(task: Task, seed: int, backend: Backend, config: Config) -> Iterator[Search]:
    """Searches of the same tree in different orders."""
    for number in range(SEARCHES):
        search = backend.prepare(shuffled(task, seed, number).task, config)
        if backend.control != "slices" or None in (search.counters.nodes, search.progress()):
            raise ConfigError(
                "probe needs a backend that counts nodes and tells what share of its search is "
                f"done; {backend.name} does not"
            )
        yield search


def _probed(piece: str, searches: Iterable[Search], watch: Watch) -> ProbedPiece | None:
    """What short searches tell of a piece; None when they were cut from outside."""
    nodes, sizes = 0, []
    for search in searches:
        status = _search_a_while(search, watch)
        made = search.counters.nodes or 0
        nodes += made
        if status == Status.EXHAUSTED:
            return ProbedPiece(piece, nodes, made, error=0)
        if status != Status.NODE_LIMIT:
            return None
        share = search.progress()
        if not share:
            return ProbedPiece(piece, nodes, None, None)
        sizes.append(made / share)
    error = stdev(sizes) / math.sqrt(len(sizes))
    return ProbedPiece(piece, nodes, round(fmean(sizes)), round(error))


def _search_a_while(search: Search, watch: Watch) -> Status | None:
    """What ended the search."""
    ended = None
    for status in drive_slices(search, Limits(nodes=NODES), *watch, Stopwatch()):
        search.take()
        ended = status
    return ended
