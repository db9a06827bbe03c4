"""Parse a program's output: how many solutions there are, which, and its own figures.

Lines of JSON are those of a program that lists its solutions so, or whose count has no pattern.

    {"solution": [0, 5, 9]}       options by number, from 0
    {"nodes": 7, "time_s": 0.1}   further figures
    {"count": 92}                 the number of solutions

With `printed`, solutions are as solvers print them for files of `formats.solver_input`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dovetail.backends.command.program import ProgramError
from dovetail.errors import DovetailError, shorten
from dovetail.files.text_file import TextFile
from dovetail.printable import printable
from dovetail.puzzles.formats.solver_output import solver_output

MAX_FIGURES = 100
Figure = int | float
# A line that ends a printed solution: of MiniZinc, of SAT solvers, of XCSP3.
_END = re.compile(r"-{10}\s*|v(\s.*)?\s0\s*|.*</instantiation>.*")
# A line that says that there are no more solutions: of MiniZinc, of SAT solvers, of XCSP3.
_COMPLETE = re.compile(r"={10}\s*|={5}UNSATISFIABLE={5}\s*|s UNSATISFIABLE\s*|d COMPLETE .*")
_SOLUTION, _COUNT = "solution", "count"
_OUTPUT = Path("output")  # what messages call it


@dataclass
class Answers:
    """What has been read so far.

    `count` is what the program says, None if it has said nothing; the solutions among
    `option_count` options are taken by whoever adds lines. `is_complete` if the program has said
    how many solutions there are, or that it has printed all.
    """

    option_count: int
    count_pattern: re.Pattern[str] | None = None
    figure_patterns: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    printed: bool = False
    reads_json: bool = False
    count: int | None = None
    figures: dict[str, Figure] = field(default_factory=dict)
    is_complete: bool = False
    _lines: list[str] = field(default_factory=list)

    def add(self, line: str) -> Iterable[list[int]]:
        """Read a line; returns the solutions that it completes, as options chosen.

        Raises `ProgramError` for what is no answer.
        """
        self._add_matches(line)
        if self.printed:
            return self._add_printed(line)
        is_json = self.reads_json and line.lstrip().startswith("{")
        return self._add_json(line) if is_json else ()

    def finish(self) -> Iterable[list[int]]:
        """Return the solutions that the last lines complete."""
        return self._printed_solutions() if self.printed else ()

    def _add_matches(self, line: str) -> None:
        if self.count_pattern is not None:
            count = _first_group(self.count_pattern, line)
            if count is not None:
                self._take_count(count)
        for name, pattern in self.figure_patterns.items():
            figure = _first_group(pattern, line)
            if figure is not None:
                self.figures[name] = _figure(figure)

    def _take_count(self, text: str) -> None:
        self.count, self.is_complete = _whole(text), True

    def _add_printed(self, line: str) -> list[list[int]]:
        """Read a line of a solution; what stands before one is passed over."""
        self.is_complete |= _COMPLETE.fullmatch(line) is not None
        if not self._lines and not _begins_solution(line):
            return []
        self._lines.append(line)
        return self._printed_solutions() if _END.fullmatch(line) else []

    def _printed_solutions(self) -> list[list[int]]:
        text = "\n".join(self._lines)
        self._lines.clear()
        try:
            file = TextFile(_OUTPUT, text.encode())
            reader = solver_output(file)
            if reader is None:
                return []
            return [reader.options(part, self.option_count) for _, part in reader.parts(file)]
        except DovetailError as error:
            raise ProgramError(f"a solution cannot be read: {error}") from None

    def _add_json(self, line: str) -> list[list[int]]:
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):
            raise ProgramError(f"{shorten(line)!r} is not a line of JSON") from None
        solutions = []
        for name, value in values.items():
            if name == _SOLUTION:
                solutions.append(self._options(value))
            elif name == _COUNT:
                self._take_count(str(value))
            elif type(value) in (int, float) and len(self.figures) < MAX_FIGURES:
                self.figures[printable(shorten(name))] = _figure(str(value))
        return solutions

    def _options(self, value: object) -> list[int]:
        count = self.option_count
        if isinstance(value, list) and all(type(one) is int and 0 <= one < count for one in value):
            return value
        shown = shorten(printable(str(value)))
        raise ProgramError(f"solution {shown} is not a list of options from 0 to {count - 1}")


def _first_group(pattern: re.Pattern[str], line: str) -> str | None:
    """Return what the first group of a pattern matches in a line; None if it matches nothing."""
    found = pattern.search(line)
    return None if found is None else found[1]


def _begins_solution(line: str) -> bool:
    try:
        return solver_output(TextFile(_OUTPUT, line.encode())) is not None
    except DovetailError:
        return False


def _whole(text: str) -> int:
    """Return a number of solutions, with or without marks between thousands."""
    digits = re.sub(r"[,_' ]", "", text.strip())
    if not re.fullmatch(r"[0-9]{1,4000}", digits):
        raise ProgramError(f"{shorten(text)!r} is not a number of solutions")
    return int(digits)


def _figure(text: str) -> Figure:
    if re.fullmatch(r"-?[0-9]{1,18}", text):
        return int(text)
    try:
        figure = float(text)
    except ValueError:
        raise ProgramError(f"{shorten(text)!r} is not a figure") from None
    if not math.isfinite(figure):
        raise ProgramError(f"the figure {text} is not a number")
    return figure
