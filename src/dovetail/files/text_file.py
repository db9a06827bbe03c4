"""Input files, pipes and standard input (the path `-`) as bytes and as lines of text.

The content of a pipe can be read only once. Problems with a file raise `FormatError`. The functions
`whole_number` and `check_name` raise `PuzzleError`, which `TextFile.at` turns into `FormatError`.
"""

from __future__ import annotations

import codecs
import gzip
import io
import os
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from dovetail.errors import FormatError, PuzzleError, reason_of, shorten
from dovetail.printable import is_printable, printable

STANDARD_INPUT = Path("-")
CHUNK_BYTES = 2**20
LARGEST_FILE_BYTES = 64 * 2**20
LONGEST_LINE = 100_000
MAX_LINES = 2_500_000
GZIP_MAGIC = b"\x1f\x8b"

_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_DECLARED = re.compile(rb"""<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
# Names of encodings with one byte per character: encoding the decoded text restores every byte.
_SINGLE_BYTE = re.compile(r"iso8859-[0-9]+|cp125[0-9]|koi8-[ru]")


def place_of(path: Path) -> str:
    """Return the name of the input at `path` in messages."""
    return "standard input" if path == STANDARD_INPUT else str(path)


def is_input(path: Path) -> bool:
    """Return whether `path` is standard input, or exists and is not a folder."""
    return path == STANDARD_INPUT or (os.path.exists(path) and not os.path.isdir(path))


def input_bytes(path: Path, largest: int | None = None) -> bytes:
    """Read the input at `path` to its end.

    Raises `FormatError` if the input cannot be read or has more than `largest` bytes, and for a
    standard input that is closed or empty.
    """
    place = place_of(path)
    standard = getattr(sys.stdin, "buffer", None) if path == STANDARD_INPUT else None
    if path == STANDARD_INPUT and (standard is None or standard.closed):
        raise FormatError("closed; expected a file", place)
    data = bytearray()
    try:
        with nullcontext(standard) if standard else path.open("rb") as stream:
            # `read1` makes one system call for each chunk. Other methods would wait for more input
            # after the end of a terminal's input.
            while chunk := stream.read1(CHUNK_BYTES):
                data += chunk
                if largest is not None and len(data) > largest:
                    raise FormatError(f"more than {largest:,} bytes, the limit", place)
    except OSError as error:
        if os.path.isdir(path):
            raise FormatError("a folder; expected a file", place) from None
        raise FormatError(f"cannot be read ({reason_of(error)})", place) from None
    if standard and not data:
        raise FormatError("empty; expected a file (only one argument can be -)", place)
    return bytes(data)


def whole_number(word: str, what: str | None = None, limits: tuple[int, int] | None = None) -> int:
    """Return the whole number `word`, of at most nine digits and within `limits` if given.

    `limits` are the minimum and the maximum. Raises `PuzzleError` for other words; `what` is the
    name of the number in the message. A number without a name, as in solutions, must not have a
    plus sign.
    """
    is_number = _INTEGER.fullmatch(word) and (what is not None or word[0] != "+")
    if is_number and (limits is None or limits[0] <= int(word) <= limits[1]):
        return int(word)
    low, high = limits or (0, 0)
    bounds = "of at most nine digits" if limits is None else f"from {low} to {high}"
    if what is None:
        raise PuzzleError(f"{shorten(word)!r} is not a whole number {bounds}")
    expected = f"a whole number {bounds}" if low <= high else "none"
    raise PuzzleError(f"{what} is {shorten(word)!r}; expected {expected}")


def check_name(name: str) -> None:
    """Raise `PuzzleError` if the name of a puzzle, piece or item is not printable."""
    if not is_printable(name):
        raise PuzzleError(f"the name is {shorten(name)!a}; expected printable characters")


class TextFile:
    """A text file, plain or compressed with gzip, as lines.

    If `data` is given, it is the content, and the file at `path` is not read. Raises `FormatError`
    if the file cannot be read, is not text, or exceeds a limit of this module.
    """

    def __init__(self, path: Path, data: bytes | None = None) -> None:
        self.path, self.place = path, place_of(path)  # `place` is the name in messages
        # Name for a puzzle of the file that has no name of its own.
        named = path.with_suffix("") if path.suffix == ".gz" else path
        self.stem = printable(self.place if path == STANDARD_INPUT else named.stem)
        data = input_bytes(path, LARGEST_FILE_BYTES) if data is None else data
        self.is_packed = data.startswith(GZIP_MAGIC)
        if self.is_packed:
            data = self._unpacked(data)
        if data.count(b"\n") > MAX_LINES:
            raise self.error(f"the file has more than {MAX_LINES:,} lines")
        for number, length in enumerate(map(len, data.split(b"\n")), start=1):
            if length > LONGEST_LINE:
                message = f"the line has {length:,} bytes; expected at most {LONGEST_LINE:,}"
                raise self.error(message, number)
        # The text keeps the file's byte order mark and carriage returns; the lines do not.
        self.text, self.encoding = _decoded(data)
        if "\0" in self.text:
            line = self.text.count("\n", 0, self.text.index("\0")) + 1
            raise self.error("not text; expected a text file", line)
        lines = self.text.removeprefix("\ufeff").split("\n")
        self.lines = [line.removesuffix("\r") for line in lines]

    def content(self) -> Iterator[tuple[int, str]]:
        """Yield the number and the text of each line; leave out comments and empty lines."""
        for number, line in enumerate(self.lines, start=1):
            if text := line.split("#", 1)[0].strip():
                yield number, text

    def error(self, message: str, line: int | None = None) -> FormatError:
        """Return an error at `line` of this file, or of the file as a whole."""
        return FormatError(message, self.place, line)

    @contextmanager
    def at(self, line: int | None) -> Iterator[None]:
        """Convert a `PuzzleError` of the body into a `FormatError` at `line` of this file."""
        try:
            yield
        except FormatError:
            raise
        except PuzzleError as error:
            raise self.error(str(error), line) from None

    def _unpacked(self, data: bytes) -> bytes:
        """Return the content of all members of gzip data; zero bytes after them are ignored."""
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as unpacker:
                unpacked = unpacker.read(LARGEST_FILE_BYTES + 1)
        except EOFError:
            raise self.error("the compressed file ends early; expected all of it") from None
        except (gzip.BadGzipFile, zlib.error):
            raise self.error(
                "the compressed file is damaged, or other bytes follow the compressed content"
            ) from None
        if len(unpacked) > LARGEST_FILE_BYTES:
            raise self.error(
                f"the file unpacks to more than {LARGEST_FILE_BYTES:,} bytes, the limit"
            )
        return unpacked


def _decoded(data: bytes) -> tuple[str, str]:
    """Return the text of `data`, and the encoding that turns the text back into `data`.

    Tries UTF-16 if there is a byte order mark, which the text keeps, then UTF-8, a single-byte
    encoding named in an XML declaration, Windows-1252, and Latin-1.
    """
    encodings = ["utf-8", "cp1252"]
    if data[:2] in _UTF16:
        encodings.insert(0, _UTF16[data[:2]])
    if declared := _DECLARED.match(data):
        with suppress(LookupError):
            name = codecs.lookup(declared[1].decode()).name
            if _SINGLE_BYTE.fullmatch(name):
                encodings.insert(-1, name)
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            return data.decode(encoding), encoding
    return data.decode("latin-1"), "latin-1"  # every byte is a character in Latin-1
