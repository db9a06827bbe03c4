"""A reader of JSON files that knows the line of every value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from dovetail.errors import FormatError, shorten
from dovetail.files.text_file import LONGEST_LINE, TextFile

_SPACE = re.compile(r"[ \t\r\n]*")


class _SecondKeyError(ValueError):
    """Raised for a key that an object has twice."""


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _SecondKeyError(next(key for key in keys if keys.count(key) > 1))
    return members


_DECODER = json.JSONDecoder(object_pairs_hook=_members)


class JsonReader:
    """Reads the values of one JSON text in turn, by calls that follow its structure.

    Errors for a text that is not JSON say what is `expected`. Every method raises `FormatError`,
    with the line, if the text is not what the method reads.
    """

    def __init__(self, file: TextFile, expected: str) -> None:
        self._file = file
        self._expected = expected
        self._text = "\n".join(file.lines)
        self._place, self._line = 0, 1

    def members(self) -> Iterator[tuple[int, str]]:
        """Yield the line and the key of each member of the object that begins here.

        The caller reads the member's value before the next key.
        """
        for line in self._parts("{", "}"):
            key = self.value()
            if not isinstance(key, str):
                raise self._file.error("not JSON; expected a key in quotes", line)
            self._take(":")
            yield line, key

    def entries(self) -> Iterator[int]:
        """Yield the line of each entry of the list that begins here; the caller reads the entry."""
        return self._parts("[", "]")

    def value(self, longest: int = LONGEST_LINE) -> object:
        """Read the whole value that begins here, of at most `longest` characters."""
        self._peek()
        near = self._text[self._place : self._place + longest]
        try:
            value, length = _DECODER.raw_decode(near)
        except _SecondKeyError as error:
            raise self.error(
                f"a second {shorten(str(error))!r} in an object; expected one"
            ) from None
        except (ValueError, RecursionError):
            raise self.error(f"not JSON; expected {self._expected}") from None
        self._advance(self._place + length)
        return value

    def end(self) -> None:
        """Raise `FormatError` if the text goes on."""
        if self._peek():
            raise self.error("text after the end of the object; expected nothing")

    def error(self, message: str) -> FormatError:
        """Return an error at the present line."""
        self._peek()
        return self._file.error(message, self._line)

    def _parts(self, opening: str, closing: str) -> Iterator[int]:
        """Yield the line of each part of an object or list, before the caller reads the part."""
        if self._peek() != opening:
            here = self._text[self._place :].split("\n", 1)[0]
            raise self.error(f"{shorten(here)!r}; expected {opening!r}")
        self._take(opening)
        more = self._peek() != closing
        while more:
            yield self._line
            more = self._peek() != closing
            if more:
                self._take(",")
        self._take(closing)

    def _take(self, mark: str) -> None:
        if self._peek() != mark:
            raise self.error(f"not JSON; expected {mark!r}")
        self._place += 1
        self._peek()

    def _peek(self) -> str:
        """Return the next character that is not a space, or an empty text at the end."""
        space = _SPACE.match(self._text, self._place)
        assert space is not None
        self._advance(space.end())
        return self._text[self._place : self._place + 1]

    def _advance(self, place: int) -> None:
        self._line += self._text.count("\n", self._place, place)
        self._place = place
