"""Instantiations of XCSP3, alone or in the lines `v` of a solver.

    s SATISFIABLE
    v <instantiation>
    v <list> x[] </list>
    v <values> 0 1x2 0 </values>
    v </instantiation>

`x[]` is the whole array, `1x2` twice the value 1, `*` any value. Variables other than `x` are
passed over.

Source: F. Boussemart, C. Lecoutre, G. Audemard and C. Piette, "XCSP3: An Integrated Format for
Benchmarking Combinatorial Constrained Problems", 2020, section 2.7, and the XCSP3 Competition.
"""

from __future__ import annotations

import re
from functools import partial

from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.files.text_file import TextFile
from dovetail.files.xml_tree import Element, read_xml
from dovetail.puzzles.formats.solver_output.options import NumberedChoices, SolverOutput

MAX_VALUES = 20_000_000  # of all variables of one solution

_OTHER = range(-1, 0)  # one variable that is no option
_BEGIN, _END = "<instantiation", "</instantiation>"
# The mark of a line of values; the solver ACE prints it in colour, whether on a terminal or not.
_MARK = re.compile(r"^(\x1b\[[0-9;]*m)?v(\x1b\[0m)?(?=\s|$)", re.MULTILINE)
_VARIABLES = re.compile(r"([A-Za-z_]\w*)(?:\[([0-9]{1,9})?(?:\.\.([0-9]{1,9}))?\])?")
_VALUES = re.compile(r"([01*])(?:x([0-9]{1,9}))?")


class Instantiations(SolverOutput):
    """Solutions as values of the variables x[0], x[1], …"""

    @staticmethod
    def recognises(file: TextFile) -> bool:
        """Whether there is a solution anywhere in the file: some solvers print much around it."""
        return _BEGIN in file.text

    def choices(self, file: TextFile, count: int, /) -> NumberedChoices:
        for element in _document(file).all("instantiation"):
            yield element.line, partial(_chosen, element, count)


def _document(file: TextFile) -> Element:
    """The elements of all solutions within one, each in its line; what else a solver prints not."""
    text = _MARK.sub("", "\n".join(file.lines))
    parts, end = ["<solutions>"], 0
    while (begin := text.find(_BEGIN, end)) >= 0:
        parts.append("\n" * text.count("\n", end, begin))
        tail = text.find(_END, begin)
        if tail < 0:
            line = text.count("\n", 0, begin) + 1
            raise file.error(f"the solution does not end; expected {_END}", line)
        end = tail + len(_END)
        parts.append(text[begin:end])
    return read_xml(TextFile(file.path, "".join([*parts, "</solutions>"]).encode()))


def _chosen(element: Element, count: int) -> list[int]:
    names = " ".join(one.text for one in element.all("list")).split()
    words = " ".join(one.text for one in element.all("values")).split()
    values = _values(words)
    ranges = [_options(name, count) for name in names]
    known = sum(len(one) for one in ranges if one is not None)
    rest, unknown = len(values) - known, ranges.count(None)
    if rest < 0 or unknown > 1 or (rest and not unknown):
        raise PuzzleError(
            f"the list names {how_many(known, 'variable')} for {how_many(len(values), 'value')}"
        )
    chosen, first = set[int](), 0
    for one in ranges:
        end = first + (rest if one is None else len(one))
        if one is not None:
            chosen.update(o for o, value in zip(one, values[first:end], strict=True) if value)
        first = end
    return sorted(chosen - {*_OTHER})


def _options(name: str, count: int) -> range | None:
    """Return the options that a name in a list means; None for another array of unknown size."""
    variables = _VARIABLES.fullmatch(name)
    if variables is None:
        raise PuzzleError(f"{shorten(name)!r} is not a variable")
    array, first, last = variables.groups()
    if array != "x":
        return None if name.endswith("[]") else _OTHER
    if first is None:
        return range(count)
    end = int(last or first) + 1
    if end > count:
        raise PuzzleError(f"there is no variable {name}; the last is x[{count - 1}]")
    return range(int(first), end)


def _values(words: list[str]) -> list[bool]:
    """Return the values that words mean, `*` as false."""
    values: list[bool] = []
    for word in words:
        value = _VALUES.fullmatch(word)
        if value is None:
            raise PuzzleError(f"{shorten(word)!r} is not the value 0 or 1")
        times = int(value[2] or 1)
        if len(values) + times > MAX_VALUES:
            raise PuzzleError(f"more than {MAX_VALUES:,} values")
        values += [value[1] == "1"] * times
    return values
