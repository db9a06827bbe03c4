"""Pages of pictures: one HTML file that needs no other, with figures in a grid."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from dovetail.reports.elements import Child, element, html_text
from dovetail.reports.html import document
from dovetail.reports.pictures.drawing import svg_element
from dovetail.reports.pictures.sheet import Figure
from dovetail.reports.pictures.style import picture_style

NARROWEST, WIDEST = 48, 640  # columns, in pixels
_END = "</div>"  # of a gallery
SHRUNK = 0.6  # of its full width, the least that a picture is shown at where there is room


@dataclass(frozen=True)
class Frame:
    """A page around a gallery: what is written before it, and after it and its note."""

    before: str
    after: str

    def end(self, note: str) -> str:
        """The end of the gallery, the note, and the end of the page."""
        return _END + fragment(element("p", note)) + self.after


def page(title: str, *parts: Child) -> Element:
    """A page with these parts below its title."""
    return document(title, element("h1", title), *parts, style=picture_style())


def page_around(title: str, gallery: Element) -> Frame:
    """A page with an empty `gallery`, to be written piece by piece."""
    # Whatever the title is, it cannot have this tag: texts are escaped.
    begin = fragment(gallery).removesuffix(_END)
    before, _, after = html_text(page(title, gallery)).partition(begin)
    return Frame(before + begin + "\n", after.removeprefix(_END) + "\n")


def gallery(figures: Iterable[Figure], widest: float, *, shrunk: float = SHRUNK) -> Element:
    """A grid of figures, the `widest` of them so many pixels wide; they may be `shrunk`."""
    column = min(max(shrunk * widest, NARROWEST), WIDEST)
    columns = f"repeat(auto-fit, minmax(min(100%, {column:.0f}px), 1fr))"
    return element(
        "div",
        *map(figure_element, figures),
        class_="gallery",
        style=f"grid-template-columns: {columns}",
    )


def figure_element(figure: Figure) -> Element:
    """A picture with its caption."""
    return element("figure", svg_element(figure.drawing), element("figcaption", figure.caption))


def fragment(part: Element) -> str:
    """A part of a page as text."""
    return ElementTree.tostring(part, encoding="unicode", method="html")


def styled(*parts: Child) -> str:
    """Parts for a page of others, with the style they need."""
    return fragment(element("div", element("style", picture_style()), *parts))
