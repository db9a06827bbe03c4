"""The schema of suite files, and the runs of their sections: counts or improvements of boards."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Annotated, Any, TypeGuard

from pydantic import Field, TypeAdapter, ValidatorFunctionWrapHandler, WrapValidator

from dovetail.backends.backend_file import BackendFile, backend_in_file
from dovetail.backends.base import Config
from dovetail.backends.command.config import COMMAND
from dovetail.backends.command.search import GRANTED, NEEDS_PERMISSION, VARIABLE
from dovetail.backends.config import list_keys, plain_values
from dovetail.errors import TOO_LONG, ConfigError, how_many, is_too_long, show, unknown_name
from dovetail.files.validation import Name, NameNotEmpty, Strict
from dovetail.harness.disassembling import packing_of
from dovetail.harness.exhibits import ExhibitSection
from dovetail.harness.improving import edge_puzzle, improving_job
from dovetail.harness.parameters import make_jobs
from dovetail.harness.planning.named import named_config
from dovetail.harness.records.record import Published
from dovetail.harness.run.job import Limits, Trials
from dovetail.harness.sizes import parse_size
from dovetail.harness.suite.plan import UNPUBLISHED, PlannedRun
from dovetail.harness.workers.clusters.slurm import SolverResources
from dovetail.improvers.registry import improver_config
from dovetail.models.boards.partial_board import Objective, max_score
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle
from dovetail.plain_data import AtLeastOne, Count, Flag, PositiveSeconds, Whole
from dovetail.platform.resources import check_memory_limit

Value = bool | int | float | str
Settings = dict[str, Value | list[Value | list[str]]]

MAX_NUMBERED = 100
_NUMBERED = re.compile(r"(.*)\{(\d{1,9})\.\.(\d{1,9})\}(.*)", re.ASCII)
_SETTINGS = TypeAdapter(Settings)
# Backends that a suite defines, by name: settings of the backend `command`, or a backend in a file.
Programs = dict[str, Mapping[str, object] | BackendFile]
# Solvers of a section: name, settings, and resources in SLURM.
Configs = list[tuple[str, Mapping[str, object], SolverResources | None]]
# Function from a key of a section to a context. An error in the context becomes a `FormatError` at
# this key.
At = Callable[[str], AbstractContextManager[None]]
# Keys of a section that are passed to `make_jobs`, keys that need improvers, and keys that need
# backends.
QUESTION = ("symmetry", "labelled", "reduce", "triggers")
FOR_IMPROVERS = ("seeds", "objective", "best_known")
FOR_COUNTS = (
    *(*QUESTION, "backends", "trials", "disassemble", "expected", "resources"),
    *("published", "proxy_for", "fitted", "difference"),
)


def _read_tables(value: object, read_list: ValidatorFunctionWrapHandler) -> list[Settings]:
    """Validate a table or a list of tables, and return a list.

    The location of an error in a single table has no list index.
    """
    if isinstance(value, list):
        tables: list[Settings] = read_list(value)
        return tables
    return [_SETTINGS.validate_python(value)]


Tables = Annotated[list[Settings], Field(min_length=1), WrapValidator(_read_tables)]


class LimitsSection(Strict):
    """Limits of the runs of a suite or a section; see `Limits`."""

    time_s: PositiveSeconds | None = None
    nodes: AtLeastOne | None = None
    solutions: AtLeastOne | None = None
    memory: str | None = None

    def limits(self, default: Limits) -> Limits:
        """Return the limits of this section, with `default` for the limits that it does not set.

        Raises `ConfigError` for an invalid size of memory, or if this system cannot limit memory.
        """
        limits: dict[str, Any] = self.model_dump(exclude_none=True, exclude={"memory"})
        if self.memory is not None:
            check_memory_limit("memory")
            limits["memory_bytes"] = parse_size(self.memory)
        return replace(default, **limits)


class RunSection(Strict):
    """Runs of each puzzle with each config of each backend; a single run may have a name."""

    name: NameNotEmpty | None = None
    puzzles: Annotated[
        list[str], Field(min_length=1, description='a list of puzzles, such as ["queens-8"]')
    ]
    backends: list[str] = Field(default_factory=list)
    # Improvers of boards, instead of backends; each improver is run with each of the `seeds`.
    improvers: list[str] = Field(default_factory=list)
    seeds: Annotated[list[Whole], Field(min_length=1)] = Field(default_factory=lambda: [1])
    objective: Objective = Objective.EDGES
    best_known: dict[str, Count] = Field(default_factory=dict)
    tags: list[Name] = Field(default_factory=list)
    symmetry: Symmetry | None = None
    labelled: Flag = False
    reduce: list[str] = Field(default_factory=list)
    triggers: list[str] = Field(default_factory=list)
    trials: Trials | None = None
    cold: Flag = False
    disassemble: Flag = False
    limits: LimitsSection = LimitsSection()
    expected: dict[str, Count] = Field(default_factory=dict)
    config: dict[str, Tables] = Field(default_factory=dict)
    resources: dict[str, SolverResources] = Field(default_factory=dict)
    published: Published | None = None
    proxy_for: NameNotEmpty | None = None
    fitted: str = ""
    difference: str = ""

    def configs(
        self, name: str, read_config: Callable[[Mapping[str, object]], Config]
    ) -> Iterator[Mapping[str, object]]:
        """Yield the configs of a backend or improver, validated by `read_config`.

        A list of values stands for a config for each value, and several lists stand for all
        combinations. If the setting itself is a list of strings, a list of strings is a single
        value. Raises `ConfigError` for an empty list, and the errors of `read_config`.
        """
        lists = list_keys(type(read_config({})))
        for table in self.config.get(name, [{}]):
            choices: list[list[Any]] = [
                value if _is_choice(value, takes_list=key in lists) else [value]
                for key, value in table.items()
            ]
            if not all(choices):
                raise ConfigError("a list of values is empty; expected at least one")
            for chosen in product(*choices):
                values = dict(zip(table, chosen, strict=True))
                yield plain_values(read_config(values), values)


def _is_choice(value: object, *, takes_list: bool) -> TypeGuard[list[Any]]:
    """Return whether a value is a list of values for different configs.

    `takes_list` is True if the setting itself is a list of strings.
    """
    if not isinstance(value, list):
        return False
    return not (takes_list and value and all(isinstance(member, str) for member in value))


class ProgramSection(Strict):
    """A program or a Python file that the runs of the suite can name as a backend."""

    name: Name
    # `FILE.py` or `FILE.py:CLASS`; empty for a program, see `CommandConfig` for the other fields.
    file: str = ""
    command: list[str] = Field(default_factory=list)
    formulation: str = "cover"
    solutions: str = "none"
    count: str = ""
    node_meaning: str = ""
    figures: dict[Annotated[str, Field(pattern="^[^=]+$")], str] = Field(default_factory=dict)
    version: list[str] = Field(default_factory=list)
    unsupported: list[str] = Field(default_factory=list)
    probable: bool = False
    exit_statuses: list[Whole] = Field(default_factory=lambda: [0])

    def defined(self, folder: Path) -> Mapping[str, object] | BackendFile:
        """Return the settings for the backend `command`, or run the file and return its backend.

        The section's paths are relative to `folder`. Raises `ConfigError` for wrong keys or
        settings, and for a file that may not be run. Also raises the errors of `backend_in_file`.
        """
        if not (self.file or self.command) or (self.file and len(self.model_fields_set) > 2):
            raise ConfigError("expected a name and a file, or a name, a command and its settings")
        if self.file:
            if os.environ.get(VARIABLE) != GRANTED:
                raise ConfigError(f"file {show(self.file)}: {NEEDS_PERMISSION}")
            return backend_in_file(os.path.relpath(folder / self.file), self.name)
        settings = self.settings(folder)
        return plain_values(named_config(COMMAND, settings), settings)

    def settings(self, folder: Path) -> dict[str, object]:
        """Return the settings for the backend `command`.

        The path of the program is relative to `folder`; see `_program_path`.
        """
        settings = {key: getattr(self, key) for key in self.model_fields_set}
        settings["command"] = [_program_path(folder, self.command[0]), *self.command[1:]]
        if "figures" in settings:
            settings["figures"] = [f"{name}={pattern}" for name, pattern in self.figures.items()]
        if "exit_statuses" in settings:
            settings["exit_statuses"] = [str(status) for status in self.exit_statuses]
        return settings


def _program_path(folder: Path, program: str) -> str:
    """Return the path of a program in `folder`, relative to the current folder.

    An absolute path, and a path that begins with a placeholder, are returned unchanged. A name
    without a slash is also returned unchanged, because the search path has the program.
    """
    if "/" not in program or program.startswith(("/", "{")):
        return program
    path = os.path.relpath(folder / program)
    return path if "/" in path else f"./{path}"


class Suite(Strict):
    """A suite file."""

    name: Name
    about: str = ""
    # Description of the source of the puzzle files. If it is given, runs of missing files are left
    # out, and exhibits and proxies cannot refer to them.
    files: str = ""
    repeats: AtLeastOne = 1
    seed: Whole = 0
    limits: LimitsSection = LimitsSection()
    backend: list[ProgramSection] = Field(default_factory=list)
    run: Annotated[list[RunSection], Field(min_length=1)]
    exhibit: list[ExhibitSection] = Field(default_factory=list)


def numbered(reference: str) -> list[str]:
    """Expand a reference such as `board-{1..8}` to the names from `board-1` to `board-8`.

    A reference without a range is returned as the only name. Raises `ConfigError` for a range of
    more than `MAX_NUMBERED` numbers or of none.
    """
    match = _NUMBERED.fullmatch(reference)
    if match is None:
        return [reference]
    before, first, last, after = match.groups()
    count = int(last) - int(first) + 1
    if not 1 <= count <= MAX_NUMBERED:
        stands_for = how_many(max(0, count), "name")
        raise ConfigError(
            f"{show(reference)} stands for {stands_for}; expected 1 to {MAX_NUMBERED:,}"
        )
    return [f"{before}{number}{after}" for number in range(int(first), int(last) + 1)]


def section_runs(
    section: RunSection,
    puzzles: Sequence[Puzzle],
    limits: Limits,
    seed: int,
    programs: Programs,
    at: At,
) -> Iterator[PlannedRun]:
    """Yield the runs of a section, puzzle by puzzle.

    `limits` are the limits of the runs. `seed` is the seed of runs that count. `programs` are the
    backends that the suite defines. An error is raised in the context that `at` returns for the key
    with the problem.
    """
    improves = bool(section.improvers)
    solvers = section.improvers or section.backends
    with at("backends"):
        if not solvers:
            raise ConfigError("no backends given; expected at least one name, or improvers")
    for key, names in (("config", section.config), ("resources", section.resources)):
        with at(key):
            for name in names:
                if name not in solvers:
                    what = "improver" if improves else "backend"
                    raise unknown_name(f"{what} in this run", name, solvers)
    for key in FOR_COUNTS if improves else FOR_IMPROVERS:
        with at(key):
            if key in section.model_fields_set:
                runs = "runs that count" if improves else "runs with improvers"
                raise ConfigError(f"{key} is for {runs}; expected none here")
    with at("limits"):
        if improves and limits.solutions is not None:
            raise ConfigError("an improvement has no limit on solutions; leave it out")
    configs: Configs = []
    for name in solvers:
        with at("config" if name in section.config else "improvers" if improves else "backends"):
            program = None if improves else programs.get(name)
            if program is not None and not isinstance(program, str) and name not in section.config:
                configs.append((COMMAND, program, section.resources.get(name)))
            else:
                solver = program if isinstance(program, str) else name
                read = partial(improver_config if improves else named_config, solver)
                resources = section.resources.get(name)
                configs += [(solver, config, resources) for config in section.configs(name, read)]
    if improves:
        yield from _improvements(section, puzzles, configs, limits, at)
    else:
        yield from _counts(section, puzzles, configs, limits, seed, at)


def _counts(
    section: RunSection,
    puzzles: Sequence[Puzzle],
    configs: Configs,
    limits: Limits,
    seed: int,
    at: At,
) -> Iterator[PlannedRun]:
    symmetry = section.symmetry or Symmetry.UNIQUE
    with at("reduce"):
        Request.named(symmetry, section.labelled, section.reduce)
    with at("triggers"):
        Request.named(symmetry, section.labelled, (), section.triggers)
    question = {name: getattr(section, name) for name in QUESTION}
    with at("expected"):
        if is_too_long(*section.expected.values()):
            raise ConfigError(f"a count has {TOO_LONG}; expected fewer")
    with at("disassemble"):
        for puzzle in puzzles if section.disassemble else ():
            packing_of(puzzle)
    for puzzle, (name, config, resources) in product(puzzles, configs):
        (job,) = make_jobs([puzzle], name, config=config, limits=limits, seed=seed, **question)
        with at("disassemble"):
            job = replace(job, trials=section.trials, disassembles=section.disassemble)
        yield PlannedRun(
            replace(job, cold_start=section.cold),
            tuple(section.tags),
            section.expected.get(puzzle.name),
            section.name,
            section.published or UNPUBLISHED,
            section.proxy_for,
            section.fitted,
            section.difference,
            resources=resources,
        )


def _improvements(
    section: RunSection, puzzles: Sequence[Puzzle], configs: Configs, limits: Limits, at: At
) -> Iterator[PlannedRun]:
    for puzzle in puzzles:
        with at("puzzles"):
            board = edge_puzzle(puzzle)
        best_known = section.best_known.get(puzzle.name)
        with at("best_known"):
            highest = max_score(board, section.objective)
            if best_known is not None and best_known > highest:
                bound = f"the score of a solution of {puzzle.name} is {highest}"
                raise ConfigError(f"{show(best_known)} is too large: {bound}")
        for (name, config, _), seed in product(configs, section.seeds):
            job = improving_job(
                *(board, name, config, limits),
                seed=seed,
                cold_start=section.cold,
                objective=section.objective,
            )
            yield PlannedRun(job, tuple(section.tags), None, section.name, best_known=best_known)
