"""Symmetry breaking where a request leaves it open: fewer nodes, the same answer."""

from __future__ import annotations

from dataclasses import replace

from dovetail.harness.planning.tryout import Tryout
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.options.packing import PackingOptions
from dovetail.models.request import Reduction, ReductionName
from dovetail.models.task import Task


def symmetry_breaking_task(tryout: Tryout) -> Task:
    """The job's task, symmetry broken by the piece or tile that the redundancy filter takes.

    As it is asked where that is not wanted or would change nothing.
    """
    request = tryout.job.request
    if request.breaks_symmetry:
        return tryout.task(request)
    best = Reduction(ReductionName.REDUNDANCY)
    task = tryout.task(replace(request, reductions=(best, *request.reductions)))
    symmetry_breaking = None if task.reduced is None else task.reduced.symmetry_breaking
    if symmetry_breaking is None or len(symmetry_breaking.group) == 1:
        return tryout.task(request)
    assert isinstance(task.options, PackingOptions | EdgeOptions)
    named = replace(best, piece=task.options.option_groups.names[symmetry_breaking.option_group][0])
    return replace(task, request=replace(request, reductions=(named, *request.reductions)))
