"""Every backend on the puzzles of the quick suite, timed by pytest-benchmark.

`pytest benchmarks/test_backends.py --benchmark-json=FILE` writes the times of the rounds with the
record of a run (count, nodes, attempts and more), which `dovetail report FILE` reads. Two such
files can be compared with `pytest-benchmark compare`. Only the search is timed.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from dovetail.backends.registry import backends
from dovetail.harness.pytest_plugin.solution_count import Benchmark, extra_info, timed
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.suite.suite_file import load_suite
from dovetail.harness.workers.runs import finish
from dovetail.harness.workers.watched_run import run_watched
from dovetail.models.outcome import Status

ROUNDS = 3


def every_pair() -> list[Job]:
    """Each backend on each puzzle of the quick suite: as the suite has it, else with defaults."""
    runs = [planned.job for planned in load_suite("quick").runs]
    own = {(job.puzzle.name, job.backend): job for job in runs}
    of_puzzle = {job.puzzle.name: job for job in runs}
    others = (
        replace(job, backend=backend, config={})
        for job in of_puzzle.values()
        for backend in backends()
        if (job.puzzle.name, backend) not in own
    )
    return [*own.values(), *others]


JOBS = every_pair()


@pytest.mark.parametrize("job", JOBS, ids=lambda job: f"{job.puzzle.name}-{job.backend}")
def test_search(job: Job, benchmark: Benchmark) -> None:
    """Time a search that ends within the limits of the suite; otherwise skip with the reason."""
    first = finish(run_watched(job))
    if first.status != Status.EXHAUSTED:
        pytest.skip(f"{job.backend}: {first.reason or first.status}")
    unlimited = replace(job, limits=Limits())
    for finished in timed(unlimited, benchmark, ROUNDS):
        assert (finished.count, finished.nodes) == (first.count, first.nodes)
    benchmark.extra_info.update(extra_info(unlimited, finished))
