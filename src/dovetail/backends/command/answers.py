"""What the lines of a program say: how many solutions there are, which, and its own figures.

Lines of JSON are those of a program that lists its solutions so, or whose count has no pattern.

    {"solution": [0, 5, 9]}       options by number, from 0
    {"nodes": 7, "time_s": 0.1}   figures of its own
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
from dovetail.puzzles.formats.solver_output.recognition import solver_output

MAX_FIGURES = 100
Figure = int | float
# A line that ends a printed solution: of MiniZinc, of SAT solvers, of XCSP3.
_END = re.compile(r"-{10}\s*|v(\s.*)?\s0\s*|.*</instantiation>.*")
_SOLUTION, _COUNT = "solution", "count"


@dataclass
class Answers:
    """What has been read so far.

    `count` is what the program says, None if it has said nothing; the solutions among
    `option_count` options are taken by whoever adds lines.
    """

    option_count: int
    count_pattern: re.Pattern[str] | None = None
    figure_patterns: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    printed: bool = False
    reads_json: bool = False
    count: int | None = None
    figures: dict[str, Figure] = field(default_factory=dict)
    _lines: list[str] = field(default_factory=list)

    def add(self, line: str) -> Iterable[list[int]]:
        """Read a line; returns the solutions that it completes, as options chosen.

        Raises `ProgramError` for what is no answer.
        """
        self._add_matches(line)
        if self.printed:
            self._lines.append(line)
            return self._printed_solutions() if _END.fullmatch(line) else ()
        return self._add_json(line) if self.reads_json and line.startswith("{") else ()

    def finish(self) -> Iterable[list[int]]:
        """Return the solutions that the last lines complete."""
        return self._printed_solutions() if self.printed else ()

    def _add_matches(self, line: str) -> None:
        if self.count_pattern is not None and (found := self.count_pattern.search(line)):
            self.count = _whole(found[1])
        for name, pattern in self.figure_patterns.items():
            if found := pattern.search(line):
                self.figures[name] = _figure(found[1])

    def _printed_solutions(self) -> list[list[int]]:
        text = "\n".join(self._lines)
        self._lines.clear()
        file = TextFile(Path("output"), text.encode())
        try:
            reader = solver_output(file)
            if reader is None:
                return []
            return [chosen() for _, chosen in reader.choices(file, self.option_count)]
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
                self.count = _whole(str(value))
            elif type(value) in (int, float) and len(self.figures) < MAX_FIGURES:
                self.figures[shorten(name)] = _figure(str(value))
        return solutions

    def _options(self, value: object) -> list[int]:
        count = self.option_count
        if isinstance(value, list) and all(type(one) is int and 0 <= one < count for one in value):
            return value
        raise ProgramError(
            f"solution {shorten(str(value))} is not a list of options from 0 to {count - 1}"
        )


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
