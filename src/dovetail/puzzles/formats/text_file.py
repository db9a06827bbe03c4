"""Text files from anywhere: read whole, with bounds, and never a traceback for their content."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from dovetail.errors import FormatError, shorten

LARGEST_FILE_BYTES = 64 * 2**20
LONGEST_LINE = 100_000

_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")


class TextFile:
    """The lines of a file, and errors that name its places."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            size = path.stat().st_size
            if size > LARGEST_FILE_BYTES:
                raise FormatError(
                    f"the file has {size:,} bytes; expected at most {LARGEST_FILE_BYTES:,}", path
                )
            data = path.read_bytes()
        except OSError as error:
            raise FormatError(f"cannot be read ({error.strerror})", path) from None
        for number, line in enumerate(data.split(b"\n"), start=1):
            if len(line) > LONGEST_LINE:
                raise FormatError(
                    f"the line has {len(line):,} characters; expected at most {LONGEST_LINE:,}",
                    path,
                    number,
                )
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            place = data[: error.start].count(b"\n") + 1
            raise FormatError("not text; expected a text file in UTF-8", path, place) from None
        if "\0" in text:
            place = text[: text.index("\0")].count("\n") + 1
            raise FormatError("not text; expected a text file in UTF-8", path, place)
        self.lines = [line.removesuffix("\r") for line in text.split("\n")]

    def content(self, comment: str = "#") -> Iterator[tuple[int, str]]:
        """Line numbers and lines that say something, comments cut off."""
        for number, line in enumerate(self.lines, start=1):
            text = line.split(comment, 1)[0].strip()
            if text:
                yield number, text

    def error(self, message: str, line: int | None = None) -> FormatError:
        """An error at `line` of this file."""
        return FormatError(message, self.path, line)

    def integer(self, word: str, line: int, what: str) -> int:
        """`word` as a whole number of at most nine digits."""
        if not _INTEGER.fullmatch(word):
            raise self.error(f"{what} is {shorten(word)!r}; expected a whole number", line)
        return int(word)
