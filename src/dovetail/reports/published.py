"""The table of published and measured figures side by side, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from dovetail.harness.records.published import Figure, PublishedRow, published_rows
from dovetail.harness.records.summary import JobResult
from dovetail.models.outcome import Status
from dovetail.reports import page
from dovetail.reports.numbers import ABSENT, show_count, show_ratio, show_seconds
from dovetail.reports.terminal import empty_table, output_console, plain_text, print_fitting

FITS, NO_FITS, SECONDS, RATE = "fits", "no-fits", "time", "per s"
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


def print_published(rows: Sequence[PublishedRow], console: Console | None = None) -> None:
    """Print a line for each of `rows`."""
    console = console or output_console()
    console.print("published and measured", style="bold")
    columns = columns_of(rows)
    dispensable = [column for column in DISPENSABLE if column in columns]
    print_fitting(lambda shown: _table(rows, shown), columns, dispensable, console)
    console.print(LEGEND, style="dim")


def columns_of(rows: Sequence[PublishedRow]) -> list[str]:
    """The columns of the table of `rows`: rates only where some are published."""
    rated = any(row.rate.published is not None for row in rows)
    return [column for column in COLUMNS if rated or not column.endswith(RATE)]


def _table(rows: Sequence[PublishedRow], columns: Sequence[str]) -> Table:
    table = empty_table(["row", *columns], left=("row", "status", "agreement"))
    for row in rows:
        cells = published_cells(row)
        table.add_row(plain_text(row.name), *(cells[column] for column in columns))
    return table


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
        str(row.status),
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
        _per_second(row.rate.measured),
    )
    return dict(zip(COLUMNS, values, strict=True))


def _agreement(row: PublishedRow) -> str:
    """Whether the counts are the published ones, or by how much they differ."""
    figures = {FITS: row.fits, NO_FITS: row.no_fits}
    known = {name: figure for name, figure in figures.items() if figure.published is not None}
    if not known:
        return "no counts published"
    if row.status != Status.EXHAUSTED:
        return f"not compared: {row.status}"
    differences = {name: _difference(figure) for name, figure in known.items()}
    if set(differences.values()) == {"exact"}:
        return "exact"
    return ", ".join(f"{name} {difference}" for name, difference in differences.items())


def _difference(figure: Figure) -> str:
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
    return ABSENT if rate is None else f"{rate:.3g}"


def published_part(results: Sequence[JobResult]) -> page.Part | None:
    """A row for each row of a published table, None where no record repeats one."""
    rows = published_rows(results)
    if not rows:
        return None
    columns = columns_of(rows)
    cells = map(published_cells, rows)
    texts = tuple(
        (row.name, *(texts[column] for column in columns))
        for row, texts in zip(rows, cells, strict=True)
    )
    table = page.Table(("row", *columns), texts, left=2)
    return page.Part("published", "Published and measured", (LEGEND,), tables=(table,))
