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
from dovetail.puzzles.formats.solver_output.options import NumberedChoices, SolverOutput

_STATUS = re.compile(r"-{10}|={10}|={5}[A-Z]+={5}")
_ARRAY = re.compile(r"x\s*=\s*(?:array1d\([^\[\]]*)?\[([^\[\]]*)\]\s*\)?\s*;")
_VALUES = {"0": False, "false": False, "1": True, "true": True}


class Arrays(SolverOutput):
    """Solutions as values of the array `x`."""

    def choices(self, file: TextFile, count: int, /) -> NumberedChoices:
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
                yield start, partial(_chosen, array[1], count)
        if parts:
            raise file.error("the array does not end; expected x = [0, 1, …];", start)


def _chosen(text: str, count: int) -> list[int]:
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    if len(words) != count:
        raise PuzzleError(f"the array has {how_many(len(words), 'value')} instead of {count:,}")
    bad = next((word for word in words if word not in _VALUES), None)
    if bad is not None:
        raise PuzzleError(f"{shorten(bad)!r} is not 0, 1, false or true")
    return [option for option, word in enumerate(words) if _VALUES[word]]
