"""HTML and SVG as trees of elements, whose texts cannot be taken for markup.

The standard library's trees do what a template engine would be a dependency for: charts are
built piece by piece anyway, and everything is escaped when it is written.
"""

from __future__ import annotations

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from dovetail.printable import printable

Child = Element | str | None


def element(tag: str, *children: Child, **attributes: object) -> Element:
    """An element; texts and elements alternate as they like, None is left out.

    `class_` is the attribute `class`, and other underscores are dashes: `stroke_width`.
    """
    made = Element(tag)
    for name, value in attributes.items():
        made.set(name.rstrip("_").replace("_", "-"), _attribute(value))
    for child in children:
        if isinstance(child, Element):
            made.append(child)
        elif child is not None:
            _append_text(made, shown(child))
    return made


def html_text(root: Element) -> str:
    """A whole page."""
    return "<!DOCTYPE html>\n" + ElementTree.tostring(root, encoding="unicode", method="html")


def shown(text: str) -> str:
    """`text` with a mark in place of what cannot be shown or written: a record may hold any."""
    return printable(text, keep="\n")


def _attribute(value: object) -> str:
    """Numbers with as many digits as a picture needs."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else shown(str(value))


def _append_text(parent: Element, text: str) -> None:
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text
