"""The `[[exhibit]]` sections of a suite file, checked against its runs; see `declared`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from pydantic import Field

from dovetail.errors import ConfigError, DovetailError, FormatError, shorten, unknown_name
from dovetail.files.text_file import TextFile
from dovetail.files.toml_file import Strict, located
from dovetail.harness.exhibits.declared import (
    ConfiguredJob,
    Exhibit,
    ExhibitType,
    PublishedBoard,
    PublishedFigures,
    RatePoint,
    Series,
    Value,
    asked_boards,
)
from dovetail.harness.planning.named import named_config
from dovetail.harness.records.record import Published
from dovetail.harness.run.job import Job

Words = Annotated[str, Field(min_length=1)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Change = Annotated[float, Field(ge=-1, allow_inf_nan=False)]
NotNegative = Annotated[int, Field(ge=0, strict=True)]

NATIVE = "native:"
# Keys that only exhibits of one kind have.
KEYS = {
    ExhibitType.SORTED: ("value",),
    ExhibitType.SUMS: ("base",),
    ExhibitType.TABLE: ("rows",),
    ExhibitType.RATES: ("axis", "points"),
}

Rows = Mapping[str, tuple[Job, Published]]


class PublishedSection(Strict):
    """Published figures of a series; see `PublishedFigures`."""

    nodes_per_s: Positive | None = None
    nodes_change: Change | None = None
    seconds_change: Change | None = None


class SeriesSection(Strict):
    """The runs of one backend with one config."""

    name: Words
    backend: str
    config: dict[str, bool | int | float | str | list[str]] = Field(default_factory=dict)
    nodes: Annotated[str, Field(pattern=rf"^(nodes|{NATIVE}.+)$")] = "nodes"
    published: PublishedSection = PublishedSection()
    apart: bool = False


class RowSection(Strict):
    """A published row of a table."""

    name: Words
    boards: Words
    nodes: dict[str, NotNegative] = Field(default_factory=dict)
    seconds: dict[str, Positive] = Field(default_factory=dict)


class PointSection(Strict):
    """A row of the suite, by the name of its run, at a value of x."""

    x: Annotated[float, Field(ge=-1e12, le=1e12, allow_inf_nan=False)]
    run: Words


class ExhibitSection(Strict):
    """One exhibit of any kind."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    title: Words
    kind: ExhibitType
    about: str = ""
    series: Annotated[list[SeriesSection], Field(min_length=1)] | None = None
    value: Value | None = None
    base: str | None = None
    rows: list[RowSection] | None = None
    axis: Words | None = None
    points: Annotated[list[PointSection], Field(min_length=1)] | None = None


def read_exhibits(
    file: TextFile, sections: Sequence[ExhibitSection], jobs: Sequence[Job], rows: Rows
) -> Iterator[Exhibit]:
    """The exhibits of a suite whose runs are `jobs`; `rows` are the named ones.

    Raises `FormatError` naming the line of a series, a base, a published row or a point that does
    not belong to them.
    """
    if not sections:
        return
    configured = [ConfiguredJob(job, _built(job.backend, job.config)) for job in jobs]
    names: set[str] = set()
    for number, section in enumerate(sections):
        for key, error in _problems(section, names, rows):
            raise _at(file, number, key, error)
        names.add(section.name)
        if section.kind is ExhibitType.RATES:
            yield _exhibit_of_rates(section, rows)
        else:
            yield _exhibit(file, number, section, configured)


def _problems(
    section: ExhibitSection, before: set[str], rows: Rows
) -> Iterator[tuple[str, DovetailError]]:
    """The keys that keep a section from being an exhibit, each with the reason."""
    if section.name in before:
        yield "name", ConfigError(f"two exhibits are called {shorten(section.name)!r}")
    for kind, keys in KEYS.items():
        for key in keys:
            if kind != section.kind and getattr(section, key) is not None:
                yield key, ConfigError(f"{key} is for exhibits of kind {kind}")
    if section.kind is ExhibitType.RATES:
        yield from _point_problems(section, rows)
    else:
        yield from _series_problems(section)


