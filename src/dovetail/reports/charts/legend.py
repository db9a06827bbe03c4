"""Which series has which looks: names beside their marks, in a picture or above it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from dovetail.reports.charts.chart import Curve, Line
from dovetail.reports.charts.marks import line_class, mark
from dovetail.reports.charts.plot import CHARACTER, WIDTH, segment, text
from dovetail.reports.elements import element

LINE = 17.0
KEY_WIDTH, KEY_HEIGHT = 40.0, 10.0  # room for dashes on either side of the mark

Series = Sequence[Line | Curve]


def legend_within(series: Series) -> tuple[list[Element], float]:
    """Names for a picture that stands alone, and how much room they take above the plot."""
    longest = max((len(one.name) for one in series), default=0)
    width = 22 + CHARACTER * longest
    columns = max(1, int((WIDTH - 8) // width))
    drawn = []
    for number, one in enumerate(series):
        x, y = 8 + number % columns * width, 12 + number // columns * LINE
        drawn.append(mark(one.style, x, y - 4, hollow=False))
        drawn.append(text(one.name, x + 9, y))
    return drawn, math.ceil(len(series) / columns) * LINE


def legend_above(series: Series) -> Element:
    """A list for a page, which breaks its lines as there is room; a key is stroke and mark."""
    return element(
        "ul", *(element("li", _key(one.style), one.name) for one in series), class_="legend"
    )


def _key(style: int) -> Element:
    middle = KEY_HEIGHT / 2
    return element(
        "svg",
        segment(line_class(style), 0, middle, KEY_WIDTH, middle),
        mark(style, KEY_WIDTH / 2, middle, hollow=False),
        viewBox=f"0 0 {KEY_WIDTH:g} {KEY_HEIGHT:g}",
        aria_hidden="true",
    )
