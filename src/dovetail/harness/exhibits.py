"""The `[[exhibit]]` sections of a suite file: figures and tables of a report on its runs.

[[exhibit]]
name = "figure-5"                 # used in the names of the figure's files
title = "Figure 5: nodes of every approach"
kind = "sorted"                   # sorted, sums, table, rates or levels, see `ExhibitType`
value = "nodes"                   # for kind "sorted": nodes, seconds or solve_s
about = "A description of the figure, and how to read it."
only = ["long"]                   # boards of runs with these names, puzzles or tags; default: all
series = [                        # each series is a backend with a config, and has a name
  { name = "brute force", backend = "rows", published = { nodes_per_s = 20e6 } },
  { name = "CP-SAT", backend = "cpsat", nodes = "native:branches" },
]

[[exhibit]]
name = "table-1"
title = "Table 1: choices"
kind = "sums"
base = "MinOffer"                 # for kind "sums": the series with which others are compared
series = [
  { name = "MinOffer", backend = "colorpair", config = { choice = "min-offer" } },
  { name = "MinExpectedGap", backend = "colorpair", published = { nodes_change = -0.38 } },
]

[[exhibit]]
name = "table-2"
title = "Table 2: board by board"
kind = "table"
series = [{ name = "Choco", backend = "choco", config = { formulation = "4-edges" } }]

[[exhibit.rows]]                  # for kind "table": a published row and the boards to compare
name = "E_9_4.b9i12"
boards = "edges-9-b9i12-*"
nodes = { Choco = 2_662_968 }
seconds = { Choco = 5534 }

[[exhibit]]
name = "figure-9"
title = "Figure 9: solutions per second"
kind = "rates"
axis = "pieces left when min-fit takes over"
points = [                        # for kind "rates": x values and names of the suite's runs
  { x = 0, run = "HP-1" },
  { x = 2, run = "HP-2" },
]

[[exhibit]]
name = "table-3"
title = "Table 3: attempts and fits by pieces left"
kind = "levels"
run = "P5"                        # for kind "levels": the name of a run of the suite
levels = [                        # published figures, each for a number of pieces left
  { left = 12, attempts = 7, fits = 7 },
  { left = 4, no_fits_per_target = 3.2 },
]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass as pydantic_dataclass

from dovetail.errors import ConfigError, DovetailError, FormatError, how_many, shorten, unknown_name
from dovetail.files.text_file import TextFile
from dovetail.files.validation import Strict, located
from dovetail.harness.planning.named import named_config
from dovetail.harness.records.record import Published
from dovetail.harness.run.job import Job

Words = Annotated[str, Field(min_length=1)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Change = Annotated[float, Field(ge=-1, allow_inf_nan=False)]
NotNegative = Annotated[int, Field(ge=0, strict=True)]
# A whole number stays an integer, because it has no digits after the point to compare.
PerTarget = Annotated[int, Field(gt=0, strict=True)] | Positive

NATIVE = "native:"
STRICT = ConfigDict(extra="forbid")

# The named runs of a suite: their jobs and published figures.
Rows = Mapping[str, tuple[Job, Published]]
# The jobs of a suite, each with the names that select its run: row, puzzle and tags.
NamedJobs = Sequence[tuple[Job, frozenset[str]]]


class ExhibitType(StrEnum):
    """The kind of an exhibit."""

    # A value of each series on each board. The boards are sorted by the shortest time of any
    # series, and boards that no series finishes are left out.
    SORTED = "sorted"
    # Nodes and times of each series, summed over the boards that all series finish, and compared
    # with the sums of a base series.
    SUMS = "sums"
    # A row for each board that a series finishes, below the published rows of boards of the same
    # kind.
    TABLE = "table"
    # Measured and published rates of solutions in trials, with a run for each value of x.
    RATES = "rates"
    # Attempts, fits and no-fits of a run by pieces left, in total and per target.
    LEVELS = "levels"


# Keys that only exhibits of the given kind can have.
KEYS = {
    ExhibitType.SORTED: ("value",),
    ExhibitType.SUMS: ("base",),
    ExhibitType.TABLE: ("rows",),
    ExhibitType.RATES: ("axis", "points"),
    ExhibitType.LEVELS: ("run", "levels"),
}


class Value(StrEnum):
    """The value in a sorted exhibit: nodes, seconds of prepare and solve, or seconds of solve."""

    NODES = "nodes"
    SECONDS = "seconds"
    SOLVE = "solve_s"


@pydantic_dataclass(frozen=True, config=STRICT)
class PublishedFigures:
    """Published figures of a series; None for figures that are not published."""

    nodes_per_s: Positive | None = None
    # Changes relative to the sums of the base; −0.38 means 38 % less than the base.
    nodes_change: Change | None = None
    seconds_change: Change | None = None


@pydantic_dataclass(frozen=True, config=STRICT)
class ExhibitSeries:
    """The runs of a backend with a config."""

    name: Words
    backend: str
    config: dict[str, bool | int | float | str | list[str]] = Field(default_factory=dict)
    # Counter that is shown as nodes: `nodes`, or `native:NAME` for a native counter of the backend.
    nodes: Annotated[
        str, Field(pattern=rf"^(nodes|{NATIVE}.+)$", description=f"nodes or {NATIVE}COUNTER")
    ] = "nodes"
    published: PublishedFigures = PublishedFigures()
    # Whether the series is ignored when the boards to sum are chosen. The series is then compared
    # with the base on the boards that both finished.
    apart: bool = False

    @property
    def native(self) -> str | None:
        """Name of the native counter that is shown as nodes; None for `nodes` of the record."""
        return self.nodes.removeprefix(NATIVE) if self.nodes.startswith(NATIVE) else None


@pydantic_dataclass(frozen=True, config=STRICT)
class PublishedBoard:
    """A published row of a table, with its nodes and seconds by series name."""

    name: Words
    # Pattern for the names of boards of the same kind; `*` matches any text.
    boards: Words
    nodes: dict[str, NotNegative] = Field(default_factory=dict)
    seconds: dict[str, Positive] = Field(default_factory=dict)


@pydantic_dataclass(frozen=True, config=STRICT)
class PublishedLevel:
    """Published figures of the placements with `left` pieces left; None if not published.

    Figures per target are means over the recursive calls, each of which fills one target. Figures
    per target agree with measured figures that round to the published digits.
    """

    left: Annotated[int, Field(ge=1, strict=True)]
    attempts: NotNegative | None = None
    fits: NotNegative | None = None
    no_fits: NotNegative | None = None
    attempts_per_target: PerTarget | None = None
    fits_per_target: PerTarget | None = None
    no_fits_per_target: PerTarget | None = None


class PointSection(Strict):
    """A value of x, and the name of the run that is shown there."""

    x: Annotated[float, Field(ge=-1e12, le=1e12, allow_inf_nan=False)]
    run: Words


class _Exhibit(Strict):
    """The keys of a section that the report needs; keys for other kinds have their defaults."""

    name: Annotated[
        str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", description="lower-case words joined by -")
    ]
    title: Words
    kind: ExhibitType
    about: str = ""
    series: Annotated[tuple[ExhibitSeries, ...], Field(min_length=1)] = ()
    value: Value = Value.NODES
    base: str | None = None
    rows: tuple[PublishedBoard, ...] = ()
    # Meaning of x in `points`.
    axis: Annotated[str, Field(min_length=1)] = ""


class ExhibitSection(_Exhibit):
    """An `[[exhibit]]` section of any kind."""

    only: Annotated[tuple[Words, ...], Field(min_length=1)] = ()
    points: Annotated[tuple[PointSection, ...], Field(min_length=1)] = ()
    run: Words | None = None
    levels: tuple[PublishedLevel, ...] = ()

    def has(self, key: str) -> bool:
        """Return whether the section has a key."""
        return key in self.model_fields_set


@dataclass(frozen=True)
class LevelsRun:
    """A named run with its published figures, in total and by pieces left."""

    row: str
    # Digest of the job.
    job: str
    published: Published
    levels: tuple[PublishedLevel, ...] = ()


@dataclass(frozen=True)
class RatePoint:
    """A row of a published table at a value of x."""

    x: float
    # Name of the row, which is the name of its run.
    row: str
    # Digest of the job.
    job: str
    # Published solutions per second, and per million fits.
    published: float | None = None
    published_per_fits: float | None = None


@dataclass(frozen=True)
class AskedBoard:
    """A board that every series of an exhibit runs."""

    puzzle: str
    # Digest of the job of each series.
    jobs: tuple[str, ...]


class Exhibit(_Exhibit):
    """A figure or table, with the runs that it shows."""

    boards: tuple[AskedBoard, ...]
    points: tuple[RatePoint, ...]
    run: LevelsRun | None


def read_exhibits(
    file: TextFile, sections: Sequence[ExhibitSection], jobs: NamedJobs, rows: Rows
) -> Iterator[Exhibit]:
    """Yield the exhibits of a suite with the given `jobs` and named runs (`rows`).

    Raises `FormatError` with the line number for an invalid section.
    """
    if not sections:
        return

    def error(number: int, key: str, problem: DovetailError) -> FormatError:
        return located(file, ("exhibit", number, key), str(problem))

    configured = [
        (job, named_config(job.backend, job.config), labels)
        for job, labels in jobs
        if not job.improves
    ]
    selecting = {name for _, labels in jobs for name in labels}
    names: set[str] = set()
    for number, section in enumerate(sections):
        for key, problem in _problems(section, names, rows):
            raise error(number, key, problem)
        names.add(section.name)
        series, only = section.series, section.only or selecting
        for name in only:
            if name not in selecting:
                problem = unknown_name("row, puzzle or tag in this suite", name, selecting)
                raise error(number, "only", problem)
        asked = [(job, config) for job, config, labels in configured if labels.intersection(only)]
        try:
            boards = _asked_boards(series, asked) if series else ()
        except ConfigError as problem:
            raise error(number, "series", problem) from None
        points = []
        for point in section.points:
            job, published = rows[point.run]
            rates = published.solutions_per_s, published.per_million_fits
            points.append(RatePoint(point.x, point.run, job.digest, *rates))
        run = None
        if section.run is not None:
            job, published = rows[section.run]
            run = LevelsRun(section.run, job.digest, published, section.levels)
        shown = {key: getattr(section, key) for key in _Exhibit.model_fields}
        yield Exhibit.model_construct(**shown, boards=boards, points=tuple(points), run=run)


def _problems(
    section: ExhibitSection, before: set[str], rows: Rows
) -> Iterator[tuple[str, DovetailError]]:
    """Yield each problem of a section, with the key that has the problem.

    `before` has the names of the earlier sections, and `rows` the named runs of the suite.
    """
    if section.name in before:
        name = shorten(section.name)
        yield "name", ConfigError(f"two exhibits are called {name!r}; expected different names")
    for kind, keys in KEYS.items():
        for key in keys:
            if kind != section.kind and section.has(key):
                yield key, ConfigError(f"{key} is for exhibits of kind {kind}")
    if section.kind in (ExhibitType.RATES, ExhibitType.LEVELS):
        instead = "points" if section.kind is ExhibitType.RATES else "a run"
        for key in ("series", "only"):
            if section.has(key):
                problem = f"an exhibit of kind {section.kind} has {instead} instead of {key}"
                yield key, ConfigError(problem)
        yield from _run_problems(section, rows)
    elif not section.series:
        yield "kind", ConfigError(f"an exhibit of kind {section.kind} needs series")
    else:
        yield from _series_problems(section)


def _series_problems(section: ExhibitSection) -> Iterator[tuple[str, DovetailError]]:
    names = [series.name for series in section.series]
    for key, used in (("series", names), ("rows", [row.name for row in section.rows])):
        for name in used:
            if used.count(name) > 1:
                yield key, ConfigError(f"two {key} are called {shorten(name)!r}")
    if section.base is None:
        if section.kind is ExhibitType.SUMS:
            yield "kind", ConfigError("an exhibit of kind sums needs one of its series as its base")
    elif section.base not in names:
        yield "base", unknown_name("series of this exhibit", section.base, names)
    elif section.series[names.index(section.base)].apart:
        base = shorten(section.base)
        yield "base", ConfigError(f"the base {base!r} cannot be a series with apart = true")
    for row in section.rows:
        for name in [*row.nodes, *row.seconds]:
            if name not in names:
                yield "rows", unknown_name("series of this exhibit", name, names)


def _run_problems(section: ExhibitSection, rows: Rows) -> Iterator[tuple[str, DovetailError]]:
    """Yield the problems of an exhibit of named runs."""
    for key in KEYS[section.kind]:
        if not section.has(key) and key != "levels":
            yield "kind", ConfigError(f"an exhibit of kind {section.kind} needs {key}")
    if section.run is not None and section.run not in rows:
        yield "run", unknown_name("named run in this suite", section.run, rows)
    counts = [level.left for level in section.levels]
    for pieces in counts:
        if counts.count(pieces) > 1:
            yield "levels", ConfigError(f"two levels have {how_many(pieces, 'piece')} left")
    names = [point.run for point in section.points]
    for name in names:
        if name not in rows:
            yield "points", unknown_name("named run in this suite", name, rows)
        elif names.count(name) > 1:
            yield "points", ConfigError(f"two points have the run {shorten(name)!r}")
        elif rows[name][0].trials is None:
            yield "points", ConfigError(f"run {shorten(name)!r} has no trials, so it has no rate")


def _asked_boards(
    all_series: Sequence[ExhibitSeries], jobs: Sequence[tuple[Job, object]]
) -> tuple[AskedBoard, ...]:
    """Return the boards that all series run, in the order of `jobs`.

    Each element of `jobs` is a job with its complete config. Raises `ConfigError` if a series has
    no run or has two runs of the same board, or if there is no board that all series run.
    """
    keys = [(job.backend, config) for job, config in jobs]
    wanted = {
        series.name: (series.backend, named_config(series.backend, series.config))
        for series in all_series
    }
    for name, key in wanted.items():
        if key not in keys:
            raise ConfigError(
                f"series {shorten(name)!r}: no run of this exhibit has backend {key[0]} with this "
                "config; expected at least one run"
            )
    puzzles: dict[object, str] = {}
    digests: dict[object, dict[str, str]] = {}
    for (job, _), job_key in zip(jobs, keys, strict=True):
        question = job.puzzle.digest, job.request.symmetry, job.request.labelled
        puzzles.setdefault(question, job.puzzle.name)
        asked = digests.setdefault(question, {})
        for name, key in wanted.items():
            if key == job_key and asked.setdefault(name, job.digest) != job.digest:
                raise ConfigError(f"series {shorten(name)!r} has two runs of {job.puzzle.name}")
    boards = tuple(
        AskedBoard(puzzles[question], tuple(asked[name] for name in wanted))
        for question, asked in digests.items()
        if len(asked) == len(wanted)
    )
    if not boards:
        raise ConfigError("no board of this exhibit has runs of all its series")
    return boards
