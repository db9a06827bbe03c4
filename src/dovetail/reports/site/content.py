"""Contents of a results site: files of records, and the subjects of its pages.

On each computer, the results are from the records of the last revision that ran each job; earlier
records are history. Counts are judged across all computers.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import Any, TypeVar

from dovetail.errors import shorten
from dovetail.harness.evaluation.contests import (
    DIGEST_SHOWN,
    Clock,
    SolverRuns,
    contests,
    solver_runs,
)
from dovetail.harness.evaluation.ranking import ContestVerdict, verdict
from dovetail.harness.records.record import Record, by_computer, computer_of, grouped, newest
from dovetail.harness.records.record_files import RecordFile
from dovetail.harness.records.summary import (
    FAMILIES,
    OTHER_PUZZLES,
    Question,
    family_of,
    judged,
    question_of,
    solver_name,
    summaries,
    with_shared_reductions,
)
from dovetail.reports.columns import RECORDED, ComparedResult, compared, short_name
from dovetail.reports.numbers import ABSENT
from dovetail.reports.table import Column, Topic

# Suffixes of the files of bench and of pytest-benchmark.
SUFFIXES = (".jsonl", ".json")
# File names without capitals and separators, which need no escaping in addresses.
SAFE = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
# Maximum number of characters that a file name takes from a name that is not safe.
LONGEST_START = 60
# Numbers of digits of a digest; more digits are used only if a file name is taken.
DIGITS = (8, 16, 64)
# File name of the page of a folder.
INDEX = "index"
# Names that Windows reserves for devices, with any suffix.
DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class SourceFile:
    """A file of records."""

    # Name without folders.
    name: str
    data: bytes
    file: RecordFile

    @property
    def suffix(self) -> str:
        """The suffix of the file, or `.jsonl` for an unknown suffix."""
        suffix = Path(self.name).suffix.lower()
        return suffix if suffix in SUFFIXES else SUFFIXES[0]

    @property
    def warning(self) -> str | None:
        """A warning about skipped lines; None if no line was skipped."""
        return replace(self.file, path=Path(self.name)).warning


@dataclass(frozen=True, eq=False)
class SiteSubject:
    """A puzzle, backend, solver, computer, family of puzzles or file, with its records."""

    topic: Topic
    # Digest of the puzzle, name of the backend or solver, `Computer`, name of the family, or index
    # of the file.
    key: Any
    title: str
    # Name of the file of the page without the suffix, or identity of the section about a solver.
    name: str
    records: Sequence[Record]
    # A result for each job and each computer that ran the job; a wrong result has the status WRONG.
    # Empty for a file.
    results: Sequence[Record] = ()

    @property
    def address(self) -> str:
        """The address of the page, or of the copy of the file, from the root of the site."""
        if self.topic is Topic.FILE:
            return f"{self.topic}/{self.title}"
        return f"{self.topic}/{self.name}.html"

    @cached_property
    def family(self) -> str:
        """The family of a puzzle."""
        return family_of(self.records)

    @cached_property
    def counted(self) -> list[Record]:
        """The results without improvements."""
        return [result for result in self.results if not result.job.improves]

    @cached_property
    def current(self) -> list[Record]:
        """The records of all runs that the results combine."""
        return [run for result in self.results for run in result.runs]

    @cached_property
    def runs(self) -> SolverRuns:
        """The run of every solver on every question on a computer."""
        return solver_runs(self.counted)

    @cached_property
    def verdicts(self) -> list[ContestVerdict]:
        """The verdicts on all contests on a computer, in the order of `contests` for each clock."""
        return [verdict(contest) for clock in Clock for contest in contests(self.runs, clock)]

    @cached_property
    def compared(self) -> dict[str, ComparedResult]:
        """The results on a computer by job, compared with the other answers to their questions."""
        return {row.record.job.digest: row for row in compared(self.results)}

    @cached_property
    def solvers(self) -> dict[str, SiteSubject]:
        """The solvers by name: the backends of the results with their settings."""
        named = sorted(grouped(self.results, solver_name).items())
        return {
            name: SiteSubject(Topic.SOLVER, name, one_line(name), f"settings-{n}", results, results)
            for n, (name, results) in enumerate(named, start=1)
        }

    @cached_property
    def dates(self) -> list[str]:
        """The dates of the runs in ascending order, or a dash if no date is recorded."""
        return sorted(record.begun[:10] for record in self.records if record.begun) or [ABSENT]

    def distinct(self, key: Callable[[Record], Key]) -> list[Key]:
        """Return the distinct values of `key` for the results, or for the records of a file."""
        return list(dict.fromkeys(map(key, self.results or self.records)))


Subjects = dict[Any, SiteSubject]


@dataclass(frozen=True, eq=False)
class Site:
    """Contents of the pages of a site."""

    # Title of the home page.
    title: str
    sources: Sequence[SourceFile]
    # The records of all files, in the order of the files.
    records: Sequence[Record]
    # The results of all computers.
    results: Sequence[Record]

    @cached_property
    def puzzles(self) -> Subjects:
        """The puzzles by digest, in the order of their names.

        Puzzles that share a name have the digest in the title. In a damaged file, the records of a
        job may name several puzzles; a puzzle without results has no page.
        """
        shown = {_puzzle(result) for result in self.results}
        names = {_puzzle(run): run.job.puzzle for run in reversed(self.records)}
        titles = {digest: one_line(names[digest]) for digest in shown}
        shared = Counter(titles.values())
        order = sorted(titles, key=lambda digest: (titles[digest], digest))
        for digest in order:
            if shared[title := one_line(names[digest])] > 1:
                titles[digest] = f"{title} [{shorten(digest, DIGEST_SHOWN)}]"
        named = {digest: (names[digest], titles[digest]) for digest in order}
        return self._subjects(Topic.PUZZLE, _puzzle, named)

    @cached_property
    def solvers(self) -> Subjects:
        """The backends and improvers by name."""
        names = sorted({result.job.backend for result in self.results})
        named = {name: (name, one_line(name)) for name in names}
        return self._subjects(Topic.SOLVER, lambda record: record.job.backend, named)

    @cached_property
    def computers(self) -> Subjects:
        """The computers, in the order of the records."""
        computers = by_computer(self.records)
        named = {key: (key.title, one_line(key.title)) for key in computers}
        return self._subjects(Topic.COMPUTER, computer_of, named)

    @cached_property
    def families(self) -> Subjects:
        """The families of puzzles by name, in the order of `FAMILIES`."""
        families = {digest: puzzle.family for digest, puzzle in self.puzzles.items()}
        order = (*FAMILIES.values(), OTHER_PUZZLES)
        named = {
            name: (name.replace(" ", "-"), name) for name in order if name in families.values()
        }
        return self._subjects(Topic.FAMILY, lambda record: families.get(_puzzle(record)), named)

    @cached_property
    def files(self) -> list[SiteSubject]:
        """The files of records; the title of a file is the name of its copy."""
        names = file_names({n: Path(source.name).stem for n, source in enumerate(self.sources)})
        return [
            SiteSubject(Topic.FILE, n, names[n] + source.suffix, names[n], source.file.records)
            for n, source in enumerate(self.sources)
        ]

    def _subjects(
        self,
        topic: Topic,
        key_of: Callable[[Record], Hashable],
        named: Mapping[Any, tuple[str, str]],
    ) -> Subjects:
        """Return the subjects by key; `named` has names for their files, and their titles."""
        files = file_names({key: name for key, (name, _) in named.items()})
        records, results = grouped(self.records, key_of), grouped(self.results, key_of)
        return {
            key: SiteSubject(topic, key, title, files[key], records[key], results.get(key, []))
            for key, (_, title) in named.items()
        }

    @property
    def puzzle_column(self) -> Column[Record]:
        """The column of the questions of records."""
        return replace(
            RECORDED["question"], value=lambda record: self.title_of(question_of(record))
        )

    def title_of(self, question: Question) -> str:
        """Return the question on a single line, with the digest if puzzles share a name."""
        puzzle = self.puzzles.get(question.digest)
        title = one_line(question.puzzle) if puzzle is None else puzzle.title
        return title + question.title[len(question.puzzle) :]

    def compared(self, result: Record) -> ComparedResult:
        """Return a result compared with the other answers to its question on its computer."""
        return self.computers[computer_of(result)].compared[result.job.digest]


MACHINE = Column[Record](
    "machine",
    lambda record: one_line(computer_of(record).title),
    words=True,
    link=lambda record: (Topic.COMPUTER, computer_of(record)),
)


def site_of(sources: Sequence[SourceFile], title: str) -> Site:
    """Return the contents of a site about the records in `sources`."""
    records = [record for source in sources for record in source.file.records]
    summarised = (summaries(newest(group)) for group in by_computer(records).values())
    results = with_shared_reductions(judged(list(chain.from_iterable(summarised))))
    return Site(title, sources, records, results)


def one_line(name: str) -> str:
    """Return a name for titles and cells: shortened, on a single line, never empty."""
    return short_name(name) or "(unnamed)"


def _puzzle(record: Record) -> str:
    return record.job.puzzle_digest


def file_names(names: Mapping[Key, str]) -> dict[Key, str]:
    """Return a file name without a suffix for each key of `names`; all file names are different.

    A name that is a safe file name and is not shared is kept. Any other name becomes its letters
    and digits and a digest of the name and the key. More digits of the digest are used if the file
    name is taken.
    """
    shared = Counter(names.values())
    chosen = {key: name for key, name in names.items() if _is_safe(name) and shared[name] == 1}
    taken = set(chosen.values())
    for key, name in names.items():
        if key not in chosen:
            chosen[key] = next(name for name in _candidates(name, key) if name not in taken)
            taken.add(chosen[key])
    return chosen


def _is_safe(name: str) -> bool:
    return bool(SAFE.fullmatch(name)) and name != INDEX and not DEVICES.fullmatch(name)


def _candidates(name: str, key: Hashable) -> Iterator[str]:
    """Yield an endless sequence of file names for a name; the shortest comes first."""
    decomposed = unicodedata.normalize("NFKD", name[: 4 * LONGEST_START])
    plain = decomposed.encode("ascii", "ignore").decode().lower()  # without accents
    start = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_START].strip("-")
    digest = sha256(repr((name, key)).encode("utf-8", "backslashreplace")).hexdigest()
    for digits in DIGITS:
        yield f"{start or 'unnamed'}-{digest[:digits]}"
    yield from (f"{digest}-{number}" for number in count(2))
