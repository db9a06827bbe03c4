"""Writing of solutions as they are found: to standard output, to a file, or into the puzzle's file.

A file stays unchanged until there is something to write. A file that cannot be written is an error
before a search begins.
"""

from __future__ import annotations

import gzip
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from io import BufferedWriter, StringIO, TextIOWrapper
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING

from dovetail.cli.output import MESSAGES, STANDARD_OUTPUT, NamedFile, complain
from dovetail.errors import ConfigError, how_many
from dovetail.files.writing import write_whole, writing

if TYPE_CHECKING:
    from dovetail.files.text_file import TextFile
    from dovetail.models.solution import Solution
    from dovetail.models.task import Puzzle
    from dovetail.puzzles.formats.base import SolutionWriter


class SolutionStream:
    """A stream of solutions with a head before the first solution and a tail after the last."""

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
        """Write the head if a file may have no solutions; return whether the head is written."""
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

    The suffix of `output` decides the format. A terminal gets colours. Raises `ConfigError` for an
    unknown suffix, and `PuzzleError` if the format does not support the puzzle.
    """
    from dovetail.puzzles.formats.registry import solution_writer
    from dovetail.reports.pictures.text import PLAIN, painted_writer, terminal_paint
    from dovetail.reports.solution_file import solutions_writer

    if output is not None:
        return solutions_writer(output, puzzle, source)
    paint = terminal_paint()
    return solution_writer(".txt", puzzle) if paint is PLAIN else painted_writer(puzzle, paint)


def source_to_extend(file: TextFile | None, output: Path) -> TextFile | None:
    """Return the file of the puzzle if a file of solutions repeats it, with the solutions added.

    Raises `ConfigError` if `output` is the file of the puzzle and its format does not hold
    solutions.
    """
    from dovetail.puzzles.formats.registry import extends

    if file is not None and extends(output.suffix, file):
        return file
    check_differs(output, file)
    return None


def check_differs(output: Path, source: TextFile | None) -> None:
    """Raise `ConfigError` if `output` is the file of the puzzle."""
    if source is not None and _same_file(output, source.path):
        raise ConfigError(f"{output} is the file of the puzzle; expected another file")


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
        stream = TextIOWrapper(BufferedWriter(_opened(output)), encoding)
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
