"""How the cost of `frontier` grows with the width and the length of a board.

Run by hand, `python -m benchmarks.frontier_growth DIRECTORY`: it counts the packings of the first n
one-sided pentominoes in strips of 5 n cells, the last column of which may be cut short, prints a
table and draws three pictures. A width ends where a board has taken longer than `MAX_S`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import tostring

from dovetail.backends.base import Budget
from dovetail.backends.frontier.backend import Frontier, FrontierConfig
from dovetail.backends.frontier.search import FrontierSearch
from dovetail.harness.planning.trials import settled_request
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import lower
from dovetail.platform.resources import forget_peak, peak_bytes, resident_bytes
from dovetail.puzzles.polyominoes import box
from dovetail.puzzles.set_puzzles import in_box
from dovetail.reports.charts.chart import WIDTH, Axis, Chart, Point, Series, logarithmic_axis
from dovetail.reports.charts.kinds import LINES
from dovetail.reports.charts.marks import mark, text
from dovetail.reports.elements import element

WIDTHS = range(3, 9)
MAX_S = 30.0
MIN_MB = 1.0  # below which memory used before may have been enough
LINE = 17.0  # height of the line with the names of series
SLICE = Budget(work=5_000_000)
STYLE = Path(__file__).parent.parent / "src/dovetail/reports/style.css"


@dataclass(frozen=True)
class Cost:
    """What counting one board took."""

    width: int
    pieces: int
    count: int
    shapes: int
    states: int
    held_bytes: int
    seconds: float


def strip(width: int, pieces: int) -> PackingPuzzle:
    """The first pieces of the one-sided set in the first cells of a strip, column by column."""
    cells = box(5 * pieces // width + 1, width)[: 5 * pieces]
    chosen = in_box("one-sided-pentominoes-5x18", "one-sided-pentominoes", (18, 5)).pieces[:pieces]
    return PackingPuzzle(f"{width} wide", SquareLattice(2), tuple(cells), chosen)


def cost(width: int, pieces: int) -> Cost:
    """Count all packings, the pieces restricted as `frontier` wants it."""
    puzzle, backend = strip(width, pieces), Frontier()
    lowered = lower(puzzle)
    task = lowered.task(settled_request(lowered, Request(Symmetry.ALL), backend, FrontierConfig()))
    before = resident_bytes() or 0
    forget_peak()
    begun = time.thread_time()
    search = FrontierSearch(task)
    while (status := search.advance(SLICE)) is None:
        pass
    seconds = time.thread_time() - begun
    assert status == Status.EXHAUSTED, search.reason
    assert search.total is not None
    native = search.counters.native
    return Cost(
        width,
        pieces,
        search.total,
        int(native.get("frontiers", 0)),
        int(native.get("states", 0)),
        max(0, (peak_bytes() or 0) - before),
        seconds,
    )


def costs() -> Iterator[Cost]:
    """Of all widths and numbers of pieces, until it takes too long."""
    Frontier().warm_up()
    for width in WIDTHS:
        for pieces in range(2, 19):
            one = cost(width, pieces)
            yield one
            if one.seconds > MAX_S:
                break


def picture(title: str, label: str, measured: list[Cost], value: Callable[[Cost], float]) -> Chart:
    """A line for each width."""
    lines = []
    for style, width in enumerate(WIDTHS):
        points = [
            Point(one.pieces, value(one), f"{width} wide, {one.pieces} pieces: {value(one):,.4g}")
            for one in measured
            if one.width == width and value(one) > 0
        ]
        lines.append(Series(f"{width} wide", style, tuple(points)))
    everything = [value(one) for one in measured]
    return Chart(
        title,
        f"{title}, for boards {WIDTHS[0]} to {WIDTHS[-1]} wide, on a logarithmic scale.",
        Axis("pieces of five cells", 2, 18, False, lambda pieces: f"{pieces:g}", whole=True),
        logarithmic_axis(label, everything, lambda mark: f"{mark:,g}"),
        tuple(lines),
        LINES,
    )


def _megabytes(one: Cost) -> float:
    """What a count took, 0 where that is unknown."""
    return one.held_bytes / 1e6 if one.held_bytes >= MIN_MB * 1e6 else 0.0


def write(chart: Chart, path: Path) -> None:
    """Write the chart as a file, with a line above it that names the series."""
    svg = chart.draw(path.stem)
    height = float(svg.get("viewBox", "").split()[-1]) + LINE
    svg.set("viewBox", f"0 {-LINE:g} {WIDTH:g} {height:g}")
    svg.set("xmlns", "http://www.w3.org/2000/svg")
    svg.insert(0, element("style", STYLE.read_text()))
    for place, series in enumerate(chart.series):
        x = 8 + place * WIDTH / len(chart.series)
        svg.extend([mark(series.style, x, -9), text(series.name, x + 9, -5)])
    path.write_bytes(tostring(svg))


def main(directory: Path) -> None:
    """Measure, print the table, draw the pictures."""
    measured = []
    print("| width | pieces | packings | shapes | states | MB | seconds |")
    print("|---|---|---|---|---|---|---|")
    for one in costs():
        measured.append(one)
        print(
            f"| {one.width} | {one.pieces} | {one.count:,} | {one.shapes:,} | {one.states:,} "
            f"| {one.held_bytes / 1e6:.1f} | {one.seconds:.3f} |",
            flush=True,
        )
    charts = {
        "states": picture("States", "states", measured, lambda one: one.states),
        "bytes": picture("Memory", "MB", measured, _megabytes),
        "seconds": picture("Time", "seconds", measured, lambda one: one.seconds),
    }
    for name, chart in charts.items():
        write(chart, directory / f"frontier-{name}.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
