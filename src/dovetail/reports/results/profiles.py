"""Node profiles: the attempts and fits of a solver by the number of pieces left.

The profiles follow tables 2 to 5 of M. Busche, "A fixed image list algorithm" (2018). The number of
targets with p pieces left is the number of placements made with p + 1 pieces left; the root of a
search is a target. The work per target shows how wide the tree is at a level, and how many
placements do not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dovetail.errors import how_many
from dovetail.harness.evaluation.contests import solver_styles
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import Question, by_question, solver_name
from dovetail.reports.charts.chart import Axis, Chart, Point, Series, logarithmic_axis
from dovetail.reports.charts.kinds import LINES
from dovetail.reports.columns import short_name
from dovetail.reports.numbers import show_rounded
from dovetail.reports.page import Section, definitions
from dovetail.reports.table import Column, Item, Table

MAX_PROFILES, MAX_ROWS = 40, 1_500
COUNTS = ("attempts", "fits", "no_fits")
PER_TARGET = tuple(f"{count}_per_target" for count in COUNTS)
LEVEL_FIGURES = (*COUNTS, *PER_TARGET)
DRAWN = ("fits", "no_fits")
Figures = dict[str, float]  # values by names in `LEVEL_FIGURES`


def figure_column(name: str, figures: Callable[[Item], Figures]) -> Column[Item]:
    """Return the column of a figure of levels; `name` is in `LEVEL_FIGURES`."""
    show = None if name in COUNTS else "{:,.3f}".format
    return Column(figure_title(name), lambda level: figures(level).get(name), show)


def figure_title(name: str) -> str:
    """Return the title of a figure in `LEVEL_FIGURES`."""
    return name.replace("no_fits", "no-fits").replace("_", " ")


COLUMNS: Sequence[Column[tuple[int, Figures]]] = (
    Column("pieces left", lambda level: f"{level[0]}"),
    *(figure_column(name, lambda level: level[1]) for name in LEVEL_FIGURES),
)


def levels(record: Record) -> dict[int, Figures]:
    """Return the known figures of a result by pieces left, ascending; empty without a profile.

    Figures have the names in `LEVEL_FIGURES`. If the attempts of a level are not recorded, only its
    fits are known. Figures per target are missing if the number of targets is 0 or not recorded.
    """
    counters = record.result.counters
    fits, attempts = counters.fits_by_remaining or {}, counters.attempts_by_remaining or {}
    roots = 1 if record.result.searched is None else record.result.searched.begun
    found = dict[int, Figures]()
    for remaining in sorted(fits):
        fitted, tried = fits[remaining], attempts.get(remaining)
        found[remaining] = {"fits": fitted}
        if tried is not None:
            counts = (tried, fitted, max(tried - fitted, 0))
            found[remaining] = dict(zip(COUNTS, counts, strict=True))
            if targets := roots if remaining == max(fits) else fits.get(remaining + 1):
                ratios = (number / targets for number in counts)
                found[remaining] |= dict(zip(PER_TARGET, ratios, strict=True))
    return found


def profiles_section(results: Sequence[Record]) -> Section | None:
    """Return charts for each question and a table for each solver; None without profiles.

    If there are many profiles, the profiles with the most nodes are shown.
    """
    profiled = [record for record in results if record.result.counters.fits_by_remaining]
    if not profiled:
        return None
    chosen = _largest(profiled)
    shown = [record for record in profiled if record.job.digest in chosen]
    styles = solver_styles(results)
    sections = (
        _question_section(number, question, answers, styles)
        for number, (question, answers) in enumerate(by_question(shown).items(), start=1)
    )
    cut = (
        f"This page shows the {len(shown)} largest of {len(profiled):,} profiles by nodes; "
        "--format csv writes all."
    )
    contents = [cut if len(shown) < len(profiled) else None, *sections]
    title = "Node profiles by pieces left"
    return Section("profiles", title, contents, definitions=definitions("profiles"))


def _largest(profiled: Sequence[Record]) -> set[str]:
    """Return the digests of the jobs with the most nodes, up to the limits, but at least one."""
    chosen: set[str] = set()
    rows = 0
    for record in sorted(profiled, key=lambda record: -(record.result.nodes or 0))[:MAX_PROFILES]:
        rows += len(record.result.counters.fits_by_remaining or ())
        if chosen and rows > MAX_ROWS:
            break
        chosen.add(record.job.digest)
    return chosen


def _question_section(
    number: int, question: Question, answers: Sequence[Record], styles: dict[str, int]
) -> Section:
    title = short_name(question.title)
    charts = (_chart(name, title, answers, styles) for name in DRAWN)
    contents = [*charts, *map(_table, answers)]
    return Section(f"profiles-{number}", title, contents, folded=number > 1)


def _chart(
    name: str, title: str, answers: Sequence[Record], styles: dict[str, int]
) -> Chart | None:
    """Return the chart of a figure by pieces left, a line for each solver; None without figures."""
    lines = tuple(
        Series(short_name(solver_name(answer)), styles[solver_name(answer)], points)
        for answer in answers
        if (points := tuple(_points(name, answer)))
    )
    drawn = [point for line in lines for point in line.points]
    if not drawn:
        return None
    figure, places = figure_title(name), [point.x for point in drawn]
    x = Axis("pieces left", min(places) - 0.5, max(places) + 0.5, False, show_rounded, whole=True)
    y = logarithmic_axis(figure, [point.y for point in drawn], show_rounded)
    alt_text = (
        f"{figure} on a logarithmic scale by pieces left to place, one line per solver: "
        f"{', '.join(dict.fromkeys(line.name for line in lines))}. "
        "The tables below list the figures."
    )
    return Chart(f"{figure} by pieces left: {title}", alt_text, x, y, lines, LINES, figure)


def _points(name: str, answer: Record) -> Iterator[Point]:
    """Yield the points of a line, without zeros, which a logarithmic axis cannot show."""
    for remaining, figures in levels(answer).items():
        if number := int(figures.get(name, 0)):
            counted = how_many(number, figure_title(name).removesuffix("s"))
            solver = short_name(solver_name(answer))
            yield Point(remaining, number, f"{solver}, {remaining} left: {counted}")


def _table(answer: Record) -> Table:
    caption = f"levels of {short_name(solver_name(answer))}"
    return Table(COLUMNS, list(levels(answer).items()), caption, folded=True)
