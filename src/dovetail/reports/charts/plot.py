"""What charts are drawn with: strokes, texts, and a plot with its axes.

Lengths are in units of the drawing, 480 of which are as wide as a chart is shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from dovetail.reports.charts.axes import Axis
from dovetail.reports.elements import element

WIDTH = 480.0
LEFT, RIGHT = 60.0, 24.0  # beside a plot: what is marked on its axes
ABOVE, BELOW = 32.0, 40.0
HEIGHT = 260.0
CHARACTER = 7.0  # the width of a letter, on average and amply


@dataclass(frozen=True)
class Plot:
    """Two axes, the rectangle between them, and where values lie in it.

    There is a `band` beyond the ends of the axes, for what has no value.
    """

    x: Axis
    y: Axis
    top: float
    width: float = WIDTH - LEFT - RIGHT
    height: float = HEIGHT
    band: float = 0.0

    @property
    def bottom(self) -> float:
        """How far down the axis of x lies."""
        return self.top + self.height

    def across(self, value: float) -> float:
        """How far to the right a value of x lies."""
        return LEFT + self.x.share(value) * self.width

    def down(self, value: float) -> float:
        """How far down a value of y lies."""
        return self.bottom - self.y.share(value) * self.height

    def axes(self) -> list[Element]:
        """The axes with what is marked on them, and lines across the plot."""
        right, drawn = LEFT + self.width, []
        for value in self.y.marks():
            drawn.append(segment("grid", LEFT, self.down(value), right, self.down(value)))
            drawn.append(text(self.y.show(value), LEFT - 6, self.down(value) + 4, anchor="end"))
        for value in self.x.marks():
            x = self.across(value)
            drawn.append(segment("axis", x, self.bottom, x, self.bottom + 4))
            drawn.append(text(self.x.show(value), x, self.bottom + 17, anchor="middle"))
        return [*drawn, segment("axis", LEFT, self.bottom, right, self.bottom)]

    def labels(self) -> list[Element]:
        """What the axes are of."""
        middle = LEFT + self.width / 2
        return [
            text(self.y.label, 0, self.top - self.band - 12, style="up"),
            text(self.x.label, middle, self.bottom + 34, anchor="middle", style="across"),
        ]


def picture(
    title: str,
    alt_text: str,
    identity: str,
    height: float,
    children: Iterable[Element],
    style: str = "",
) -> Element:
    """An SVG with a title and a description that are read aloud; `style` is its class."""
    return element(
        "svg",
        element("title", title, id=f"{identity}-title"),
        element("desc", alt_text, id=f"{identity}-alt-text"),
        *children,
        class_=f"chart {style}".strip(),
        viewBox=f"0 0 {WIDTH:g} {height:g}",
        role="img",
        aria_labelledby=f"{identity}-title {identity}-alt-text",
    )


def segment(style: str, x1: float, y1: float, x2: float, y2: float) -> Element:
    """A straight stroke."""
    return element("line", class_=style, x1=x1, y1=y1, x2=x2, y2=y2)


def text(words: str, x: float, y: float, *, anchor: str = "start", style: str = "") -> Element:
    """A line of text that begins, has its middle or ends at a place."""
    return element("text", words, x=x, y=y, text_anchor=anchor, class_=style)
