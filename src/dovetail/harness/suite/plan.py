"""The runs and exhibits that a suite comes to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dovetail.errors import unknown_name
from dovetail.harness.exhibits import Exhibit
from dovetail.harness.records.record import Published
from dovetail.harness.run.job import Job

UNPUBLISHED = Published()


@dataclass(frozen=True)
class PlannedRun:
    """One line of the results to come; `name` is its row's in a published table.

    `fitted` says which setting was chosen to match the row, `difference` why the figures are not
    the published ones; both are empty for a row that needs no explanation. `proxy_for` is the name
    of a row whose fits this run repeats with another backend. `best_known` is the highest score
    that is known of a board to improve.
    """

    job: Job
    tags: tuple[str, ...]
    expected: int | None
    name: str | None = None
    published: Published = UNPUBLISHED
    proxy_for: str | None = None
    fitted: str = ""
    difference: str = ""
    best_known: int | None = None

    @property
    def names(self) -> set[str]:
        """By what it can be asked for."""
        own = set() if self.name is None else {self.name}
        return {self.job.puzzle.name, *self.tags, *own}


@dataclass(frozen=True)
class SuitePlan:
    """What a suite comes to.

    `missing_files` are puzzle files that are not at hand; `files` says where they come from.
    """

    name: str
    repeats: int
    runs: tuple[PlannedRun, ...]
    about: str = ""
    exhibits: tuple[Exhibit, ...] = ()
    missing_files: tuple[str, ...] = ()
    files: str = ""

    @property
    def left_out(self) -> str | None:
        """Which puzzle files are not at hand, and where they come from; None if all are there."""
        if not self.missing_files:
            return None
        first, *others = self.missing_files
        more = f" and {len(others)} more" if others else ""
        where = "neither beside the suite nor in the current folder"
        return f"left out: {first}{more}, {where}; {self.files}"

    @property
    def jobs(self) -> dict[str, PlannedRun]:
        """The runs by their job's digest: one that a suite asks for twice is here once."""
        jobs: dict[str, PlannedRun] = {}
        for planned in self.runs:
            jobs.setdefault(planned.job.digest, planned)
        return jobs

    @property
    def rows(self) -> dict[str, dict[str, Published]]:
        """What is published of a job, by its digest: under the names of the rows that run it."""
        rows: dict[str, dict[str, Published]] = {}
        for planned in self.runs:
            if planned.name is not None:
                rows.setdefault(planned.job.digest, {})[planned.name] = planned.published
        return rows

    @property
    def has_published(self) -> bool:
        """Whether a publication's rows or figures are in it."""
        return bool(self.exhibits) or any(run.name is not None for run in self.runs)

    def with_cold_starts(self) -> SuitePlan:
        """The same runs, each with an empty cache of compiled kernels."""
        runs = (replace(run, job=replace(run.job, cold_start=True)) for run in self.runs)
        return replace(self, runs=tuple(runs))

    def only(self, wanted: Iterable[str]) -> SuitePlan:
        """The runs of which the row's name, the puzzle's or one of the tags is `wanted`."""
        names = {name for run in self.runs for name in run.names}
        wanted = set(wanted)
        for name in wanted - names:
            raise unknown_name("row, puzzle or tag in this suite", name, names)
        chosen = (run for run in self.runs if wanted & run.names)
        return replace(self, runs=tuple(chosen))
