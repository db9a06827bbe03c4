"""The settings that define a program, and the files with the puzzle that its command names.

Examples of commands, each with the content of its file:

    ["./mine", "{dlx}"]                  Knuth's exact-cover text ["minizinc", "-a", "{mzn}"] a
    MiniZinc model ["{python}", "-m", "mine", "{cnf}"]  DIMACS CNF, for a module run by dovetail's
    interpreter

A file in a format of cover problems has the options of the task, numbered as in the task. Formats
for solvers also have other formulations of a task. A file in any other format has the whole puzzle.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dovetail.backends.base import PLACEMENT_MADE, PLACEMENT_TRIED, Config, setting
from dovetail.errors import ConfigError, shorten, unknown_name
from dovetail.models.cover import CoverProblem
from dovetail.models.formulations.model import BranchingKind
from dovetail.models.formulations.registry import ON_MEANING, Supported
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.task import Task
from dovetail.printable import is_printable
from dovetail.puzzles.formats.base import Document
from dovetail.puzzles.formats.registry import format_to_write, puzzle_formats

PYTHON = "python"
_PLACEHOLDER = re.compile(r"\{([a-z0-9]+)\}")
COMMAND = "command"
MAX_EXIT_STATUS = 255
COVER = "cover"
Branching = Literal["default", "input_order", "first_fail", "dom_w_deg", "smallest"]
BRANCHING_MEANING = (
    "MiniZinc's rule for the next variable in {mzn}: input_order takes the first, first_fail the "
    "smallest domain, dom_w_deg the smallest domain weighted by failures, smallest the smallest "
    "value. default leaves the choice to the solver."
)
FEATURES = ("bounds", "colours", "secondary")


def check_command(command: tuple[str, ...], formulation: str) -> None:
    """Raise `ConfigError` for a command that names no file with the puzzle in the formulation.

    An unknown word in braces, and a formulation that a file of the command does not support, raise
    `ConfigError` too. An empty command is accepted.
    """
    valid = {PYTHON, *(suffix[1:] for fmt in puzzle_formats().values() for suffix in fmt.suffixes)}
    for name in _names(command):
        if name not in valid:
            raise unknown_name("placeholder", name, valid)
    if command and not _suffixes(command):
        raise ConfigError(
            f"command {shorten(' '.join(command))!r} has no file with the puzzle; expected a word "
            "such as {dlx}, {cnf}, {opb}, {mzn}, {xml}, {def} or {json}"
        )
    formats = solver_inputs(command)
    if command and formulation != COVER and not formats:
        raise ConfigError(
            f"command {shorten(' '.join(command))!r} has no file with formulation {formulation}; "
            "expected {cnf}, {opb}, {mzn} or {xml}"
        )
    for supported in formats:
        if formulation not in supported.names:
            raise unknown_name("formulation", formulation, supported.names)


def solver_inputs(command: tuple[str, ...]) -> list[Supported]:
    """Return the formulations of each file that a command names, if its format is for solvers."""
    return [
        each.formulations
        for suffix in _suffixes(command)
        for each in puzzle_formats().values()
        if each.formulations is not None and f".{suffix}" in each.suffixes
    ]


def formulation_refusal(command: tuple[str, ...], task: Task, formulation: str) -> str | None:
    """Return why some file of a command cannot state a task in a formulation, or None."""
    reasons = (each.refuses(formulation, task.options) for each in solver_inputs(command))
    return next(filter(None, reasons), None)


def puzzle_refusal(command: tuple[str, ...], task: Task, *, lists: bool) -> str | None:
    """Return why the files of a command cannot hold a task, or None.

    If the program `lists` solutions, all files must be in formats of cover problems, because only
    these number the options.
    """
    for suffix in _suffixes(command):
        chosen = format_to_write(Path(f"puzzle.{suffix}"), task.puzzle)
        if chosen.puzzle_type is CoverProblem:
            if suffix == "dlx" and task.cover.primary_count == 0:
                return "Knuth's format does not support problems without primary items"
            continue
        if not chosen.is_for(task.puzzle):
            return f"format {chosen.name} ({chosen.summary}) cannot represent the puzzle"
        if lists:
            return f"format {chosen.name} does not number options, so solutions cannot be read"
        if task.reduced is not None or task.labelling is not None or _copies_differ(task):
            return (
                f"format {chosen.name} has the whole puzzle; expected no reductions, no "
                "sub-problems and no labels"
            )
    return None


def _copies_differ(task: Task) -> bool:
    """Return whether the request distinguishes copies of a piece, or interchangeable pieces."""
    puzzle = task.puzzle
    if not task.request.labelled or not isinstance(puzzle, PackingPuzzle):
        return False
    equal = puzzle.interchangeable and puzzle.has_equal_pieces
    return equal or any(piece.max_count > 1 for piece in puzzle.pieces)


def write_files(
    command: tuple[str, ...],
    task: Task,
    formulation: str,
    folder: Path,
    search: tuple[str, str] | None = None,
) -> list[str]:
    """Write the files that a command names into `folder`; return the command with their paths.

    `search`: the kind of variables and the branching rule for MiniZinc; None for its default.

    Raises `PuzzleError` if a format cannot express the puzzle.
    """
    paths = {PYTHON: sys.executable}
    for suffix in _suffixes(command):
        path = folder / f"puzzle.{suffix}"
        chosen = format_to_write(path, task.puzzle)
        if chosen.formulations is not None:
            document = Document([task.options], formulation=formulation, search=search)
            text = chosen.write(document)
        else:
            text = chosen.text(task.cover if chosen.puzzle_type is CoverProblem else task.puzzle)
        path.write_text(text, encoding="utf-8")
        paths[suffix] = str(path)
    return [_PLACEHOLDER.sub(lambda match: paths[match[1]], word) for word in command]


def with_python(command: tuple[str, ...]) -> list[str]:
    """Return a command with the path of the interpreter in place of `{python}`."""
    return [word.replace("{python}", sys.executable) for word in command]


def _suffixes(command: tuple[str, ...]) -> list[str]:
    return [name for name in _names(command) if name != PYTHON]


def _names(command: tuple[str, ...]) -> list[str]:
    """Return the words in braces without repetitions."""
    return list(dict.fromkeys(name for word in command for name in _PLACEHOLDER.findall(word)))


@dataclass(frozen=True)
class CommandConfig(Config):
    """Definition of a program: its command and its output.

    Raises `ConfigError` for an unknown word in braces, a regular expression without a group, and
    other invalid values.
    """

    name: str = setting(COMMAND, "The name of the program in results and reports.")
    command: tuple[str, ...] = setting(
        (),
        "The program and its arguments. {dlx}, {cnf}, {opb}, {mzn}, {xml}, {def} and {json} stand "
        "for files with the puzzle, by the suffixes of `dovetail convert`; {python} is the "
        "interpreter of this installation.",
    )
    formulation: str = setting(
        COVER,
        "How {cnf}, {opb}, {mzn} and {xml} state the puzzle: by any name that `dovetail convert "
        "--formulation NAME` accepts for the format.",
    )
    branching: Branching = setting("default", BRANCHING_MEANING)
    on: BranchingKind = setting("auto", ON_MEANING)
    solutions: Literal["none", "json", "printed"] = setting(
        "none",
        'How the program lists solutions: json as lines {"solution": [0, 5, 9]} of option numbers '
        "from 0; printed as solvers do for .cnf, .opb, .mzn and .xml; none if the program only "
        "counts solutions.",
    )
    count: str = setting(
        "",
        "Regular expression whose first group is the number of solutions. Default: a line "
        '{"count": 92}.',
    )
    figures: tuple[str, ...] = setting(
        (),
        "Further figures in the program's output, each as NAME=REGEX. Further members of lines of "
        "JSON are figures too.",
    )
    node_meaning: str = setting(
        "",
        'Completes "a node is …" and makes the figure `nodes` the number of nodes, comparable with '
        f"solvers of the same meaning: {PLACEMENT_MADE} (dlx), {PLACEMENT_TRIED} (domains), or "
        "another text.",
    )
    version: tuple[str, ...] = setting((), "The command that prints the program's version.")
    unsupported: tuple[str, ...] = setting((), "Features that the program lacks.", choices=FEATURES)
    probable: bool = setting(
        default=False, meaning="The program counts correctly only with high probability."
    )
    exit_statuses: tuple[str, ...] = setting(("0",), "Exit statuses that stand for success.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.name.strip() or not is_printable(self.name) or "," in self.name:
            raise ConfigError(
                f"name is {shorten(self.name)!r}; expected a line of text without commas"
            )
        if not is_printable(self.node_meaning):
            raise ConfigError(f"node_meaning is {shorten(self.node_meaning)!r}; expected a line")
        check_command(self.command, self.formulation)
        if self.count:
            _check_pattern("count", self.count)
        for figure in self.figures:
            name, equals, pattern = figure.partition("=")
            if not name or not equals or not is_printable(name):
                raise ConfigError(f"figures has {shorten(figure)!r}; expected NAME=REGEX")
            _check_pattern(f"figures: {shorten(name)}", pattern)
        for status in self.exit_statuses:
            if not re.fullmatch(r"[0-9]{1,3}", status) or int(status) > MAX_EXIT_STATUS:
                raise ConfigError(
                    f"exit_statuses has {shorten(status)!r}; expected numbers from 0 to "
                    f"{MAX_EXIT_STATUS}"
                )

    @property
    def search(self) -> tuple[str, str] | None:
        """Kind of variables to branch on, and rule that picks a variable; None for the default."""
        return None if self.branching == "default" else (self.on, self.branching)

    @property
    def lists(self) -> bool:
        """True if the program lists solutions."""
        return self.solutions != "none"


def _check_pattern(what: str, pattern: str) -> None:
    """Raise `ConfigError` unless `pattern` is a regular expression with a group."""
    try:
        groups = re.compile(pattern).groups
    except (re.error, OverflowError, RecursionError) as error:
        raise ConfigError(f"{what} is {shorten(pattern)!r}: {error}") from None
    if groups == 0:
        raise ConfigError(f"{what} is {shorten(pattern)!r}; expected a group, as in '(\\d+) found'")
