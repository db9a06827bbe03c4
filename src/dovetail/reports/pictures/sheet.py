"""Many drawings in one: in rows and columns, each with a caption below it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from dovetail.reports.elements import element
from dovetail.reports.pictures.drawing import Drawing
from dovetail.reports.pictures.outline import SIDE

GAP = SIDE
CAPTION = 28.0  # the height of a caption
CHARACTER = 11.0  # the width of a letter of it, on average and amply
SHARE = 4 / 3  # of the width of a sheet to its height, roughly


@dataclass(frozen=True, eq=False)
class Figure:
    """A drawing and what stands below it."""

    drawing: Drawing
    caption: str


def sheet(figures: Sequence[Figure], title: str, *, width: float | None = None) -> Drawing:
    """All `figures`, of which there is one, as one drawing about `width` units wide.

    Without a width it is a little wider than high.
    """
    across = GAP + max(
        max(figure.drawing.width, CHARACTER * len(figure.caption)) for figure in figures
    )
    down = GAP + CAPTION + max(figure.drawing.height for figure in figures)
    columns = (
        math.ceil(math.sqrt(len(figures) * SHARE * down / across))
        if width is None
        else int((width + GAP) // across)
    )
    columns = max(1, min(columns, len(figures)))
    shapes = [
        _placed(figure, number % columns * across, number // columns * down, down - GAP - CAPTION)
        for number, figure in enumerate(figures)
    ]
    rows = math.ceil(len(figures) / columns)
    alt_text = "\n\n".join(f"{figure.caption}:\n{figure.drawing.alt_text}" for figure in figures)
    size = columns * across - GAP, rows * down - GAP
    return Drawing(*size, tuple(shapes), title, alt_text, figures[0].drawing.scale)


def above(upper: Drawing, lower: Drawing) -> Drawing:
    """Both drawings as one, titled like the upper one."""
    below = element("g", *lower.shapes, transform=f"translate(0 {upper.height + GAP:g})")
    size = max(upper.width, lower.width), upper.height + GAP + lower.height
    alt_text = f"{upper.alt_text}\n\n{lower.title}:\n{lower.alt_text}"
    return Drawing(*size, (*upper.shapes, below), upper.title, alt_text, upper.scale)


def with_note(drawing: Drawing, note: str) -> Drawing:
    """The drawing with a line of text below it."""
    line = element("text", note, class_="title", x=0, y=drawing.height + GAP + CAPTION / 2)
    size = max(drawing.width, CHARACTER * len(note)), drawing.height + GAP + CAPTION
    return Drawing(*size, (*drawing.shapes, line), drawing.title, drawing.alt_text, drawing.scale)


def _placed(figure: Figure, x: float, y: float, height: float) -> Element:
    """A figure at its place, standing on its caption."""
    drawing = figure.drawing
    caption = element("text", figure.caption, class_="caption", x=0, y=height + CAPTION * 0.8)
    down = height - drawing.height
    shapes = element("g", *drawing.shapes, transform=f"translate(0 {down:g})")
    return element(
        "g",
        element("title", drawing.title),
        shapes,
        caption,
        transform=f"translate({x:g} {y:g})",
    )
