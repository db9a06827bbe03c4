"""Solutions as solvers print them for a file that dovetail wrote (see `solver_input`).

Variables are numbered as in the file that the solver was given. SAT solvers print literals; a 0
ends a solution:

    c a comment
    s SATISFIABLE
    v 1 -2
    v 3 0

Pseudo-Boolean solvers print `v x1 -x2`; a solution ends with its `v` lines, and a line `s`
separates two solutions. Variables that a solution leaves out are false. Variables beyond the
options are auxiliary and ignored. MiniZinc prints arrays of 0 and 1, or of `false` and `true`,
perhaps within `array1d`:

    x = [0, 1, 0,
    1];
    ----------
    ==========

Solvers of XCSP3 print instantiations, alone or in `v` lines. `x[]` is the whole array, `1x2` twice
the value 1, `*` any value. Variables other than `x` are ignored:

    s SATISFIABLE
    v <instantiation>
    v <list> x[] </list>
    v <values> 0 1x2 0 </values>
    v </instantiation>

Sources: the output formats of the SAT Competition and of the Pseudo-Boolean Competition 2012; the
MiniZinc Handbook, "The MiniZinc Command Line Tool" and "Solver output"; F. Boussemart,
C. Lecoutre, G. Audemard and C. Piette, "XCSP3: An Integrated Format for Benchmarking Combinatorial
Constrained Problems", 2020, section 2.7, and the XCSP3 Competition.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.files.text_file import TextFile
from dovetail.models.options.base import BareOptions, Options
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution, Solution
from dovetail.models.task import Puzzle, lower
from dovetail.models.verification.cover import CoverVerifier
from dovetail.puzzles.formats.base import Format, read_each
from dovetail.puzzles.formats.registry import recognises, registry

if TYPE_CHECKING:
    from dovetail.files.xml_tree import Element

MAX_VALUES = 20_000_000  # maximum number of values of a solution

_REMARK = re.compile(r"\s*(#.*|%.*|c(\s.*)?|o\s.*)?")
_STATUS = re.compile(r"s (SATISFIABLE|UNSATISFIABLE|OPTIMUM FOUND|UNKNOWN)\s*")
_LITERALS = re.compile(r"v(\s+[+-]?x?[0-9]+)+\s*")
_LITERAL = re.compile(r"([+-]?)(x?)([1-9][0-9]{0,8})")

_ARRAY_BEGINS = re.compile(r"x\s*=\s*(\[|array1d\()|-{10}\s*$|={5,}")
_ARRAY_STATUS = re.compile(r"-{10}|={10}|={5}[A-Z]+={5}")
_ARRAY = re.compile(r"x\s*=\s*(?:array1d\([^\[\]]*)?\[([^\[\]]*)\]\s*\)?\s*;")
_ARRAY_VALUES = {"0": False, "false": False, "1": True, "true": True}

_BEGIN, _END = "<instantiation", "</instantiation>"
# The mark of a line of values; the solver ACE prints it in colour, even without a terminal.
_MARK = re.compile(r"^(\x1b\[[0-9;]*m)?v(\x1b\[0m)?(?=\s|$)", re.MULTILINE)
_VARIABLES = re.compile(r"([A-Za-z_]\w*)(?:\[([0-9]{1,9})?(?:\.\.([0-9]{1,9}))?\])?")
_VALUES = re.compile(r"([01*])(?:x([0-9]{1,9}))?")
_OTHER = range(-1, 0)  # stands for a variable that is not an option


class SolverOutput(Format, ABC):
    """Output of solvers, which is read and never written."""

    holds_solutions = True

    @abstractmethod
    def parts(self, file: TextFile) -> Iterator[tuple[int, Any]]:
        """Yield the line in which each solution begins, and the solution as `options` takes it.

        Raises `FormatError` for a file of another format.
        """

    @abstractmethod
    def options(self, part: Any, count: int) -> list[int]:
        """Return the numbers, less than `count`, of the options that a solution chooses.

        `part` is a solution from `parts`, and `count` the number of the puzzle's options. Raises
        `PuzzleError` for a part that cannot be a solution.
        """

    def read_solutions(self, file: TextFile, puzzle: Puzzle) -> Iterator[tuple[int, Solution]]:
        options = lower(puzzle).options
        verifier = CoverVerifier(options.cover)

        def solution(_: Puzzle, part: Any) -> Solution:
            return _solution(options, verifier, sorted(self.options(part, options.option_count)))

        return read_each(file, puzzle, self.parts(file), solution)


def solver_output(file: TextFile) -> SolverOutput | None:
    """Return the format of solver output that recognises `file`; None if there is none."""
    formats = (each for each in registry().found.values() if isinstance(each, SolverOutput))
    return next((each for each in formats if recognises(each, file)), None)


def _solution(options: Options, verifier: CoverVerifier, chosen: list[int]) -> Solution:
    """Return the solution of the chosen options, right or wrong.

    Raises `PuzzleError` for a wrong choice on a board, since an `EdgeSolution` cannot have several
    tiles in a cell.
    """
    error = verifier.error_in(chosen)
    if error is None or isinstance(options, BareOptions):
        return options.solution(chosen)
    if isinstance(options, PackingOptions):
        placed = tuple(options.placed(option) for option in chosen)
        return PackingSolution(placed, options.puzzle.lattice)
    raise PuzzleError(error)


def _first_line(file: TextFile) -> str:
    """Return the first line that is neither blank nor a solver's remark; "" if there is none."""
    return next((line for line in file.lines if not _REMARK.fullmatch(line)), "")


