"""From a job and how its run result to a record."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, cast

from dovetail.backends.registry import backends, counts_probably, solver_label
from dovetail.harness.plain_data import Settings
from dovetail.harness.records.environment import environment
from dovetail.harness.records.record import (
    CostFields,
    JobFields,
    OriginFields,
    RemainingCounts,
    ResultFields,
    RunRecord,
    SearchTotals,
    TriggerCount,
)
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.models.outcome import Counters


def job_fields(job: Job) -> JobFields:
    """Return the fields that say what was asked."""
    request = job.request
    return JobFields(
        puzzle=job.puzzle.name,
        digest=job.puzzle.digest,
        backend=job.backend if job.improves else solver_label(job.backend, job.config),
        config=cast("Settings", job.config),
        symmetry=str(request.symmetry),
        labelled=request.labelled,
        reductions=tuple(map(str, request.reductions)),
        triggers=tuple(map(str, request.triggers)),
        random=job.random,
        trials=job.trials,
    )


def result_fields(job: Job, result: Result) -> ResultFields:
    """Return the fields that describe a job and its result, as `--json` prints them."""
    counters = result.counters
    costs = {cost.name: getattr(result, cost.name) for cost in fields(CostFields) if cost.init}
    return ResultFields(
        **vars(job_fields(job)),
        status=result.status,
        count=result.count,
        score=result.score,
        bound=result.bound,
        trace=result.trace,
        nodes=counters.nodes,
        node_meaning=_node_meaning(job, result),
        attempts=counters.attempts,
        by_remaining=_by_remaining(counters),
        backtracks_by_trigger=_backtracks_by_trigger(counters),
        native=counters.native,
        program=result.program,
        probable=not job.improves and counts_probably(job.backend, job.config),
        reason=result.reason,
        searched=_searched(result),
        placements=result.placements,
        symmetry_expansion=result.symmetry_expansion,
        piece_selection=result.piece_selection,
        chosen=result.chosen,
        parallel=result.parallel,
        **costs,
    )


def improvement_fields(job: Job, result: Result) -> dict[str, Any]:
    """Return the fields that `improve --json` prints: those of a result, `seed` and `cells`.

    `cells` are the rows of the board from the bottom: tile number and rotation, or null.
    """
    cells = None if result.board is None else result.board.cells
    return {**result_fields(job, result).json_fields(), "seed": job.seed, "cells": cells}


def run_record(origin: OriginFields, job: Job, result: Result) -> RunRecord:
    """Return the record of a run of `job` here and now; `origin` says which one it is."""
    own = {**vars(origin), **vars(result_fields(job, result)), **vars(environment())}
    del own["total_s"]  # it is derived
    return RunRecord(
        **own,
        limits=job.limits,
        seed=job.seed,
        cold_start=job.cold_start,
        improves=job.improves,
    )


def _node_meaning(job: Job, result: Result) -> str | None:
    """What a node is to the backend that searched.

    None where `auto` has chosen none, and for a backend that only the child process knew.
    """
    name = job.backend if result.chosen is None else result.chosen.backend
    backend = backends().get(name)
    return None if backend is None else backend.node_meaning


def _by_remaining(counters: Counters) -> tuple[RemainingCounts, ...] | None:
    attempts, fits = counters.attempts_by_remaining, counters.fits_by_remaining
    if fits is None:
        return None
    return tuple(
        RemainingCounts(left, None if attempts is None else attempts[left], fits[left])
        for left in sorted(fits)
    )


def _backtracks_by_trigger(counters: Counters) -> dict[str, tuple[TriggerCount, ...]] | None:
    """How often each trigger fired, by pieces remaining after what it had taken back."""
    if counters.backtracks_by_trigger is None:
        return None
    return {
        trigger: tuple(TriggerCount(left, counts[left]) for left in sorted(counts))
        for trigger, counts in counters.backtracks_by_trigger.items()
    }


def _searched(result: Result) -> SearchTotals | None:
    """What became of several searches, with the solutions that they found per second."""
    totals = result.searched
    if totals is None:
        return None
    return SearchTotals(
        **vars(totals),
        per_solve_s=_rate(totals.found, result.solve_s),
        per_prepare_and_solve_s=_rate(totals.found, result.total_s),
        per_cpu_s=_rate(totals.found, totals.cpu_s),
    )


def _rate(number: int, seconds: float | None) -> float | None:
    """A number per second, None where no time was taken."""
    return number / seconds if seconds else None
