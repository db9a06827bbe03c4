"""Searches timed by pytest-benchmark, without preparation and checks.

Compiling, lowering and preparing happen before the clock of a round starts. Verifying the solutions
and sorting them into symmetry classes happen after the clock stops.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.planner import check_one_search, session_of
from dovetail.harness.records.outline import example_of, outline, size
from dovetail.harness.records.record_files import RECORD
from dovetail.harness.records.recording import run_record
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.collector import Tally
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import Result
from dovetail.harness.run.session import Session
from dovetail.models.outcome import Status

ROUNDS = 5


class Benchmark(Protocol):
    """The part of the fixture `benchmark` of pytest-benchmark that is used."""

    @property
    def extra_info(self) -> dict[str, Any]: ...

    @property
    def pedantic(self) -> Callable[..., Any]: ...


def timed(job: Job, benchmark: Benchmark, rounds: int) -> list[Result]:
    """Time the search of a job in `rounds` rounds and return the results.

    There is only one round if `benchmark` is disabled. `prepare_s` of a result includes lowering.
    Raises `ConfigError` for a job that is not a single complete search with a named backend, and
    `BackendError` if the backend refuses the puzzle.
    """
    if not hasattr(benchmark, "pedantic"):
        expected = "the fixture of the package pytest-benchmark"
        raise ConfigError(f"benchmark is not a fixture; expected {expected}")
    if rounds < 1:
        raise ConfigError(f"rounds is {rounds}; expected 1 or more")
    if job.backend == AUTO:
        raise ConfigError(
            f"{AUTO} cannot be timed, because it runs trials; expected the name of a backend"
        )
    if job.limits != Limits():
        raise ConfigError("a timed search must be complete; expected no limits")
    check_one_search(job, "timed searches")
    with session_of(job).begun() as session:
        lowering_s = session.clock.preparing.wall_s
        under_way: list[_Round] = []
        results: list[Result] = []

        def prepare() -> tuple[tuple[_Round], dict[str, object]]:
            if under_way:
                results.append(under_way.pop().result())
            under_way.append(_Round(session, lowering_s))
            return (under_way[0],), {}

        benchmark.pedantic(_Round.search, setup=prepare, rounds=rounds)
        results.append(under_way.pop().result())
        return results


def extra_info(job: Job, finished: Result) -> dict[str, Any]:
    """Return the extra fields of a benchmark: a few figures, and the record of the run."""
    record = run_record(
        job,
        finished,
        repeat=0,
        outline=outline(job.puzzle),
        example=example_of(job.puzzle, finished.example),
        size=size(job.puzzle),
        begun=datetime.now(UTC).isoformat(timespec="seconds"),
    ).json_fields()
    shown = ("puzzle", "digest", "backend", "count", "nodes", "attempts", "prepare_s")
    return {**{name: record[name] for name in shown}, RECORD: record}


class _Round:
    """A prepared search."""

    def __init__(self, begun: Session, lowering_s: float) -> None:
        clock = RunClock()
        clock.start()
        clock.preparing.add(lowering_s, 0.0)
        self._session = begun.again(clock)
        self._prepared = self._session.prepare_search()
        self._found: list[NDArray[np.int32]] = []
        self._status: Status | None = None
        search = self._prepared.search
        self._slices = self._session.advance(search, Limits())
        while not search.prepared and self._status is None:
            self._status = next(self._slices)

    def search(self) -> None:
        """Search to the end; only this method is timed."""
        search = self._prepared.search
        for status in self._slices:
            self._status = status
            if not search.counts_only:
                self._found.append(search.take())

    def result(self) -> Result:
        """Verify the solutions, sort them into symmetry classes and return the result."""
        session, search = self._session, self._prepared.search
        tally = Tally(session.plan, session.collector())
        tally.begin()
        for batch in [search.take()] if search.counts_only else self._found:
            for _ in tally.collect(self._prepared, partial(np.asarray, batch), lambda: False):
                pass  # nothing is listed
        tally.update(search, self._status)
        tally.end(search, cpu_s=0.0)  # the rate is not reported
        return session.result(tally)
