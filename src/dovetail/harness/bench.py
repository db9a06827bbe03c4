"""Runs a suite: every job in a process of its own, every result a record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from dovetail.errors import ConfigError, DovetailError
from dovetail.harness.crosscheck import expectation_error, judged
from dovetail.harness.events import Finished, ended
from dovetail.harness.interruption import Interruption
from dovetail.harness.isolation import execute_isolated
from dovetail.harness.job import Job
from dovetail.harness.record import SCHEMA, Record, environment, repeat_fields, result_fields
from dovetail.harness.run import finish
from dovetail.harness.suite import Plan, PlannedRun
from dovetail.models.outcome import Status


def run_plan(
    plan: Plan, interruption: Interruption | None = None, output: Path | None = None
) -> Iterator[Record]:
    """Run everything in `plan`, one process after another; yields each record as it is made.

    A record that contradicts an earlier one is `wrong`; `judged` tells of both. Each is also
    added to the file `output` as a line of JSON, which is opened before anything runs. Ends
    early, with the record of the run that was cut, when `interruption` is requested. Raises
    `ConfigError` when `output` cannot be written.
    """
    interruption = interruption or Interruption()
    if output is not None:
        _append(output, "")
    records: list[Record] = []
    for planned in plan.runs:
        records.append(run_planned(plan, planned, interruption))
        record = judged(records)[-1]
        if output is not None:
            _append(output, json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
        yield record
        if interruption.requested:
            return


def run_planned(plan: Plan, planned: PlannedRun, interruption: Interruption) -> Record:
    """One record: a job run as often as the plan says, or until a run does not finish."""
    begun = datetime.now(UTC).isoformat(timespec="seconds")
    results: list[Finished] = []
    for _ in range(plan.repeats):
        results.append(_run_once(planned.job, interruption))
        if results[-1].outcome.status != Status.EXHAUSTED:
            break
    job, limits = planned.job, planned.job.limits
    return {
        "schema": SCHEMA,
        "suite": plan.name,
        "tags": list(planned.tags),
        "begun": begun,
        **result_fields(job, _representative(results, planned.expected)),
        "expected": planned.expected,
        "repeats": [repeat_fields(result) for result in results],
        "limits": {
            "time_s": limits.time_s,
            "nodes": limits.nodes,
            "solutions": limits.solutions,
            "memory_bytes": limits.memory_bytes,
        },
        "seed": job.seed,
        **environment(),
    }


def _append(path: Path, text: str) -> None:
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written ({error.strerror})") from None


def _run_once(job: Job, interruption: Interruption) -> Finished:
    """One run; what the request cannot ask of the puzzle is a refusal like a backend's."""
    try:
        return finish(execute_isolated(job, interruption))
    except DovetailError as error:
        return ended(Status.SKIPPED, str(error))


def _representative(results: list[Finished], expected: int | None) -> Finished:
    """The median run by solving time, marked wrong if runs differ or the count is not expected.

    A run that did not finish stands for all.
    """
    last = results[-1]
    if last.outcome.status != Status.EXHAUSTED:
        chosen = last
    else:
        chosen = sorted(results, key=lambda result: result.solve_s)[(len(results) - 1) // 2]
    outcome = chosen.outcome
    said = {(result.outcome.count, result.outcome.counters.nodes) for result in results}
    reason = expectation_error(outcome.count, outcome.status, expected)
    if len(said) > 1 and outcome.status == Status.EXHAUSTED:
        reason = f"repeats differ in (count, nodes): {sorted(said, key=str)}"
    if reason is None:
        return chosen
    return replace(chosen, outcome=replace(outcome, status=Status.WRONG, reason=reason))
