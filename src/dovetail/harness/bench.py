"""Runs a suite: every job in a process of its own, every result a record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from dovetail.errors import ConfigError
from dovetail.harness.crosscheck import expectation_error
from dovetail.harness.events import Finished
from dovetail.harness.interruption import Interruption
from dovetail.harness.isolation import execute_isolated
from dovetail.harness.record import SCHEMA, Record, environment, result_fields, timings
from dovetail.harness.run import finish
from dovetail.harness.suite import Plan, PlannedRun
from dovetail.models.outcome import Status


def run_plan(plan: Plan, interruption: Interruption | None = None) -> Iterator[Record]:
    """Run everything in `plan`, one process after another; yields each record as it is made.

    Ends early, with the record of the run that was cut, when `interruption` is requested.
    """
    interruption = interruption or Interruption()
    for planned in plan.runs:
        yield run_planned(plan, planned, interruption)
        if interruption.requested:
            return


def run_planned(plan: Plan, planned: PlannedRun, interruption: Interruption) -> Record:
    """One record: a job run as often as the plan says, or until a run does not finish."""
    begun = datetime.now(UTC).isoformat(timespec="seconds")
    results: list[Finished] = []
    for _ in range(plan.repeats):
        results.append(finish(execute_isolated(planned.job, interruption)))
        if results[-1].outcome.status != Status.EXHAUSTED:
            break
    job, limits = planned.job, planned.job.limits
    return {
        "schema": SCHEMA,
        "suite": plan.name,
        "tags": list(planned.tags),
        "begun": begun,
        **result_fields(job, _judged(results, planned.expected)),
        "expected": planned.expected,
        "repeats": [timings(result) for result in results],
        "limits": {
            "time_s": limits.time_s,
            "nodes": limits.nodes,
            "solutions": limits.solutions,
            "memory_bytes": limits.memory_bytes,
        },
        "seed": job.seed,
        **environment(),
    }


def append_record(path: Path, record: Record) -> None:
    """Add one line to a file of records. Raises `ConfigError` if it cannot be written."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    except OSError as error:
        raise ConfigError(f"{path} cannot be written ({error.strerror})") from None


def _judged(results: list[Finished], expected: int | None) -> Finished:
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
