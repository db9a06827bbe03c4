"""Sanitizing of text from files and users before it is printed.

Terminals interpret control characters, C1 controls and marks that change the direction of writing.
Python regards none of them as printable; it also rejects characters of ordinary text: spaces of
other widths, soft hyphens, and the joiners of Persian words and of emoji.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from reprlib import Repr
from typing import Any, ClassVar, TypeVar

from dovetail.errors import is_too_long, show_integer

REPLACEMENT = "\ufffd"  # the replacement character of Unicode
Item = TypeVar("Item")
SPACE = "Zs"  # the category of spaces
SOFT_HYPHEN, NON_JOINER, JOINER = "\u00ad", "\u200c", "\u200d"


class Bounded(Repr):
    """Formatter of values whose integers may have any number of digits."""

    def repr_int(self, x: int, level: int) -> str:
        return show_integer(x) if is_too_long(abs(x)) else super().repr_int(x, level)


_BOUNDED = Bounded()
_BOUNDED.maxlevel = 4
_BOUNDED.maxtuple = _BOUNDED.maxlist = 8
_BOUNDED.maxother = _BOUNDED.maxstring = 80


class Shown:
    """Base of public classes: short text, a bounded `repr`, and HTML for notebooks."""

    # A function that returns a module with the functions `as_text` and `as_html`.
    views: ClassVar[Any]

    def __str__(self) -> str:
        """Return a call of the class with the fields that differ from their defaults."""
        return call_of(self, fields_of(self, every=False))

    def __repr__(self) -> str:
        return call_of(self, fields_of(self))

    def _repr_html_(self) -> str | None:
        html: str | None = self.views().as_html(self)
        return html


class Reported(Shown):
    """Base of results, whose text is the same as in the output of the commands."""

    def __str__(self) -> str:
        text: str = self.views().as_text(self)
        return text


class ShownList(Reported, list[Item]):
    """A list that is shown as a table."""

    def __repr__(self) -> str:
        return _BOUNDED.repr(list(self))


def fields_of(value: Any, *, every: bool = True) -> dict[str, str]:
    """Return the bounded `repr` of each field of a dataclass, except fields with `repr=False`.

    Without `every`, only fields of `__init__` that differ from their defaults are returned.
    """
    from dataclasses import MISSING, fields

    texts = {}
    for field in fields(value):
        default = field.default if field.default_factory is MISSING else field.default_factory()
        content = getattr(value, field.name)
        if field.repr and (every or (field.init and content != default)):
            texts[field.name] = _BOUNDED.repr(content).replace("\n", " ")  # arrays span lines
    return texts


def call_of(value: object, texts: Mapping[str, str]) -> str:
    """Return a value as the call of its class with these texts as arguments."""
    arguments = ", ".join(f"{name}={text}" for name, text in texts.items())
    return f"{type(value).__qualname__}({arguments})"


def is_printable(text: str) -> bool:
    """Return whether every character of `text` can be shown in one line."""
    return text.isprintable() or all(map(_is_printable, text))


def printable(text: str, *, keep: str = "", mark: str = REPLACEMENT) -> str:
    """Return `text` with `mark` for each character that is neither printable nor in `keep`."""
    if text.isprintable():
        return text
    return "".join(char if _is_printable(char) or char in keep else mark for char in text)


def _is_printable(mark: str) -> bool:
    is_joiner = mark in (SOFT_HYPHEN, NON_JOINER, JOINER)
    return mark.isprintable() or is_joiner or unicodedata.category(mark) == SPACE
