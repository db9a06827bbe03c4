"""Charts of bars, one below the other, from 0."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from dovetail.reports.charts.axes import Axis
from dovetail.reports.charts.chart import Chart, Row
from dovetail.reports.charts.plot import CHARACTER, WIDTH, picture, text
from dovetail.reports.elements import element

LINE, HEIGHT, GAP = 22.0, 14.0, 6.0


@dataclass(frozen=True)
class Bar:
    """A bar with its value as it is written beside it."""

    name: str
    value: float
    shown: str


@dataclass(frozen=True)
class BarChart(Chart):
    """Bars with their names before them; `column` names the values in a file, or else `title`."""

    bars: tuple[Bar, ...]
    column: str = ""

    def draw(self, identity: str) -> Element:
        begin = 2 * GAP + CHARACTER * max((len(bar.name) for bar in self.bars), default=0)
        beside = 2 * GAP + CHARACTER * max((len(bar.shown) for bar in self.bars), default=0)
        axis = Axis("", 0.0, max((bar.value for bar in self.bars), default=0) or 1, False, str)
        available = max(WIDTH - begin - beside, WIDTH / 4)
        drawn = [text(self.title, 0, 14, style="heading")]
        for number, bar in enumerate(self.bars):
            top = LINE * (number + 1)
            length = axis.share(bar.value) * available
            below = top + HEIGHT - 3
            drawn.append(text(bar.name, begin - GAP, below, anchor="end"))
            drawn.append(
                element("rect", class_="bar", x=begin, y=top, width=max(length, 0.5), height=HEIGHT)
            )
            drawn.append(text(bar.shown, begin + length + GAP, below))
        height = LINE * (len(self.bars) + 1) + 4
        return picture(self.title, self.alt_text, identity, height, drawn)

    def rows(self) -> Iterator[Row]:
        yield "name", self.column or self.title
        yield from ((bar.name, bar.value) for bar in self.bars)
