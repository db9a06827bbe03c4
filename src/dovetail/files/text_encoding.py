"""Which encoding a text file is in: UTF-8, or what older programs write.

BurrTools, for one, writes names as they were typed, in the encoding of the machine.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

BYTE_ORDER_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
# The last takes every byte. What both have in common are letters of western Europe.
OLDER = ("cp1252", "latin-1")

_DECLARED = re.compile(rb"""<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
# Those of one byte per character: every byte is given back as it was.
_SINGLE_BYTE = re.compile(r"iso8859-[0-9]+|cp125[0-9]|koi8-[ru]")


def decoded(data: bytes) -> tuple[str, str]:
    """The text that `data` is, and the encoding that gives `data` back.

    Text that is not UTF-8 is in the encoding that an XML declaration names, in Windows-1252, or
    else in Latin-1; UTF-16 has to begin with a byte order mark, which the text keeps.
    """
    for encoding in _candidates(data):
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    raise AssertionError("Latin-1 has a character for every byte")


def _candidates(data: bytes) -> Iterator[str]:
    if data[:2] in BYTE_ORDER_MARKS:
        yield BYTE_ORDER_MARKS[data[:2]]
    yield "utf-8"
    declared = _DECLARED.match(data)
    if declared:
        try:
            name = codecs.lookup(declared[1].decode()).name
        except LookupError:
            name = ""
        if _SINGLE_BYTE.fullmatch(name):
            yield name
    yield from OLDER