class Literals(SolverOutput):
    """Lines of literals, which begin with `v`."""

    name = "sat-output"
    summary = "solutions: literals that SAT and pseudo-Boolean solvers print"

    def recognise(self, file: TextFile, puzzle: Puzzle | None = None) -> bool:
        """Return True if the first line is a status, or has literals and no piece is called `v`."""
        first = _first_line(file)
        if _STATUS.fullmatch(first):
            return True
        names = set[str]()
        if isinstance(puzzle, PackingPuzzle):
            names = {piece.name for piece in puzzle.pieces} | {p.name for p in puzzle.fixed}
        return bool(_LITERALS.fullmatch(first)) and "v" not in names

    def parts(self, file: TextFile) -> Iterator[tuple[int, list[str]]]:
        start, literals = 0, list[str]()
        for number, line in enumerate(file.lines, start=1):
            mark, *words = line.split() or ["c"]
            if mark == "v":
                for word in words:
                    start = start if literals else number
                    literals.append(word)
                    if word == "0":
                        yield start, literals
                        literals = []
            elif mark == "s":
                if literals:
                    yield start, literals
                literals = []
            elif mark[0] not in "cdo":
                raise file.error(
                    f"{shorten(line)!r}; expected lines that begin with c, d, o, s or v",
                    number,
                )
        if literals:
            yield start, literals

    def options(self, part: list[str], count: int) -> list[int]:
        ended = part[-1] == "0"
        values: dict[int, bool] = {}
        for word in part[:-1] if ended else part:
            literal = _LITERAL.fullmatch(word)
            if literal is None or (ended and literal[2]):
                raise PuzzleError(f"{shorten(word)!r} is not a literal")
            if not (ended or literal[2]):
                raise PuzzleError(f"no 0 after literal {word}")
            variable, value = int(literal[3]), literal[1] != "-"
            if values.setdefault(variable, value) != value:
                raise PuzzleError(
                    f"variable {variable} is both true and false; a line s separates solutions"
                )
        return [variable - 1 for variable, value in values.items() if value and variable <= count]


class Arrays(SolverOutput):
    """Values of the array `x`."""

    name = "minizinc-output"
    summary = "solutions: arrays that MiniZinc prints"

    def recognise(self, file: TextFile, puzzle: Puzzle | None = None) -> bool:
        return _ARRAY_BEGINS.match(_first_line(file)) is not None

    def parts(self, file: TextFile) -> Iterator[tuple[int, str]]:
        start, texts = 0, list[str]()
        for number, line in enumerate(file.lines, start=1):
            text = line.partition("%")[0].strip()
            if not text or (not texts and _ARRAY_STATUS.fullmatch(text)):
                continue
            start = start if texts else number
            texts.append(text)
            if text.endswith(";"):
                array = _ARRAY.fullmatch(" ".join(texts))
                texts.clear()
                if array is None:
                    raise file.error(f"{shorten(text)!r}; expected x = [0, 1, …];", start)
                yield start, array[1]
        if texts:
            raise file.error("the array does not end; expected x = [0, 1, …];", start)

    def options(self, part: str, count: int) -> list[int]:
        words = [word.strip() for word in part.split(",")] if part.strip() else []
        if len(words) != count:
            raise PuzzleError(f"the array has {how_many(len(words), 'value')} instead of {count:,}")
        bad = next((word for word in words if word not in _ARRAY_VALUES), None)
        if bad is not None:
            raise PuzzleError(f"{shorten(bad)!r} is not 0, 1, false or true")
        return [option for option, word in enumerate(words) if _ARRAY_VALUES[word]]


class Instantiations(SolverOutput):
    """Values of the variables x[0], x[1], …; solvers may print other text around them."""

    name = "xcsp3-output"
    summary = "solutions: instantiations that solvers of XCSP3 print"

    def recognise(self, file: TextFile, puzzle: Puzzle | None = None) -> bool:
        return _BEGIN in file.text

    def parts(self, file: TextFile) -> Iterator[tuple[int, Element]]:
        from dovetail.files.xml_tree import read_xml

        # Put the elements of all solutions into a root element, each on its original line.
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
        document = TextFile(file.path, "".join([*parts, "</solutions>"]).encode())
        for element in read_xml(document).all("instantiation"):
            yield element.line, element

    def options(self, part: Element, count: int) -> list[int]:
        names = " ".join(element.text for element in part.all("list")).split()
        words = " ".join(element.text for element in part.all("values")).split()
        values = _values(words)
        ranges = [_options(name, count) for name in names]
        known = sum(len(numbers) for numbers in ranges if numbers is not None)
        rest, unknown = len(values) - known, ranges.count(None)
        if rest < 0 or unknown > 1 or (rest and not unknown):
            raise PuzzleError(
                f"the list names {how_many(known, 'variable')} for {how_many(len(values), 'value')}"
            )
        chosen, first = set[int](), 0
        for numbers in ranges:
            if numbers is None:
                first += rest
                continue
            here = values[first : first + len(numbers)]
            chosen.update(n for n, value in zip(numbers, here, strict=True) if value)
            first += len(numbers)
        return sorted(chosen - {*_OTHER})


def _options(name: str, count: int) -> range | None:
    """Return the options that a name in a list stands for.

    Returns None for a whole array other than x, and `_OTHER` for another variable that is not in x.
    Raises `PuzzleError` for a text that is no name, and for an index beyond the array x.
    """
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
    """Return the values that words stand for: `*` is false, and `1x2` is twice the value 1."""
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
