"""Whether a file of solutions is the output of a solver, and of which sort."""

from __future__ import annotations

import re

from dovetail.files.text_file import TextFile
from dovetail.models.packing import PackingPuzzle
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.solver_output.arrays import Arrays
from dovetail.puzzles.formats.solver_output.instantiations import Instantiations
from dovetail.puzzles.formats.solver_output.literals import Literals
from dovetail.puzzles.formats.solver_output.options import SolverOutput

_REMARK = re.compile(r"\s*(#.*|%.*|c(\s.*)?|o\s.*)?")
_STATUS = re.compile(r"s (SATISFIABLE|UNSATISFIABLE|OPTIMUM FOUND|UNKNOWN)\s*")
_VALUES = re.compile(r"v(\s+[+-]?x?[0-9]+)+\s*")
_ARRAY = re.compile(r"x\s*=\s*(\[|array1d\()|-{10}\s*$|={5,}")


def solver_output(file: TextFile, puzzle: Puzzle | None = None) -> SolverOutput | None:
    """Return what reads `file` if it is a solver's, else None: by its first line but remarks.

    It may also be a file of drawings where there is a `puzzle`.
    """
    if Instantiations.recognises(file):
        return Instantiations()
    first = next((line for line in file.lines if not _REMARK.fullmatch(line)), "")
    if _STATUS.fullmatch(first) or (_VALUES.fullmatch(first) and not _has_piece_v(puzzle)):
        return Literals()
    return Arrays() if _ARRAY.match(first) else None


def _has_piece_v(puzzle: Puzzle | None) -> bool:
    """Whether the first row of a drawing may begin with the letter that marks values."""
    return isinstance(puzzle, PackingPuzzle) and any(piece.name == "v" for piece in puzzle.pieces)
