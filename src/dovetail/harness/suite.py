"""Suites: TOML files that say which puzzles to run with which backends and configs.

name = "quick"
repeats = 1                       # runs of each job, every one in a process of its own
seed = 0                          # of the sampling of checks
limits = { time_s = 20, memory = "4 GiB" }

[[run]]                           # puzzles × backends × configs
puzzles = ["pentominoes-3x20"]    # catalogue names, or files relative to the suite
tags = ["packing"]
backends = ["dlx", "cpsat"]
symmetry = "all"
reduce = ["redundancy", "volume"] # placements taken out before the search
expected = { pentominoes-3x20 = 8 }
config.cpsat = { linearization_level = [0, 1] }   # lists multiply out
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated

from pydantic import Field

from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named
from dovetail.errors import ConfigError, DovetailError, FormatError, unknown_name
from dovetail.harness.job import Job, Limits
from dovetail.harness.sizes import parse_size
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.text_file import TextFile
from dovetail.puzzles.formats.toml_file import Strict, located, read_table
from dovetail.puzzles.loading import is_file, load_all

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
AtLeastOne = Annotated[int, Field(ge=1, strict=True)]
NotNegative = Annotated[int, Field(ge=0, strict=True)]
Value = bool | int | float | str


class LimitsSection(Strict):
    """Limits of every run; see `Limits`."""

    time_s: Positive | None = None
    nodes: AtLeastOne | None = None
    solutions: AtLeastOne | None = None
    memory: str | None = None

    def limits(self) -> Limits:
        memory = None if self.memory is None else parse_size(self.memory)
        return Limits(self.time_s, self.nodes, self.solutions, memory)


class RunSection(Strict):
    """Puzzles, backends and configs to multiply out."""

    puzzles: Annotated[list[str], Field(min_length=1)]
    backends: Annotated[list[str], Field(min_length=1)]
    tags: list[str] = Field(default_factory=list)
    symmetry: Symmetry = Symmetry.ALL
    labelled: bool = False
    reduce: list[str] = Field(default_factory=list)
    expected: dict[str, NotNegative] = Field(default_factory=dict)
    config: dict[str, dict[str, Value | list[Value]]] = Field(default_factory=dict)


class Suite(Strict):
    """A whole suite file."""

    name: str
    about: str = ""
    repeats: AtLeastOne = 1
    seed: Annotated[int, Field(ge=0, lt=2**63, strict=True)] = 0
    limits: LimitsSection = LimitsSection()
    run: Annotated[list[RunSection], Field(min_length=1)]


@dataclass(frozen=True)
class PlannedRun:
    """One line of the comparison to come."""

    job: Job
    tags: tuple[str, ...]
    expected: int | None


@dataclass(frozen=True)
class Plan:
    """What a suite comes to."""

    name: str
    repeats: int
    runs: tuple[PlannedRun, ...]

    @property
    def jobs(self) -> dict[str, PlannedRun]:
        """The runs by their job's digest: one that a suite asks for twice is here once."""
        jobs: dict[str, PlannedRun] = {}
        for planned in self.runs:
            jobs.setdefault(planned.job.digest, planned)
        return jobs

    def only(self, wanted: Iterable[str]) -> Plan:
        """The runs whose puzzle's name or one of whose tags is `wanted`."""
        names = {name for run in self.runs for name in (run.job.puzzle.name, *run.tags)}
        wanted = set(wanted)
        for name in wanted - names:
            raise unknown_name("puzzle or tag in this suite", name, names)
        chosen = (run for run in self.runs if wanted & {run.job.puzzle.name, *run.tags})
        return Plan(self.name, self.repeats, tuple(chosen))


def read_suite(path: Path) -> Plan:
    """The plan in the suite file at `path`.

    Raises `FormatError` naming the line of an unknown key, backend, config key or value, or
    of a puzzle that cannot be loaded.
    """
    file = TextFile(path)
    suite = read_table(file, Suite)
    try:
        limits = suite.limits.limits()
    except ConfigError as error:
        raise located(file, ("limits", "memory"), str(error)) from None
    runs = [
        planned
        for number, section in enumerate(suite.run)
        for planned in _planned(file, number, section, limits, suite.seed)
    ]
    return Plan(suite.name, suite.repeats, tuple(runs))


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
    try:
        reductions = tuple(map(Reduction.parse, section.reduce))
        request = Request(section.symmetry, section.labelled, reductions=reductions)
    except ConfigError as error:
        raise at("reduce", error) from None
    puzzles = _puzzles(file, number, section)
    names = [puzzle.name for puzzle in puzzles]
    for name in section.expected:
        if name not in names:
            raise at("expected", unknown_name("puzzle in this run", name, names))
    for puzzle in puzzles:
        for name, values in configs:
            job = Job(puzzle, request, name, values, limits, seed)
            yield PlannedRun(job, tuple(section.tags), section.expected.get(puzzle.name))


def _puzzles(file: TextFile, number: int, section: RunSection) -> list[Puzzle]:
    """The puzzles of one section: files beside the suite, else of the catalogue."""
    puzzles: list[Puzzle] = []
    for reference in section.puzzles:
        local = file.path.parent / reference
        try:
            puzzles += load_all(local if is_file(local) else reference)
        except DovetailError as error:
            raise located(file, ("run", number, "puzzles"), str(error)) from None
    return puzzles


def _configs(name: str, section: RunSection) -> Iterator[Mapping[str, object]]:
    """The configs of one backend, each checked."""
    backend = backend_named(name)
    for values in _multiplied(section.config.get(name, {})):
        build_config(backend.config_type, values, f"backend {name}")
        yield values


def _multiplied(table: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Every choice of one value from each list in `table`."""
    choices = [value if isinstance(value, list) else [value] for value in table.values()]
    if not all(choices):
        raise ConfigError("a list of values is empty; expected at least one")
    for chosen in product(*choices):
        yield dict(zip(table, chosen, strict=True))
