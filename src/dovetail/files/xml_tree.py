"""XML files as trees of elements with their lines.

Elements, attributes and text are read. Files are refused if they have a document type, which could
define entities, or if they exceed a limit below.
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
    """An element of an XML file."""

    tag: str
    line: int  # line in which the element begins
    attributes: dict[str, str]
    text: str = ""  # without the text of the children
    children: list[Element] = field(default_factory=list)

    def all(self, *path: str) -> list[Element]:
        """Return the elements at `path` below the element; `path` has a tag for each level."""
        found = [self]
        for tag in path:
            found = [child for element in found for child in element.children if child.tag == tag]
        return found


def read_xml(file: TextFile, skipped: Collection[str] = ()) -> Element:
    """Return the root element of `file`, without elements whose tag is in `skipped`.

    The root is never skipped. Raises `FormatError` if the file is not well-formed XML, has a
    document type, or exceeds a limit of this module.
    """
    # A lone carriage return would end a line for the parser but not in `file`.
    text = "\n".join(file.lines).replace("\r", " ")
    if len(text) > MAX_CHARACTERS:
        raise file.error(
            f"the file has {len(text):,} characters; expected at most {MAX_CHARACTERS:,} of XML",
            1,
        )
    # The parser gathers all attributes of a tag before it reports any.
    crowded = re.search(rf"<(?:[^<=]*=){{{MAX_ATTRIBUTES}}}", text)
    if crowded:
        raise file.error(
            f"there are {MAX_ATTRIBUTES:,} or more equals signs between two tags; expected fewer",
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
    """Builder of the tree of elements from the events of the parser."""

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
        # Open elements and the pieces of their texts; None for a skipped element.
        self._open: list[tuple[Element, list[str]] | None] = []
        self._elements = 0

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= MAX_DEPTH:
            raise self._error(f"elements are nested more than {MAX_DEPTH:,} deep")
        parent = self._open[-1] if self._open else None
        if self._open and (parent is None or tag in self._skipped):
            self._open.append(None)
            return
        self._elements += 1
        if self._elements > MAX_ELEMENTS:
            raise self._error(f"the file has more than {MAX_ELEMENTS:,} elements")
        element = Element(tag, self.parser.CurrentLineNumber, attributes)
        if parent is None:
            self.root = element
        else:
            parent[0].children.append(element)
        self._open.append((element, []))

    def _end(self, _tag: str) -> None:
        if ended := self._open.pop():
            ended[0].text = "".join(ended[1])

    def _characters(self, text: str) -> None:
        if innermost := self._open[-1]:
            innermost[1].append(text)

    def _doctype(self, name: str, *_rest: object) -> None:
        raise self._error(f"a document type, {shorten(name)!r}; expected a file without DOCTYPE")

    def _error(self, message: str) -> FormatError:
        return self._file.error(message, self.parser.CurrentLineNumber)
