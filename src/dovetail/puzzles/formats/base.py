"""The base class of file formats, and the content of a file: puzzles, solutions or boards.

A format is a subclass of `Format` that `registry` lists, or that an entry point of another
distribution names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from dovetail.errors import PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.boards.edges import VARIANTS, EdgePuzzle
from dovetail.models.cover import CoverProblem
from dovetail.models.solution import EdgeSolution, Solution
from dovetail.models.task import Puzzle, as_cover

if TYPE_CHECKING:
    from dovetail.models.boards.partial_board import PartialBoard
    from dovetail.models.formulations.registry import Supported

Part = TypeVar("Part")


@dataclass(frozen=True)
class Document:
    """Content of a file.

    A part may be read only on access, which then raises `FormatError` for a mistake.
    """

    # The puzzles in the file, or the single puzzle to which its solutions and boards belong.
    puzzles: Sequence[Any]
    # The solutions, each with the line in which it begins; None in a file of puzzles.
    solutions: Iterable[tuple[int, Solution]] | None = None
    # The boards, each with the line in which it begins; None in a file of puzzles. Cells may be
    # empty, and edges need not match.
    boards: Iterable[tuple[int, PartialBoard]] | None = None
    # The formulation of the puzzle in a file to write, if the format has `formulations`.
    formulation: str = "cover"
    # Search annotation of a MiniZinc model: variables to branch on, and the rule that picks them.
    search: tuple[str, str] | None = None


class SolutionWriter(Protocol):
    """Writer of the parts of a file of solutions."""

    @property
    def head(self) -> str:
        """Beginning of the file, before the first solution."""

    @property
    def one(self) -> Callable[[int, Solution], str]:
        """Function that returns the text of a solution, given its number from 1."""

    @property
    def tail(self) -> str:
        """End of the file after the solutions written so far, requested last.

        Raises `PuzzleError` if there is no solution, unless `may_be_empty`.
        """

    @property
    def left_out(self) -> int:
        """Number of solutions that `one` left out, since the file had reached its limit."""

    @property
    def may_be_empty(self) -> bool:
        """Whether a file without a solution is valid."""


@dataclass(frozen=True)
class UnboundedWriter:
    """A `SolutionWriter` without a limit on the number of solutions."""

    head: str
    one: Callable[[int, Solution], str]
    tail: str = ""
    left_out: int = 0
    may_be_empty: bool = True


def solutions_text(writer: SolutionWriter, solutions: Iterable[Solution], first: int = 1) -> str:
    """Return the content of a file with `solutions`, which are numbered from `first`."""
    texts = [writer.one(number, solution) for number, solution in enumerate(solutions, first)]
    return "".join([writer.head, *texts, writer.tail])


class Format:
    """A file format of puzzles, of solutions, of boards, or of several of them.

    Formats override the methods for the parts that their files hold: for puzzles `read_puzzle` and
    `write_puzzle`, or `read_puzzles` and `write_puzzles` if files hold `several`.
    """

    # The name for users, a single word.
    name: str
    # Description in a few words: the content of files, such as edge matching, and their origin.
    summary: str
    # Suffixes of file names, in lower case with their dots, the usual suffix first.
    suffixes: tuple[str, ...] = ()
    # Class of the puzzles that are written; if it is `CoverProblem`, other puzzles are converted.
    # None if files hold no puzzles.
    puzzle_type: type[Any] | None = None
    # Whether files hold solutions, and whether they hold boards.
    holds_solutions: bool = False
    holds_boards: bool = False
    # Whether solutions can be written back into the file that holds their puzzle.
    extends: bool = False
    # Regular expression for the first line that is neither blank nor a comment after `#`; None if
    # that line does not identify the format.
    begins: str | None = None
    # Regular expression for another line, if files of other formats begin in the same way.
    contains: str | None = None
    # Example of the first line in messages.
    first_line: str = ""
    # Whether a file can hold more than one puzzle.
    several: bool = False
    # Whether a cover problem is read back with its symmetries.
    keeps_symmetries: bool = True
    # Formulations that files can hold, for a format that solvers read.
    formulations: Supported | None = None
    # Whether puzzles can be read. If not, a suffix does not identify the format of a file.
    readable: bool = True

    def recognise(self, file: TextFile, puzzle: Puzzle | None = None) -> bool:
        """Return True if the content of `file` can have this format.

        With `puzzle`, the file holds solutions or boards of the puzzle; otherwise it holds puzzles.
        """
        _, first = next(file.content(), (0, ""))
        if self.begins is None or not re.match(self.begins, first):
            return False
        return self.contains is None or any(re.search(self.contains, line) for line in file.lines)

    def _lacks(self, what: str) -> PuzzleError:
        return PuzzleError(f"format {self.name} ({self.summary}) {what}")

    def read(self, file: TextFile, puzzle: Puzzle | None = None) -> Document:
        """Read the puzzles in `file`, or the solutions and boards of `puzzle` if it is given.

        Raises `FormatError` at the first mistake, and for parts that the format does not hold, here
        or when the part is accessed.
        """
        with file.at(None):
            if puzzle is None:
                return Document(self.read_puzzles(file))
            boards = self.read_boards(file, puzzle) if isinstance(puzzle, EdgePuzzle) else ()
            return Document([puzzle], self.read_solutions(file, puzzle), boards)

    def read_puzzles(self, file: TextFile) -> Sequence[Any]:
        """Return the puzzles in `file`; by default, the single puzzle that `read_puzzle` returns.

        Raises `PuzzleError` at the first mistake.
        """
        return [self.read_puzzle(file)]

    def read_puzzle(self, file: TextFile) -> Puzzle:
        """Return the puzzle in `file`; if it has no name, it is named after the file.

        Raises `PuzzleError` at the first mistake.
        """
        raise self._lacks("has no puzzles")

    def read_solutions(self, file: TextFile, puzzle: Puzzle) -> Iterator[tuple[int, Solution]]:
        """Yield the solutions of `puzzle` in `file` with their lines.

        By default, the solutions are the boards in the file. Raises `FormatError` at the first
        mistake, such as an empty cell of a board.
        """
        if not (self.holds_boards and isinstance(puzzle, EdgePuzzle)):
            raise file.error(str(self._lacks(f"has no solutions of {puzzle.name}")))
        for line, board in self.read_boards(file, puzzle):
            for cell in puzzle.geometry.positions:
                if board.at(cell) is None:
                    raise file.error(
                        f"cell {cell} is empty; expected a solution of {puzzle.name}", line
                    )
            yield line, EdgeSolution(board.cells)

    def read_boards(self, file: TextFile, puzzle: EdgePuzzle) -> Iterable[tuple[int, PartialBoard]]:
        """Yield the boards of `puzzle` in `file` with their lines; by default, none.

        Raises `FormatError` at the first mistake.
        """
        return ()

    def write(self, document: Document) -> str:
        """Return the content of a file with the document's solutions, boards or puzzles.

        Boards are written if `solutions` is None, and puzzles if `boards` is None, too. Puzzles are
        converted into cover problems if the format is for cover problems.

        Raises `PuzzleError` for parts that the format does not hold or cannot express.
        """
        if document.solutions is not None:
            writer = self.solution_writer(document.puzzles[0], None)
            return solutions_text(writer, (solution for _, solution in document.solutions))
        if document.boards is not None:
            puzzle = document.puzzles[0]
            if not isinstance(puzzle, EdgePuzzle):
                raise self._lacks(f"has no boards of {puzzle.name}")
            return self.write_boards(puzzle, [board for _, board in document.boards])
        self.check_number(document.puzzles)
        return self.write_puzzles([*map(self.as_written, document.puzzles)])

    def write_puzzles(self, puzzles: Sequence[Any]) -> str:
        """Return the content of a file with `puzzles`: a single puzzle unless files hold `several`.

        Raises `PuzzleError` for puzzles that the format cannot express.
        """
        return self.write_puzzle(*puzzles)

    def write_puzzle(self, puzzle: Any) -> str:
        """Return the content of a file with `puzzle`, which is of the class `puzzle_type`.

        Raises `PuzzleError` for a puzzle that the format cannot express.
        """
        raise self._lacks("does not write puzzles")

    def write_boards(self, puzzle: EdgePuzzle, boards: Sequence[PartialBoard]) -> str:
        """Return the content of a file with `boards` of `puzzle`.

        Raises `PuzzleError` for boards that the format cannot express.
        """
        raise self._lacks("has no boards")

    def solution_writer(self, puzzle: Puzzle, source: TextFile | None) -> SolutionWriter:
        """Return a writer of solutions of `puzzle`.

        If the format `extends` files, `source` is the file to write the solutions back into, None
        for a new file. Raises `PuzzleError` for a puzzle whose solutions the format cannot express.
        """
        raise self._lacks("does not write solutions")

    def text(self, *puzzles: Puzzle, formulation: str = "cover") -> str:
        """Return the content of a file with `puzzles`; see `write`.

        `formulation` is for formats that have `formulations`.
        """
        return self.write(Document(puzzles, formulation=formulation))

    def check_number(self, puzzles: Sequence[Any]) -> None:
        """Raise `PuzzleError` for no puzzle, and for several unless files hold `several`."""
        if not puzzles:
            raise PuzzleError("no puzzles given; expected at least one")
        if len(puzzles) > 1 and not self.several:
            raise PuzzleError(
                f"a file of format {self.name} holds one puzzle, not {len(puzzles)}; "
                "choose one with FILE#N"
            )

    def is_for(self, puzzle: Puzzle) -> bool:
        """Return True if files hold puzzles of the class of `puzzle`."""
        return self.puzzle_type is not None and isinstance(puzzle, self.puzzle_type)

    def as_written(self, puzzle: Puzzle) -> Any:
        """Return `puzzle`, converted into a cover problem if the format is for cover problems.

        Raises `PuzzleError` if the format is for another class of puzzles.
        """
        if self.is_for(puzzle):
            return puzzle
        if self.puzzle_type is not CoverProblem:
            raise self._lacks(f"cannot represent {puzzle.name}")
        return as_cover(puzzle)


# Features of edge-matching puzzles that formats may lack, in words.
FEATURES = {"signed": "signed colours", **VARIANTS}


def check_plain(
    puzzle: EdgePuzzle, target: str, advice: str = "", *, lacks: Iterable[str] = FEATURES
) -> None:
    """Raise `PuzzleError` for a feature in `lacks`, which `target` does not support.

    The default is every feature: signed colours and variants. The message ends with `advice`.
    """
    given = {*["signed"] * puzzle.signed, *puzzle.variants}
    for feature in lacks:
        if feature in given:
            raise PuzzleError(f"{target} does not support {FEATURES[feature]}{advice}")


def read_each(
    file: TextFile,
    puzzle: Puzzle,
    parts: Iterable[tuple[int, Part]],
    read: Callable[[Any, Part], Solution],
) -> Iterator[tuple[int, Solution]]:
    """Yield the solutions of `puzzle` that `read` makes from parts of a file, with their lines.

    Raises `FormatError` with the line for a part that is not a solution.
    """
    for line, part in parts:
        try:
            solution = read(puzzle, part)
        except (PuzzleError, ValueError, TypeError, LookupError) as error:
            reason = str(error) if isinstance(error, PuzzleError) else "not a valid solution"
            raise file.error(f"{reason}; expected a solution of {puzzle.name}", line) from None
        yield line, solution
