"""Drawings as SVG files and as elements of pages, and combinations of drawings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from dovetail.errors import shorten
from dovetail.reports.elements import Child, element
from dovetail.reports.pictures.colours import picture_style
from dovetail.reports.pictures.geometry import SIDE, hatch, hatching

MARGIN = 4  # room for the outer half of a border
SCALE = 0.8  # pixels per unit
GAP = SIDE  # space between drawings
CAPTION = 28.0  # height of a caption
CHARACTER = 11.0  # generous average width of a letter of a caption
SHEET_RATIO = 4 / 3  # approximate ratio of the width of a sheet to its height
SWATCH, LEGEND_GAP, LEGEND_LINE = 20.0, 8.0, 30.0  # side of a square, space after it, line height
MAX_LEGEND = 24  # maximum number of pieces in a legend that is not folded
MAX_NAME = 24  # characters of a name in a legend
NARROWEST, WIDEST = 48, 640  # bounds of the minimum width of columns of a gallery, in pixels
SHRUNK = 0.6  # smallest width of a picture in a gallery, as a share of its full width


@dataclass(frozen=True, eq=False)
class SvgDrawing:
    """Shapes within a width and height in units of the drawing."""

    width: float
    height: float
    shapes: tuple[Element, ...]
    title: str
    # Description for readers who do not see the drawing.
    alt_text: str = ""
    # Pixels per unit where there is room.
    scale: float = SCALE

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height in pixels where there is room."""
        return (
            round(self.scale * (self.width + 2 * MARGIN)),
            round(self.scale * (self.height + 2 * MARGIN)),
        )


@dataclass(frozen=True, eq=False)
class Figure:
    """A drawing with a caption below it; an empty caption is left out."""

    drawing: SvgDrawing
    caption: str = ""


def svg_element(drawing: SvgDrawing) -> Element:
    """Return the drawing for a page with `picture_style`; it shrinks where there is little room."""
    across, down = drawing.width + 2 * MARGIN, drawing.height + 2 * MARGIN
    return element(
        "svg",
        element("title", drawing.title),
        element("desc", drawing.alt_text) if drawing.alt_text else None,
        *drawing.shapes,
        class_="picture",
        viewBox=f"{-MARGIN} {-MARGIN} {across:.0f} {down:.0f}",
        style=f"max-width:{drawing.pixels[0]}px",
        role="img",
    )


