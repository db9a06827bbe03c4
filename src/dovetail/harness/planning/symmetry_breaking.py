"""The task with a piece confined where nothing is said of that: fewer nodes, the same answer."""

from __future__ import annotations

from dataclasses import replace

from dovetail.harness.planning.tryout import Tryout
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.options.packing import PackingOptions
from dovetail.models.request import Reduction, ReductionName
from dovetail.models.task import Task


def confined_task(tryout: Tryout) -> Task:
    """The job's task, the piece or tile that the redundancy filter would take confined.

    As it is asked where that is not wanted or would change nothing.
    """
    request = tryout.job.request
    if request.confines:
        return tryout.task(request)
    best = Reduction(ReductionName.REDUNDANCY)
    task = tryout.task(replace(request, reductions=(best, *request.reductions)))
    confinement = None if task.reduced is None else task.reduced.confinement
    if confinement is None or len(confinement.group) == 1:
        return tryout.task(request)
    assert isinstance(task.options, PackingOptions | EdgeOptions)
    named = replace(best, piece=task.options.kinds.names[confinement.kind][0])
    return replace(task, request=replace(request, reductions=(named, *request.reductions)))
