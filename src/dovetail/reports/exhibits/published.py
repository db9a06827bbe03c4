"""Published and measured figures side by side."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence

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
from dovetail.reports.numbers import ABSENT, show_count, show_ratio, show_rounded
from dovetail.reports.page import Section, definitions
from dovetail.reports.rendering.terminal import output_console, print_table
from dovetail.reports.table import Column, Table, by_name

# Width of definitions in a terminal.
WIDTH = 80
# Names of definitions by the titles of columns that only trials have.
OF_TRIALS = {"per s": "published-rates", "trials with trigger": "published-triggers"}
# Titles of the columns that a narrow terminal omits, in this order.
DISPENSABLE = (
    *("published time", "solutions", "time", "published no-fits", "published fits", "no-fits"),
    *("status", "fits"),
)


def show_rate_interval(rate: float | None, interval: RateInterval | None) -> str:
    """Format a rate per second with its 95 % interval, such as `4.99 (2.41 to 9.38)`.

    Without an interval, only the rate is shown, and a dash for None.
    """
    if rate is None or interval is None:
        return show_rounded(rate)
    return f"{show_rounded(rate)} ({show_rounded(interval.low)} to {show_rounded(interval.high)})"


def _whole(number: float | None) -> str:
    return ABSENT if number is None else f"{number:,}"


def _solutions(row: PublishedRow) -> str:
    exact = row.status in (Status.EXHAUSTED, Status.WRONG)
    solutions = show_count(row.count, exact)
    if row.expected is None:
        return solutions
    expected = "as expected" if row.expected == row.count else f"expected {row.expected:,}"
    return f"{solutions} ({expected})"


def _ratio(row: PublishedRow) -> str | None:
    published, measured = row.seconds.published, row.seconds.measured
    if published is None or measured is None or row.status != Status.EXHAUSTED:
        return None
    return show_ratio(measured, published)


def agreement(row: PublishedRow) -> str:
    """Return "exact", the differences from the published counts, or why nothing is compared."""
    figures = {"fits": row.fits, "no-fits": row.no_fits}
    known = {name: pair for name, pair in figures.items() if pair.published is not None}
    if not known:
        return "no counts published"
    if row.status != Status.EXHAUSTED:
        return f"not compared: {row.status or 'not run'}"
    differences = {name: _difference(pair) for name, pair in known.items()}
    if set(differences.values()) == {"exact"}:
        return "exact"
    return ", ".join(f"{name} {difference}" for name, difference in differences.items())


def _difference(pair: FigurePair) -> str:
    published, measured = pair.published, pair.measured
    if measured is None:
        return "not counted"
    if measured == published:
        return "exact"
    if not published:
        return f"{_whole(measured)} instead of none"
    return f"{100 * (measured / published - 1):+.3g} %".replace("-", "−")


def _published_trials(trials: TrialsWithTrigger) -> str:
    if trials.published is None or trials.published_count is None:
        return _whole(trials.published)
    return f"{trials.published:,} of {trials.published_count:,}"


def _measured_trials(trials: TrialsWithTrigger) -> str | None:
    measured = trials.measured
    if measured is None:
        return None
    low, high = 100 * measured.interval.low, 100 * measured.interval.high
    return f"{measured.number:,} of {measured.count:,} ({low:.3g} to {high:.3g} %)"


def _pair(title: str, pair: Callable[[PublishedRow], FigurePair]) -> list[Column[PublishedRow]]:
    """Return the columns of a published and a measured whole number."""
    return [
        Column(f"published {title}", lambda row: _whole(pair(row).published)),
        Column(title, lambda row: _whole(pair(row).measured)),
    ]


COLUMNS = by_name(
    Column[PublishedRow]("row", lambda row: row.name, words=True),
    Column[PublishedRow](
        "status", lambda row: None if row.status is None else str(row.status), words=True
    ),
    Column[PublishedRow]("solutions", _solutions),
    *_pair("fits", lambda row: row.fits),
    *_pair("no-fits", lambda row: row.no_fits),
    Column[PublishedRow]("agreement", agreement, words=True),
    Column[PublishedRow]("published time", lambda row: row.seconds.published, unit="s"),
    Column[PublishedRow]("time", lambda row: row.seconds.measured, unit="s"),
    Column[PublishedRow]("ratio", _ratio),
    Column[PublishedRow]("published per s", lambda row: show_rounded(row.rate.published)),
    Column[PublishedRow](
        "per s", lambda row: show_rate_interval(row.rate.measured, row.rate_interval)
    ),
    Column[PublishedRow](
        "published trials with trigger", lambda row: _published_trials(row.with_trigger)
    ),
    Column[PublishedRow]("trials with trigger", lambda row: _measured_trials(row.with_trigger)),
)


def published_table(rows: Sequence[PublishedRow]) -> Table:
    """Return a table of rows; figures of trials have columns only if a row published them."""
    absent = [
        title
        for title in OF_TRIALS
        if all(COLUMNS[f"published {title}"].text(row) == ABSENT for row in rows)
    ]
    table = Table(list(COLUMNS.values()), rows, dispensable=DISPENSABLE)
    return table.without(*absent, *(f"published {title}" for title in absent))


def published_section(results: Sequence[Record]) -> Section | None:
    """Return a section of the published rows that `results` repeat; None without such a row."""
    rows = published_rows(results)
    return _section(rows) if rows else None


def _section(rows: Sequence[PublishedRow]) -> Section:
    table = published_table(rows)
    legends = list(definitions("published"))
    for column, name in OF_TRIALS.items():
        legends += definitions(name) if column in table.titles else ()
    title = "Published and measured"
    return Section("published", title, [table], definitions=tuple(legends))


def print_published(
    rows: Sequence[PublishedRow], console: Console | None = None, *, legends: bool = True
) -> None:
    """Print a table of rows, and with `legends` the definitions of its columns."""
    console = console or output_console()
    section = _section(rows)
    console.print(section.title.lower(), style="bold")
    for table in section.tables:
        print_table(table, console)
    for legend in section.definitions if legends else ():
        console.print(textwrap.fill(legend, WIDTH), style="dim")
