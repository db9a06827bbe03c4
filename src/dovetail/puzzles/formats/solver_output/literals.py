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
from dovetail.puzzles.formats.solver_output.options import NumberedChoices, SolverOutput

_LITERAL = re.compile(r"([+-]?)(x?)([1-9][0-9]{0,8})")


@dataclass
class _Literals:
    """The words of one solution, and whether a 0 has ended it."""

    line: int
    words: list[str] = field(default_factory=list)
    ended: bool = False


class Literals(SolverOutput):
    """Solutions in lines that begin with `v`."""

    def choices(self, file: TextFile, count: int, /) -> NumberedChoices:
        for one in _solutions(file):
            yield one.line, partial(_chosen, one, count)


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


def _chosen(one: _Literals, count: int) -> list[int]:
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
    return [variable - 1 for variable, value in values.items() if value and variable <= count]
