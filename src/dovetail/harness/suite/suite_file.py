"""Suites: TOML files that list which puzzles to run with which backends and configs.

name = "quick"
repeats = 1                       # runs of each job, every one in a process of its own
seed = 0                          # of the sampling of checks
limits = { time_s = 20, memory = "4 GiB" }

[[run]]                           # puzzles × backends × configs
puzzles = ["pentominoes-3x20"]    # catalogue names, or files relative to the suite; {1..8} numbers
tags = ["packing"]
backends = ["dlx", "cpsat"]
symmetry = "all"
reduce = ["redundancy", "volume"] # placements taken out before the search
triggers = ["parity"]             # checked after every placement
trials = { count = 1000, remaining = 16, seed = 5 } # in place of one search; see `Trials`
limits = { time_s = 300 }         # in place of those of the suite
expected = { pentominoes-3x20 = 8 }
config.cpsat = { linearization_level = [0, 1] }   # lists multiply out; of tables, one after another

[[run]]                           # one puzzle, backend and config: a row of a published table
name = "P5"
puzzles = ["pentominoes-6x10"]
backends = ["fila"]
config.fila = { stages = ["dlx:s", "fila:f@11"] } # a setting that is a list: lists of it do
published = { fits = 2_091_215, no_fits = 4_682_886, seconds = 0.157 }
fitted = "which setting is chosen to match the row"
difference = "why the figures differ from the published ones"

[[run]]
name = "P5 by bitset"             # a run with the same fits that takes less time
proxy_for = "P5"
puzzles = ["pentominoes-6x10"]
backends = ["bitset"]

[[exhibit]]                       # a figure or table of the report; see `exhibits.declared`
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidatorFunctionWrapHandler, WrapValidator

from dovetail.backends.config import list_keys, plain_values
from dovetail.errors import ConfigError, DovetailError, FormatError, how_many, shorten, unknown_name
from dovetail.files.text_file import TextFile
from dovetail.files.toml_file import Name, NameNotEmpty, Strict, located, read_table
from dovetail.harness.exhibits.declared import Exhibit
from dovetail.harness.exhibits.sections import ExhibitSection, read_exhibits
from dovetail.harness.plain_data import AtLeastOne, Count, PositiveSeconds, Whole
from dovetail.harness.planning.named import named_config
from dovetail.harness.records.parts import Published
from dovetail.harness.run.job import Job, Limits, Trials
from dovetail.harness.sizes import parse_size
from dovetail.models.request import Reduction, Request, Symmetry, Trigger
from dovetail.models.task import Puzzle
from dovetail.puzzles.loading import is_file, load_all

Value = bool | int | float | str
Settings = dict[str, Value | list[Value | list[str]]]

MAX_NUMBERED = 100
UNPUBLISHED = Published()
NO_LIMITS = Limits()

_SETTINGS = TypeAdapter(Settings)
_OF_A_SUITE = re.compile(r"\s*(\[{1,2}\s*(run|limits|exhibit)\b|(run|limits|repeats)\s*=)")


def _one_or_several(value: object, several: ValidatorFunctionWrapHandler) -> list[Settings]:
    """A table as a list of one; its errors name no place in a list that nobody wrote."""
    if isinstance(value, list):
        tables: list[Settings] = several(value)
        return tables
    return [_SETTINGS.validate_python(value)]


Tables = Annotated[list[Settings], Field(min_length=1), WrapValidator(_one_or_several)]


class LimitsSection(Strict):
    """Limits of every run, or those of some runs that differ; see `Limits`."""

    time_s: PositiveSeconds | None = None
    nodes: AtLeastOne | None = None
    solutions: AtLeastOne | None = None
    memory: str | None = None

    def limits(self, default: Limits = NO_LIMITS) -> Limits:
        """Return these limits, and those of `default` that are not given here."""
        return Limits(
            default.time_s if self.time_s is None else self.time_s,
            default.nodes if self.nodes is None else self.nodes,
            default.solutions if self.solutions is None else self.solutions,
            default.memory_bytes if self.memory is None else parse_size(self.memory),
        )


class RunSection(Strict):
    """Puzzles, backends and configs to multiply out; a single run may have a name."""

    name: NameNotEmpty | None = None
    puzzles: Annotated[list[str], Field(min_length=1)]
    backends: Annotated[list[str], Field(min_length=1)]
    tags: list[Name] = Field(default_factory=list)
    symmetry: Symmetry = Symmetry.ALL
    labelled: bool = False
    reduce: list[str] = Field(default_factory=list)
    triggers: list[str] = Field(default_factory=list)
    trials: Trials | None = None
    limits: LimitsSection = LimitsSection()
    expected: dict[str, Count] = Field(default_factory=dict)
    config: dict[str, Tables] = Field(default_factory=dict)
    published: Published | None = None
    proxy_for: NameNotEmpty | None = None
    fitted: str = ""
    difference: str = ""


class Suite(Strict):
    """A whole suite file."""

    name: Name
    about: str = ""
    repeats: AtLeastOne = 1
    seed: Whole = 0
    limits: LimitsSection = LimitsSection()
    run: Annotated[list[RunSection], Field(min_length=1)]
    exhibit: list[ExhibitSection] = Field(default_factory=list)


@dataclass(frozen=True)
class PlannedRun:
    """One line of the results to come; `name` is its row's in a published table.

    `fitted` says which setting was chosen to match the row, `difference` why the figures are not
    the published ones; both are empty for a row that needs no explanation. `proxy_for` is the name
    of a row whose fits this run repeats with another backend.
    """

    job: Job
    tags: tuple[str, ...]
    expected: int | None
    name: str | None = None
    published: Published = UNPUBLISHED
    proxy_for: str | None = None
    fitted: str = ""
    difference: str = ""

    @property
    def names(self) -> set[str]:
        """By what it can be asked for."""
        own = set() if self.name is None else {self.name}
        return {self.job.puzzle.name, *self.tags, *own}


@dataclass(frozen=True)
class SuitePlan:
    """What a suite comes to."""

    name: str
    repeats: int
    runs: tuple[PlannedRun, ...]
    about: str = ""
    exhibits: tuple[Exhibit, ...] = ()

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

    def only(self, wanted: Iterable[str]) -> SuitePlan:
        """The runs of which the row's name, the puzzle's or one of the tags is `wanted`."""
        names = {name for run in self.runs for name in run.names}
        wanted = set(wanted)
        for name in wanted - names:
            raise unknown_name("row, puzzle or tag in this suite", name, names)
        chosen = (run for run in self.runs if wanted & run.names)
        return replace(self, runs=tuple(chosen))


def is_suite(file: TextFile) -> bool:
    """Whether a line of `file` begins what only a suite has, be the rest as it may."""
    return any(map(_OF_A_SUITE.match, file.lines))


def read_suite(source: Path | TextFile) -> SuitePlan:
    """The plan in a suite file.

    Raises `FormatError` naming the line of an unknown key, backend, config key or value, or
    of a puzzle that cannot be loaded.
    """
    file = source if isinstance(source, TextFile) else TextFile(source)
    suite = read_table(file, Suite)
    of_suite = _limits(file, ("limits",), suite.limits, NO_LIMITS)
    runs: list[PlannedRun] = []
    for number, section in enumerate(suite.run):
        limits = _limits(file, ("run", number, "limits"), section.limits, of_suite)
        planned = list(_planned(file, number, section, limits, suite.seed))
        problem = _naming_problem(section, planned, before=runs)
        if problem is not None:
            key, message = problem
            raise located(file, ("run", number, key), message)
        runs += planned
    runs = list(_with_proxies(file, suite.run, runs))
    rows = {run.name: (run.job, run.published) for run in runs if run.name is not None}
    exhibits = read_exhibits(file, suite.exhibit, [run.job for run in runs], rows)
    return SuitePlan(suite.name, suite.repeats, tuple(runs), suite.about, tuple(exhibits))


def _limits(
    file: TextFile, place: tuple[str | int, ...], section: LimitsSection, default: Limits
) -> Limits:
    try:
        return section.limits(default)
    except ConfigError as error:
        raise located(file, (*place, "memory"), str(error)) from None


def _naming_problem(
    section: RunSection, planned: Sequence[PlannedRun], before: Iterable[PlannedRun]
) -> tuple[str, str] | None:
    """The key that keeps a section from being a row of a table and why, None if nothing does."""
    if section.name is None:
        for key in ("published", "proxy_for", "fitted", "difference"):
            if getattr(section, key):
                return key, f"{key} needs the name of its row; name is missing"
        return None
    name = repr(shorten(section.name))
    if len(planned) != 1:
        single = "expected one puzzle, one backend and one config"
        return "name", f"{name} names {how_many(len(planned), 'run')}; {single}"
    if section.name in (run.name for run in before):
        return "name", f"two runs are called {name}; expected different names"
    return None


def _with_proxies(
    file: TextFile, sections: Sequence[RunSection], runs: Iterable[PlannedRun]
) -> Iterator[PlannedRun]:
    """The runs, of which proxies have the published fits of their rows."""
    runs = list(runs)
    rows = {run.name: run for run in runs if run.name is not None and run.proxy_for is None}
    for run in runs:
        if run.proxy_for is None:
            yield run
        else:
            number = [section.name for section in sections].index(run.name)
            row = rows.get(run.proxy_for)
            if row is None:
                problem: str | None = str(unknown_name("row of this suite", run.proxy_for, rows))
            else:
                problem = _proxy_problem(run, row, [one for one in runs if one.proxy_for])
            if row is None or problem is not None:
                raise located(file, ("run", number, "proxy_for"), str(problem))
            yield replace(run, published=Published(row.published.fits))


def _proxy_problem(run: PlannedRun, row: PlannedRun, proxies: Sequence[PlannedRun]) -> str | None:
    """Why a run cannot stand in for a row, None if it can."""
    name = repr(shorten(str(row.name)))
    if row.published.fits is None:
        return f"row {name} has no published fits to compare with"
    if run.published != UNPUBLISHED:
        return f"the published figures are those of row {name}; expected none here"
    if run.job.puzzle.digest != row.job.puzzle.digest:
        return f"row {name} is of puzzle {row.job.puzzle.name}, not {run.job.puzzle.name}"
    if [one.proxy_for for one in proxies].count(row.name) > 1:
        return f"row {name} has several proxies; expected one"
    return None


def _planned(
    file: TextFile, number: int, section: RunSection, limits: Limits, seed: int
) -> Iterator[PlannedRun]:
    """The runs of one section, puzzle by puzzle."""

    def at(key: str, error: DovetailError) -> FormatError:
        return located(file, ("run", number, key), str(error))

    for name in section.config:
        if name not in section.backends:
            raise at("config", unknown_name("backend in this run", name, section.backends))
    configs: list[tuple[str, Mapping[str, object]]] = []
    for name in section.backends:
        try:
            configs += [(name, values) for values in _configs(name, section)]
        except ConfigError as error:
            raise at("config" if name in section.config else "backends", error) from None
    request = _request(section, at)
    published = section.published or UNPUBLISHED
    puzzles = _puzzles(file, number, section)
    names = [puzzle.name for puzzle in puzzles]
    for name in section.expected:
        if name not in names:
            raise at("expected", unknown_name("puzzle in this run", name, names))
    for puzzle in puzzles:
        for name, values in configs:
            job = Job(puzzle, request, name, values, limits, seed, trials=section.trials)
            expected = section.expected.get(puzzle.name)
            yield PlannedRun(
                job,
                tuple(section.tags),
                expected,
                section.name,
                published,
                section.proxy_for,
                section.fitted,
                section.difference,
            )


def _request(section: RunSection, at: Callable[[str, DovetailError], FormatError]) -> Request:
    """What one section asks of its puzzles."""
    try:
        reductions = tuple(map(Reduction.parse, section.reduce))
        request = Request(section.symmetry, section.labelled, reductions=reductions)
    except ConfigError as error:
        raise at("reduce", error) from None
    try:
        return replace(request, triggers=tuple(map(Trigger.parse, section.triggers)))
    except ConfigError as error:
        raise at("triggers", error) from None


def _puzzles(file: TextFile, number: int, section: RunSection) -> list[Puzzle]:
    """The puzzles of one section: files beside the suite, else of the catalogue."""
    puzzles: list[Puzzle] = []
    for written in section.puzzles:
        try:
            for reference in _numbered(written):
                local = file.path.parent / reference
                puzzles += load_all(local if is_file(local) else reference)
        except DovetailError as error:
            raise located(file, ("run", number, "puzzles"), str(error)) from None
    return puzzles


def _numbered(reference: str) -> Iterator[str]:
    """The names that `board-{1..8}` stands for; a name without braces stands for itself."""
    found = re.fullmatch(r"(.*)\{(\d{1,9})\.\.(\d{1,9})\}(.*)", reference, re.ASCII)
    if found is None:
        yield reference
        return
    before, first, last, behind = found.groups()
    count = int(last) - int(first) + 1
    if not 1 <= count <= MAX_NUMBERED:
        raise ConfigError(
            f"{shorten(reference)!r} stands for {count:,} names; expected 1 to {MAX_NUMBERED:,}"
        )
    for number in range(int(first), int(last) + 1):
        yield f"{before}{number}{behind}"


def _configs(name: str, section: RunSection) -> Iterator[Mapping[str, object]]:
    """The configs of one backend, each checked."""
    lists = list_keys(type(named_config(name, {})))
    for table in section.config.get(name, [{}]):
        for values in _multiplied(table, lists):
            yield plain_values(named_config(name, values), values)


def _multiplied(table: Mapping[str, object], lists: Set[str]) -> Iterator[dict[str, object]]:
    """Every choice of one value from each list in `table`.

    A value of the keys in `lists` is itself a list of strings.
    """
    choices = [
        value if isinstance(value, list) and not (key in lists and _is_flat(value)) else [value]
        for key, value in table.items()
    ]
    if not all(choices):
        raise ConfigError("a list of values is empty; expected at least one")
    for chosen in product(*choices):
        yield dict(zip(table, chosen, strict=True))


def _is_flat(values: Sequence[object]) -> bool:
    """Whether a list is one value of a setting that is a list, not a choice of several."""
    return bool(values) and all(isinstance(value, str) for value in values)
