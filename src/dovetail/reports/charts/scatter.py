"""Scatter charts: a mark for each thing, at the values that two series have for it.

The picture is that of one pair of series. For other pairs `scatter.js` moves the marks, by the
places of all readings along an axis (`choice_data`): both axes are the same, so that a place is
one number. What a limit has cut has its place in a band beyond the end of the axis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import ClassVar
from xml.etree.ElementTree import Element

from dovetail.errors import shorten
from dovetail.reports.charts.axes import Axis
from dovetail.reports.charts.chart import Chart, Row
from dovetail.reports.charts.marks import RADIUS
from dovetail.reports.charts.plot import ABOVE, BELOW, LEFT, WIDTH, Plot, picture, segment, text
from dovetail.reports.elements import data_block, element, shown

BAND = 26.0
SIDE = WIDTH - LEFT - BAND - 2  # and the width of a stroke
MAX_LABEL = 36
TIMES = 10.0  # how much more than the other series the lines beside the diagonal stand for
# Filled in by `scatter.js` too, which goes by ranks: places are rounded.
PAIR = (
    "Result by both: {both}. Lower for {across}: {left}; lower for {up}: {right}; equal: {even}. "
    "Result by one, stopped by a limit for the other: {cut}."
)
TWICE = "{across} is selected twice: every mark lies on the diagonal. Result: {both}."
EITHER = " or "  # between the meanings of which a series has several
AXES = {"across": "horizontal", "up": "vertical"}

Pair = tuple[float, float]


@dataclass(frozen=True)
class Reading:
    """The value that a series has for a thing, and how it is written; a `hollow` one is a bound."""

    value: float
    shown: str
    hollow: bool = False


@dataclass(frozen=True)
class ScatterChart(Chart):
    """The values of one series against those of another, for the same things.

    Readers choose the two; those `across` and `up` are shown first, and where no script is run.
    `readings` has a row for each of `series` with a place for each of `things`. Where values do not
    mean the same to all series, `meanings` has a row for each with what they mean, which may be
    several things. A pair whose values have more than one meaning is described by `unlike`, too,
    with the names for `{across}` and `{up}` and the meanings for `{across_meanings}` and
    `{up_meanings}`.
    """

    axis: Axis
    series: tuple[str, ...]
    things: tuple[str, ...]
    readings: tuple[tuple[Reading | None, ...], ...]
    across: int
    up: int
    meanings: tuple[tuple[str, ...], ...] = ()
    unlike: str = ""

    html_class: ClassVar[str] = "scatter"

    def draw(self, identity: str) -> Element:
        """Draw the pair that is shown first."""
        x, y = (replace(self.axis, label=self._label(place)) for place in (self.across, self.up))
        plot = Plot(x, y, ABOVE + BAND, SIDE, SIDE, BAND)
        marks = element(
            "g",
            *self._marks(),
            class_="mark series-0 scattered",
            transform=f"translate({LEFT:g} {plot.bottom:g})",
        )
        drawn = [*plot.axes(), *plot.labels(), *_bands(plot), *_guides(plot), marks]
        alt_text = f"{self.alt_text} {self.pair_text()}"
        return picture(self.title, alt_text, identity, plot.bottom + BELOW, drawn, "plot square")

    def rows(self) -> Iterator[Row]:
        """Yield the columns, then a row for each thing; beside a value, 1 where it is a bound."""
        column = self.axis.csv_column
        titles = [(f"{name}: {column}", f"{name}: bound") for name in self.series]
        yield "name", *(title for pair in titles for title in pair)
        for thing, readings in zip(self.things, zip(*self.readings, strict=True), strict=True):
            pairs = ((one.value, int(one.hollow)) if one else (None, None) for one in readings)
            yield thing, *(figure for pair in pairs for figure in pair)

    def content(self, identity: str) -> Iterator[Element]:
        """Yield two boxes to choose a pair, the picture, what it shows in words, and the data."""
        yield self._choice()
        yield self.draw(identity)
        yield element("p", self.pair_text(), class_="summary", aria_live="polite")
        yield data_block(self.choice_data())

    def script(self) -> str:
        text = files("dovetail.reports.charts").joinpath("scatter.js")
        return text.read_text(encoding="utf-8")

    def pair_text(self) -> str:
        """Describe the pair that is shown first."""
        pairs = [pair for pair in self._pairs() if pair is not None]
        both = [(x.value, y.value) for x, y in pairs if not (x.hollow or y.hollow)]
        across_meanings, up_meanings = (self._meanings()[place] for place in (self.across, self.up))
        sentence = PAIR if are_alike(across_meanings, up_meanings) else f"{PAIR} {self.unlike}"
        if self.across == self.up:
            sentence = TWICE
        return sentence.format(
            across=self.series[self.across],
            up=self.series[self.up],
            across_meanings=EITHER.join(across_meanings),
            up_meanings=EITHER.join(up_meanings),
            both=len(both),
            left=sum(x < y for x, y in both),
            right=sum(x > y for x, y in both),
            even=sum(x == y for x, y in both),
            cut=len(pairs) - len(both),
        )

    def choice_data(self) -> dict[str, object]:
        """Everything that `scatter.js` needs to show another pair: every number once."""
        return {
            "series": [shown(name) for name in self.series],
            "things": [shown(name) for name in self.things],
            "places": [[one and self._place(one) for one in row] for row in self.readings],
            "ranks": self._ranks(),
            "shown": [[one and one.shown for one in row] for row in self.readings],
            "kinds": [[shown(meaning) for meaning in row] for row in self._meanings()],
            "side": SIDE,
            "labels": [shown(self._label(place)) for place in range(len(self.series))],
            "alt_text": shown(self.alt_text),
            "summary": PAIR,
            "twice": TWICE,
            "unlike": self.unlike,
            "either": EITHER,
        }

    def _choice(self) -> Element:
        """Two boxes with all series, hidden until the script is there to heed them."""
        chosen = {"across": self.across, "up": self.up}
        labels = (element("label", AXES[axis], self._select(axis, n)) for axis, n in chosen.items())
        return element("p", *labels, class_="choice", hidden="hidden")

    def _select(self, axis: str, chosen: int) -> Element:
        """Browsers are kept from restoring a choice that the picture would not show."""
        options = []
        for place, name in enumerate(self.series):
            selected = {"selected": "selected"} if place == chosen else {}
            options.append(element("option", name, value=place, **selected))
        return element("select", *options, class_=axis, autocomplete="off")

    def _label(self, place: int) -> str:
        """What an axis is of; names in full stand below the picture."""
        return f"{shorten(self.series[place], MAX_LABEL)}: {self.axis.label}"

    def _place(self, reading: Reading) -> float:
        """How far along an axis a reading lies."""
        if reading.hollow:
            return SIDE + BAND / 2
        return round(self.axis.share(reading.value) * SIDE, 2)

    def _ranks(self) -> list[list[int | None]]:
        """The place of each reading in the order of a thing's values, the same for equal ones."""
        things = zip(*self.readings, strict=True)
        orders = [sorted({one.value for one in thing if one is not None}) for thing in things]
        return [
            [
                None if one is None else order.index(one.value)
                for one, order in zip(row, orders, strict=True)
            ]
            for row in self.readings
        ]

    def _meanings(self) -> tuple[tuple[str, ...], ...]:
        """What the values of each series mean, nothing where that is the same to all."""
        return self.meanings or ((),) * len(self.series)

    def _pairs(self) -> Iterator[tuple[Reading, Reading] | None]:
        """The readings of each thing, None where one is missing or both are cut."""
        for x, y in zip(self.readings[self.across], self.readings[self.up], strict=True):
            yield None if x is None or y is None or (x.hollow and y.hollow) else (x, y)

    def _marks(self) -> Iterator[Element]:
        """A circle for each thing; those that are not shown wait for another pair."""
        across, up = self.series[self.across], self.series[self.up]
        for pair, thing in zip(self._pairs(), self.things, strict=True):
            if pair is None:
                yield element("circle", element("title"), r=RADIUS, display="none")
                continue
            tooltip = f"{thing}: {across} {pair[0].shown}, {up} {pair[1].shown}"
            x, y = (self._place(reading) for reading in pair)
            hollow = {"class_": "hollow"} if any(reading.hollow for reading in pair) else {}
            yield element("circle", element("title", tooltip), r=RADIUS, cx=x, cy=-y, **hollow)


