"""Where a command writes: a terminal, a file, which is whole or not touched, or standard output."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dovetail.files.writing import write_whole
from dovetail.printable import printable

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

STANDARD_OUTPUT = Path("-")
STANDARD_OUTPUT_NAME = "standard output"


class NamedFile(io.FileIO):
    """A file, or a descriptor of one, whose errors of writing have its `title` as their filename.

    Only errors of opening have one otherwise.
    """

    def __init__(
        self, file: Path | int, mode: Literal["a", "w"], title: str, *, closefd: bool = True
    ) -> None:
        super().__init__(file, mode, closefd)
        self._title = title

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            error.filename = self._title
            raise


def print_lines(text: str, *, to_stderr: bool = False) -> None:
    """Print the lines of `text` at once, so that a result is seen as soon as it exists.

    What is not printable in them is replaced.
    """
    stream = sys.stderr if to_stderr else sys.stdout
    shown = printable(text, keep="\n")
    stream.write(f"{shown}\n")
    stream.flush()


def print_text(text: str) -> None:
    """Print `text`, all of which is the command's own or has been made printable.

    Where the terminal's encoding lacks a character, another is printed.
    """
    sys.stdout.write(text)


def write_text(path: Path, text: str, encoding: str = "utf-8") -> None:
    """Write `text` to `path`, `-` being standard output; a name ending in .gz compresses it.

    Standard output gets what a file would hold, whatever the terminal's encoding. A file gets its
    content at one stroke: a kill leaves it as it was. Raises `ConfigError` when it cannot be
    written.
    """
    data = text.encode(encoding)
    if path == STANDARD_OUTPUT:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    if path.suffix.lower() == ".gz":
        data = gzip.compress(data, mtime=0)  # the same text is the same file
    write_whole(path, data)
