"""Output of a command: standard streams, messages, whole files, and solutions as they are found.

A file of solutions stays unchanged until there is something to write. A file that cannot be written
is an error before a search begins.
"""

from __future__ import annotations

import codecs
import gzip
import io
import os
import stat
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from io import BufferedWriter, FileIO, StringIO, TextIOWrapper
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from dovetail.errors import ConfigError, how_many
from dovetail.files.writing import write_whole, writing
from dovetail.platform.system import STDERR, STDOUT, occupy_standard_descriptors
from dovetail.printable import printable
from dovetail.reports.printing import BYTES, SOLIDS

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from dovetail.files.text_file import TextFile
    from dovetail.models.solution import Solution
    from dovetail.models.task import Puzzle
    from dovetail.puzzles.formats.base import SolutionWriter

STANDARD_OUTPUT = Path("-")
STANDARD_OUTPUT_NAME = "standard output"
READABLE = "dovetail.readable"  # name of the error handler that substitutes characters
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

    An `OSError` of a plain file has a filename only if opening fails.
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
        """Restore the messages of a command without options about messages."""
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


def write_text(path: Path, text: str) -> None:
    """Write `text` in UTF-8 as `write_data` does, even to a terminal with another encoding."""
    write_data(path, text.encode())


def write_data(path: Path, data: bytes) -> None:
    """Write `data` to `path`, compressed if the name ends in .gz; `-` is standard output.

    If the process is killed, a file is unchanged or complete. Raises `ConfigError` if the file
    cannot be written.
    """
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


class SolutionStream:
    """A stream of solutions with a head before the first solution and a tail after the last.

    With `kept`, the earlier content of a file is kept until the head is written.
    """

    def __init__(self, writer: SolutionWriter, stream: IO[str], *, kept: bool = False) -> None:
        self._writer, self._stream, self._kept = writer, stream, kept
        self._numbers = count(1)
        self.begun = False

    def begin(self) -> None:
        """Write the head unless it is written, and drop the earlier content of a file."""
        if self.begun:
            return
        self.begun = True
        if self._kept and stat.S_ISREG(os.fstat(self._stream.fileno()).st_mode):
            self._stream.truncate(0)
        self._stream.write(self._writer.head)

    def write(self, solutions: Iterable[Solution]) -> None:
        """Write `solutions`."""
        self.begin()
        for solution in solutions:
            self._stream.write(self._writer.one(next(self._numbers), solution))

    def begin_empty(self) -> bool:
        """Write the head if a file may be without solutions; return True if the head is written."""
        if not self.begun and self._writer.may_be_empty:
            self.begin()
        return self.begun

    def close(self) -> None:
        """Write the tail if the head is written."""
        if self.begun:
            self._stream.write(self._writer.tail)


def writer_of(
    output: Path | None, puzzle: Puzzle, source: TextFile | None = None
) -> SolutionWriter:
    """Return the writer of solutions of `puzzle` for `output`, or for standard output.

    The suffix of `output` decides the format; `source` is the file of the puzzle if the output
    repeats it. A terminal gets colours. Raises `ConfigError` for an unknown suffix, and
    `PuzzleError` if the format does not support the puzzle.
    """
    from dovetail.puzzles.formats.registry import solution_writer
    from dovetail.reports.describe.solutions import solutions_writer
    from dovetail.reports.pictures.text import PLAIN, painted_writer, terminal_paint

    if output is not None:
        return solutions_writer(output, puzzle, source)
    paint = terminal_paint()
    return solution_writer(".txt", puzzle) if paint is PLAIN else painted_writer(puzzle, paint)


def source_to_extend(file: TextFile | None, output: Path) -> TextFile | None:
    """Return the file of the puzzle if `output` is to repeat it with solutions added, else None.

    Raises `ConfigError` if `output` is the file of the puzzle and the format of this file does not
    hold solutions.
    """
    from dovetail.puzzles.formats.registry import extends

    if file is not None and extends(output.suffix, file):
        return file
    check_differs(output, file)
    return None


def check_differs(output: Path, source: TextFile | None, content: str = "puzzle") -> None:
    """Raise `ConfigError` if `output` is the file of the puzzle, or of other `content`."""
    if source is not None and _same_file(output, source.path):
        raise ConfigError(f"{output} is the file of the {content}; expected another file")


def check_writable(output: Path) -> None:
    """Raise `ConfigError` for a file that `write_whole` cannot write; the file stays unchanged."""
    if output == STANDARD_OUTPUT:
        return
    created = not os.path.lexists(output)
    _opened(output).close()
    if created:
        output.unlink(missing_ok=True)
    elif output.is_file() and not os.access(output.resolve().parent, os.W_OK):
        raise ConfigError(f"{output} cannot be written (its folder allows no new file)")


@contextmanager
def destination(
    writer: SolutionWriter, output: Path | None, source: TextFile | None
) -> Iterator[SolutionStream]:
    """Yield a stream of solutions into `output`, or to standard output.

    The tail is written even if the run ends with an error. If `output` is the `source` of the
    puzzle, the file is replaced when all solutions are written, in the encoding of the source.
    """
    encoding = "utf-8" if source is None else source.encoding
    if output is None:
        with closing(SolutionStream(writer, sys.stdout)) as sheet:
            yield sheet
    elif source is not None and _same_file(output, source.path):
        check_writable(output)
        text = StringIO()
        with closing(SolutionStream(writer, text)) as sheet:
            yield sheet
        if sheet.begun:
            data = text.getvalue().encode(encoding)
            write_whole(output, gzip.compress(data, mtime=0) if source.is_packed else data)
    else:
        created = not os.path.lexists(output)
        encoding, newline = (BYTES, "") if output.suffix in SOLIDS else (encoding, None)
        stream = TextIOWrapper(BufferedWriter(_opened(output)), encoding, newline=newline)
        sheet = SolutionStream(writer, stream, kept=True)
        try:
            with stream, closing(sheet):
                yield sheet
        finally:
            if created and not sheet.begun:
                output.unlink(missing_ok=True)
    if writer.left_out:
        complain(
            f"{output} has reached its limit; omitted: {how_many(writer.left_out, 'solution')}"
        )
    if output is not None and sheet.begun:
        MESSAGES.note(f"wrote {output}")


def _opened(output: Path) -> NamedFile:
    with writing(output):
        return NamedFile(output, "a", str(output))


def _same_file(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except OSError:  # a file does not exist
        return False