def are_alike(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether the values of two series have no more than one meaning."""
    return len({*one, *other}) <= 1


def _bands(plot: Plot) -> Iterator[Element]:
    """What is marked along x across the plot, and the two bands of what was cut.

    Where the bands meet there is room for a word: what was cut twice is not shown.
    """
    right = LEFT + SIDE
    for value in plot.x.marks():
        yield segment("grid", plot.across(value), plot.top, plot.across(value), plot.bottom)
    yield segment("axis", LEFT, plot.top, right + BAND, plot.top)
    yield segment("axis", right, plot.top - BAND, right, plot.bottom)
    yield text("cut", right + BAND / 2, plot.top - BAND / 2 + 4, anchor="middle", style="faint")


def _guides(plot: Plot) -> Iterator[Element]:
    """The diagonal, and a line on either side of it where one value is ten times the other."""
    axis = plot.x
    ends = (axis.low, axis.high)
    yield _guide(plot, ends, ends)
    if axis.high / axis.low <= TIMES:
        return
    low, high = (axis.low, axis.high / TIMES), (axis.low * TIMES, axis.high)
    yield _guide(plot, low, high)
    yield _guide(plot, high, low)
    label = f"×{TIMES:g}"
    yield text(label, plot.across(low[1]) - 8, plot.top + 14, anchor="end", style="faint")
    yield text(label, LEFT + SIDE - 4, plot.down(low[1]) + 24, anchor="end", style="faint")


def _guide(plot: Plot, x: Pair, y: Pair) -> Element:
    """From the first values of both axes to the second."""
    return segment("guide", plot.across(x[0]), plot.down(y[0]), plot.across(x[1]), plot.down(y[1]))
