"""Options and arguments that commands share, as annotated types, and the class of all commands."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from dovetail.cli import suggestions
from dovetail.cli.output import MESSAGES, print_lines
from dovetail.cli.process import guarded
from dovetail.harness.workers.options import MAX_JOBS, SubProblemOrder

ADVANCED = "Advanced options"


def _read_texts() -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Yield each key of `options.txt` with the section, the names with metavar, and the help."""
    section = ""
    text = Path(__file__).with_name("options.txt").read_text(encoding="utf-8")
    for line in text.replace("\n    ", " ").splitlines():
        if line.endswith(":"):
            section = line.removesuffix(":")
        elif line and not line.startswith("#"):
            key, declared, meaning = line.split(" | ")
            yield key, (section, declared, meaning)


TEXTS = dict(_read_texts())


def option(key: str, suggest: Any = None, **attributes: Any) -> Any:
    """Return the option with this key in `options.txt`; `suggest` completes its values."""
    section, declared, text = TEXTS[key]
    words = declared.split()
    names = [word for word in words if word.startswith("-")]
    metavar = " ".join(words[len(names) :]) or None
    attributes |= {"metavar": metavar, "help": text, "rich_help_panel": section}
    return typer.Option(*names, autocompletion=suggest, **attributes)


def argument(key: str, suggest: Any = None) -> Any:
    """Return the argument with this key in `options.txt`; `suggest` completes its values."""
    _, metavar, text = TEXTS[key]
    return typer.Argument(metavar=metavar, help=text, autocompletion=suggest)


class OptionOrder(StrEnum):
    """The order in which a search tries placements."""

    GIVEN = "given"
    RANDOM = "random"


Puzzles = Annotated[list[str], argument("PUZZLES", suggestions.puzzles)]
OnePuzzle = Annotated[str, argument("PUZZLE", suggestions.puzzles)]
RunFiles = Annotated[list[Path], argument("RUNS")]
SourceFormat = Annotated[str | None, option("from", suggestions.puzzle_formats)]
BackendName = Annotated[str, option("backend", suggestions.backends)]
AnyBackendName = Annotated[str, option("auto backend", suggestions.backends)]
ConfigWords = Annotated[list[str] | None, option("config", suggestions.settings)]
SymmetryName = Annotated[str | None, option("symmetry", suggestions.symmetries)]
Labelled = Annotated[bool, option("labelled")]
Reductions = Annotated[list[str] | None, option("reduce", suggestions.reductions)]
Triggers = Annotated[list[str] | None, option("trigger", suggestions.triggers)]
OptionOrderName = Annotated[OptionOrder, option("option-order")]
Seed = Annotated[int, option("seed", min=0)]
SolutionLimit = Annotated[int | None, option("limit", min=1)]
TimeLimit = Annotated[str | None, option("time-limit")]
NodeLimit = Annotated[int | None, option("node-limit", min=0)]
MemoryLimit = Annotated[str | None, option("memory-limit")]
AllowCommands = Annotated[bool, option("allow-commands")]
Jobs = Annotated[int, option("jobs", min=0, max=MAX_JOBS)]
Checkpoint = Annotated[Path | None, option("checkpoint")]
Cluster = Annotated[str | None, option("cluster")]
Order = Annotated[SubProblemOrder, option("subproblem-order")]
Audit = Annotated[float, option("audit", min=0, max=1)]
Output = Annotated[Path | None, option("output")]
Json = Annotated[bool, option("json")]
JsonLines = Annotated[bool, option("json lines")]
JsonProgress = Annotated[bool, option("json-progress")]
Quiet = Annotated[bool, option("quiet")]
Verbose = Annotated[bool, option("verbose")]


class Command(TyperCommand):
    """A command whose help has a section of advanced options, and whose errors are one line.

    The help lists the installed formats: `{formats}` and other names are filled in.
    """

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, the options and the advanced options."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": [], ADVANCED: []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                kind = "Arguments" if parameter.param_type_name == "argument" else "Options"
                section = getattr(parameter, "rich_help_panel", None) or kind
                sections[section].append((record[0], _with_formats(record[1])))
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def invoke(self, ctx: Any) -> Any:
        """Run the command with the messages and permissions that its options choose."""
        with guarded():
            MESSAGES.choose(ctx.params)
            if ctx.params.get("allow_commands"):
                from dovetail.backends.command.permission import allow_commands

                allow_commands()
            return super().invoke(ctx)


def _with_formats(text: str) -> str:
    """Fill in the names of formats, and the suffixes of puzzles, boards and solutions."""
    if "{" not in text:
        return text
    from dovetail.models.edges import EdgePuzzle
    from dovetail.puzzles.formats.registry import puzzle_formats
    from dovetail.puzzles.formats.solutions.registry import solution_formats

    formats = puzzle_formats().values()
    boards = [board.suffixes[0] for board in formats if board.writes is EdgePuzzle]
    suffixes = dict.fromkeys(
        suffix for puzzle_format in formats for suffix in puzzle_format.suffixes
    )
    return text.format(
        formats=", ".join(puzzle_formats()),
        suffixes=" ".join(suffixes),
        board_suffixes=" ".join(boards),
        solution_suffixes=" ".join(solution_formats()),
    )


def _print_version(wanted: bool) -> None:
    if wanted:
        from dovetail.harness.records.environment import versions

        print_lines(f"dovetail {versions()['dovetail']}")
        raise typer.Exit


def show_version(
    version: Annotated[bool, option("version", callback=_print_version, is_eager=True)] = False,
) -> None:
    """Solve packing and edge-matching puzzles exhaustively, and compare solvers fairly."""
