"""A task that a backend is ready for, for those who drive searches themselves."""

from __future__ import annotations

from dovetail.backends.base import Backend, Config
from dovetail.backends.registry import not_installed
from dovetail.errors import BackendError, ConfigError
from dovetail.harness.interruption import Interruption
from dovetail.harness.job import Job
from dovetail.harness.probe import resolved
from dovetail.models.impossibility.dispatch import why_unsolvable
from dovetail.models.reductions.pipeline import warm_up
from dovetail.models.task import Task, lower


def ready_task(job: Job, backend: Backend, config: Config) -> Task:
    """The job's task, everything compiled that its search needs.

    The job is to be of one search in the options' own order; `ConfigError` if it is not.
    Raises `BackendError` where the backend is missing or refuses it, `ConfigError` for a puzzle
    that is known to have no solution: it is not searched.
    """
    if job.order_seed is not None:
        raise ConfigError("this is of one search in the options' own order; expected no other")
    missing = not_installed(backend)
    if missing is not None:
        raise BackendError(missing)
    backend.warm_up()
    warm_up(job.request)
    request, _ = resolved(job, backend, config, None, Interruption())
    task = lower(job.puzzle, request)
    impossible = why_unsolvable(task)
    if impossible is not None:
        raise ConfigError(f"{job.puzzle.name} has no solution and needs no search: {impossible}")
    reason = backend.refuses(task, config)
    if reason is not None:
        raise BackendError(f"{job.puzzle.name}: {backend.name} refuses: {reason}")
    backend.warm_up_for(task, config)
    return task
