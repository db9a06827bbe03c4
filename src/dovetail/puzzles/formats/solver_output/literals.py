"""Lines of literals: `v 1 -2 0` of SAT solvers and `v x1 -x2` of pseudo-Boolean solvers.

    c a comment
    s SATISFIABLE
    v 1 -2
    v 3 0

A solution of a SAT solver ends with 0, one of a pseudo-Boolean solver with its `v` lines; a line
`s` separates it from the next. Variables that a solution leaves out are false. Variables beyond
the options are auxiliary and passed over.

Source: the output formats of the SAT Competition and of the Pseudo-Boolean Competition 2012.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from dovetail.errors import PuzzleError, shorten
from dovetail.files.text_file import TextFile
from dovetail.models.solution import Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import Numbered, SolutionReader
from dovetail.puzzles.formats.solver_output.options import OptionSolutions

_LITERAL = re.compile(r"([+-]?)(x?)([1-9][0-9]{0,8})")


@dataclass
class _Literals:
    """The words of one solution, and whether a 0 has ended it."""

    line: int
    words: list[str] = field(default_factory=list)
    ended: bool = False


class Literals(SolutionReader):
    """Solutions in lines that begin with `v`."""

    def read(self, file: TextFile, puzzle: Puzzle, /) -> Numbered:
        options = OptionSolutions(puzzle)
        for one in _solutions(file):
            yield one.line, partial(_solution, options, one)


def _solutions(file: TextFile) -> Iterator[_Literals]:
    one: _Literals | None = None
    for number, line in enumerate(file.lines, start=1):
        mark, *words = line.split() or ["c"]
        if mark == "v":
            for word in words:
                one = one or _Literals(number)
                if word == "0":
                    one.ended = True
                    yield one
                    one = None
                else:
                    one.words.append(word)
        elif mark == "s":
            if one is not None:
                yield one
            one = None
        elif mark[0] not in "cdo":
            raise file.error(
                f"{shorten(line)!r}; expected lines of a solver that begin with c, o, s or v",
                number,
            )
    if one is not None:
        yield one


def _solution(options: OptionSolutions, one: _Literals) -> Solution:
    values: dict[int, bool] = {}
    for word in one.words:
        literal = _LITERAL.fullmatch(word)
        if literal is None or (one.ended and literal[2]):
            raise PuzzleError(f"{shorten(word)!r} is not a literal")
        if not (one.ended or literal[2]):
            raise PuzzleError(f"no 0 after literal {word}")
        variable, value = int(literal[3]), literal[1] != "-"
        if values.setdefault(variable, value) != value:
            raise PuzzleError(
                f"variable {variable} is both true and false; a line s separates solutions"
            )
    chosen = (variable - 1 for variable, value in values.items() if value)
    return options.solution(option for option in chosen if option < options.count)
