"""A run of a program as a search, and the parser of its output.

A program may print lines of JSON:

    {"solution": [0, 5, 9]}       options by number, from 0
    {"nodes": 7, "time_s": 0.1}   further figures
    {"count": 92}                 the number of solutions

With the setting solutions=printed, the program prints solutions as solvers do for the formats of
`puzzles.formats.solver_files.solver_input` and MiniZinc.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from dovetail.backends.base import Budget
from dovetail.backends.command.config import CommandConfig, with_python, write_files
from dovetail.backends.threaded import Deadline, ThreadedSearch
from dovetail.errors import DovetailError, reason_of, shorten
from dovetail.files.text_file import TextFile
from dovetail.models.outcome import Counters, Status
from dovetail.models.task import Task
from dovetail.platform.processes import ProcessGroup
from dovetail.platform.system import IS_LINUX, refusal
from dovetail.printable import printable
from dovetail.process_end import describe_end
from dovetail.puzzles.formats.solver_files.solver_output import solver_output

VARIABLE = "DOVETAIL_ALLOW_COMMANDS"
GRANTED = "1"
NEEDS_PERMISSION = f"it runs a program, which needs {VARIABLE}={GRANTED} (--allow-commands)"
LONGEST_LINE_BYTES = 2**26  # largest size of a line of output
LAST_WORDS_BYTES = 4096


def allow_commands() -> None:
    """Let searches of this process and of its child processes run programs."""
    os.environ[VARIABLE] = GRANTED


def commands_refusal() -> str | None:
    """Return why programs may not be run, or None if they may."""
    if not IS_LINUX:
        return refusal("running a program", "choose another backend")
    if os.environ.get(VARIABLE) == GRANTED:
        return None
    return NEEDS_PERMISSION


class ProgramError(RuntimeError):
    """Raised if a program cannot be started, fails, or prints wrong or incomplete output."""


def find_program(word: str) -> str | None:
    """Return the path of the program `word`, which is a path or a name; None if there is none.

    A name is looked up beside the interpreter, then on PATH.
    """
    return shutil.which(word, path=str(Path(sys.executable).parent)) or shutil.which(word)


class Program:
    """A process whose standard output is read line by line.

    Only the last piece of the output and an incomplete line before it are held in memory. Child
    processes of the program end with the program. Raises `ProgramError` if the program cannot be
    started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.name = Path(command[0]).name
        try:
            self._processes = ProcessGroup([find_program(command[0]) or command[0], *command[1:]])
        except (OSError, ValueError) as error:  # `ValueError`: a null byte
            raise ProgramError(f"{self.name} cannot be started: {reason_of(error)}") from None
        self._last_words = b""

    @property
    def cpu_s(self) -> float:
        """Processor seconds that the program has used."""
        return self._processes.cpu_s

    @property
    def timed_out(self) -> bool:
        """True if `is_over` returned True before the program ended."""
        return self._processes.timed_out

    def lines(self, is_over: Callable[[], bool]) -> Iterator[str]:
        """Yield the lines of standard output, without their ends, until the program ends.

        Ends early, with `timed_out`, when `is_over` returns True. Raises `ProgramError` for a line
        that is too long.
        """
        pending = bytearray()
        for piece in self._pieces(is_over):
            start = len(pending)
            pending += piece
            if b"\n" in piece:
                *whole, rest = bytes(pending).split(b"\n")
                pending = bytearray(rest)
                for line in whole:
                    yield line.decode(errors="replace").rstrip("\r")
            elif start + len(piece) > LONGEST_LINE_BYTES:
                raise ProgramError(
                    f"{self.name} printed a line of more than {LONGEST_LINE_BYTES:,} bytes"
                )
        if pending:
            yield pending.decode(errors="replace")

    def check_end(self, expected: Sequence[int]) -> None:
        """Raise `ProgramError` unless the program ended with an `expected` exit status."""
        status = self._processes.wait()
        if status in expected:
            return
        raise ProgramError(f"{self.name} {describe_end(status, self._last_words)}")

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        """Kill the program and its child processes."""
        self._processes.end()

    def _pieces(self, is_over: Callable[[], bool]) -> Iterator[bytes]:
        """Yield pieces of standard output; store the end of standard error."""
        for is_output, piece in self._processes.printed(is_over):
            if is_output:
                yield piece
            else:
                self._last_words = (self._last_words + piece)[-LAST_WORDS_BYTES:]


