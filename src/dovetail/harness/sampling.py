"""Random solutions, each as likely as every other.

A backend that counts without searching numbers the solutions: a uniformly random number is a
uniformly random one. Up to symmetry, solutions that are symmetric themselves have fewer images than
others; one that is drawn is kept with a probability that makes up for it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import SamplingSearch
from dovetail.backends.registry import backends_that, overrides
from dovetail.errors import BackendError, ConfigError, LimitError
from dovetail.harness.planning.named import named_backend
from dovetail.harness.planning.planner import begin_session
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Job
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.session import Session
from dovetail.models.outcome import Status
from dovetail.models.solution import Solution
from dovetail.models.task import Task
from dovetail.models.verification.dispatch import verifier_for
from dovetail.random_stream import RandomStream


def sample(job: Job, count: int, interruption: Interruption | None = None) -> Iterator[Solution]:
    """So many independent solutions of a job's puzzle, drawn with the job's seed, each verified.

    Every solution is equally likely; under `unique` and `mirror` every class of solutions is, and
    the one shown is any of its class. Raises `ConfigError` for a backend that cannot draw or a
    puzzle without solutions, `BackendError` where it refuses, and `LimitError` where time or memory
    does not suffice.
    """
    if not isinstance(count, int) or count < 0:
        raise ConfigError(f"count is {count}; expected a whole number of 0 or more")
    if job.limits.nodes is not None or job.limits.solutions is not None:
        raise ConfigError("sampling supports limits on time and memory only")
    backend = named_backend(job.backend)
    if backend is None or not overrides(backend, "sampling_search"):
        valid = backends_that(lambda one: overrides(one, "sampling_search"))
        raise ConfigError(f"backend {job.backend} cannot sample solutions; valid: {valid}")
    with begin_session(job, interruption) as session:
        yield from _drawn(session, count)


def _drawn(session: Session, count: int) -> Iterator[Solution]:
    """So many solutions, each verified."""
    task, clock, plan = session.task, session.clock, session.plan
    search = _counted(session)
    if search.numbers == 0:
        raise ConfigError(f"{plan.puzzle.name} has no solution to sample")
    verifier, random = verifier_for(task), RandomStream(plan.seed)
    sampled = 0
    while sampled < count:
        if clock.cut() == Status.TIME_LIMIT:
            raise LimitError(f"{plan.backend}, {Status.TIME_LIMIT}: sampled {sampled} of {count}")
        with clock.solving:
            row = _image(task, *search.unrank(random.below(search.numbers)))
        if random.below(len(task.group)) >= _images(task.group, row):
            continue
        reason = verifier.check(row[None, :])
        if reason is not None:
            raise BackendError(f"{plan.backend} sampled a wrong solution: {reason}")
        yield task.solution(row[row >= 0].tolist())
        sampled += 1


def _counted(session: Session) -> SamplingSearch:
    """The search after which solutions have numbers, ended."""
    plan, search = session.plan, session.sampling_search()
    assert search is not None, "the backend samples"
    memory = MemoryLimit(session.limits.memory_bytes)
    status = session.try_out(search)
    if status == Status.MEMORY_LIMIT:
        raise LimitError(f"{plan.backend}, {status}: {memory.explained(search.reason)}")
    if status is not None and (status.is_limit or status == Status.INTERRUPTED):
        raise LimitError(f"{plan.backend}, {status}: {search.reason or 'nothing was sampled'}")
    if status != Status.EXHAUSTED:
        raise BackendError(f"{plan.puzzle.name}: {plan.backend} refuses: {search.reason}")
    return search


def _image(task: Task, row: NDArray[np.int32], image: int) -> NDArray[np.int32]:
    """The sample by the numbers of all options: an image where a piece breaks symmetry."""
    found: NDArray[np.int32] = task.to_original_ids(row[None, :])[0]
    symmetry_breaking = None if task.reduced is None else task.reduced.symmetry_breaking
    if symmetry_breaking is None:
        return found
    used = found[found >= 0]
    piece = int(used[symmetry_breaking.orbit[used] > 0][0])
    found[found >= 0] = symmetry_breaking.transversal(piece)[image][used]
    return found


def _images(group: NDArray[np.int32], row: NDArray[np.int32]) -> int:
    """How often the symmetries carry a solution onto itself.

    Of a class with g / s members, s of them leave each: kept with probability s / g, all classes
    are equally likely.
    """
    used = np.sort(row[row >= 0])
    return int((np.sort(group[:, used], axis=1) == used).all(axis=1).sum())
