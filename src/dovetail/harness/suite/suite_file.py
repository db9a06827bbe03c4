"""Suites: TOML files that list which puzzles to run with which backends and configs.

name = "quick"
files = "where they come from"    # a suite that leaves out puzzle files that are not at hand
repeats = 1                       # runs of each job, every one in a process of its own
seed = 0                          # of the sampling of checks
limits = { time_s = 20, memory = "4 GiB" }

[[backend]]                       # a program, run with --allow-commands; see `CommandConfig`
name = "mine"                     # paths are relative to the suite
command = ["./mine", "{dlx}"]
count = "found ([0-9]+)"
figures = { nodes = "([0-9]+) nodes" }

[[run]]                           # puzzles × backends × configs
puzzles = ["pentominoes-3x20"]    # catalogue names, or files beside the suite; {1..8} numbers
tags = ["packing"]
backends = ["dlx", "cpsat"]
symmetry = "all"
reduce = ["redundancy", "volume"] # placements taken out before the search
triggers = ["parity"]             # checked after every placement
trials = { count = 1000, remaining = 16, seed = 5 } # in place of one search; see `Trials`
cold = true                       # each run with an empty cache of compiled kernels
limits = { time_s = 300 }         # in place of those of the suite
expected = { pentominoes-3x20 = 8 }
config.cpsat = { linearization_level = [0, 1] }   # lists multiply out; of tables, one after another

[[run]]                           # boards that nobody can finish: the most matched edges
puzzles = ["edges-16-b5i17-1"]
improvers = ["portfolio", "beam"] # in place of backends; each with every seed
seeds = [1, 2, 3]
limits = { time_s = 60 }
best_known = { edges-16-b5i17-1 = 480 }

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

[[exhibit]]                       # a figure or table of the report; see `harness.exhibits`
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from dovetail.backends.command.definition import COMMAND
from dovetail.backends.config import plain_values
from dovetail.errors import ConfigError, DovetailError, FormatError, unknown_name
from dovetail.files.text_file import TextFile
from dovetail.files.validation import located, read_table
from dovetail.harness.exhibits import read_exhibits
from dovetail.harness.planning.named import backend_names, named_config
from dovetail.harness.run.job import Limits
from dovetail.harness.suite.choices import numbered
from dovetail.harness.suite.counting_runs import Programs, counting_runs
from dovetail.harness.suite.improving_runs import improving_runs
from dovetail.harness.suite.plan import PlannedRun, SuitePlan
from dovetail.harness.suite.sections import (
    NO_LIMITS,
    LimitsSection,
    ProgramSection,
    RunSection,
    Suite,
)
from dovetail.harness.suite.table_rows import naming_problem, with_proxies
from dovetail.models.task import Puzzle
from dovetail.puzzles.loading import is_file, load_all

_OF_A_SUITE = re.compile(r"\s*(\[{1,2}\s*(run|limits|exhibit|backend)\b|(run|limits|repeats)\s*=)")


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
    programs = _programs(file, suite.backend)
    of_suite = _limits(file, ("limits",), suite.limits, NO_LIMITS)
    runs: list[PlannedRun] = []
    missing: list[str] = []
    for number, section in enumerate(suite.run):
        limits = _limits(file, ("run", number, "limits"), section.limits, of_suite)
        puzzles, absent = _puzzles(file, number, section, may_miss=bool(suite.files))
        missing += absent
        if not absent:
            _check_names(file, number, section, [puzzle.name for puzzle in puzzles])
        planned = list(_planned(file, number, section, puzzles, limits, suite.seed, programs))
        problem = naming_problem(section, planned, before=runs)
        if problem is not None:
            key, message = problem
            raise located(file, ("run", number, key), message)
        runs += planned
    runs = list(with_proxies(file, suite.run, runs))
    rows = {run.name: (run.job, run.published) for run in runs if run.name is not None}
    exhibits = read_exhibits(file, suite.exhibit, [run.job for run in runs], rows)
    return SuitePlan(
        suite.name,
        suite.repeats,
        tuple(runs),
        suite.about,
        tuple(exhibits),
        tuple(dict.fromkeys(missing)),
        suite.files,
    )


def _limits(
    file: TextFile, place: tuple[str | int, ...], section: LimitsSection, default: Limits
) -> Limits:
    try:
        return section.limits(default)
    except ConfigError as error:
        raise located(file, (*place, "memory"), str(error)) from None


def _programs(file: TextFile, sections: Sequence[ProgramSection]) -> Programs:
    """Return the settings of the programs that a suite defines, by their names."""
    programs: Programs = {}
    for number, section in enumerate(sections):
        place = ("backend", number)
        if section.name in (*backend_names(), *programs):
            raise located(file, (*place, "name"), f"the name {section.name!r} is taken")
        settings = section.settings(file.path.parent)
        try:
            programs[section.name] = plain_values(named_config(COMMAND, settings), settings)
        except ConfigError as error:
            raise located(file, place, str(error)) from None
    return programs


def _check_names(file: TextFile, number: int, section: RunSection, names: list[str]) -> None:
    """Raises `FormatError` where a section knows something of a puzzle that it does not run."""
    for key in ("expected", "best_known"):
        for name in getattr(section, key):
            if name not in names:
                error = unknown_name("puzzle in this run", name, names)
                raise located(file, ("run", number, key), str(error))


def _planned(
    file: TextFile,
    number: int,
    section: RunSection,
    puzzles: Sequence[Puzzle],
    limits: Limits,
    seed: int,
    programs: Programs,
) -> Iterator[PlannedRun]:
    """The runs of one section, puzzle by puzzle."""

    def at(key: str, error: DovetailError) -> FormatError:
        return located(file, ("run", number, key), str(error))

    solvers = section.improvers or section.backends
    if not solvers:
        raise at("backends", ConfigError("no backends; expected at least one name, or improvers"))
    for name in section.config:
        if name not in solvers:
            what = "improver" if section.improvers else "backend"
            raise at("config", unknown_name(f"{what} in this run", name, solvers))
    if section.improvers:
        yield from improving_runs(section, puzzles, limits, at)
    else:
        yield from counting_runs(section, puzzles, limits, seed, programs, at)


def _puzzles(
    file: TextFile, number: int, section: RunSection, *, may_miss: bool
) -> tuple[list[Puzzle], list[str]]:
    """The puzzles of one section, and the files that are not at hand where it `may_miss` some.

    They are files beside the suite or in the current folder, else of the catalogue.
    """
    puzzles: list[Puzzle] = []
    missing: list[str] = []
    for written in section.puzzles:
        try:
            for reference in numbered(written):
                places = (folder / reference for folder in (file.path.parent, Path()))
                local = next(filter(is_file, places), None)
                if local is None and may_miss and Path(reference).suffix:
                    missing.append(reference)
                else:
                    puzzles += load_all(reference if local is None else local)
        except DovetailError as error:
            raise located(file, ("run", number, "puzzles"), str(error)) from None
    return puzzles, missing