VERSION_TIMEOUT_S = 10.0
_DIGITS = 16  # number of hexadecimal digits of a digest
MAX_FIGURES = 100
Figure = int | float
# Line that ends a solution printed by MiniZinc, a SAT solver or a solver of XCSP3.
_END = re.compile(r"-{10}\s*|v(\s.*)?\s0\s*|.*</instantiation>.*")
# Line by which MiniZinc, a SAT solver or a solver of XCSP3 says that no solutions are left.
_COMPLETE = re.compile(r"={10}\s*|={5}UNSATISFIABLE={5}\s*|s UNSATISFIABLE\s*|d COMPLETE .*")
_SOLUTION, _COUNT, NODES = "solution", "count", "nodes"
_OUTPUT = Path("output")  # name of the output in messages


def identity(definition: CommandConfig) -> dict[str, str]:
    """Return `sha256` and `version` of a program, as far as they are known, for records.

    `sha256` has the first digits of a digest of the program and of all files among the other words
    of the command. `version` is the first line with text that the command for the version prints.
    """
    found = {}
    digest = _digest(definition.command)
    if digest is not None:
        found["sha256"] = digest
    if definition.version:
        found["version"] = _version(with_python(definition.version))
    return found


def _digest(command: tuple[str, ...]) -> str | None:
    first, *others = command
    paths = [find_program(first), *others]
    # `Path.is_file` would raise an error for a word that is too long for a path
    files = [Path(path) for path in paths if path is not None and os.path.isfile(path)]
    if not files:
        return None
    digest = hashlib.sha256()
    for path in files:
        with suppress(OSError):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:_DIGITS]


def _version(command: list[str]) -> str:
    """Return the first non-empty line that a command prints, "unknown", or an error message."""
    until = time.monotonic() + VERSION_TIMEOUT_S
    try:
        with Program(command) as program:
            lines = program.lines(lambda: time.monotonic() >= until)
            return shorten(next((line.strip() for line in lines if line.strip()), "unknown"))
    except ProgramError as error:
        return str(error)


@dataclass
class Answers:
    """Parser of a program's output, and the answers read so far."""

    option_count: int  # number of options of the task, of which solutions consist
    count_pattern: re.Pattern[str] | None = None
    figure_patterns: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    printed: bool = False  # True to read solutions as solvers print them
    reads_json: bool = False  # True to read lines of JSON
    count: int | None = None  # number of solutions that the program has printed
    figures: dict[str, Figure] = field(default_factory=dict)
    is_complete: bool = False  # True once the program has printed a count or the end of its list
    _lines: list[str] = field(default_factory=list)  # lines of a solution without its end

    def add(self, line: str) -> Iterable[list[int]]:
        """Read a line; return the solutions that the line completes, each as the options chosen.

        Raises `ProgramError` for a line with an invalid count, figure or solution.
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
        """Read a line of a printed solution; skip text before a solution."""
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
        if isinstance(value, list) and all(type(n) is int and 0 <= n < count for n in value):
            return value
        shown = shorten(printable(str(value)))
        raise ProgramError(f"solution {shown} is not a list of options from 0 to {count - 1}")


def _first_group(pattern: re.Pattern[str], line: str) -> str | None:
    """Return the first group of a pattern's first match in a line, or None without a match."""
    found = pattern.search(line)
    return None if found is None else found[1]


def _begins_solution(line: str) -> bool:
    try:
        return solver_output(TextFile(_OUTPUT, line.encode())) is not None
    except DovetailError:
        return False


def _whole(text: str) -> int:
    """Return a number of solutions from a text that may have marks between thousands."""
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
        raise ProgramError(f"figure {shorten(text)!r} is not a number") from None
    if not math.isfinite(figure):
        raise ProgramError(f"figure {text} is not a finite number")
    return figure


