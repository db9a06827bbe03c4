"""Random solutions, each as likely as every other.

A backend that counts without searching numbers the solutions: a uniformly random number is a
uniformly random one. Up to symmetry, solutions that are symmetric themselves have fewer images than
others; one that is drawn is kept with a probability that makes up for it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Drawer, DrawingSearch
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named, backends
from dovetail.errors import BackendError, ConfigError, LimitError
from dovetail.harness.auto import AUTO
from dovetail.harness.confining import confined
from dovetail.harness.drive import Stopwatch, drive_slices
from dovetail.harness.interruption import Interruption
from dovetail.harness.job import Job
from dovetail.harness.memory_limit import MemoryLimit
from dovetail.harness.readiness import ready_task
from dovetail.models.outcome import Status
from dovetail.models.solution import Solution
from dovetail.models.task import Task
from dovetail.models.verification.dispatch import verifier_for
from dovetail.puzzles.random_stream import RandomStream


def draw(job: Job, count: int, interruption: Interruption | None = None) -> Iterator[Solution]:
    """So many independent solutions of a job's puzzle, drawn with the job's seed, each verified.

    Every solution is equally likely; under `unique` and `mirror` every class of solutions is, and
    the one shown is any of its class. Raises `ConfigError` for a backend that cannot draw or a
    puzzle without solutions, `BackendError` where it refuses, and `LimitError` where time or memory
    does not suffice.
    """
    if not isinstance(count, int) or count < 0:
        raise ConfigError(f"solutions to be drawn are {count}; expected a whole number from 0 on")
    if job.limits.nodes is not None or job.limits.solutions is not None:
        raise ConfigError("draws have limits on time and memory only")
    if job.backend == AUTO:
        raise ConfigError(f"{AUTO} draws no random solutions; valid: {_drawers()}")
    backend = backend_named(job.backend)
    config = build_config(backend.config_type, job.config, f"backend {backend.name}")
    if not isinstance(backend, Drawer):
        raise ConfigError(f"{backend.name} draws no random solutions; valid: {_drawers()}")
    job, _ = confined(job, backend, config)
    task = ready_task(job, backend, config)
    interruption = interruption or Interruption()
    deadline = None if job.limits.time_s is None else time.monotonic() + job.limits.time_s
    search = _counted(job, backend.drawing(task, config), deadline, interruption)
    if search.numbers == 0:
        raise ConfigError(f"{job.puzzle.name} has no solution to be drawn")
    verifier, random = verifier_for(task), RandomStream(job.seed)
    drawn = 0
    while drawn < count:
        if deadline is not None and time.monotonic() >= deadline:
            raise LimitError(f"{job.backend}, {Status.TIME_LIMIT}: {drawn} of {count} were drawn")
        row = _image(task, *search.unranked(random.below(search.numbers)))
        if random.below(len(task.group)) >= _images(task.group, row):
            continue
        reason = verifier.check(row[None, :])
        if reason is not None:
            raise BackendError(f"{backend.name} drew a wrong solution: {reason}")
        yield task.solution(row[row >= 0].tolist())
        drawn += 1


def _drawers() -> str:
    """The names of those that can."""
    return ", ".join(name for name, one in backends().items() if isinstance(one, Drawer))


def _counted(
    job: Job, search: DrawingSearch, deadline: float | None, interruption: Interruption
) -> DrawingSearch:
    """The search, ended."""
    status, memory = None, MemoryLimit(job.limits.memory_bytes)
    with interruption.defer():
        for ended in drive_slices(search, job.limits, deadline, interruption, Stopwatch()):
            status = ended
    if status == Status.MEMORY_LIMIT:
        raise LimitError(f"{job.backend}, {status}: {memory.explained(search.reason)}")
    if status is not None and (status.is_limit or status == Status.INTERRUPTED):
        raise LimitError(f"{job.backend}, {status}: {search.reason or 'nothing was drawn'}")
    if status != Status.EXHAUSTED:
        raise BackendError(f"{job.puzzle.name}: {job.backend} refuses: {search.reason}")
    return search


def _image(task: Task, row: NDArray[np.int32], image: int) -> NDArray[np.int32]:
    """What was drawn, by the numbers of all options: an image where a piece is confined."""
    found: NDArray[np.int32] = task.restored(row[None, :])[0]
    confinement = None if task.reduced is None else task.reduced.confinement
    if confinement is None:
        return found
    used = found[found >= 0]
    piece = int(used[confinement.orbit[used] > 0][0])
    found[found >= 0] = confinement.transversal(piece)[image][used]
    return found


def _images(group: NDArray[np.int32], row: NDArray[np.int32]) -> int:
    """How often the symmetries carry a solution onto itself.

    Of a class with g / s members, s of them leave each: kept with probability s / g, all classes
    are equally likely.
    """
    used = np.sort(row[row >= 0])
    return int((np.sort(group[:, used], axis=1) == used).all(axis=1).sum())
