"""Random solutions: uniform samples, or the first solutions of searches in random orders.

Some backends count by building tables that number the solutions, so that a uniformly random number
selects a uniformly random solution. If solutions are sampled up to symmetry, classes of solutions
differ in size, because a symmetric solution has fewer images. A drawn solution is therefore kept
with a probability that makes all classes equally likely.

A search in a random order ends at its first solution. This method needs no count, but a solution is
more likely if its part of the tree has few other solutions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Forecast, SamplingSearch
from dovetail.backends.registry import backend_named, backends, backends_that, overrides
from dovetail.errors import BackendError, ConfigError, LimitError, show
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import named_backend, named_config
from dovetail.harness.planning.planner import lowered_quietly, session_of
from dovetail.harness.planning.trials import CutShortError, Tryout
from dovetail.harness.run.clock import Interruption, RunClock
from dovetail.harness.run.events import Event, Found
from dovetail.harness.run.job import LARGEST_SEED, Job, RandomOrder
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.session import Session, returned
from dovetail.harness.sizes import about, about_s
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.request import Reduction, ReductionName
from dovetail.models.solution import Solution
from dovetail.models.task import LoweredPuzzle, Task
from dovetail.models.verification.dispatch import verifier_for
from dovetail.random_stream import RandomStream

# Backend of searches in random orders if the backend is `auto`.
SEARCHES_BY = "dlx"
OFFER = "uniform=False (--not-uniform) samples by searches in random orders, which need no count"
# Bytes and seconds per state of `zdd`, and the error factor of a rough forecast: the number of
# states of `zdd` is 0.12 to 5 times the number of nodes of a tree search.
STATE_BYTES, STATE_S, ROUGH = 58, 3e-6, 8
# A count is abandoned if the forecast of its time is above this multiple of the remaining time.
HOPELESS = 4.0


@dataclass(frozen=True)
class CountingProgress:
    """Progress of the count that precedes uniform sampling."""

    backend: str
    seconds: float
    """Seconds of prepare and solve so far."""
    share: float | None
    """Share of the search that is done."""
    nodes: int | None
    forecast: Forecast | None
    """Forecast of the whole count; None if unknown."""
    rough: bool = False
    """Whether the forecast may be wrong by a factor of `ROUGH`."""


OnCounting = Callable[[CountingProgress], object]


def sample(
    job: Job,
    count: int,
    interruption: Interruption | None = None,
    *,
    uniform: bool = True,
    on_counting: OnCounting | None = None,
) -> Iterator[Solution]:
    """Yield `count` independent random solutions of a job's puzzle, each of them verified.

    The seed of the job determines the solutions. If `uniform`, every solution is equally likely;
    with the symmetries `unique` and `mirror`, every class of solutions is equally likely, and any
    solution can represent its class. All solutions are counted first, and `on_counting` is called
    with the progress of the count. `auto` chooses `zdd` for a packing outside the plane whose
    states fit into memory, and otherwise the first backend that can number the solutions. If not
    `uniform`, each solution is the first solution of a search in a random order, and `auto` chooses
    `dlx`.

    Raises `ConfigError` for an invalid `count`, for a limit on nodes or solutions, for a backend
    that cannot sample and for a puzzle without solutions. Raises `BackendError` if the backend
    refuses the puzzle, and `LimitError` if a limit on time or memory is reached or a search is
    interrupted.
    """
    if type(count) is not int or count < 0:
        raise ConfigError(f"count is {show(count)}; expected a whole number of 0 or more")
    if job.limits.nodes is not None or job.limits.solutions is not None:
        raise ConfigError(
            "sampling supports only limits on time and memory; expected no other limit"
        )
    backend = named_backend(job.backend)
    named_config(job.backend, job.config)
    if uniform and backend is not None and not overrides(backend, "sampling_search"):
        valid = backends_that(lambda other: overrides(other, "sampling_search"))
        raise ConfigError(
            f"backend {job.backend} cannot sample solutions that are equally likely; valid: "
            f"{AUTO}, {valid}{_offer(job)}"
        )
    clock = RunClock(job.limits.time_s, interruption)
    if not uniform:
        yield from _first_found(job, count, clock)
        return
    session, search, rough = _counting_session(job, clock)
    with session:
        _count(session, search, on_counting, rough)
        yield from _drawn(session, search, count)


def _offer(job: Job) -> str:
    """Return `OFFER` as the end of an error message; empty unless the puzzle is a packing."""
    return f"; {OFFER}" if isinstance(job.puzzle, PackingPuzzle) else ""


def _counting_session(job: Job, clock: RunClock) -> tuple[Session, SamplingSearch, Forecast | None]:
    """Return a session, its search that numbers the solutions, and a rough forecast of the count.

    The session has begun. Its backend is the first that can sample; for `auto`, `zdd` comes first
    if it has a forecast. The forecast is None for other backends. Raises `BackendError` if no
    backend can sample the puzzle.
    """
    lowered = lowered_quietly(job, clock)
    names, rough = [job.backend], None
    if job.backend == AUTO:
        names = [name for name, other in backends().items() if overrides(other, "sampling_search")]
        rough = _rough_forecast(lowered, job, clock)
        if rough is not None:
            names.sort(key="zdd".__ne__)
    reasons = list[str]()
    for name in names:
        try:
            named = _symmetry_broken(replace(job, backend=name))
            session = session_of(named, clock, lowered).begun()
        except BackendError as error:
            reasons.append(str(error))
            continue
        search = session.sampling_search()
        if search is not None:
            return session, search, rough if name == "zdd" else None
        reasons.append(f"{job.puzzle.name}: {name} refuses: it cannot sample labelled solutions")
    raise BackendError("; ".join(reasons) + _offer(job))


def _symmetry_broken(job: Job) -> Job:
    """Return a job in which a piece breaks symmetry, if the puzzle is a packing.

    The job is returned unchanged for other puzzles, if the request breaks symmetry, or if the
    backend can break symmetry by default.
    """
    request, puzzle = job.request, job.puzzle
    by_backend = overrides(backend_named(job.backend), "symmetry_breaking")
    if by_backend or request.breaks_symmetry or not isinstance(puzzle, PackingPuzzle):
        return job
    redundancy = Reduction(ReductionName.REDUNDANCY)
    return replace(job, request=replace(request, reductions=(redundancy, *request.reductions)))


def _rough_forecast(lowered: LoweredPuzzle, job: Job, clock: RunClock) -> Forecast | None:
    """Return a rough forecast of a count by `zdd`, or None if another backend should count.

    `zdd` counts packings outside the plane if its states fit into memory, because boxes have too
    many frontiers for `frontier`. The number of states is about the number of nodes of a tree
    search, and this number is estimated. Raises `LimitError` if the run ends before the forecast.
    """
    if not isinstance(job.puzzle, PackingPuzzle) or job.puzzle.lattice.dimension == 2:
        return None
    tryout = Tryout(lowered, job, clock, {})
    try:
        size = returned(tryout.tree_size(tryout.symmetry_breaking_task()))
    except CutShortError as error:
        raise LimitError(f"{AUTO} ended with status {error.status}: it chose no backend") from None
    states = inf if size is None else size.nodes
    if states * STATE_BYTES > MemoryLimit(job.limits.memory_bytes).free_bytes:
        return None
    return Forecast(round(states), round(states * STATE_BYTES), states * STATE_S)


def _drawn(session: Session, search: SamplingSearch, count: int) -> Iterator[Solution]:
    """Yield `count` solutions that are selected by random numbers, after verifying each.

    Raises `ConfigError` for a puzzle without solutions, `LimitError` at the time limit, and
    `BackendError` for a wrong solution.
    """
    task, clock, plan = session.task, session.clock, session.plan
    if search.numbers == 0:
        raise ConfigError(f"{plan.puzzle.name} has no solution to sample")
    verifier, random = verifier_for(task), RandomStream(plan.seed)
    sampled = 0
    while sampled < count:
        if clock.ending_status() == Status.TIME_LIMIT:
            raise _failure(session, Status.TIME_LIMIT, f"sampled {sampled} of {count}")
        with clock.solving:
            row = _image(task, *search.unrank(random.below(search.numbers)))
        if random.below(len(task.group)) >= _self_symmetries(task.group, row):
            continue
        reason = verifier.check(row[None, :])
        if reason is not None:
            raise BackendError(f"{plan.backend} sampled a wrong solution: {reason}")
        yield task.solution(row[row >= 0].tolist())
        sampled += 1


def _count(
    session: Session,
    search: SamplingSearch,
    on_counting: OnCounting | None,
    rough: Forecast | None,
) -> None:
    """Run the search to its end, so that the solutions are numbered.

    Raises the error of `_failure` if the search ends with a status other than `EXHAUSTED`, and
    `LimitError` if its forecast is far above the time limit.
    """
    name, clock = session.plan.backend, session.clock
    memory = MemoryLimit(session.limits.memory_bytes)
    status: Status | None = None
    foreseen = False

    def report() -> None:
        if on_counting is not None:
            share, nodes, forecast = search.progress(), search.counters.nodes, search.forecast
            counting = CountingProgress(name, clock.charged_s, share, nodes, forecast or rough)
            on_counting(replace(counting, rough=forecast is None))

    with clock.interruption.defer():
        report()
        for ended in session.advance(search, session.limits):
            status = ended
            report()
            if status is None and search.forecast is not None and not foreseen:
                foreseen = True
                _check_time(session, search.forecast)
    reason = search.reason
    if status == Status.MEMORY_LIMIT:
        reason = memory.explained(reason)
    if status != Status.EXHAUSTED:
        assert status is not None, "a search ends"
        raise _failure(session, status, reason, uniform=True)


def _check_time(session: Session, forecast: Forecast) -> None:
    """Raise `LimitError` if the count is expected to take far longer than the time limit."""
    left_s = session.clock.left_s
    if left_s is None or forecast.solve_s <= HOPELESS * left_s:
        return
    reason = (
        f"{session.plan.puzzle.name} has about {about(forecast.states)} states, and counting takes "
        f"about {about_s(forecast.solve_s)}; {about_s(left_s)} of the time limit are left"
    )
    raise _failure(session, Status.TIME_LIMIT, reason, uniform=True)


def _first_found(job: Job, count: int, clock: RunClock) -> Iterator[Solution]:
    """Yield the first solution of each of `count` searches in different random orders.

    Raises the error of `_failure` for a search without a solution.
    """
    seeds = RandomStream(job.seed)
    order = RandomOrder(0, restarts=True)
    limits = replace(job.limits, solutions=1)
    name = SEARCHES_BY if job.backend == AUTO else job.backend
    job = replace(job.listed(), backend=name, random=order, limits=limits)
    session = session_of(job, clock).begun()
    task, memory = session.task, MemoryLimit(limits.memory_bytes)
    listed, sampled = list[Solution](), 0

    def on_event(event: Event) -> None:
        if memory.free_bytes == 0:
            raise _failure(session, Status.MEMORY_LIMIT, memory.explained(), sampled)
        if isinstance(event, Found):
            listed.extend(event.solutions())

    for sampled in range(count):
        listed.clear()
        order = replace(order, seed=seeds.below(LARGEST_SEED + 1))
        plan = replace(session.plan, order=order)
        with Session(plan, limits, clock=clock, task=task) as searching:
            result = returned(searching.search(searching.collector()), on_event)
        if not listed:
            raise _failure(session, result.status, result.reason, sampled)
        yield listed[0]


def _failure(
    session: Session, status: Status, reason: str | None, sampled: int = 0, *, uniform: bool = False
) -> BackendError | ConfigError | LimitError:
    """Return the error for a run that ends with this status before another solution is sampled.

    `sampled` is the number of solutions of earlier searches. `uniform` is True if the search counts
    for uniform samples. For a packing, the message then offers samples by random orders.
    """
    plan, offer = session.plan, ""
    if uniform and isinstance(plan.puzzle, PackingPuzzle) and status != Status.INTERRUPTED:
        offer = f"; {OFFER}"
    if status == Status.EXHAUSTED:
        return ConfigError(f"{plan.puzzle.name} has no solution to sample")
    if status.is_limit or status == Status.INTERRUPTED:
        reason = reason or (f"sampled {sampled}" if sampled else "nothing was sampled")
        return LimitError(f"{plan.backend} ended with status {status}: {reason}{offer}")
    return BackendError(f"{plan.puzzle.name}: {plan.backend} refuses: {reason}{offer}")


def _image(task: Task, row: NDArray[np.int32], image: int) -> NDArray[np.int32]:
    """Return a solution with original option numbers.

    If a piece breaks symmetry, the result is image number `image` of the solution.
    """
    options: NDArray[np.int32] = task.to_original_ids(row[None, :])[0]
    symmetry_breaking = None if task.reduced is None else task.reduced.symmetry_breaking
    if symmetry_breaking is None:
        return options
    used = options[options >= 0]
    piece = int(used[symmetry_breaking.orbit[used] > 0][0])
    options[options >= 0] = symmetry_breaking.transversal(piece)[image][used]
    return options


def _self_symmetries(group: NDArray[np.int32], row: NDArray[np.int32]) -> int:
    """Return the number s of symmetries in `group` that map a solution to itself.

    With g symmetries in the group, the class of the solution has g / s solutions. If solutions are
    kept with the probability s / g, all classes are equally likely.
    """
    used = np.sort(row[row >= 0])
    return int((np.sort(group[:, used], axis=1) == used).all(axis=1).sum())
