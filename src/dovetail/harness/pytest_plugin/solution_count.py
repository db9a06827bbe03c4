"""The function that tests call to count a puzzle's solutions and to compare the golden figures."""

from __future__ import annotations

import shlex
from collections.abc import MutableMapping
from dataclasses import replace
from pathlib import Path
from typing import Unpack

import pytest

from dovetail.backends.config import plain_values
from dovetail.backends.registry import backend_named, not_installed
from dovetail.errors import ConfigError, DovetailError, shorten
from dovetail.harness.parameters import SearchParameters, make_jobs, spelled_out
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import named_config
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
from dovetail.harness.pytest_plugin.timing import ROUNDS, Benchmark, extra_info, timed
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import finish, run
from dovetail.models.outcome import Status
from dovetail.models.task import Puzzle
from dovetail.printable import printable
from dovetail.puzzles.loading import is_file, load

LONGEST = 300
HOW_TO_UPDATE = "if the new figures are right, record them with: pytest --update-counts"


class SolutionCount:
    """The function that counts solutions for a test; `golden` is the path of the golden file.

    `files` is the cache of golden files. If `counted` is not None, counts are appended to `counted`
    and are not compared.
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
        backend: str = AUTO,
        *,
        nodes: bool = True,
        benchmark: Benchmark | None = None,
        rounds: int = ROUNDS,
        **asked: Unpack[SearchParameters],
    ) -> Result:
        """Count the solutions of a puzzle; the test fails unless count and nodes are as recorded.

        The arguments and the result are the same as for `dovetail.count`; the file of a puzzle may
        also be in the folder of the test. Nodes are compared if the backend counts nodes, unless
        `nodes` is False or `auto` chooses the backend. With the fixture `benchmark` of
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
            missing = None if backend == AUTO else not_installed(backend_named(backend))
            if missing is not None:
                pytest.skip(missing)
            results = [finish(run(job))] if benchmark is None else timed(job, benchmark, rounds)
        except DovetailError as error:
            raise error.with_traceback(None) from None  # the traceback ends at the line of the test
        for result in results:
            problem = self._problem(question, job, result, nodes=nodes and backend != AUTO)
            if problem is not None:
                pytest.fail(problem, pytrace=False)
        if benchmark is not None:
            benchmark.extra_info.update(extra_info(job, results[-1]))
        return results[-1]

    def _problem(self, question: str, job: Job, result: Result, *, nodes: bool) -> str | None:
        """Record a result, or compare it with the recorded figures; return the problem or None."""
        shown = quoted(shorten(question, LONGEST))
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


def asked_job(puzzle: Puzzle, backend: str, **asked: Unpack[SearchParameters]) -> Job:
    """Return the job of a test.

    Settings of different types with the same meaning give the same config. Raises `ConfigError` for
    an invalid name or value.
    """
    (job,) = make_jobs([puzzle], backend, **asked)
    config = plain_values(named_config(backend, job.config), job.config)
    return replace(job, config=config)


def puzzle_beside(folder: Path, puzzle: Puzzle | str | Path) -> Puzzle:
    """Load a puzzle from a file in `folder`, or with `load` if there is no such file."""
    if not isinstance(puzzle, str | Path):
        return puzzle
    local = folder / puzzle
    return load(local if is_file(local) else puzzle)


def question_words(job: Job) -> str:
    """Return the key of a job in golden files: the puzzle, the backend and the request.

    An example is `pentominoes-6x10 dlx unique reduce=redundancy,volume config.stages=s,f@11`.
    Limits are not part of the key, because they do not change a complete answer. Raises
    `ConfigError` for a name that cannot be written to a file.
    """
    request = job.request
    words = [job.puzzle.name, job.backend, str(request.symmetry)]
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
    """Describe how figures differ from the recorded entry, or return None if they agree."""
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
