"""What the pages of a site are made of: the records, by computer, puzzle, backend and family.

Of each job the records of the revision that ran it last count, on each computer by itself; earlier
ones are history. Counts are judged across all computers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from pathlib import Path

from dovetail.errors import shorten
from dovetail.harness.evaluation.contests import Clock, contests
from dovetail.harness.evaluation.solver_runs import (
    DIGEST_SHOWN,
    LONGEST_NAME,
    SolverRuns,
    solver_runs,
)
from dovetail.harness.evaluation.verdict import ContestVerdict, verdict
from dovetail.harness.records.environment import Computer, by_computer, computer_of, newest
from dovetail.harness.records.questions import (
    FAMILIES,
    OTHER_PUZZLES,
    Question,
    family_of,
    solver_name,
)
from dovetail.harness.records.record import Record
from dovetail.harness.records.record_files import RecordFile
from dovetail.harness.records.summary import judged, summaries, with_shared_reductions
from dovetail.reports.columns import ComparedResult, compared
from dovetail.reports.site.addresses import file_names

SUFFIXES = (".jsonl", ".json")  # of a bench, and of pytest-benchmark


@dataclass(frozen=True)
class SourceFile:
    """A file of records as it was given: its name without folders, its content, what it holds."""

    name: str
    data: bytes
    file: RecordFile

    @property
    def suffix(self) -> str:
        """The suffix of the file, or that of files of records where it has another."""
        suffix = Path(self.name).suffix.lower()
        return suffix if suffix in SUFFIXES else SUFFIXES[0]

    @property
    def warning(self) -> str | None:
        """What was skipped in it; None if nothing was."""
        return replace(self.file, path=Path(self.name)).warning


@dataclass(frozen=True, eq=False)
class ComputerResults:
    """All that one computer measured.

    `records` are all of its records, `results` one for each job, those that are wrong marked.
    """

    computer: Computer
    records: tuple[Record, ...]
    results: tuple[Record, ...]

    @cached_property
    def counted(self) -> list[Record]:
        """The results that are no improvements."""
        return [result for result in self.results if not result.job.improves]

    @cached_property
    def current(self) -> list[Record]:
        """The records that the results are made of."""
        return [run for result in self.results for run in result.runs]

    @cached_property
    def runs(self) -> SolverRuns:
        """Every solver's run on every question."""
        return solver_runs(self.counted)

    @cached_property
    def verdicts(self) -> list[ContestVerdict]:
        """The verdicts on all contests, those over all puzzles first."""
        return [verdict(one) for clock in Clock for one in contests(self.runs, clock)]

    @cached_property
    def compared(self) -> dict[str, ComparedResult]:
        """The results by job, each beside those that answer the same question."""
        return {row.record.job.digest: row for row in compared(self.results)}

    def of_puzzle(self, digest: str) -> list[Record]:
        """The results on one puzzle."""
        return self._by_puzzle.get(digest, [])

    def of_backend(self, backend: str) -> list[Record]:
        """The results of one backend, whatever its settings."""
        return self._by_backend.get(backend, [])

    @cached_property
    def _by_puzzle(self) -> dict[str, list[Record]]:
        found: dict[str, list[Record]] = {}
        for result in self.results:
            found.setdefault(result.job.puzzle_digest, []).append(result)
        return found

    @cached_property
    def _by_backend(self) -> dict[str, list[Record]]:
        found: dict[str, list[Record]] = {}
        for result in self.results:
            found.setdefault(result.job.backend, []).append(result)
        return found


@dataclass(frozen=True)
class SitePuzzle:
    """A puzzle by its content, under the `title` of its page; it has been called by all `names`."""

    digest: str
    title: str
    names: tuple[str, ...]
    family: str
    records: tuple[Record, ...]


