"""Formats that puzzles are written in for solvers, and that cannot be read."""

from __future__ import annotations

from abc import abstractmethod
from typing import NoReturn

from dovetail.files.text_file import TextFile
from dovetail.models.boolean_model import BooleanModel, ModelName, boolean_model
from dovetail.models.cover import CoverProblem
from dovetail.models.options.base import Options
from dovetail.models.task import Puzzle, lower
from dovetail.printable import printable
from dovetail.puzzles.formats.base import Document, Format


class SolverInput(Format):
    """A format for solvers; `title` is what messages call it."""

    title: str
    puzzle_type = CoverProblem
    readable = False

    def read(self, file: TextFile, puzzle: Puzzle | None = None) -> NoReturn:
        """Raise `FormatError`: which pieces or items the variables are is lost."""
        raise file.error(
            f"{self.title} is input for solvers, which dovetail writes and does not read; "
            "expected the puzzle that it was written from"
        )

    def write(self, document: Document) -> str:
        return self.text(*document.puzzles)

    def text(self, *puzzles: Puzzle, model: ModelName = "cover") -> str:
        """Return the content of a file with a model of a puzzle.

        Raises `PuzzleError` for several puzzles, and for a puzzle without such a model.
        """
        self.check_number(puzzles)
        return self.options_text(lower(puzzles[0]).options, model)

    def options_text(self, options: Options, model: ModelName) -> str:
        """Return the content of a file with a model of what `options` make."""
        return "\n".join(self.lines(options.cover, boolean_model(options, model))) + "\n"

    @abstractmethod
    def lines(self, problem: CoverProblem, model: BooleanModel) -> list[str]:
        """Return the lines of a file with a model, whose options are those of the problem.

        Raises `PuzzleError` for what the format cannot express.
        """


def option_text(problem: CoverProblem, option: int) -> str:
    """Return the items of an option, with their colours, in one printable line."""
    words = (
        member if isinstance(member, str) else f"{member[0]}:{member[1]}"
        for member in problem.members(option)
    )
    return printable(" ".join(words))
