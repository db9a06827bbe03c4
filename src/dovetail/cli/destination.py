"""Where `solve` writes solutions as they come: standard output, a file, or back into the puzzle's.

A file is left as it was until there is something to write. Whether it can be written is known
before anything runs.
"""

from __future__ import annotations

import gzip
import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedWriter, TextIOWrapper
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING

from dovetail.cli.guard import complain
from dovetail.cli.output import STANDARD_OUTPUT, NamedFile
from dovetail.errors import ConfigError, how_many, reason_of

if TYPE_CHECKING:
    from dovetail.files.text_file import TextFile
    from dovetail.models.solution import Solution
    from dovetail.models.task import Puzzle
    from dovetail.puzzles.formats.base import SolutionWriter


class Sheet:
    """Solutions written one after another, the head before the first of them."""

    def __init__(self, writer: SolutionWriter, stream: IO[str], *, kept: bool = False) -> None:
        self._writer, self._stream, self._kept = writer, stream, kept
        self._numbers = count(1)
        self.begun = False

    def begin(self) -> None:
        """Write the head, unless that is done; what a file held before is gone."""
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
        """Begin, unless a file without a solution means nothing; return whether it is begun."""
        if not self.begun and self._writer.may_be_empty:
            self.begin()
        return self.begun

    def end(self) -> None:
        """Write the tail of what was begun."""
        if self.begun:
            self._stream.write(self._writer.tail)


def writer_of(
    output: Path | None, puzzle: Puzzle, source: TextFile | None = None
) -> SolutionWriter:
    """How solutions of `puzzle` are written into `output`, by its suffix, None being a terminal.

    The last is in colours if it is one. Raises `ConfigError` for a suffix that nothing has, and
    `PuzzleError` where the format cannot hold or show such a puzzle's solutions.
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
    """The `file` that the puzzle comes from, if its solutions in `output` are written back into it.

    Raises `ConfigError` where `output` is the puzzle's own file and of another format.
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
    """Return the encoding of a file that repeats `source`; UTF-8 for one that does not."""
    return "utf-8" if source is None else source.encoding


@contextmanager
def destination(
    writer: SolutionWriter, output: Path | None, source: TextFile | None
) -> Iterator[Sheet]:
    """A sheet in `output`, None being standard output.

    Whatever ends the run, what was written is ended as its format wants it. Where `output` is
    the `source` of the puzzle it is replaced when all is written, and left alone otherwise. A
    source is written back in its encoding.
    """
    encoding = encoding_of(source)
    if output is None:
        opened = _ended(Sheet(writer, sys.stdout))
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


@contextmanager
def _ended(sheet: Sheet) -> Iterator[Sheet]:
    try:
        yield sheet
    finally:
        sheet.end()


@contextmanager
def _emptied_when_begun(writer: SolutionWriter, output: Path, encoding: str) -> Iterator[Sheet]:
    created = not os.path.lexists(output)
    try:
        file = NamedFile(output, "a", str(output))
    except OSError as error:
        raise _unwritable(output, error) from None
    stream = TextIOWrapper(BufferedWriter(file), encoding)
    sheet = Sheet(writer, stream, kept=True)
    try:
        with stream, _ended(sheet):
            yield sheet
    finally:
        if created and not sheet.begun:
            output.unlink(missing_ok=True)


@contextmanager
def _replacing(writer: SolutionWriter, output: Path, encoding: str) -> Iterator[Sheet]:
    """Packed if the file is."""
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
            _ended(Sheet(writer, stream)) as sheet,
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
    """Raise `ConfigError` where `output` is the puzzle's own file, or cannot be written.

    A file that is there stays as it is.
    """
    if source is not None and _same_file(source.path, output):
        raise ConfigError(f"{output} is the file of the puzzle; expected another file")
    if output == STANDARD_OUTPUT:
        return
    created = not os.path.lexists(output)
    try:
        output.open("a").close()
    except OSError as error:
        raise _unwritable(output, error) from None
    if created:
        output.unlink(missing_ok=True)


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # the other is not there
        return False


def _unwritable(path: Path, error: OSError) -> ConfigError:
    return ConfigError(f"{path} cannot be written ({reason_of(error)})")
