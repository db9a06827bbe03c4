"""The table of published and measured figures side by side, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from dovetail.harness.records.published import (
    FigurePair,
    PublishedRow,
    TrialsWithTrigger,
    published_rows,
)
from dovetail.harness.records.record import Record
from dovetail.harness.run.result import RateInterval
from dovetail.models.outcome import Status
from dovetail.reports import page
from dovetail.reports.numbers import ABSENT, show_count, show_ratio, show_rounded, show_seconds
from dovetail.reports.table import Table, text_table
from dovetail.reports.terminal import output_console, print_table

FITS, NO_FITS, SECONDS, RATE = "fits", "no-fits", "time", "per s"
WITH_TRIGGER = "trials with trigger"
COLUMNS = (
    "status",
    "solutions",
    f"published {FITS}",
    FITS,
    f"published {NO_FITS}",
    NO_FITS,
    "agreement",
    f"published {SECONDS}",
    SECONDS,
    "ratio",
    f"published {RATE}",
    RATE,
    f"published {WITH_TRIGGER}",
    WITH_TRIGGER,
)
# What a narrow terminal goes without, first to last.
DISPENSABLE = (
    f"published {SECONDS}",
    "solutions",
    SECONDS,
    f"published {NO_FITS}",
    f"published {FITS}",
    NO_FITS,
    "status",
    FITS,
)
LEGEND = (
    "published time: on the publication's machine. time: prepare + solve. ratio: measured to\n"
    "published. A different number of fits is not an error: a publication may omit settings that\n"
    "matter."
)
LEGEND_OF_RATES = (
    "per s: solutions of trials per second of processor time, with the 95 % interval by the\n"
    "spread of the trials."
)
LEGEND_OF_TRIGGERS = (
    "trials with trigger: trials in which the trigger removed a placement, with the 95 % interval\n"
    "of their share."
)


def print_published(rows: Sequence[PublishedRow], console: Console | None = None) -> None:
    """Print a line for each of `rows`."""
    console = console or output_console()
    console.print("published and measured", style="bold")
    print_table(_table(rows), console)
    for legend in legends_of(rows):
        console.print(legend, style="dim")


def columns_of(rows: Sequence[PublishedRow]) -> list[str]:
    """The columns of the table of `rows`: rates and triggers only where some are published."""
    absent = tuple(column for column, published in _of_trials(rows).items() if not published)
    return [column for column in COLUMNS if not column.endswith(absent)]


def legends_of(rows: Sequence[PublishedRow]) -> list[str]:
    """The paragraphs that explain the columns of the table of `rows`."""
    published = _of_trials(rows)
    of_rates = [LEGEND_OF_RATES] if published[RATE] else []
    return [LEGEND, *of_rates, *([LEGEND_OF_TRIGGERS] if published[WITH_TRIGGER] else [])]


def _of_trials(rows: Sequence[PublishedRow]) -> dict[str, bool]:
    """Whether figures that only trials have are published in any of `rows`, by column."""
    return {
        RATE: any(row.rate.published is not None for row in rows),
        WITH_TRIGGER: any(row.with_trigger.published is not None for row in rows),
    }


def _table(rows: Sequence[PublishedRow]) -> Table:
    columns = columns_of(rows)
    texts = tuple(
        (row.name, *(cells[column] for column in columns))
        for row, cells in zip(rows, map(published_cells, rows), strict=True)
    )
    return text_table(("row", *columns), texts, words=2, dispensable=DISPENSABLE)


def published_cells(row: PublishedRow) -> dict[str, str]:
    """The texts of one row by `COLUMNS`."""
    exact = row.status in (Status.EXHAUSTED, Status.WRONG)
    solutions = show_count(row.count, exact)
    if row.expected is not None:
        expected = "as expected" if row.expected == row.count else f"expected {row.expected:,}"
        solutions += f" ({expected})"
    published, measured = row.seconds.published, row.seconds.measured
    ratio = ABSENT
    if published is not None and measured is not None and row.status == Status.EXHAUSTED:
        ratio = show_ratio(measured, published)
    values = (
        ABSENT if row.status is None else str(row.status),
        solutions,
        _whole(row.fits.published),
        _whole(row.fits.measured),
        _whole(row.no_fits.published),
        _whole(row.no_fits.measured),
        _agreement(row),
        ABSENT if published is None else show_seconds(published),
        ABSENT if measured is None else show_seconds(measured),
        ratio,
        _per_second(row.rate.published),
        show_rate_interval(row.rate.measured, row.rate_interval),
        *_with_trigger(row.with_trigger),
    )
    return dict(zip(COLUMNS, values, strict=True))


def _agreement(row: PublishedRow) -> str:
    """Whether the counts are the published ones, or by how much they differ."""
    figures = {FITS: row.fits, NO_FITS: row.no_fits}
    known = {name: figure for name, figure in figures.items() if figure.published is not None}
    if not known:
        return "no counts published"
    if row.status != Status.EXHAUSTED:
        return f"not compared: {row.status or 'not run'}"
    differences = {name: _difference(figure) for name, figure in known.items()}
    if set(differences.values()) == {"exact"}:
        return "exact"
    return ", ".join(f"{name} {difference}" for name, difference in differences.items())


def _difference(figure: FigurePair) -> str:
    published, measured = figure.published, figure.measured
    if measured is None:
        return "not counted"
    if measured == published:
        return "exact"
    if not published:
        return f"{_whole(measured)} instead of none"
    return f"{100 * (measured / published - 1):+.3g} %".replace("-", "−")


def _whole(number: float | None) -> str:
    return ABSENT if number is None else f"{number:,.0f}"


def _per_second(rate: float | None) -> str:
    return ABSENT if rate is None else show_rounded(rate)


def show_rate_interval(rate: float | None, interval: RateInterval | None) -> str:
    """A rate per second with its 95 % interval, such as `4.99 (2.41 to 9.38)`."""
    if rate is None or interval is None:
        return _per_second(rate)
    return f"{show_rounded(rate)} ({show_rounded(interval.low)} to {show_rounded(interval.high)})"


def _with_trigger(trials: TrialsWithTrigger) -> tuple[str, str]:
    """The texts of the published and the measured number of trials in which a trigger fired."""
    published, measured = _whole(trials.published), trials.measured
    if trials.published is not None and trials.published_count is not None:
        published += f" of {trials.published_count:,}"
    if measured is None:
        return published, ABSENT
    low, high = 100 * measured.interval.low, 100 * measured.interval.high
    shares = f"{low:.3g} to {high:.3g} %"
    return published, f"{measured.number:,} of {measured.count:,} ({shares})"


def published_part(results: Sequence[Record]) -> page.Section | None:
    """A row for each row of a published table, None where no record repeats one."""
    rows = published_rows(results)
    if not rows:
        return None
    table = _table(rows)
    return page.Section(
        "published", "Published and measured", tables=(table,), definitions=tuple(legends_of(rows))
    )
