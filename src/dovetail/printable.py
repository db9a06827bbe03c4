"""Sanitizing of text from files and users before it is printed.

Terminals interpret control characters, C1 controls and marks that change the direction of writing.
Python regards none of them as printable; it also rejects characters of ordinary text: spaces of
other widths, soft hyphens, and the joiners of Persian words and of emoji.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any, ClassVar

REPLACEMENT = "\ufffd"  # the replacement character of Unicode
SPACE = "Zs"  # the category of spaces
SOFT_HYPHEN, NON_JOINER, JOINER = "\u00ad", "\u200c", "\u200d"


class Shown:
    """Base of the results of the Python API, which are printed like the output of their command.

    `dovetail.reports.notebook` sets the functions; without them, results show their fields.
    """

    as_text: ClassVar[Callable[[Any], str]] = repr
    as_html: ClassVar[Callable[[Any], str | None]] = lambda _: None

    def __str__(self) -> str:
        return Shown.as_text(self)

    def _repr_html_(self) -> str | None:
        return Shown.as_html(self)


def is_printable(text: str) -> bool:
    """Return whether every character of `text` can be shown in one line."""
    return text.isprintable() or all(map(_is_printable, text))


def printable(text: str, *, keep: str = "", mark: str = REPLACEMENT) -> str:
    """Return `text` with `mark` for each character that is neither printable nor in `keep`."""
    if text.isprintable():
        return text
    return "".join(one if _is_printable(one) or one in keep else mark for one in text)


def _is_printable(mark: str) -> bool:
    is_joiner = mark in (SOFT_HYPHEN, NON_JOINER, JOINER)
    return mark.isprintable() or is_joiner or unicodedata.category(mark) == SPACE
