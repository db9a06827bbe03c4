"""The runs and exhibits of a suite, or the runs of puzzles and backends without a suite file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from dovetail.backends.config import plain_values
from dovetail.backends.registry import Solver, solver_of
from dovetail.backends.registry import backends as all_backends
from dovetail.errors import ConfigError, how_many, list_first, shorten, show, unknown_name
from dovetail.harness.exhibits import Exhibit
from dovetail.harness.parameters import SearchParameters, make_jobs
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import named_backend, named_config
from dovetail.harness.planning.tree_size import samples_piece, with_piece
from dovetail.harness.records.record import Published
from dovetail.harness.run.job import Job
from dovetail.models.task import Puzzle, lower
from dovetail.printable import Shown
from dovetail.puzzles.loading import load_all

if TYPE_CHECKING:
    from dovetail.harness.workers.clusters.slurm import SolverResources

AnyPuzzle = Puzzle | str | Path

UNPUBLISHED = Published()


@dataclass(frozen=True)
class PlannedRun:
    """A job of a suite, with the facts that the suite states about the job."""

    job: Job
    tags: tuple[str, ...]
    expected: int | None
    # Name of the run, such as the name of its row in a published table.
    name: str | None = None
    published: Published = UNPUBLISHED
    # Name of the row whose fits this run repeats with another backend.
    proxy_for: str | None = None
    # Description of the setting that was chosen to match the published figures.
    fitted: str = ""
    # Reason why the figures differ from the published figures.
    difference: str = ""
    # Highest known score of a board to improve.
    best_known: int | None = None
    # Resources of the run's jobs in SLURM.
    resources: SolverResources | None = None

    @property
    def names(self) -> set[str]:
        """The names that select the run: its puzzle, its row and its tags."""
        row = () if self.name is None else (self.name,)
        return {self.job.puzzle.name, *self.tags, *row}


@dataclass(frozen=True, repr=False)
class SuitePlan(Shown):
    """The runs and exhibits of a suite, or of a bench without a suite."""

    name: str
    repeats: int
    runs: tuple[PlannedRun, ...]
    about: str = ""
    exhibits: tuple[Exhibit, ...] = ()
    # Puzzle files that were not found.
    missing_files: tuple[str, ...] = ()
    # Source of the puzzle files, for the message about missing files.
    files: str = ""

    def __str__(self) -> str:
        backends = list(dict.fromkeys(run.job.backend for run in self.runs))
        puzzles = how_many(len({run.job.puzzle.digest for run in self.runs}), "puzzle")
        runs, repeats = how_many(len(self.runs), "run"), how_many(self.repeats, "repeat")
        return f"{self.name}: {runs} of {puzzles} by {list_first(backends, 6)}, {repeats}"

    @property
    def left_out(self) -> str | None:
        """Message about missing puzzle files and puzzles that occur twice, or None."""
        jobs, messages = self.jobs, list[str]()
        if self.missing_files:
            first, *others = self.missing_files
            more = f" and {len(others)} more" if others else ""
            where = "neither beside the suite nor in the current folder"
            messages.append(f"{first}{more}, {where}; {self.files}")
        renamed = {run.job.puzzle.name: jobs[run.job.digest].job.puzzle.name for run in self.runs}
        repeated = [f"{name} is {first}" for name, first in renamed.items() if name != first]
        if repeated:
            messages.append(f"puzzles that occur twice ({list_first(repeated, 6)})")
        return f"left out: {'; '.join(messages)}" if messages else None

    @cached_property
    def jobs(self) -> dict[str, PlannedRun]:
        """The runs by the digest of their jobs; of several runs of a job, only the first.

        A run has the tags of all runs of its job. The expected count and the best known score may
        be from a later run of the job.
        """
        jobs: dict[str, PlannedRun] = {}
        for run in self.runs:
            first = jobs.setdefault(run.job.digest, run)
            jobs[run.job.digest] = replace(
                first,
                tags=tuple(dict.fromkeys((*first.tags, *run.tags))),
                expected=run.expected if first.expected is None else first.expected,
                best_known=run.best_known if first.best_known is None else first.best_known,
            )
        return jobs

    @property
    def stated(self) -> dict[str, dict[str, Any]]:
        """The record fields that the suite states about each job, by the digest of the job."""
        stated: dict[str, dict[str, Any]] = {
            digest: {
                "tags": run.tags,
                "expected": run.expected,
                "best_known": run.best_known,
                "published": {},
            }
            for digest, run in self.jobs.items()
        }
        for run in self.runs:
            if run.name is not None:
                stated[run.job.digest]["published"][run.name] = run.published
        return stated

    @property
    def has_published(self) -> bool:
        """Whether the suite has exhibits or named runs, such as rows of a publication."""
        return bool(self.exhibits) or any(run.name is not None for run in self.runs)

    def with_cold_starts(self) -> SuitePlan:
        """Return the plan with cold starts: an empty cache of compiled kernels for each run."""
        runs = (replace(run, job=replace(run.job, cold_start=True)) for run in self.runs)
        return replace(self, runs=tuple(runs))

    def only(self, wanted: Iterable[str]) -> SuitePlan:
        """Return the plan with only the runs whose row, puzzle or tag is in `wanted`.

        Raises `ConfigError` for a name that selects no run.
        """
        names = {name for run in self.runs for name in run.names}
        wanted = set(wanted)
        for name in wanted - names:
            raise unknown_name("row, puzzle or tag in this suite", name, names)
        return replace(self, runs=tuple(run for run in self.runs if wanted & run.names))


def plan_of(
    puzzles: AnyPuzzle | Iterable[AnyPuzzle],
    backends: Solver | Iterable[Solver] | None = None,
    repeats: int = 1,
    **asked: Unpack[SearchParameters],
) -> SuitePlan:
    """Return a plan that runs each puzzle with each backend.

    `puzzles` are puzzles, catalogue names or files; all puzzles of a file are run. `backends` are
    names, files, classes or objects; a text can contain several names separated by commas. None
    means every backend that is always installed, needs no permission and does not refuse the
    puzzle. All backends get the same `config`.

    Raises `ConfigError` for an unknown name or an invalid value, and if no backend is left.
    """
    if type(repeats) is not int or repeats < 1:
        raise ConfigError(f"repeats is {show(repeats)}; expected 1 or more")
    solvers = None if backends is None else _solvers(backends)
    for name, _ in solvers or ():
        named_backend(name)  # rejects unknown names before puzzles are loaded
    jobs = make_jobs(_loaded(puzzles), AUTO, **asked)
    if not jobs:
        raise ConfigError("no puzzles given; expected at least one")
    runs = []
    for job in jobs:
        for name, preset in _suitable(job) if solvers is None else solvers:
            # The digest must not depend on the notation of values.
            given = {**preset, **job.config}
            config = plain_values(named_config(name, given), given)
            runs.append(PlannedRun(replace(job, backend=name, config=config), (), None))
    title = ", ".join(dict.fromkeys(job.puzzle.name for job in jobs))
    return SuitePlan(shorten(title), repeats, tuple(runs))


def _solvers(backends: Solver | Iterable[Solver]) -> list[tuple[str, Mapping[str, object]]]:
    """Return the name and the settings of each distinct backend, in the given order.

    Only objects have settings. Raises `ConfigError` if no backend or an invalid object is given.
    """
    if isinstance(backends, str) or not isinstance(backends, Iterable):
        backends = [backends]
    solvers: list[tuple[str, Mapping[str, object]]] = []
    several = list(backends)
    for given in several:
        words = [word.strip() for word in given.split(",")] if isinstance(given, str) else [given]
        for name, preset in map(solver_of, words):
            if not isinstance(name, str):
                raise ConfigError(f"backends is {show(several)}; expected a list of names")
            solvers += [(name, preset)] * ((name, preset) not in solvers)
    if not solvers:
        raise ConfigError("no backends given; expected at least one name")
    return solvers


def _loaded(puzzles: AnyPuzzle | Iterable[AnyPuzzle]) -> Iterator[Puzzle]:
    if isinstance(puzzles, str) or not isinstance(puzzles, Iterable):
        puzzles = [puzzles]
    for puzzle in puzzles:
        yield from load_all(puzzle) if isinstance(puzzle, str | Path) else [puzzle]


def _suitable(job: Job) -> list[tuple[str, Mapping[str, object]]]:
    """Return the backends that are always installed, need no permission and accept the job.

    Raises `ConfigError` if there are no such backends.
    """
    request = job.request
    if samples_piece(request):
        request = with_piece(request, None)
    task = lower(job.puzzle, labelled=request.labelled).task(request)
    names: list[tuple[str, Mapping[str, object]]] = [
        (name, {})
        for name, backend in all_backends().items()
        if backend.extra is None
        and not backend.needs_permission
        and backend.missing() is None
        and backend.refuses(task, named_config(name, job.config)) is None
    ]
    if not names:
        raise ConfigError(
            f"every backend that is always installed refuses {job.puzzle.name}; expected names of "
            "backends"
        )
    return names
