"""What file formats are: the classes that formats of puzzles and of solutions extend.

A format is one class, in a module or package of its own, and a line in a registry or an entry
point of another distribution: `registry` has those of puzzles, `solutions` those of solutions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from dovetail.errors import PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import Solution
from dovetail.models.task import Puzzle, as_cover

Numbered = Iterator[tuple[int, Callable[[], Solution]]]
AnyPuzzle = TypeVar("AnyPuzzle", PackingPuzzle, EdgePuzzle, CoverProblem)


def suffix_among(path: Path, suffixes: Iterable[str]) -> str:
    """Return the longest of some suffixes that a path has, such as `.e2.url`, else its last one."""
    name = path.name.lower()
    found = [suffix for suffix in suffixes if name.endswith(suffix)]
    return max(found, key=len, default=path.suffix)


class PuzzleFormat(ABC, Generic[AnyPuzzle]):
    """A format of puzzle files.

    A user calls it by its `name`; the `summary` says in a few words which puzzles it is for and
    where it comes from. `suffixes` are endings of file names, in lower case with their dots, the
    usual one first. `writes` is the class of puzzles that it can hold; any puzzle can be written
    as a cover problem.

    `begins` is a regular expression for the first line that is neither blank nor a comment of `#`,
    None where that line does not identify the format; `first_line` shows such a line to users.
    `contains` is one that some line of its files matches, for a format that begins as others do.
    Only where `several` is true can a file hold more than one puzzle. Where `keeps_symmetries` is
    false, a cover problem is read back without its symmetries. Where `readable` is false,
    puzzles are only written: `read` raises a `FormatError` with the reason, and a suffix does not
    identify the format of a file that is read.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]
    writes: type[AnyPuzzle]
    begins: str | None = None
    contains: str | None = None
    first_line: str = ""
    several: bool = False
    keeps_symmetries: bool = True
    readable: bool = True

    @abstractmethod
    def read(self, file: TextFile) -> tuple[AnyPuzzle, ...]:
        """Read all puzzles in `file`; raises `FormatError` at the first mistake."""

    def each(self, file: TextFile) -> Sequence[Callable[[], AnyPuzzle]]:
        """What reads each puzzle in `file`, for a caller that wants one of them.

        A format whose files may have unusable puzzles beside good ones overrides it, so that a
        mistake in one puzzle is a `FormatError` only when that one is read.
        """
        puzzles = self.read(file)
        return [partial(puzzles.__getitem__, number) for number in range(len(puzzles))]

    @abstractmethod
    def write(self, puzzles: Sequence[AnyPuzzle]) -> str:
        """Return the content of a file with `puzzles`: one, unless a file can hold several.

        Raises `PuzzleError` for what the format cannot express.
        """

    def text(self, *puzzles: Puzzle) -> str:
        """Return the content of a file with `puzzles`, as cover problems if need be.

        Raises `PuzzleError` if the format cannot hold them, or not so many.
        """
        self.check_number(puzzles)
        return self.write([self._as_written(puzzle) for puzzle in puzzles])

    def check_number(self, puzzles: Sequence[Puzzle]) -> None:
        """Raise `PuzzleError` if a file cannot hold so many puzzles."""
        if len(puzzles) > 1 and not self.several:
            raise PuzzleError(
                f"a file of format {self.name} holds one puzzle, not {len(puzzles)}; choose one "
                "with FILE#N"
            )

    def _as_written(self, puzzle: Puzzle) -> Any:
        """`puzzle` in the class that the format writes."""
        if isinstance(puzzle, self.writes):
            return puzzle
        if self.writes is not CoverProblem:
            raise PuzzleError(f"format {self.name} ({self.summary}) cannot represent {puzzle.name}")
        return as_cover(puzzle)


class SolutionWriter(Protocol):
    """The parts of a file: the head, each solution with its number from 1, the tail.

    A file that ends after any solution, its `tail` written, is whole; the tail is asked for last.
    `left_out` is how many solutions had no room. `may_be_empty` says whether a file without a
    solution means anything; the tail of another raises `PuzzleError` then.
    """

    @property
    def head(self) -> str: ...

    @property
    def one(self) -> Callable[[int, Solution], str]: ...

    @property
    def tail(self) -> str: ...

    @property
    def left_out(self) -> int: ...

    @property
    def may_be_empty(self) -> bool: ...


@dataclass(frozen=True)
class UnboundedWriter:
    """A `SolutionWriter` that has room for all solutions."""

    head: str
    one: Callable[[int, Solution], str]
    tail: str = ""
    left_out: int = 0
    may_be_empty: bool = True


class SolutionReader(ABC):
    """What reads files of solutions."""

    @abstractmethod
    def read(self, file: TextFile, puzzle: Puzzle, /) -> Numbered:
        """Yield the line in which each solution begins, and what makes the solution.

        Raises `FormatError` for a file that is not of the format. What makes a solution raises
        `PuzzleError`, `ValueError`, `TypeError` or a `LookupError` if it is none of the puzzle's.
        """


class SolutionFormat(SolutionReader):
    """A format of files of solutions: chosen by `suffix` to write, by the first line to read.

    `extends` names the format of puzzle files that solutions are written back into, if any.
    """

    suffix: str
    extends: str | None = None

    @abstractmethod
    def begins(self, first: str, puzzle: Puzzle, /) -> bool:
        """Whether a file of solutions of `puzzle` whose first line is `first` has this format."""

    @abstractmethod
    def writer(self, puzzle: Puzzle, source: TextFile | None, /) -> SolutionWriter:
        """Return what writes solutions of `puzzle`; `PuzzleError` if the format cannot hold them.

        `source` is the file to write them back into, if the format `extends` its format.
        """
