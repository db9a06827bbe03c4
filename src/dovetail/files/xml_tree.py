"""XML as a small tree of elements that know their lines.

Only what files from anywhere may need: elements, attributes, text. Document types, and with
them entities of a file's own, are refused, and so is what is deeper, longer or larger than
any honest file.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from xml.parsers import expat

from dovetail.errors import FormatError, shorten
from dovetail.files.text_file import TextFile

MAX_CHARACTERS = 16 * 2**20
MAX_ELEMENTS = 300_000
MAX_DEPTH = 1_000
MAX_ATTRIBUTES = 10_000


@dataclass(slots=True)
class Element:
    """One element: its tag, the line it begins in, its attributes, text and children."""

    tag: str
    line: int
    attributes: dict[str, str]
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def all(self, *path: str) -> list[Element]:
        """The elements at `path` below this one, in order: children of that tag, and so on."""
        found = [self]
        for tag in path:
            found = [child for element in found for child in element.children if child.tag == tag]
        return found


def read_xml(file: TextFile, skipped: Collection[str] = ()) -> Element:
    """The root element of `file`; elements with a tag in `skipped` are left out.

    Raises `FormatError` for what is not well-formed XML, or beyond the bounds above.
    """
    # A carriage return alone would end a line here but not in `file`.
    text = "\n".join(file.lines).replace("\r", " ")
    if len(text) > MAX_CHARACTERS:
        raise file.error(
            f"the file has {len(text):,} characters; expected at most {MAX_CHARACTERS:,} of XML",
            1,
        )
    # The parser gathers all attributes of a tag before it shows any.
    crowded = re.search(rf"<(?:[^<=]*=){{{MAX_ATTRIBUTES}}}", text)
    if crowded:
        raise file.error(
            f"more than {MAX_ATTRIBUTES:,} equals signs between two tags",
            text.count("\n", 0, crowded.start()) + 1,
        )
    builder = _Builder(file, frozenset(skipped))
    try:
        builder.parser.Parse(text, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise file.error(f"not XML ({reason}); expected a well-formed file", error.lineno) from None
    assert builder.root is not None
    return builder.root


class _Builder:
    """Builds the tree from what the parser reports."""

    def __init__(self, file: TextFile, skipped: frozenset[str]) -> None:
        self.root: Element | None = None
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.StartDoctypeDeclHandler = self._doctype
        self._file = file
        self._skipped = skipped
        self._open: list[tuple[Element, list[str]]] = []
        self._elements = 0
        self._depth_skipped = 0

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._open) + self._depth_skipped >= MAX_DEPTH:
            raise self._error(f"elements are nested more than {MAX_DEPTH:,} deep")
        if self._depth_skipped or (self._open and tag in self._skipped):
            self._depth_skipped += 1
            return
        self._elements += 1
        if self._elements > MAX_ELEMENTS:
            raise self._error(f"more than {MAX_ELEMENTS:,} elements")
        element = Element(tag, self.parser.CurrentLineNumber, attributes)
        if self._open:
            self._open[-1][0].children.append(element)
        else:
            self.root = element
        self._open.append((element, []))

    def _end(self, _tag: str) -> None:
        if self._depth_skipped:
            self._depth_skipped -= 1
            return
        element, text = self._open.pop()
        element.text = "".join(text)

    def _characters(self, text: str) -> None:
        if not self._depth_skipped:
            self._open[-1][1].append(text)

    def _doctype(self, name: str, *_rest: object) -> None:
        raise self._error(f"a document type, {shorten(name)!r}; expected a file without DOCTYPE")

    def _error(self, message: str) -> FormatError:
        return self._file.error(message, self.parser.CurrentLineNumber)
