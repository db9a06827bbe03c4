"""The function with which tests count a puzzle's solutions, and compare them with golden figures.

With pytest-benchmark, only the search is timed: compiling, lowering and preparing happen before the
clock of a round starts. When the clock has stopped, solutions are verified and sorted into symmetry
classes.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, MutableMapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Protocol, Unpack

import numpy as np
import pytest
from numpy.typing import NDArray

from dovetail.backends.backend_file import BackendFile
from dovetail.backends.config import plain_values
from dovetail.backends.registry import Solver, backend_named, not_installed
from dovetail.errors import TOO_LONG, ConfigError, DovetailError, is_too_long, shorten
from dovetail.harness.parameters import SearchParameters, make_jobs, spelled_out
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import named_config
from dovetail.harness.planning.planner import check_one_search, session_of
from dovetail.harness.pytest_plugin.golden import (
    Counted,
    Figures,
    GoldenEntry,
    GoldenFile,
    entry_line,
    quoted,
    read_golden,
    shown_path,
    whole,
)
from dovetail.harness.records.outline import example_of, outline, size
from dovetail.harness.records.record_files import RECORD
from dovetail.harness.records.run_record import run_record
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.collector import Tally
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import Result
from dovetail.harness.run.session import Session
from dovetail.harness.workers.runs import finish, run
from dovetail.models.outcome import Status
from dovetail.models.task import Puzzle
from dovetail.printable import printable
from dovetail.puzzles.loading import is_file, load

LONGEST = 300
HOW_TO_UPDATE = "if the new figures are right, record them with: pytest --update-counts"
ROUNDS = 5


class SolutionCount:
    """The function that counts solutions for a test; `golden` is the path of the golden file.

    `files` is the cache of golden files. Messages show `golden` relative to `root`. If `counted` is
    not None, counts are appended to `counted` and are not compared.
    """

    def __init__(
        self,
        golden: Path,
        files: MutableMapping[Path, GoldenFile],
        root: Path,
        counted: list[Counted] | None,
    ) -> None:
        self._golden, self._files = golden, files
        self._name = shown_path(golden, root)
        self._counted = counted

    @spelled_out(SearchParameters)
    def __call__(
        self,
        puzzle: Puzzle | str | Path,
        backend: Solver = AUTO,
        *,
        nodes: bool = True,
        benchmark: Benchmark | None = None,
        rounds: int = ROUNDS,
        **asked: Unpack[SearchParameters],
    ) -> Result:
        """Count the solutions of a puzzle; the test fails unless count and nodes are as recorded.

        The arguments and the result are as for `dovetail.count`, without workers, checkpoint,
        option order and disassembly. The file of a puzzle may also be in the folder of the test.
        With `--update-counts`, nothing is compared. Nodes are compared if the backend counts nodes,
        unless `nodes` is False or `auto` chooses the backend. With the fixture `benchmark` of
        pytest-benchmark, only the search is timed, in `rounds` rounds, and every round is checked.

        The test also fails if a run is incomplete or no figures are recorded. The test is skipped
        if the backend is not installed. Raises `DovetailError` for invalid arguments or an invalid
        golden file.
        """
        __tracebackhide__ = True
        try:
            job = asked_job(puzzle_beside(self._golden.parent, puzzle), backend, **asked)
            question = question_words(job)
            if self._golden not in self._files:
                self._files[self._golden] = read_golden(self._golden)
            missing = None if job.backend == AUTO else not_installed(backend_named(job.backend))
            if missing is not None:
                pytest.skip(missing)
            results = [finish(run(job))] if benchmark is None else timed(job, benchmark, rounds)
        except DovetailError as error:
            raise error.with_traceback(None) from None  # the traceback ends at the line of the test
        for result in results:
            problem = self._problem(question, job, result, nodes=nodes and job.backend != AUTO)
            if problem is not None:
                pytest.fail(problem, pytrace=False)
        if benchmark is not None:
            benchmark.extra_info.update(extra_info(job, results[-1]))
        return results[-1]

    def _problem(self, question: str, job: Job, result: Result, *, nodes: bool) -> str | None:
        """Append a result to `counted`, or compare it with the recorded figures.

        Returns the message of a failing test, or None. An incomplete count fails in both cases.
        """
        shown = quoted(shorten(question, LONGEST))
        if is_too_long(result.count):
            return f"a golden file cannot hold a count of {TOO_LONG}: {shown}"
        if result.status != Status.EXHAUSTED or result.count is None:
            count = "none" if result.count is None else f"at least {whole(result.count)}"
            return _lines(
                f"the count is incomplete: {shown}",
                f"status    {result.status}",
                f"reason    {printable(shorten(result.reason or 'none given', LONGEST))}",
                f"counted   {count}",
            )
        found = Figures(result.count, result.nodes if nodes else None, job.puzzle.digest)
        if self._counted is not None:
            self._counted.append(Counted(self._golden, question, found))
            return None
        entry = self._files[self._golden].entries.get(question)
        if entry is None:
            return _lines(
                f"no count is recorded: {shown}",
                f"expected an entry in {self._name}; this line would record the result:",
                shorten(entry_line(question, found), 5 * LONGEST),
                HOW_TO_UPDATE,
            )
        recorded = f"recorded in {self._name}:{entry.line}"
        if result.chosen is not None:
            recorded += f"\n  counted by {result.chosen.backend} (chosen by auto)"
        return _difference(shown, found, entry, recorded)


def asked_job(puzzle: Puzzle, backend: Solver, **asked: Unpack[SearchParameters]) -> Job:
    """Return the job of a test.

    Settings of different types with the same meaning, such as "3" and 3, give the same config.
    Raises `ConfigError` for an invalid name or value.
    """
    (job,) = make_jobs([puzzle], backend, **asked)
    config = plain_values(named_config(job.backend, job.config), job.config)
    return replace(job, config=config)


def puzzle_beside(folder: Path, puzzle: Puzzle | str | Path) -> Puzzle:
    """Load a puzzle from a file in `folder`, or with `load` if there is no such file."""
    if not isinstance(puzzle, str | Path):
        return puzzle
    local = folder / puzzle
    return load(local if is_file(local) else puzzle)


def question_words(job: Job) -> str:
    """Return the key of a job in golden files: puzzle, backend, config and request.

    An example is `pentominoes-6x10 dlx unique reduce=redundancy,volume config.stages=s,f@11`.
    Limits and seed are not part of the key, because they do not change a complete count. Raises
    `ConfigError` for a name or setting that cannot be written to a file.
    """
    request = job.request
    # The digest of a backend's file is left out, so that versions of the file can be compared.
    solver = job.backend.short_name if isinstance(job.backend, BackendFile) else job.backend
    words = [job.puzzle.name, solver, str(request.symmetry)]
    if request.labelled:
        words.append("labelled")
    for name, values in (("reduce", request.reductions), ("triggers", request.triggers)):
        if values:
            words.append(f"{name}={','.join(map(str, values))}")
    words += [f"config.{key}={_written(value)}" for key, value in sorted(job.config.items())]
    question = shlex.join(words)
    try:
        question.encode()
    except UnicodeEncodeError:
        shown = shorten(ascii(question))
        message = f"{shown} cannot be written to a golden file; expected no lone surrogates"
        raise ConfigError(message) from None
    return question


def _written(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _difference(shown: str, found: Figures, entry: GoldenEntry, recorded: str) -> str | None:
    """Return the message of a test whose figures differ from `entry`, or None if they agree.

    Nodes that are None agree with all nodes. `shown` is the question, and `recorded` names the
    place of the entry.
    """
    known = entry.figures
    rows = [
        ("count", whole(known.count), whole(found.count), found.count == known.count),
        ("nodes", *map(_nodes, (known, found)), found.nodes in (None, known.nodes)),
        ("puzzle", known.digest, found.digest, found.digest == known.digest),
    ]
    changed = [name for name, _, _, same in rows if not same]
    if not changed:
        return None
    verb = "have" if changed[0] == "nodes" else "has"
    return _lines(
        f"the {changed[0]} {verb} changed: {shown}",
        f"{'':8}{'recorded':>20}{'found':>20}",
        *(
            f"{name:8}{before:>20}{now:>20}  {'same' if same else 'CHANGED'}"
            for name, before, now, same in rows
        ),
        recorded,
        HOW_TO_UPDATE,
    )


def _nodes(figures: Figures) -> str:
    return "none" if figures.nodes is None else whole(figures.nodes)


def _lines(first: str, *others: str) -> str:
    return "\n".join([first, *(f"  {line}" for line in others)])


class Benchmark(Protocol):
    """The part of the fixture `benchmark` of pytest-benchmark that this module uses."""

    @property
    def extra_info(self) -> dict[str, Any]: ...

    @property
    def pedantic(self) -> Callable[..., Any]: ...


def timed(job: Job, benchmark: Benchmark, rounds: int) -> list[Result]:
    """Time the search of a job in `rounds` rounds and return the results.

    There is only one round if `benchmark` is disabled. `prepare_s` of a result includes lowering.
    Raises `ConfigError` for an invalid `benchmark` or `rounds`, for a job that is not a single
    complete search with a named backend, and for a puzzle that is known to have no solution. Raises
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
    """Return the extra fields for pytest-benchmark: a few figures, and the record of the run."""
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
    """A round of a benchmark: searches that are prepared before they are timed.

    There are several searches if the puzzle is divided to break symmetry.
    """

    def __init__(self, begun: Session, lowering_s: float) -> None:
        clock = RunClock()
        clock.start()
        clock.preparing.add(lowering_s, 0.0)
        self._session = begun.again(clock)
        searches, self._parts = self._session.searches()
        with clock.preparing:
            self._prepared = list(searches)
        self._slices = [self._session.advance(each.search, Limits()) for each in self._prepared]
        self._found = [list[NDArray[np.int32]]() for _ in self._prepared]
        self._status: list[Status | None] = [None] * len(self._prepared)
        for number, prepared in enumerate(self._prepared):
            while not prepared.search.prepared and self._status[number] is None:
                self._status[number] = next(self._slices[number])

    def search(self) -> None:
        """Search to the end; only this method is timed."""
        for number, prepared in enumerate(self._prepared):
            for status in self._slices[number]:
                self._status[number] = status
                if not prepared.search.counts_only:
                    self._found[number].append(prepared.search.take())

    def result(self) -> Result:
        """Verify the solutions, sort them into symmetry classes and return the result."""
        session = self._session
        tally = Tally(session.plan, session.collector(), parts=self._parts)
        for prepared, found, status in zip(self._prepared, self._found, self._status, strict=True):
            search = prepared.search
            tally.begin()
            for batch in [search.take()] if search.counts_only else found:
                for _ in tally.collect(prepared, partial(np.asarray, batch), lambda: False):
                    pass  # nothing is listed
            tally.update(search, status)
            tally.end(search, cpu_s=0.0)  # the rate is not reported
            if tally.is_over:
                break
        return session.result(tally)
