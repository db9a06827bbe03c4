"""A drawing: shapes on a sheet, and the words for those who do not see them."""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from dovetail.reports.elements import element
from dovetail.reports.pictures.style import picture_style

MARGIN = 4  # half a border lies outside
SCALE = 0.8

_SVG = "http://www.w3.org/2000/svg"


@dataclass(frozen=True, eq=False)
class Drawing:
    """Shapes within `width` x `height` units; `title` and `alt_text` describe them.

    A unit is `scale` pixels where there is room.
    """

    width: float
    height: float
    shapes: tuple[Element, ...]
    title: str
    alt_text: str = ""
    scale: float = SCALE


def pixels(drawing: Drawing) -> tuple[int, int]:
    """How wide and high a drawing is where there is room."""
    across, down = drawing.width + 2 * MARGIN, drawing.height + 2 * MARGIN
    return round(drawing.scale * across), round(drawing.scale * down)


def svg_element(drawing: Drawing) -> Element:
    """The drawing for a page whose style has `picture_style`; it is as wide as there is room."""
    across, down = drawing.width + 2 * MARGIN, drawing.height + 2 * MARGIN
    return element(
        "svg",
        element("title", drawing.title),
        element("desc", drawing.alt_text) if drawing.alt_text else None,
        *drawing.shapes,
        class_="picture",
        viewBox=f"{-MARGIN} {-MARGIN} {across:.0f} {down:.0f}",
        style=f"max-width:{pixels(drawing)[0]}px",
        role="img",
    )


def svg_text(drawing: Drawing) -> str:
    """The drawing as a file that needs no other."""
    root = svg_element(drawing)
    width, height = pixels(drawing)
    root.attrib |= {"xmlns": _SVG, "width": str(width), "height": str(height)}
    del root.attrib["style"]
    root.insert(0, element("style", ":root { color-scheme: light dark; }\n" + picture_style()))
    return ElementTree.tostring(root, encoding="unicode") + "\n"
