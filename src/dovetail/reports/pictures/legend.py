"""The names of pieces below a drawing on which they cannot be written, or are hidden."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from xml.etree.ElementTree import Element

from dovetail.errors import shorten
from dovetail.reports.elements import element
from dovetail.reports.pictures.drawing import Drawing

SWATCH, GAP, LINE = 20.0, 8.0, 30.0  # the side of a square, the space after it, a line's height
CHARACTER = 11.0  # the width of a letter, on average and amply
MAX_NAME = 24  # characters


def with_legend(drawing: Drawing, pieces: Iterable[tuple[str, str]]) -> Drawing:
    """The drawing with a line of squares and names below it for `pieces`: name and style.

    There are as many columns as its width has room for. Pieces that agree in both are named once.
    """
    named = list(dict.fromkeys((shorten(name, MAX_NAME), style) for name, style in pieces))
    if not named:
        return drawing
    across = SWATCH + 3 * GAP + CHARACTER * max(len(name) for name, _ in named)
    columns = max(1, min(len(named), int((drawing.width + 2 * GAP) // across)))
    entries = [
        _entry(name, style, number % columns * across, number // columns * LINE)
        for number, (name, style) in enumerate(named)
    ]
    top = drawing.height + 2 * GAP
    below = element("g", *entries, class_="legend", transform=f"translate(0 {top:g})")
    rows = -(-len(named) // columns)
    return replace(
        drawing,
        width=max(drawing.width, columns * across - 2 * GAP),
        height=top + rows * LINE,
        shapes=(*drawing.shapes, below),
    )


def _entry(name: str, style: str, x: float, y: float) -> Element:
    """A square as the piece is coloured, and its name."""
    square = {"x": x, "y": y, "width": SWATCH, "height": SWATCH}
    return element(
        "g",
        element("rect", class_=f"swatch {style}", **square),
        element("text", name, class_="caption", x=x + SWATCH + GAP, y=y + 0.85 * SWATCH),
    )
