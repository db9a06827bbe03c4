"""Parser of suites: TOML files that list the puzzles to run, with backends and configs.

name = "quick"
files = "source of the files"     # with this key, puzzle files may be missing; see `Suite`
repeats = 1                       # number of runs of each job, each in a separate process
seed = 0                          # seed for sampling the solutions to verify
limits = { time_s = 20, memory = "4 GiB" }

[[backend]]                       # a program, run with --allow-commands; see CommandConfig
name = "mine"
command = ["./mine", "{dlx}"]     # the path of the program is relative to the suite
count = "found ([0-9]+)"
figures = { nodes = "([0-9]+) nodes" }

[[backend]]                       # a solver in Python, run with --allow-commands
name = "plain-x"
file = "plain_x.py"               # or "plain_x.py:PlainX"

[[run]]                           # each puzzle with each config of each backend
puzzles = ["pentominoes-3x20"]    # catalogue names or files; {1..8} stands for 1 to 8
tags = ["packing"]
backends = ["dlx", "cpsat"]
symmetry = "all"                  # as the option --symmetry; default: unique
reduce = ["redundancy", "volume"] # reductions of the placements before the search
triggers = ["parity"]             # checks after every placement
trials = { count = 1000, remaining = 16, seed = 5 } # instead of a single search; see Trials
disassemble = true                # take the assemblies apart
cold = true                       # an empty cache of compiled kernels for each run
limits = { time_s = 300 }         # replaces the same limits of the suite
expected = { pentominoes-3x20 = 8 }
config.cpsat = { linearization_level = [0, 1] } # two configs; a list of tables is also valid

[[run]]                           # improvements: boards with the most matched edges
puzzles = ["edges-16-b5i17-1"]
improvers = ["portfolio", "beam"] # instead of backends; each improver is run with each seed
seeds = [1, 2, 3]
limits = { time_s = 60 }
best_known = { edges-16-b5i17-1 = 480 }

[[run]]                           # a row of a published table: one puzzle, backend and config
name = "P5"
puzzles = ["pentominoes-6x10"]
backends = ["fila"]
config.fila = { stages = ["dlx:s", "fila:f@11"] } # one config: the value of `stages` is a list
published = { fits = 2_091_215, no_fits = 4_682_886, seconds = 0.157 }
fitted = "the setting that is chosen to match the row"
difference = "the reason why the figures differ from the published figures"

[[run]]
name = "P5 by bitset"             # a faster run with the same fits
proxy_for = "P5"
puzzles = ["pentominoes-6x10"]
backends = ["bitset"]

[[exhibit]]                       # a figure or table in the report; see harness.exhibits
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Unpack

from dovetail.backends.registry import Solver
from dovetail.errors import ConfigError, DovetailError, how_many, shorten, show, unknown_name
from dovetail.files.text_file import TextFile
from dovetail.files.validation import located, read_table
from dovetail.harness.exhibits import read_exhibits
from dovetail.harness.parameters import SearchParameters
from dovetail.harness.planning.named import backend_names
from dovetail.harness.records.record import Published
from dovetail.harness.run.job import Limits
from dovetail.harness.suite.plan import (
    UNPUBLISHED,
    AnyPuzzle,
    PlannedRun,
    SuitePlan,
    plan_of,
)
from dovetail.harness.suite.sections import Programs, RunSection, Suite, numbered, section_runs
from dovetail.models.task import Puzzle
from dovetail.puzzles.catalogue import catalogue, is_catalogue_name
from dovetail.puzzles.loading import Reference, folder_named, is_file, load_all

_OF_A_SUITE = re.compile(r"\s*(\[{1,2}\s*(run|limits|exhibit|backend)\b|(run|limits|repeats)\s*=)")


def bundled_suites() -> dict[str, Path]:
    """Return the files of the bundled suites by name, in alphabetical order."""
    folder = Path(str(files("dovetail").joinpath("suites")))
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def plan_named(
    named: AnyPuzzle | Iterable[AnyPuzzle],
    backends: Solver | Iterable[Solver] | None,
    repeats: int | None,
    given: Sequence[str] | None = None,
    format_name: str | None = None,
    /,
    **asked: Unpack[SearchParameters],
) -> SuitePlan:
    """Return the plan of a suite, or of puzzles with the other arguments; see `plan_of`.

    `named` are puzzles, catalogue names and files, or the name or the file of a single suite. The
    content of a file decides whether the file is a suite. `given` are the names of the settings
    that the user has given; by default, `backends`, `repeats` and the names in `asked`, if they are
    not None. `format_name` is the format of all puzzle files; by default, the name and the content
    of a file decide its format. Raises `ConfigError` for a suite beside other names, for a suite if
    `given` is not empty, and for an unknown name. Also raises the errors of `read_suite`, of
    `plan_of` and of loading puzzles.
    """
    names = [named] if isinstance(named, str) or not isinstance(named, Iterable) else list(named)
    puzzles: list[Puzzle] = []
    for name in names:
        if not isinstance(name, str | Path):
            puzzles.append(name)
            continue
        path = suite_path(name)
        if path is None and not is_catalogue_name(str(name)):
            examples = [example for entry in catalogue() for example in entry.examples]
            raise unknown_name("suite or puzzle", str(name), [*bundled_suites(), *examples])
        reference = Reference(name if path is None else str(path))
        if reference.file is None or not is_suite(reference.file):
            puzzles += reference.puzzles(format_name)
            continue
        if len(names) > 1:
            raise ConfigError(
                f"{shorten(str(name))!r} is a suite; expected one suite or only puzzles"
            )
        if given is None:
            settings = {"backends": backends, "repeats": repeats, **asked}
            given = [key for key, value in settings.items() if value is not None]
        if given:
            raise ConfigError(
                f"{shorten(str(name))!r} is a suite and defines its own backends and settings; "
                f"expected no {' or '.join(given)}"
            )
        return read_suite(reference.file)
    return plan_of(puzzles, backends, 1 if repeats is None else repeats, **asked)


def load_suite(suite: str | Path) -> SuitePlan:
    """Return the plan of a suite file or of a bundled suite; see `suite_path`.

    Raises `ConfigError` for an unknown name, and the errors of `read_suite`.
    """
    if not isinstance(suite, str | Path):
        raise ConfigError(f"suite is {show(suite)}; expected a suite's name or a file")
    path = suite_path(suite)
    if path is None:
        raise unknown_name("suite", str(suite), bundled_suites())
    return read_suite(path)


def suite_path(word: str | Path) -> Path | None:
    """Return the path of a file, a bundled suite or a folder; None for an unknown name.

    A word with a slash or a suffix is the path of a file, whether the file exists or not.
    """
    path = Path(word)
    if is_file(path) or "/" in str(word) or path.suffix:
        return path
    return bundled_suites().get(str(word)) or (path if folder_named(path) else None)


def is_suite(file: TextFile) -> bool:
    """Return whether a line of `file` begins with a table or a key that only suites have."""
    return any(map(_OF_A_SUITE.match, file.lines))


def read_suite(source: Path | TextFile) -> SuitePlan:
    """Return the plan of a suite file.

    Raises `FormatError` with the line number for an unknown key, backend or config key, for an
    invalid value, and for a puzzle that cannot be loaded.
    """
    file = source if isinstance(source, TextFile) else TextFile(source)
    suite = read_table(file, Suite)
    programs = _programs(file, suite)
    with _errors_at(file, "limits", "memory"):
        suite_limits = suite.limits.limits(Limits())
    runs: list[PlannedRun] = []
    missing: list[str] = []
    for number, section in enumerate(suite.run):
        at = partial(_errors_at, file, "run", number)
        with at("limits", "memory"):
            limits = section.limits.limits(suite_limits)
        with at("puzzles"):
            puzzles, missing_here = _puzzles(file, section, may_miss=bool(suite.files))
        missing += missing_here
        for key, names in (("expected", section.expected), ("best_known", section.best_known)):
            with at(key):
                for name in () if missing_here else names:
                    if name not in (valid := [puzzle.name for puzzle in puzzles]):
                        raise unknown_name("puzzle in this run", name, valid)
        planned = list(section_runs(section, puzzles, limits, suite.seed, programs, at))
        for key in ("published", "proxy_for", "fitted", "difference"):
            with at(key):
                if section.name is None and getattr(section, key):
                    raise ConfigError(f"{key} is for a run with a name; expected the key `name`")
        with at("name"):
            _check_name(section.name, len(planned) + len(missing_here), runs)
        runs += planned
        for key in ("expected", "best_known"):
            with at(key):
                _check_contradiction(key, runs)
    runs = list(_with_published_fits(file, suite, runs))
    rows = {run.name: (run.job, run.published) for run in runs if run.name is not None}
    named = [(run.job, frozenset(run.names)) for run in runs]
    exhibits = read_exhibits(file, suite.exhibit, named, rows)
    return SuitePlan(
        suite.name,
        suite.repeats,
        tuple(runs),
        suite.about,
        tuple(exhibits),
        tuple(dict.fromkeys(missing)),
        suite.files,
    )


@contextmanager
def _errors_at(file: TextFile, *location: str | int) -> Iterator[None]:
    """Convert a `DovetailError` in the context to a `FormatError` at a key of the file."""
    try:
        yield
    except DovetailError as error:
        raise located(file, location, str(error)) from None


def _programs(file: TextFile, suite: Suite) -> Programs:
    """Return the backends that a suite defines, by name: programs, and backends in files."""
    programs: Programs = {}
    for number, section in enumerate(suite.backend):
        with _errors_at(file, "backend", number, "name"):
            if section.name in (*backend_names(), *programs):
                raise ConfigError(
                    f"the name {section.name!r} is already used; expected another name"
                )
        with _errors_at(file, "backend", number, *["file"] * bool(section.file)):
            programs[section.name] = section.defined(file.path.parent)
    return programs


def _puzzles(
    file: TextFile, section: RunSection, *, may_miss: bool
) -> tuple[list[Puzzle], list[str]]:
    """Return the puzzles of a section, and the missing puzzle files.

    A reference is a file in the folder of the suite or in the current folder, or a catalogue name.
    An unknown reference with a suffix is a missing file if `may_miss` is True. Any other unknown
    reference is an error.
    """
    puzzles: list[Puzzle] = []
    missing: list[str] = []
    for reference in chain.from_iterable(map(numbered, section.puzzles)):
        paths = (folder / reference for folder in (file.path.parent, Path()))
        path = next(filter(is_file, paths), None)
        if path is None and may_miss and Path(reference).suffix:
            missing.append(reference)
        else:
            puzzles += load_all(reference if path is None else path)
    return puzzles, missing


def _check_name(name: str | None, number: int, before: Iterable[PlannedRun]) -> None:
    """Raise `ConfigError` unless a name has exactly one run, and no run in `before` has the name.

    `number` is the number of runs with the name; a missing puzzle file counts as one run. Does
    nothing if `name` is None.
    """
    if name is None:
        return
    if number != 1:
        single = "expected one puzzle, one solver, one config and at most one seed"
        raise ConfigError(f"{shorten(name)!r} names {how_many(number, 'run')}; {single}")
    if name in (run.name for run in before):
        raise ConfigError(f"two runs are called {shorten(name)!r}; expected different names")


def _check_contradiction(key: str, runs: Iterable[PlannedRun]) -> None:
    """Raise `ConfigError` if two runs of a job have different figures at `key`."""
    first = dict[str, int]()
    for run in runs:
        value = getattr(run, key)
        if value is not None and first.setdefault(run.job.digest, value) != value:
            raise ConfigError(
                f"{value:,} for {run.job.puzzle.name}, but {first[run.job.digest]:,} in another "
                "run of the same job; expected equal figures"
            )


def _with_published_fits(
    file: TextFile, suite: Suite, runs: Sequence[PlannedRun]
) -> Iterator[PlannedRun]:
    """Yield the runs; a proxy gets the published fits of its row.

    Raises `FormatError` for a run that cannot be the proxy of its row.
    """
    rows = {run.name: run for run in runs if run.name is not None and run.proxy_for is None}
    proxied = [run.proxy_for for run in runs]
    for run in runs:
        if run.proxy_for is None:
            yield run
            continue
        number = [section.name for section in suite.run].index(run.name)
        with _errors_at(file, "run", number, "proxy_for"):
            if run.proxy_for not in rows:
                raise unknown_name("row of this suite", run.proxy_for, rows)
            row = rows[run.proxy_for]
            problem = _proxy_problem(run, row, proxied.count(run.proxy_for))
            if problem is not None:
                raise ConfigError(problem)
        yield replace(run, published=Published(row.published.fits))


def _proxy_problem(run: PlannedRun, row: PlannedRun, proxies: int) -> str | None:
    """Return the reason why `run` cannot be the proxy of `row`, or None if `run` can.

    `proxies` is the number of proxies of the row.
    """
    name = repr(shorten(str(row.name)))
    if row.published.fits is None:
        return f"row {name} has no published fits to compare with"
    if run.published != UNPUBLISHED:
        return f"a proxy has the published figures of row {name}; expected no key `published`"
    if run.job.puzzle.digest != row.job.puzzle.digest:
        return f"the puzzle of row {name} is {row.job.puzzle.name}, not {run.job.puzzle.name}"
    return f"row {name} has several proxies; expected one" if proxies > 1 else None
