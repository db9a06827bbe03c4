"""Elements of charts: strokes, texts, and the marks and lines of series.

Series differ in colour, in the shape of marks and in dashes. The colours are CSS classes, which the
page defines for light and dark mode (`style.css`). The colours were optimised like the colours of
`pictures.colours`: the least difference between two colours is as large as possible for normal
vision, deuteranopia, protanopia and tritanopia. The contrast of each colour to the paper is at
least 3. The order of the colours keeps the most similar colours apart.

Each series has the next shape and the next dashes. After eight series, when colours repeat, one
shape and one pattern of dashes are skipped. So the first 32 series differ in their lines, and the
first 64 series in their marks.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from dovetail.reports.elements import element, path_data

COLOURS = 8
DASHES = 4  # number of patterns of dashes, including a line without gaps
RADIUS = 3.2  # radius of a disc
KEY_WIDTH, KEY_HEIGHT = 40.0, 10.0  # room for dashes on either side of the mark

_SHAPES = (
    "M-3.2,0a3.2,3.2 0 1,0 6.4,0a3.2,3.2 0 1,0 -6.4,0Z",  # a disc
    "M2.72,-2.72H-2.72V2.72H2.72Z",  # a square
    "M0,-3.84L-3.33,1.92H3.33Z",  # a triangle
    "M3.84,0L0,-3.84L-3.84,0L0,3.84Z",  # a diamond
    "M0,3.84L3.33,-1.92H-3.33Z",  # a triangle upside down
    # Stars with five, four and four corners.
    "M0-4.32L-1.14-1.57-4.11-1.33-1.85,.6-2.54,3.49 0,1.94 2.54,3.49 1.85,.6 4.11-1.33 1.14-1.57Z",
    "M4.32,0L1.07-1.07 0-4.32-1.07-1.07-4.32,0-1.07,1.07 0,4.32 1.07,1.07Z",
    "M3.05-3.05L0-1.51-3.05-3.05-1.51,0-3.05,3.05 0,1.51 3.05,3.05 1.51,0Z",
)

Place = tuple[float, float]


def series_class(style: int) -> str:
    """Return the CSS class with the colour of a series."""
    return f"series-{style % COLOURS}"


def line_class(style: int) -> str:
    """Return the CSS classes of the lines of a series."""
    dashes = _cycle(style) % DASHES
    return f"line {series_class(style)}" + (f" dashes-{dashes}" if dashes else "")


def mark(
    style: int, x: float, y: float, *, hollow: bool = False, tooltip: str | None = None
) -> Element:
    """Return the mark of a series at (x, y); pointing at the mark shows the `tooltip`."""
    return element(
        "path",
        element("title", tooltip) if tooltip else None,
        class_=f"mark {series_class(style)}{' hollow' if hollow else ''}",
        data_series=style,
        d=_SHAPES[_cycle(style) % len(_SHAPES)],
        transform=f"translate({x:.2f} {y:.2f})",
    )


def key(style: int) -> Element:
    """Return the line and mark of a series for a legend."""
    middle = KEY_HEIGHT / 2
    return element(
        "svg",
        segment(line_class(style), 0, middle, KEY_WIDTH, middle),
        mark(style, KEY_WIDTH / 2, middle),
        viewBox=f"0 0 {KEY_WIDTH:g} {KEY_HEIGHT:g}",
        aria_hidden="true",
    )


def segment(style: str, x1: float, y1: float, x2: float, y2: float) -> Element:
    """Return a straight line with a CSS class."""
    return element("line", class_=style, x1=x1, y1=y1, x2=x2, y2=y2)


def text(words: str, x: float, y: float, *, anchor: str = "start", style: str = "") -> Element:
    """Return a line of text; `anchor` is the part of the line at (x, y): start, middle or end."""
    return element("text", words, x=x, y=y, text_anchor=anchor, class_=style)


def strokes(places: Iterable[Place]) -> str:
    """Return the path data of a line through places, with one decimal."""
    return path_data(([f"{length:.1f}" for length in place] for place in places), ",")


def _cycle(style: int) -> int:
    """Return the number of the shape and the dashes; a number is skipped when colours repeat."""
    return style + style // COLOURS
