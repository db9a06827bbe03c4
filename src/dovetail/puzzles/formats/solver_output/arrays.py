"""Arrays that MiniZinc prints, one for each solution.

    x = [0, 1, 0,
    1];
    ----------
    ==========

Values are 0 and 1, or `false` and `true`, and the array may be within `array1d`.

Source: the MiniZinc Handbook, "The MiniZinc Command Line Tool" and "Solver output".
"""

from __future__ import annotations

import re
from functools import partial

from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.files.text_file import TextFile
from dovetail.models.solution import Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import Numbered, SolutionReader
from dovetail.puzzles.formats.solver_output.options import OptionSolutions

_STATUS = re.compile(r"-{10}|={10}|={5}[A-Z]+={5}")
_ARRAY = re.compile(r"x\s*=\s*(?:array1d\([^\[\]]*)?\[([^\[\]]*)\]\s*\)?\s*;")
_VALUES = {"0": False, "false": False, "1": True, "true": True}


class Arrays(SolutionReader):
    """Solutions as values of the array `x`."""

    def read(self, file: TextFile, puzzle: Puzzle, /) -> Numbered:
        options = OptionSolutions(puzzle)
        start, parts = 0, list[str]()
        for number, line in enumerate(file.lines, start=1):
            text = line.partition("%")[0].strip()
            if not text or (not parts and _STATUS.fullmatch(text)):
                continue
            start = start if parts else number
            parts.append(text)
            if text.endswith(";"):
                array = _ARRAY.fullmatch(" ".join(parts))
                parts.clear()
                if array is None:
                    raise file.error(f"{shorten(text)!r}; expected x = [0, 1, …];", start)
                yield start, partial(_solution, options, array[1])
        if parts:
            raise file.error("the array does not end; expected x = [0, 1, …];", start)


def _solution(options: OptionSolutions, text: str) -> Solution:
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    if len(words) != options.count:
        raise PuzzleError(
            f"the array has {how_many(len(words), 'value')} instead of {options.count:,}"
        )
    bad = next((word for word in words if word not in _VALUES), None)
    if bad is not None:
        raise PuzzleError(f"{shorten(bad)!r} is not 0, 1, false or true")
    return options.solution(option for option, word in enumerate(words) if _VALUES[word])
