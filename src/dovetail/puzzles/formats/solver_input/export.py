"""Formats that puzzles are written in for solvers, and that cannot be read."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import NoReturn

from dovetail.files.text_file import TextFile
from dovetail.models.cover import CoverProblem
from dovetail.puzzles.formats.base import PuzzleFormat


class SolverInput(PuzzleFormat[CoverProblem]):
    """A format for solvers; `title` is what messages call it."""

    title: str
    writes = CoverProblem
    readable = False

    def read(self, file: TextFile) -> NoReturn:
        """Raise `FormatError`: which pieces or items the variables are is lost."""
        raise file.error(
            f"{self.title} is input for solvers, which dovetail writes and does not read; "
            "expected the puzzle that it was written from"
        )

    def write(self, puzzles: Sequence[CoverProblem]) -> str:
        (problem,) = puzzles
        return "\n".join(self.lines(problem)) + "\n"

    @abstractmethod
    def lines(self, problem: CoverProblem) -> list[str]:
        """Return the lines of a file; raises `PuzzleError` for what the format cannot express."""
