"""The function that tests call to count the solutions of a puzzle and have the count guarded."""

from __future__ import annotations

from collections.abc import MutableMapping
from pathlib import Path
from typing import Unpack

import pytest

from dovetail.backends.registry import backend_named, not_installed
from dovetail.errors import DovetailError
from dovetail.harness.execution.launch import finish, run
from dovetail.harness.parameters import SearchParameters, spelled_out
from dovetail.harness.planning import AUTO
from dovetail.harness.pytest_plugin.golden import Figures, GoldenFile, read_golden
from dovetail.harness.pytest_plugin.golden_update import Counted, shown_path
from dovetail.harness.pytest_plugin.question import asked_job, puzzle_beside, question_words
from dovetail.harness.pytest_plugin.timing import ROUNDS, Benchmark, extra_info, timed
from dovetail.harness.pytest_plugin.verdict import difference, unproved
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.models.task import Puzzle


class SolutionCount:
    """Counts for one test, whose golden file is at `golden`.

    `files` keeps those that were read. Where `counted` is not None counts are recorded there and
    held to nothing.
    """

    def __init__(
        self,
        golden: Path,
        files: MutableMapping[Path, GoldenFile],
        root: Path,
        counted: list[Counted] | None,
    ) -> None:
        self._golden, self._files = golden, files
        self._shown = shown_path(golden, root)
        self._counted = counted

    @spelled_out(SearchParameters)
    def __call__(
        self,
        puzzle: Puzzle | str | Path,
        backend: str = AUTO,
        *,
        nodes: bool = True,
        benchmark: Benchmark | None = None,
        rounds: int = ROUNDS,
        **asked: Unpack[SearchParameters],
    ) -> Result:
        """Count the solutions of a puzzle; the test fails unless count and nodes are golden.

        The arguments are those of `dovetail.count`, and so is the result; a file may also lie
        beside the test. Nodes are compared where the backend counts any, unless `nodes` is False
        or `auto` chooses the backend. With the fixture `benchmark` of pytest-benchmark the search
        alone is timed, in so many `rounds`, all of which have to be right.

        The test fails, too, if a run does not count to the end or nothing is recorded. It is
        skipped where the backend is not installed. Raises `DovetailError` for what cannot be
        used, a golden file among it.
        """
        __tracebackhide__ = True
        try:
            job = asked_job(puzzle_beside(self._golden.parent, puzzle), backend, **asked)
            question = question_words(job)
            if self._golden not in self._files:
                self._files[self._golden] = read_golden(self._golden)
            _skip_without(backend)
            results = [finish(run(job))] if benchmark is None else timed(job, benchmark, rounds)
        except DovetailError as error:
            raise error.with_traceback(None) from None  # the test's own line shows where
        for finished in results:
            self._judge(question, finished, _figures(job, finished, nodes=nodes))
        if benchmark is not None:
            benchmark.extra_info.update(extra_info(job, results[-1]))
        return results[-1]

    def _judge(self, question: str, finished: Result, found: Figures | None) -> None:
        """Record what a run has found, or hold it to what is recorded."""
        __tracebackhide__ = True
        problem = unproved(question, finished)
        if found is not None and self._counted is not None:
            self._counted.append(Counted(self._golden, question, found))
        elif found is not None:
            recorded = self._files[self._golden].entries.get(question)
            chosen = None if finished.chosen is None else finished.chosen.backend
            problem = difference(question, found, recorded, self._shown, chosen)
        if problem is not None:
            pytest.fail(problem, pytrace=False)


def _skip_without(backend: str) -> None:
    """Skip the test if its backend is not installed."""
    __tracebackhide__ = True
    reason = None if backend == AUTO else not_installed(backend_named(backend))
    if reason is not None:
        pytest.skip(reason)


def _figures(job: Job, finished: Result, *, nodes: bool) -> Figures | None:
    """What is compared of a result; None if it is no count of all solutions."""
    if unproved("", finished) is not None or finished.count is None:
        return None
    guarded = finished.nodes if nodes and job.backend != AUTO else None
    return Figures(finished.count, guarded, job.puzzle.digest)
