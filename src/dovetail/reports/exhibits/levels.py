"""Attempts, fits and no-fits by pieces left, in total and per target, beside published figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dovetail.backends.base import PLACEMENT_MADE
from dovetail.harness.exhibits import LevelsRun
from dovetail.harness.records.record import Record
from dovetail.harness.suite.reproduction import FINISHED, Verdict
from dovetail.reports.results.profiles import (
    COUNTS,
    LEVEL_FIGURES,
    figure_column,
    figure_title,
    levels,
)
from dovetail.reports.table import Column, Table

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
    published = {
        level.left: _known({name: getattr(level, name) for name in LEVEL_FIGURES})
        for level in run.levels
    }
    # The nodes of some backends are not fits.
    is_counted = record is not None and record.job.node_meaning == PLACEMENT_MADE
    profile = levels(record) if record is not None and is_counted else []
    measured = {level.remaining: level.figures for level in profile}
    for left in sorted({*published, *measured}):
        yield _level(left, published.get(left, {}), measured.get(left, {}), record)
    sums = {
        count: sum(level[count] for level in measured.values())
        for count in COUNTS
        if measured and all(count in level for level in measured.values())
    }
    total = _known({"fits": run.published.fits, "no_fits": run.published.all_no_fits})
    yield _level(None, total, sums, record)


def _known(figures: Mapping[str, float | None]) -> dict[str, float]:
    return {name: figure for name, figure in figures.items() if figure is not None}


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
        if any(name in level.published for level in rows):
            columns.append(_published_column(name))
        columns.append(figure_column(name, lambda level: level.measured))
    return Table(columns, rows, CAPTION, marked=lambda level: level.verdict is Verdict.DIFFERS)


def _published_column(name: str) -> Column[MeasuredLevel]:
    title = f"published {figure_title(name)}"
    show = None if name in COUNTS else "{:,}".format
    return Column(title, lambda level: level.published.get(name), show)
