"""What a backend would have done to a request that says nothing of confining a piece.

A piece held to one place of each orbit saves a search the images of what it has found, and the
answer stays the same: some backends always ask for it.
"""

from __future__ import annotations

from dataclasses import replace

from dovetail.backends.base import Backend, Config, Confining
from dovetail.harness.job import Job
from dovetail.models.task import Task, lower


def confined(
    job: Job, backend: Backend, config: Config, known: Task | None = None
) -> tuple[Job, Task | None]:
    """The job with the reduction that its backend adds, or as it is.

    And the task that the backend was shown, None where it was not asked. A `known` task is one of
    the same puzzle, as `lower` takes it.
    """
    request = job.request
    if request.confines or not isinstance(backend, Confining):
        return job, None
    shown = lower(job.puzzle, replace(request, reductions=()), known)
    added = backend.confinement(shown, config)
    if added is None:
        return job, shown
    reductions = (added, *request.reductions)
    return replace(job, request=replace(request, reductions=reductions)), shown
