"""What a backend would have done to a request that says nothing of confining a piece.

A piece held to one place of each orbit saves a search the images of what it has found, and the
answer stays the same: some backends always ask for it.
"""

from __future__ import annotations

from dataclasses import replace

from dovetail.backends.base import Backend, Config, Confining
from dovetail.harness.job import Job
from dovetail.models.request import ReductionName
from dovetail.models.task import lower

CONFINING = (ReductionName.REDUNDANCY, ReductionName.PROBE)


def confined(job: Job, backend: Backend, config: Config) -> Job:
    """The job with the reduction that its backend adds, or as it is."""
    request = job.request
    if not isinstance(backend, Confining):
        return job
    if any(reduction.name in CONFINING for reduction in request.reductions):
        return job
    added = backend.confinement(lower(job.puzzle, request), config)
    if added is None:
        return job
    return replace(job, request=replace(request, reductions=(added, *request.reductions)))
