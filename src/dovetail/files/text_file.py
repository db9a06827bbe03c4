"""Text files from anywhere: read whole, with bounds, and never a traceback for their content."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from dovetail.errors import FormatError, shorten
from dovetail.files.input_bytes import STANDARD_INPUT, input_bytes, place_of
from dovetail.printable import is_printable, printable

LARGEST_FILE_BYTES = 64 * 2**20
LONGEST_LINE = 100_000
MAX_LINES = 2_500_000
GZIP_MAGIC = b"\x1f\x8b"
BYTE_ORDER_MARK = "\ufeff"

_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")

BYTE_ORDER_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
# The last takes every byte. What both have in common are letters of western Europe.
OLDER = ("cp1252", "latin-1")
_DECLARED = re.compile(rb"""<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
# Those of one byte per character: every byte is given back as it was.
_SINGLE_BYTE = re.compile(r"iso8859-[0-9]+|cp125[0-9]|koi8-[ru]")


class TextFile:
    """The lines of a file, and errors that name its places. It may be compressed with gzip.

    The path `-` is standard input. `place` is what messages call the file, `stem` the name of a
    puzzle in it that has none.

    With `data`, that is the content, and the path is only a name. `text` is the content as it was,
    with a byte order mark and carriage returns where it has them; `lines` are without. `encoding`
    turns `text` back into the bytes of the file.
    """

    def __init__(self, path: Path, data: bytes | None = None) -> None:
        self.path, self.place = path, place_of(path)
        self.stem = printable(self.place if path == STANDARD_INPUT else path.stem)
        data = input_bytes(path, LARGEST_FILE_BYTES) if data is None else data
        if data.startswith(GZIP_MAGIC):
            data = self._unpacked(data)
        if data.count(b"\n") > MAX_LINES:
            raise self.error(f"the file has more than {MAX_LINES:,} lines")
        for number, line in enumerate(data.split(b"\n"), start=1):
            if len(line) > LONGEST_LINE:
                raise self.error(
                    f"the line has {len(line):,} characters; expected at most {LONGEST_LINE:,}",
                    number,
                )
        self.text, self.encoding = decoded(data)
        if "\0" in self.text:
            line_number = self.text[: self.text.index("\0")].count("\n") + 1
            raise self.error("not text; expected a text file", line_number)
        lines = self.text.removeprefix(BYTE_ORDER_MARK).split("\n")
        self.lines = [line.removesuffix("\r") for line in lines]

    def content(self, comment: str = "#") -> Iterator[tuple[int, str]]:
        """Line numbers and lines that say something, comments cut off."""
        for number, line in enumerate(self.lines, start=1):
            text = line.split(comment, 1)[0].strip()
            if text:
                yield number, text

    def error(self, message: str, line: int | None = None) -> FormatError:
        """An error at `line` of this file."""
        return FormatError(message, self.place, line)

    def check_name(self, name: str, line: int) -> None:
        """Raise `FormatError` for the name of a puzzle, piece or item that is not printable."""
        if not is_printable(name):
            raise self.error(f"the name is {shorten(name)!a}; expected printable characters", line)

    def integer(self, word: str, line: int, what: str) -> int:
        """`word` as a whole number of at most nine digits."""
        if not _INTEGER.fullmatch(word):
            raise self.error(
                f"{what} is {shorten(word)!r}; expected a whole number of at most nine digits", line
            )
        return int(word)

    def _unpacked(self, data: bytes) -> bytes:
        """Return the content of all members of gzip data, one after another.

        Zero bytes at the end are padding, as for the program gzip. Raises `FormatError` for damaged
        or other bytes, and for more than `LARGEST_FILE_BYTES` of content.
        """
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as unpacker:
                unpacked = unpacker.read(LARGEST_FILE_BYTES + 1)
        except EOFError:
            raise self.error("the compressed file ends early; expected a complete one") from None
        except (gzip.BadGzipFile, zlib.error):
            raise self.error(
                "the compressed file is damaged, or other bytes follow the compressed content"
            ) from None
        if len(unpacked) > LARGEST_FILE_BYTES:
            raise self.error(
                f"the file unpacks to more than {LARGEST_FILE_BYTES:,} bytes, the limit"
            )
        return unpacked


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
