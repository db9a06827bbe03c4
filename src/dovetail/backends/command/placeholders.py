"""Words in braces within a command: files with the puzzle, in the format of their suffix.

    ["./mine", "{dlx}"]                  Knuth's exact-cover text
    ["minizinc", "-a", "{mzn}"]          a MiniZinc model
    ["{python}", "-m", "mine", "{cnf}"]  the interpreter that dovetail runs in, and DIMACS CNF

Formats of cover problems have the options of the task, numbered as in the task. Those that are
input of solvers can also have a model of edge matching. All others have the whole puzzle.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from dovetail.errors import ConfigError, shorten, unknown_name
from dovetail.models.boolean_model import ModelName
from dovetail.models.cover import CoverProblem
from dovetail.models.task import Task
from dovetail.puzzles.formats.base import Document
from dovetail.puzzles.formats.registry import format_to_write, puzzle_formats

PYTHON = "python"
_PLACEHOLDER = re.compile(r"\{([a-z0-9]+)\}")


def check_command(command: tuple[str, ...], model: ModelName) -> None:
    """Raise `ConfigError` for a command without a puzzle, or with an unknown word in braces.

    So is one that has no file with the model.
    """
    valid = {PYTHON, *(suffix[1:] for one in puzzle_formats().values() for suffix in one.suffixes)}
    for name in _names(command):
        if name not in valid:
            raise unknown_name("placeholder", name, valid)
    if command and not _suffixes(command):
        raise ConfigError(
            f"command {shorten(' '.join(command))!r} has no file with the puzzle; expected a word "
            "such as {dlx}, {cnf}, {opb}, {mzn}, {xml}, {def} or {json}"
        )
    if command and model != "cover" and not has_model(command):
        raise ConfigError(
            f"command {shorten(' '.join(command))!r} has no file with model {model}; expected "
            "{cnf}, {opb}, {mzn} or {xml}"
        )


def has_model(command: tuple[str, ...]) -> bool:
    """Whether a command has a file that can have any boolean model."""
    formats = [each for each in puzzle_formats().values() if each.has_models]
    return any(f".{suffix}" in each.suffixes for suffix in _suffixes(command) for each in formats)


def puzzle_refusal(command: tuple[str, ...], task: Task, *, lists: bool) -> str | None:
    """Return why the files of a command cannot hold a task, or None.

    The options of solutions that a program `lists` have numbers only in formats of cover problems.
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
            return f"solutions have no numbers of options in format {chosen.name}"
        if task.reduced is not None or task.labelling is not None:
            return (
                f"format {chosen.name} has the whole puzzle; expected no reductions, no "
                "sub-problems and no labels"
            )
    return None


def write_files(command: tuple[str, ...], task: Task, model: ModelName, folder: Path) -> list[str]:
    """Write the files that a command names into `folder`; returns the command with their paths.

    Raises `PuzzleError` for what a format cannot express.
    """
    paths = {PYTHON: sys.executable}
    for suffix in _suffixes(command):
        path = folder / f"puzzle.{suffix}"
        chosen = format_to_write(path, task.puzzle)
        if chosen.has_models:
            text = chosen.write(Document([task.options], model=model))
        else:
            text = chosen.text(task.cover if chosen.puzzle_type is CoverProblem else task.puzzle)
        path.write_text(text, encoding="utf-8")
        paths[suffix] = str(path)
    return [_PLACEHOLDER.sub(lambda found: paths[found[1]], word) for word in command]


def with_python(command: tuple[str, ...]) -> list[str]:
    """Return a command without a puzzle, ready to run."""
    return [word.replace("{python}", sys.executable) for word in command]


def _suffixes(command: tuple[str, ...]) -> list[str]:
    return [name for name in _names(command) if name != PYTHON]


def _names(command: tuple[str, ...]) -> list[str]:
    """The words in braces, each once."""
    return list(dict.fromkeys(name for word in command for name in _PLACEHOLDER.findall(word)))
