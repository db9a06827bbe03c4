"""HTML and SVG as trees of elements, and scripts within a page.

All texts are escaped when a tree is written.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from dovetail.printable import printable

Child = Element | str | None
# Texts that could change where a script element ends. HTML has no escapes within scripts.
UNFIT = ("</script", "<script", "<!--")


def element(tag: str, *children: Child, **attributes: object) -> Element:
    """Return an element with texts and elements in any order; None is left out.

    `class_` is the attribute `class`; other underscores become dashes: `stroke_width`.
    """
    node = Element(tag)
    for name, value in attributes.items():
        node.set(_attribute_name(name), _attribute(value))
    for child in children:
        if isinstance(child, Element):
            node.append(child)
        elif child is not None:
            _append_text(node, shown(child))
    return node


def html_text(root: Element) -> str:
    """Return a page as text."""
    return "<!DOCTYPE html>\n" + ElementTree.tostring(root, encoding="unicode", method="html")


def shown(text: str) -> str:
    """Return a text in which marks replace the characters that cannot be printed."""
    if text.isprintable():
        return text
    return "\n".join(map(printable, text.split("\n")))


@cache
def _attribute_name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _attribute(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else shown(str(value))


def _append_text(parent: Element, text: str) -> None:
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def path_data(places: Iterable[Sequence[str]], separator: str) -> str:
    """Return SVG path data along places, which are formatted numbers x and y.

    Horizontal and vertical lines have the short commands. A place that equals the place before it
    is left out.
    """
    data = ""
    before: Sequence[str] = ()
    for x, y in places:
        if not before:
            data += f"M{x}{separator}{y}"
        elif x == before[0]:
            data += "" if y == before[1] else f"V{y}"
        else:
            data += f"H{x}" if y == before[1] else f"L{x}{separator}{y}"
        before = x, y
    return data


def script(text: str) -> Element:
    """Return a script element. Raises `ValueError` for CR, NUL or a text in `UNFIT`."""
    if any(markup in text.lower() for markup in UNFIT) or "\r" in text or "\0" in text:
        raise ValueError(f"a script within a page may not hold {', '.join(UNFIT)}, CR or NUL")
    node = Element("script")
    node.text = text
    return node


def data_block(value: object, identity: str | None = None) -> Element:
    """Return a script element with a value as JSON; no text in the value can end the element."""
    node = Element("script", type="application/json")
    if identity is not None:
        node.set("id", identity)
    node.text = json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
    return node


def policy(scripts: Iterable[str]) -> Element:
    """Return the content security policy: only these scripts run, and no host is contacted."""
    hashes = (b64encode(sha256(text.encode()).digest()).decode() for text in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes) or "'none'"
    rules = (
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        "img-src data:",
        f"script-src {allowed}",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return Element("meta", {"http-equiv": "Content-Security-Policy", "content": "; ".join(rules)})