@dataclass(frozen=True)
class SiteSolver:
    """A backend or an improver, with the names of the solvers that it is with settings."""

    backend: str
    title: str
    settings: tuple[str, ...]
    records: tuple[Record, ...]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The place of each solver among the settings, from 1."""
        return {name: number for number, name in enumerate(self.settings, start=1)}


@dataclass(frozen=True, eq=False)
class SiteContent:
    """Everything that the pages of a site show, under its `title`."""

    title: str
    files: tuple[SourceFile, ...]
    computers: tuple[ComputerResults, ...]
    puzzles: tuple[SitePuzzle, ...]
    solvers: tuple[SiteSolver, ...]

    @cached_property
    def records(self) -> list[Record]:
        """The records of all files, in their order."""
        return [record for source in self.files for record in source.file.records]

    @cached_property
    def results(self) -> list[Record]:
        """The results of all computers."""
        return [result for computer in self.computers for result in computer.results]

    @cached_property
    def families(self) -> list[str]:
        """The families of the puzzles, in the order of `FAMILIES`."""
        found = {puzzle.family for puzzle in self.puzzles}
        return [family for family in (*FAMILIES.values(), OTHER_PUZZLES) if family in found]

    def compared(self, result: Record) -> ComparedResult:
        """Return a result beside those that answer the same question on its computer."""
        return self._by_computer[computer_of(result)].compared[result.job.digest]

    @cached_property
    def _by_computer(self) -> dict[Computer, ComputerResults]:
        return {one.computer: one for one in self.computers}

    @cached_property
    def titles(self) -> dict[str, str]:
        """The title of each puzzle, by digest."""
        return {puzzle.digest: puzzle.title for puzzle in self.puzzles}

    def title_of(self, question: Question) -> str:
        """The question in one line, with the digest of its puzzle where names are shared."""
        title = self.titles.get(question.digest, one_line(question.puzzle))
        return title + question.title[len(question.puzzle) :]

    @cached_property
    def puzzle_files(self) -> dict[str, str]:
        """The file name of each puzzle's page, by digest."""
        return file_names({one.digest: one.names[0] for one in self.puzzles})

    @cached_property
    def solver_files(self) -> dict[str, str]:
        """The file name of each backend's page."""
        return file_names({one.backend: one.backend for one in self.solvers})

    @cached_property
    def computer_files(self) -> dict[Computer, str]:
        """The file name of each computer's page."""
        return file_names({one.computer: one.computer.title for one in self.computers})

    @cached_property
    def source_files(self) -> dict[int, str]:
        """The file name, without its suffix, of each copy of a file by its place."""
        return file_names({n: Path(source.name).stem for n, source in enumerate(self.files)})


def site_content(files: Sequence[SourceFile], title: str) -> SiteContent:
    """Sort the records of `files` for the pages of a site."""
    records = [record for source in files for record in source.file.records]
    of_computers = by_computer(records)
    made = [summaries(newest(own)) for own in of_computers.values()]
    results = iter(with_shared_reductions(judged(list(chain.from_iterable(made)))))
    computers = [
        ComputerResults(
            computer,
            tuple(own),
            tuple(islice(results, len(summarised))),
        )
        for (computer, own), summarised in zip(of_computers.items(), made, strict=True)
    ]
    shown = [result for computer in computers for result in computer.results]
    # In a damaged file, records of one job may be about several puzzles: the last has a page.
    puzzles = {result.job.puzzle_digest for result in shown}
    return SiteContent(
        title,
        tuple(files),
        tuple(computers),
        tuple(_puzzles(record for record in records if record.job.puzzle_digest in puzzles)),
        tuple(_solvers(records, shown)),
    )


def _puzzles(records: Iterable[Record]) -> Iterator[SitePuzzle]:
    """Yield all puzzles in the order of their names; those of one name have their digests, too."""
    by_digest: dict[str, list[Record]] = {}
    for record in records:
        by_digest.setdefault(record.job.puzzle_digest, []).append(record)
    titles = {digest: one_line(own[0].job.puzzle) for digest, own in by_digest.items()}
    shared = Counter(titles.values())
    for digest in sorted(by_digest, key=lambda digest: (titles[digest], digest)):
        title, own = titles[digest], by_digest[digest]
        title += f" [{shorten(digest, DIGEST_SHOWN)}]" if shared[title] > 1 else ""
        names = tuple(dict.fromkeys(record.job.puzzle for record in own))
        yield SitePuzzle(digest, title, names, family_of(own), tuple(own))


def _solvers(records: Iterable[Record], results: Iterable[Record]) -> Iterator[SiteSolver]:
    """Yield the backends and improvers that have `results`, in the order of their names."""
    names: dict[str, set[str]] = {}
    for result in results:
        names.setdefault(result.job.backend, set()).add(solver_name(result))
    by_backend: dict[str, list[Record]] = {}
    for record in records:
        by_backend.setdefault(record.job.backend, []).append(record)
    for backend, settings in sorted(names.items()):
        own = tuple(by_backend[backend])
        yield SiteSolver(backend, one_line(backend), tuple(sorted(settings)), own)


def one_line(name: str) -> str:
    """A name as titles and cells have it."""
    return shorten(" ".join(name.split()), LONGEST_NAME) or "(unnamed)"