def svg_text(drawing: SvgDrawing) -> str:
    """Return the text of an SVG file with the drawing and its style."""
    root = svg_element(drawing)
    width, height = map(str, drawing.pixels)
    root.attrib |= {"xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height}
    del root.attrib["style"]
    root.insert(0, element("style", ":root { color-scheme: light dark; }\n" + picture_style()))
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def sheet(figures: Sequence[Figure], title: str, *, width: float | None = None) -> SvgDrawing:
    """Combine at least one figure into a drawing of rows, at most `width` units wide.

    If a figure is wider than `width`, each figure has a row of its own. Without a width, the ratio
    of width to height is about `SHEET_RATIO`, as far as the number and shapes of figures permit.
    """
    across = GAP + max(
        max(figure.drawing.width, CHARACTER * len(figure.caption)) for figure in figures
    )
    highest = max(figure.drawing.height for figure in figures)
    down = GAP + CAPTION + highest
    columns = (
        math.ceil(math.sqrt(len(figures) * SHEET_RATIO * down / across))
        if width is None
        else int((width + GAP) // across)
    )
    columns = max(1, min(columns, len(figures)))
    shapes = []
    for number, figure in enumerate(figures):
        x, y = number % columns * across, number // columns * down
        standing = f"translate(0 {highest - figure.drawing.height:g})"
        shapes.append(
            element(
                "g",
                element("title", figure.drawing.title),
                element("g", *figure.drawing.shapes, transform=standing),
                element("text", figure.caption, class_="caption", x=0, y=highest + CAPTION * 0.8),
                transform=f"translate({x:g} {y:g})",
            )
        )
    rows = math.ceil(len(figures) / columns)
    alt_text = "\n\n".join(f"{figure.caption}:\n{figure.drawing.alt_text}" for figure in figures)
    size = columns * across - GAP, rows * down - GAP
    return SvgDrawing(*size, tuple(shapes), title, alt_text, figures[0].drawing.scale)


def above(upper: SvgDrawing, lower: SvgDrawing) -> SvgDrawing:
    """Combine two drawings into a drawing with the title of the upper drawing."""
    alt_text = f"{upper.alt_text}\n\n{lower.title}:\n{lower.alt_text}"
    moved = element("g", *lower.shapes, transform=f"translate(0 {upper.height + GAP:g})")
    return replace(_with(upper, moved, lower.width, GAP + lower.height), alt_text=alt_text)


def with_note(drawing: SvgDrawing, note: str) -> SvgDrawing:
    """Return the drawing with a line of text below it."""
    line = element("text", note, class_="title", x=0, y=drawing.height + GAP + CAPTION / 2)
    return _with(drawing, line, CHARACTER * len(note), GAP + CAPTION)


def with_legend(drawing: SvgDrawing, pieces: Iterable[tuple[str, str]]) -> SvgDrawing:
    """Return the drawing with a legend below it for `pieces`, which are names and CSS classes.

    The legend has as many columns as fit below the drawing. Pieces with the same name and the same
    classes have a single entry.
    """
    named = list(dict.fromkeys((shorten(name, MAX_NAME), style) for name, style in pieces))
    if not named:
        return drawing
    across = SWATCH + 3 * LEGEND_GAP + CHARACTER * max(len(name) for name, _ in named)
    columns = max(1, min(len(named), int((drawing.width + 2 * LEGEND_GAP) // across)))
    entries = []
    for number, (name, style) in enumerate(named):
        x, y = number % columns * across, number // columns * LEGEND_LINE
        place = {"x": x, "y": y, "width": SWATCH, "height": SWATCH}
        words = {"x": x + SWATCH + LEGEND_GAP, "y": y + 0.85 * SWATCH}
        parts = [element("rect", class_=f"swatch {style}", **place)]
        if hatched := hatching(style):
            u, v, side = x / SIDE, y / SIDE, SWATCH / SIDE
            corners = ((u, v), (u + side, v), (u + side, v + side), (u, v + side))
            parts.append(element("path", class_=hatched, d=hatch(corners)))
        entries.append(element("g", *parts, element("text", name, class_="caption", **words)))
    transform = f"translate(0 {drawing.height + 2 * LEGEND_GAP:g})"
    legend = element("g", *entries, class_="legend", transform=transform)
    height = 2 * LEGEND_GAP + math.ceil(len(named) / columns) * LEGEND_LINE
    return _with(drawing, legend, columns * across - 2 * LEGEND_GAP, height)


def legend_element(pieces: Sequence[tuple[str, str]]) -> Element | None:
    """Return the legend of `pieces` for a page, folded if it is long; None without pieces."""
    if not pieces:
        return None
    items = (
        element("li", element("span", class_=f"swatch {style}"), name) for name, style in pieces
    )
    folded = {} if len(pieces) > MAX_LEGEND else {"open": "open"}
    key = element("ul", *items, class_="key")
    return element("details", element("summary", "Pieces"), key, class_="legend", **folded)


def _with(drawing: SvgDrawing, shape: Element, width: float, height: float) -> SvgDrawing:
    """Return the drawing with a shape of this width and height below it."""
    return replace(
        drawing,
        width=max(drawing.width, width),
        height=drawing.height + height,
        shapes=(*drawing.shapes, shape),
    )


def gallery(figures: Iterable[Figure], widest: float, *, shrunk: float = SHRUNK) -> Element:
    """Return a grid of figures for a page.

    The widest figure has `widest` pixels. Columns are at least `shrunk` times as wide, but this
    minimum is from `NARROWEST` to `WIDEST` pixels.
    """
    column = min(max(shrunk * widest, NARROWEST), WIDEST)
    columns = f"repeat(auto-fit, minmax(min(100%, {column:.0f}px), 1fr))"
    style = f"grid-template-columns: {columns}"
    return element("div", *map(figure_element, figures), class_="gallery", style=style)


def figure_element(figure: Figure, **attributes: object) -> Element:
    """Return the figure of a page: a picture with its caption."""
    caption = element("figcaption", figure.caption) if figure.caption else None
    return element("figure", svg_element(figure.drawing), caption, **attributes)


def fragment(part: Element) -> str:
    """Return a part of a page as text."""
    return ElementTree.tostring(part, encoding="unicode", method="html")


def styled(*parts: Child) -> str:
    """Return parts with their style as text, to be included in another page."""
    return fragment(element("div", element("style", picture_style()), *parts))
