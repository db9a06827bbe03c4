"""From a job and how its run finished to a record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, cast

from dovetail.backends.base import node_meaning
from dovetail.backends.registry import backends
from dovetail.harness.events import Finished
from dovetail.harness.job import Job
from dovetail.harness.probe import Probe
from dovetail.harness.records.environment import environment
from dovetail.harness.records.fields import Settings
from dovetail.harness.records.outline import outline, size
from dovetail.harness.records.parts import (
    ChosenBackend,
    Load,
    PieceSelection,
    Published,
    RecordedLimits,
    RecordedOrder,
    RecordedTrials,
    RemainingCounts,
    SampledPiece,
    SearchTotals,
    TriggerCount,
)
from dovetail.harness.records.record import SCHEMA, JobFields, ResultFields, RunRecord
from dovetail.models.outcome import Counters

Part = TypeVar("Part")


def job_fields(job: Job) -> JobFields:
    """The fields that say what was asked."""
    request = job.request
    return JobFields(
        puzzle=job.puzzle.name,
        digest=job.puzzle.digest,
        backend=job.backend,
        config=cast("Settings", {**job.config, "labelled": request.labelled}),
        symmetry=str(request.symmetry),
        reductions=tuple(map(str, request.reductions)),
        triggers=tuple(map(str, request.triggers)),
        random=_part(RecordedOrder, job.random),
        trials=_part(RecordedTrials, job.trials),
    )


def result_fields(job: Job, finished: Finished) -> ResultFields:
    """The fields that describe a job and its result, as `--json` prints them."""
    outcome, counters = finished.outcome, finished.outcome.counters
    return ResultFields(
        **vars(job_fields(job)),
        status=outcome.status,
        count=outcome.count,
        nodes=counters.nodes,
        node_meaning=_node_meaning(job, finished),
        attempts=counters.attempts,
        by_remaining=_by_remaining(counters),
        fired=_fired(counters),
        native=counters.native,
        reason=outcome.reason,
        searched=_searched(finished),
        placements=dict(finished.placements),
        completion=finished.completion,
        probe=_selection(finished.probe),
        chosen=_part(ChosenBackend, finished.chosen),
        warm_up_s=finished.warm_up_s,
        prepare_s=finished.prepare_s,
        solve_s=finished.solve_s,
        solve_cpu_s=finished.solve_cpu_s,
        check_s=finished.check_s,
        peak_bytes=finished.peak_bytes,
        baseline_bytes=finished.baseline_bytes,
        verified=finished.verified,
    )


def run_record(
    job: Job,
    finished: Finished,
    *,
    repeat: int,
    suite: str | None = None,
    tags: tuple[str, ...] = (),
    expected: int | None = None,
    published: Mapping[str, Published] | None = None,
    begun: str | None = None,
    load: Load | None = None,
) -> RunRecord:
    """The record of one run, the `repeat`-th of its job, with what the suite says of it."""
    fields = {**vars(result_fields(job, finished)), **vars(environment())}
    del fields["total_s"]  # it is derived
    return RunRecord(
        schema=SCHEMA,
        job=job.digest,
        repeat=repeat,
        suite=suite,
        tags=tags,
        expected=expected,
        published=published or {},
        outline=outline(job.puzzle),
        size=size(job.puzzle),
        begun=begun,
        load=load,
        limits=_part(RecordedLimits, job.limits),
        seed=job.seed,
        **fields,
    )


def _part(kind: type[Part], source: object | None) -> Part | None:
    """A part of a record with the fields of an object of a run, None without one."""
    return None if source is None else kind(**vars(source))


def _node_meaning(job: Job, finished: Finished) -> str | None:
    """What a node is to the backend that searched.

    None where `auto` has chosen none, and for a backend that only the child process knew.
    """
    name = job.backend if finished.chosen is None else finished.chosen.backend
    backend = backends().get(name)
    return None if backend is None else node_meaning(backend)


def _by_remaining(counters: Counters) -> tuple[RemainingCounts, ...] | None:
    attempts, fits = counters.attempts_by_remaining, counters.fits_by_remaining
    if fits is None:
        return None
    return tuple(
        RemainingCounts(
            remaining, None if attempts is None else attempts[remaining], fits[remaining]
        )
        for remaining in sorted(fits)
    )


def _fired(counters: Counters) -> dict[str, tuple[TriggerCount, ...]] | None:
    """How often each trigger fired, by pieces remaining after what it had taken back."""
    if counters.fired is None:
        return None
    return {
        trigger: tuple(TriggerCount(r, counts[r]) for r in sorted(counts))
        for trigger, counts in counters.fired.items()
    }


def _searched(finished: Finished) -> SearchTotals | None:
    """What became of several searches, with the solutions that they found per second."""
    totals = finished.searched
    if totals is None:
        return None
    return SearchTotals(
        **vars(totals),
        per_solve_s=_rate(totals.found, finished.solve_s),
        per_prepare_and_solve_s=_rate(totals.found, finished.total_s),
    )


def _selection(probe: Probe | None) -> PieceSelection | None:
    """How the piece for symmetry breaking was selected, None where it was not."""
    if probe is None:
        return None
    pieces = tuple(SampledPiece(**vars(piece)) for piece in probe.pieces)
    return PieceSelection(pieces, probe.chosen)


def _rate(number: int, seconds: float) -> float | None:
    """A number per second, None where no time was taken."""
    return number / seconds if seconds > 0 else None
