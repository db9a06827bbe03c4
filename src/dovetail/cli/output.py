"""Output of a command: standard streams, files that are written as a whole, and messages."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import sys
import warnings
from contextlib import suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dovetail.files.writing import write_whole
from dovetail.platform.system import STDERR, STDOUT, occupy_standard_descriptors
from dovetail.printable import printable

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

STANDARD_OUTPUT = Path("-")
STANDARD_OUTPUT_NAME = "standard output"
READABLE = "dovetail.readable"
# Characters that encodings such as ASCII and Latin-1 lack, and their substitutes.
SUBSTITUTES = {
    "≥": ">=",
    "−": "-",
    "–": "-",
    "×": "x",
    "·": "*",
    "…": "...",
    "→": "->",
    "±": "+-",
    "µ": "u",
    "�": "?",
}


class NamedFile(io.FileIO):
    """A file or a file descriptor with a title, which is the filename in its write errors.

    In a plain file, only errors of opening have a filename.
    """

    def __init__(
        self, file: Path | int, mode: Literal["a", "w"], title: str, *, closefd: bool = True
    ) -> None:
        super().__init__(file, mode, closefd)
        self._title = title

    def write(self, data: ReadableBuffer, /) -> int:
        """Write as a file does; an `OSError` has the title as its filename."""
        try:
            return super().write(data)
        except OSError as error:
            error.filename = self._title
            raise


class Messages:
    """Messages of the current command on standard error, in addition to warnings and errors."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Choose the messages of a command without options about messages."""
        self.quiet = self.verbose = self.json_progress = False

    def note(self, text: str) -> None:
        """Print a note in one line unless the command is quiet or prints its progress as JSON."""
        if not (self.quiet or self.json_progress):
            _print_message(text)

    def detail(self, text: str) -> None:
        """Print a note of a verbose command."""
        if self.verbose:
            self.note(text)


MESSAGES = Messages()


def complain(message: str) -> None:
    """Print `message` as a line on standard error, after the name of the command."""
    _print_message(f"dovetail: {message}")


def _print_message(text: str) -> None:
    with suppress(OSError):  # the terminal may be gone
        print_lines(printable(text), to_stderr=True)


def warn_in_one_line() -> None:
    """Print each of Python's warnings as a single line on standard error."""

    def show(message: Warning | str, *_: object, **__: object) -> None:
        complain(f"warning: {message}")

    warnings.showwarning = show


def print_lines(text: str, *, to_stderr: bool = False) -> None:
    """Print `text` with a final newline, and flush; unprintable characters are replaced."""
    stream = sys.stderr if to_stderr else sys.stdout
    shown = printable(text, keep="\n")
    stream.write(f"{shown}\n")
    stream.flush()


def print_text(text: str) -> None:
    """Print `text` unchanged; it must be printable or written by this package."""
    sys.stdout.write(text)


def write_text(path: Path, text: str, encoding: str = "utf-8") -> None:
    """Write `text` to `path`; `-` is standard output, and a name that ends in .gz is compressed.

    Standard output gets the same bytes as a file, in any encoding of the terminal. If the process
    is killed, a file stays unchanged. Raises `ConfigError` if the file cannot be written.
    """
    data = text.encode(encoding)
    if path == STANDARD_OUTPUT:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    if path.suffix.lower() == ".gz":
        data = gzip.compress(data, mtime=0)  # the same text gives the same file
    write_whole(path, data)
    MESSAGES.note(f"wrote {path}")


def prepare_streams() -> None:
    """Open the standard streams that are closed, and substitute characters that encodings lack.

    Python has None for a stream that was closed when the process started. After this call, writing
    to a standard output that was closed raises an `OSError` that names standard output, as on a
    full disk. Messages to a closed standard error are discarded.
    """
    occupy_standard_descriptors()
    if sys.stdout is None:
        sys.stdout = os.fdopen(STDOUT, "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(STDERR, "w", encoding="utf-8")
    codecs.register_error(READABLE, _substituted)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=READABLE)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout = _named(sys.stdout)


def _named(stream: TextIOWrapper) -> TextIOWrapper:
    """Return standard output as a stream whose errors name it; a Windows console is unchanged."""
    raw = getattr(stream.buffer, "raw", stream.buffer)
    if type(raw) is not FileIO:
        return stream
    named = NamedFile(raw.fileno(), "w", STANDARD_OUTPUT_NAME, closefd=False)
    return TextIOWrapper(
        named if raw is stream.buffer else BufferedWriter(named),
        stream.encoding,
        stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def _substituted(error: UnicodeError) -> tuple[str, int]:
    """Return substitutes, or otherwise escapes, for the characters that an encoding lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    words = (SUBSTITUTES.get(mark) or mark.encode("unicode_escape").decode() for mark in lacking)
    return "".join(words), error.end