def _series_problems(section: ExhibitSection) -> Iterator[tuple[str, DovetailError]]:
    """Why a section has no series to show, or published rows of others."""
    if section.series is None:
        yield "kind", ConfigError(f"an exhibit of kind {section.kind} needs series")
        return
    series = [one.name for one in section.series]
    for key, names in (("series", series), ("rows", [row.name for row in section.rows or ()])):
        for name in names:
            if names.count(name) > 1:
                yield key, ConfigError(f"two {key} are called {shorten(name)!r}")
    yield from _base_problems(section, section.series)
    for row in section.rows or ():
        for name in [*row.nodes, *row.seconds]:
            if name not in series:
                yield "rows", unknown_name("series of this exhibit", name, series)


def _point_problems(section: ExhibitSection, rows: Rows) -> Iterator[tuple[str, DovetailError]]:
    """Why a section has no rates to show."""
    if section.series is not None:
        yield "series", ConfigError("an exhibit of kind rates has points instead of series")
    for key in KEYS[ExhibitType.RATES]:
        if getattr(section, key) is None:
            yield "kind", ConfigError(f"an exhibit of kind rates needs {key}")
    names = [point.run for point in section.points or ()]
    for name in names:
        if name not in rows:
            yield "points", unknown_name("named run in this suite", name, rows)
        elif names.count(name) > 1:
            yield "points", ConfigError(f"two points are of run {shorten(name)!r}")
        elif rows[name][0].trials is None:
            yield "points", ConfigError(f"run {shorten(name)!r} has no trials, so it has no rate")


def _base_problems(
    section: ExhibitSection, sections: Sequence[SeriesSection]
) -> Iterator[tuple[str, DovetailError]]:
    """Why series cannot be compared with the base."""
    series = [one.name for one in sections]
    if section.base is None:
        if section.kind is ExhibitType.SUMS:
            yield "kind", ConfigError("an exhibit of kind sums needs one of its series as its base")
    elif section.base not in series:
        yield "base", unknown_name("series of this exhibit", section.base, series)
    elif sections[series.index(section.base)].apart:
        yield (
            "base",
            ConfigError(f"the base {shorten(section.base)!r} cannot be a series with apart = true"),
        )


def _exhibit(
    file: TextFile, number: int, section: ExhibitSection, jobs: Sequence[ConfiguredJob]
) -> Exhibit:
    try:
        series = tuple(map(_series, section.series or ()))
        for one in series:
            if not any((one.backend, one.config) == (job.job.backend, job.config) for job in jobs):
                raise ConfigError(
                    f"series {shorten(one.name)!r}: no run of this suite has backend "
                    f"{one.backend} with this config"
                )
        boards = asked_boards(series, jobs)
        if not boards:
            raise ConfigError("no board of this suite has runs of all these series")
    except ConfigError as error:
        raise _at(file, number, "series", error) from None
    return Exhibit(
        section.name,
        section.title,
        section.kind,
        series,
        boards,
        section.about,
        section.value or Value.NODES,
        section.base,
        tuple(PublishedBoard(**row.model_dump()) for row in section.rows or ()),
    )


def _exhibit_of_rates(section: ExhibitSection, rows: Rows) -> Exhibit:
    points = []
    for point in section.points or ():
        job, published = rows[point.run]
        points.append(RatePoint(point.x, point.run, job.digest, published.solutions_per_s))
    return Exhibit(
        section.name,
        section.title,
        section.kind,
        about=section.about,
        axis=section.axis or "",
        points=tuple(points),
    )


def _series(section: SeriesSection) -> Series:
    native = section.nodes.removeprefix(NATIVE) if section.nodes.startswith(NATIVE) else None
    published = PublishedFigures(**section.published.model_dump())
    config = _built(section.backend, section.config)
    return Series(section.name, section.backend, config, native, published, section.apart)


def _built(backend: str, values: Mapping[str, object]) -> object:
    """The whole config of a backend, defaults and all."""
    return named_config(backend, values)


def _at(file: TextFile, number: int, key: str, error: DovetailError) -> FormatError:
    return located(file, ("exhibit", number, key), str(error))