class CommandSearch(ThreadedSearch):
    """A run of a program as a search. The files are written when the object is made.

    The count, and the solutions if the program lists solutions, are read from the output.
    """

    def __init__(self, task: Task, definition: CommandConfig) -> None:
        super().__init__()
        self._definition = definition
        self._folder = TemporaryDirectory(prefix="dovetail-", ignore_cleanup_errors=True)
        folder = Path(self._folder.name)
        self._command = write_files(
            definition.command, task, definition.formulation, folder, definition.search
        )
        patterns = dict(figure.split("=", 1) for figure in definition.figures)
        self._answers = Answers(
            task.options.option_count,
            re.compile(definition.count) if definition.count else None,
            {name: re.compile(pattern) for name, pattern in patterns.items()},
            printed=definition.solutions == "printed",
            reads_json=definition.solutions == "json" or not (definition.lists or definition.count),
        )
        self._identity = identity(definition)
        self._program: Program | None = None
        self._over = False
        self._failure: str | None = None

    @property
    def counters(self) -> Counters:
        figures = dict(self._answers.figures)
        nodes = figures.pop(NODES, None) if self._definition.node_meaning else None
        counted = nodes if isinstance(nodes, int) and nodes >= 0 else None
        return Counters(counted, native=figures)

    @property
    def program(self) -> Mapping[str, str]:
        return self._identity

    @property
    def counts_only(self) -> bool:
        return not self._definition.lists

    @property
    def total(self) -> int | None:
        return self._answers.count if self._over and self.counts_only else None

    @property
    def count(self) -> int:
        stated = self._answers.count if self._over else None
        return self.found.count if stated is None else stated

    @property
    def reason(self) -> str | None:
        if self._failure is not None:
            return self._failure
        if self._definition.probable and self._over:
            return "probable: the program counts wrongly with a small probability"
        return None

    @property
    def processes_cpu_s(self) -> float:
        return 0.0 if self._program is None else self._program.cpu_s

    def advance(self, budget: Budget) -> Status | None:
        if budget.solutions == 0 and not self.counts_only:
            return Status.SOLUTION_LIMIT
        deadline = self.deadline(budget)
        try:
            with Program(self._command) as self._program:
                return self._read(self._program, deadline, budget.solutions)
        except ProgramError as error:
            self._failure = str(error)
            return Status.FAILED
        finally:
            self._folder.cleanup()

    def _read(self, program: Program, deadline: Deadline, wanted: int | None) -> Status:
        """Read the output until the program ends, the time is over or enough solutions are found.

        Returns why the reading ended. Raises `ProgramError` if the program fails, if its output
        lacks the number of nodes that `node_meaning` requires, or if its output has neither a count
        nor the statement that all solutions are found.
        """
        for line in program.lines(lambda: deadline.is_over):
            if self._found_enough(self._answers.add(line), wanted):
                return Status.SOLUTION_LIMIT
        if program.timed_out:
            return Status.TIME_LIMIT
        program.check_end([int(status) for status in self._definition.exit_statuses])
        if self._found_enough(self._answers.finish(), wanted):
            return Status.SOLUTION_LIMIT
        if self._definition.node_meaning and self.counters.nodes is None:
            lacking = f"printed no whole number of {NODES}, which node_meaning requires"
            raise ProgramError(f"{program.name} {lacking}")
        if not self._answers.is_complete:
            raise ProgramError(f"{program.name} {self._lacking()}")
        self._over = True
        return Status.EXHAUSTED

    def _lacking(self) -> str:
        """Return the part of a message that tells what the output of the program lacks."""
        if self._definition.solutions == "printed":
            return "printed neither a count nor the end of the search (==========, s UNSATISFIABLE)"
        return "printed no count"

    def _found_enough(self, solutions: Iterable[list[int]], wanted: int | None) -> bool:
        """Add solutions; return whether the wanted number is reached."""
        if self.counts_only:
            return False
        for options in solutions:
            self.found.add(options, is_last=self.found.count + 1 == wanted)
            if self.found.count == wanted:
                return True
        return False
