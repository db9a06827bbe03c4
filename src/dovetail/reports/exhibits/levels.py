"""Attempts, fits and no-fits by pieces left, in total and per target, beside published figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

from dovetail.backends.base import PLACEMENT_MADE
from dovetail.harness.exhibits import LevelsRun, PublishedLevel
from dovetail.harness.records.record import Record
from dovetail.harness.suite.reproduction import FINISHED, Verdict
from dovetail.reports.numbers import show_whole
from dovetail.reports.results.profiles import levels
from dovetail.reports.table import Column, Table

COUNTS = ("attempts", "fits", "no_fits")
PER_TARGET = tuple(f"{count}_per_target" for count in COUNTS)
LEVEL_FIGURES = (*COUNTS, *PER_TARGET)
CAPTION = (
    "exact: the published figures of the row were measured, to their last digit; "
    "–: the row has none"
)


@dataclass(frozen=True)
class MeasuredLevel:
    """Figures by name, published and measured; unknown figures are missing."""

    # None for the sum over all levels.
    left: int | None
    published: Mapping[str, float]
    measured: Mapping[str, float]
    # None without published figures.
    verdict: Verdict | None


def measured_levels(run: LevelsRun, record: Record | None) -> Iterator[MeasuredLevel]:
    """Yield the levels of a run from 1 piece left upwards, and then their sum."""
    published = {level.left: _known(level) for level in run.levels}
    measured = {} if record is None else _figures(record)
    for left in sorted({*published, *measured}):
        yield _level(left, published.get(left, {}), measured.get(left, {}), record)
    total = {"fits": run.published.fits, "no_fits": run.published.all_no_fits}
    sums = {
        count: sum(level[count] for level in measured.values())
        for count in COUNTS
        if measured and all(count in level for level in measured.values())
    }
    known = {name: value for name, value in total.items() if value is not None}
    yield _level(None, known, sums, record)


def _known(level: PublishedLevel) -> dict[str, float]:
    figures = {field.name: getattr(level, field.name) for field in fields(level)}
    return {name: figures[name] for name in LEVEL_FIGURES if figures[name] is not None}


def _figures(record: Record) -> dict[int, dict[str, float]]:
    """Return the known figures of each level; none if the nodes of the backend are not fits."""
    if record.job.node_meaning != PLACEMENT_MADE:
        return {}
    found: dict[int, dict[str, float]] = {}
    for level in levels(record):
        numbers = dict(zip(COUNTS, (level.attempts, level.fits, level.no_fits), strict=True))
        ratios = {f"{name}_per_target": level.per_target(n) for name, n in numbers.items()}
        known = {name: value for name, value in (numbers | ratios).items() if value is not None}
        found[level.remaining] = known
    return found


def _level(
    left: int | None,
    published: Mapping[str, float],
    measured: Mapping[str, float],
    record: Record | None,
) -> MeasuredLevel:
    if not published:
        verdict = None
    elif record is None:
        verdict = Verdict.NOT_RUN
    elif record.result.status not in FINISHED:
        verdict = Verdict.UNFINISHED
    else:
        agrees = record.result.is_finished and all(
            _agrees(figure, measured.get(name)) for name, figure in published.items()
        )
        verdict = Verdict.EXACT if agrees else Verdict.DIFFERS
    return MeasuredLevel(left, published, measured, verdict)


def _agrees(published: float, measured: float | None) -> bool:
    """Return whether a measured figure rounds to the published digits."""
    digits = len(str(published).partition(".")[2]) if isinstance(published, float) else 0
    return measured is not None and round(measured, digits) == published


def levels_table(rows: Sequence[MeasuredLevel]) -> Table:
    """Return a table with a row for each level; unpublished figures have no published column."""
    columns = [
        Column[MeasuredLevel](
            "pieces left", lambda level: "all" if level.left is None else str(level.left)
        ),
        Column[MeasuredLevel](
            "verdict", lambda level: level.verdict and str(level.verdict), words=True
        ),
    ]
    for name in LEVEL_FIGURES:
        columns += _columns(name, any(name in level.published for level in rows))
    return Table(columns, rows, CAPTION, marked=lambda level: level.verdict is Verdict.DIFFERS)


def _columns(name: str, is_published: bool) -> Iterator[Column[MeasuredLevel]]:
    title = name.replace("no_fits", "no-fits").replace("_", " ")

    def show_measured(value: float) -> str:
        return show_whole(int(value)) if name in COUNTS else f"{value:,.3f}"

    def show_published(value: float) -> str:
        return show_whole(int(value)) if name in COUNTS else f"{value:,}"

    if is_published:
        yield Column(f"published {title}", lambda level: level.published.get(name), show_published)
    yield Column(title, lambda level: level.measured.get(name), show_measured)
