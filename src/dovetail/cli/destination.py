"""Solutions written as they are found: to standard output, a file, or back into the puzzle's file.

A file stays unchanged until there is something to write. A file that cannot be written is an error
before anything runs.
"""

from __future__ import annotations

import gzip
import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from io import BufferedWriter, TextIOWrapper
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING

from dovetail.cli.output import MESSAGES, STANDARD_OUTPUT, NamedFile, complain
from dovetail.errors import ConfigError, how_many, reason_of

if TYPE_CHECKING:
    from dovetail.files.text_file import TextFile
    from dovetail.models.solution import Solution
    from dovetail.models.task import Puzzle
    from dovetail.puzzles.formats.base import SolutionWriter


class Sheet:
    """Solutions written one after another, with a head before the first solution."""

    def __init__(self, writer: SolutionWriter, stream: IO[str], *, kept: bool = False) -> None:
        self._writer, self._stream, self._kept = writer, stream, kept
        self._numbers = count(1)
        self.begun = False

    def begin(self) -> None:
        """Write the head if it is not written yet, and drop the earlier content of a file."""
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
        """Begin if a file without solutions has a meaning; return whether it is begun."""
        if not self.begun and self._writer.may_be_empty:
            self.begin()
        return self.begun

    def close(self) -> None:
        """Write the tail, if anything was written."""
        if self.begun:
            self._stream.write(self._writer.tail)


def writer_of(
    output: Path | None, puzzle: Puzzle, source: TextFile | None = None
) -> SolutionWriter:
    """Return the writer of solutions of `puzzle` for `output`, or for standard output.

    The suffix of `output` decides the format. A terminal gets colours. Raises `ConfigError` for an
    unknown suffix, and `PuzzleError` if the format does not support the puzzle.
    """
    from dovetail.reports.pictures.text import PLAIN, terminal_paint
    from dovetail.reports.solution_file import solutions_writer

    if output is not None:
        return solutions_writer(output, puzzle, source)
    paint = terminal_paint()
    if paint is PLAIN:
        from dovetail.puzzles.formats.registry import solution_writer

        return solution_writer(".txt", puzzle)
    from dovetail.reports.pictures.text import painted_writer

    return painted_writer(puzzle, paint)


def source_to_extend(file: TextFile | None, output: Path) -> TextFile | None:
    """Return the file of the puzzle if a file of solutions repeats it, with the solutions added.

    Raises `ConfigError` if `output` is the file of the puzzle and its format does not hold
    solutions.
    """
    from dovetail.puzzles.formats.registry import extends

    if file is None:
        return None
    if extends(output.suffix, file):
        return file
    if _same_file(file.path, output):
        raise ConfigError(f"{output} is the file of the puzzle; expected another file")
    return None


def encoding_of(source: TextFile | None) -> str:
    """Return the encoding of a file that repeats `source`; UTF-8 without a source."""
    return "utf-8" if source is None else source.encoding


@contextmanager
def destination(
    writer: SolutionWriter, output: Path | None, source: TextFile | None
) -> Iterator[Sheet]:
    """Yield a sheet in `output`, or on standard output.

    The tail is written however the run ends. An `output` that is the `source` of the puzzle is
    replaced when all is written, in its encoding.
    """
    encoding = encoding_of(source)
    if output is None:
        opened: AbstractContextManager[Sheet] = closing(Sheet(writer, sys.stdout))
    elif source is not None and _same_file(source.path, output):
        opened = _replacing(writer, output, encoding)
    else:
        opened = _emptied_when_begun(writer, output, encoding)
    with opened as sheet:
        yield sheet
    if writer.left_out:
        complain(
            f"{output} has reached its limit; omitted: {how_many(writer.left_out, 'solution')}"
        )
    if output is not None and sheet.begun:
        MESSAGES.note(f"wrote {output}")


@contextmanager
def _emptied_when_begun(writer: SolutionWriter, output: Path, encoding: str) -> Iterator[Sheet]:
    """Yield a sheet at the end of `output`, which is emptied first when the sheet begins."""
    created = not os.path.lexists(output)
    stream = TextIOWrapper(BufferedWriter(_opened(output)), encoding)
    sheet = Sheet(writer, stream, kept=True)
    try:
        with stream, closing(sheet):
            yield sheet
    finally:
        if created and not sheet.begun:
            output.unlink(missing_ok=True)


@contextmanager
def _replacing(writer: SolutionWriter, output: Path, encoding: str) -> Iterator[Sheet]:
    """Yield a sheet that replaces `output` at the end; compressed if the file is."""
    from dovetail.files.text_file import GZIP_MAGIC

    target = output.resolve()  # a link to the file stays one
    try:
        with target.open("r+b") as file:
            packed = file.read(len(GZIP_MAGIC)) == GZIP_MAGIC
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise _unwritable(output, error) from None
    try:
        with (
            BufferedWriter(NamedFile(handle, "w", str(output))) as raw,
            gzip.GzipFile(fileobj=raw, mode="wb") if packed else raw as content,
            TextIOWrapper(content, encoding) as stream,
            closing(Sheet(writer, stream)) as sheet,
        ):
            yield sheet
        if sheet.begun:
            try:
                os.chmod(temporary, stat.S_IMODE(target.stat().st_mode))
                os.replace(temporary, target)
            except OSError as error:
                raise _unwritable(output, error) from None
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


def check_board_output(output: Path, source: TextFile | None) -> None:
    """Raise `ConfigError` if `output` is the file of the puzzle or cannot be written.

    An existing file stays unchanged.
    """
    if source is not None and _same_file(source.path, output):
        raise ConfigError(f"{output} is the file of the puzzle; expected another file")
    if output == STANDARD_OUTPUT:
        return
    created = not os.path.lexists(output)
    _opened(output).close()
    if created:
        output.unlink(missing_ok=True)


def _opened(output: Path) -> NamedFile:
    try:
        return NamedFile(output, "a", str(output))
    except OSError as error:
        raise _unwritable(output, error) from None


def _same_file(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except OSError:  # the other is not there
        return False


def _unwritable(path: Path, error: OSError) -> ConfigError:
    return ConfigError(f"{path} cannot be written ({reason_of(error)})")
