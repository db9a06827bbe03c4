"""Options and arguments with their completions in a shell, and the class of all commands.

`options.txt` has the name, the help and the valid values of every option and argument.
"""

from __future__ import annotations

import json
import os.path
import re
from collections.abc import Callable, Iterable
from configparser import ConfigParser
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand, TyperOption

from dovetail.cli.output import MESSAGES, print_lines
from dovetail.cli.process import guarded
from dovetail.disassembly import Method

ADVANCED = "Advanced options"
MAX_OFFERED = 200  # maximum number of paths among completions
BOUNDS = re.compile("([0-9.]+) (?:or more|to ([0-9.]+))")


# Completions of words in a shell. typer offers completions that begin with the incomplete word. A
# shell starts a process for each completion, so each function imports only the modules it needs.
def suggest_names(place: str) -> Callable[[], list[str]]:
    """Return a completion that offers the names in the iterable or from the callable at `place`."""

    def suggest() -> list[str]:
        named = resolve_name(place)
        return list(named if isinstance(named, Iterable) else named())

    return suggest


def suggest_puzzles(incomplete: str) -> list[str]:
    """Return catalogue names, files and folders."""
    from glob import escape, glob

    from dovetail.puzzles.catalogue import catalogue

    names = [name for entry in catalogue() for name in entry.examples]
    paths = sorted(glob(f"{escape(incomplete)}*"))[:MAX_OFFERED]
    return [*names, *(f"{path}{'/' * os.path.isdir(path)}" for path in paths)]


def suggest_suites_and_puzzles(incomplete: str) -> list[str]:
    """Return the names of suites, catalogue names, files and folders."""
    from dovetail.harness.suite.suite_file import bundled_suites

    return [*bundled_suites(), *suggest_puzzles(incomplete)]


def suggest_puzzle_formats() -> list[str]:
    """Return the names of the formats that puzzles can be read from."""
    from dovetail.puzzles.formats.registry import puzzle_formats

    return [name for name, found in puzzle_formats().items() if found.readable]


def suggest_backends(incomplete: str) -> list[str]:
    """Return the names of backends, auto and Python files."""
    from glob import escape, glob

    from dovetail.harness.planning.named import backend_names

    given, comma, word = incomplete.rpartition(",")
    names = [*backend_names(), *sorted(glob(f"{escape(word)}*.py"))[:MAX_OFFERED]]
    return [given + comma + name for name in names if name not in given.split(",")]


def suggest_help_topics(ctx: Any, incomplete: str) -> list[str]:
    """Return the topics of `dovetail help`: commands, backends, improvers and reductions."""
    from dovetail.improvers.registry import improvers

    return [
        *ctx.find_root().command.commands,
        "reductions",
        "formulations",
        *suggest_backends(incomplete),
        *improvers(),
    ]


def suggest_settings(ctx: Any) -> list[str]:
    """Return the keys of the solvers on the command line, each with its equals sign."""
    from dovetail.backends.config import settings_of
    from dovetail.backends.registry import backends
    from dovetail.improvers.registry import improvers

    given = ctx.params.get("backend") or ""
    names = (given if isinstance(given, str) else ",".join(given)).split(",")
    solvers: dict[str, Any] = {**backends(), **improvers()}
    known = [solvers[name].config_type for name in names if name in solvers]
    keys = dict.fromkeys(setting.key for config in known for setting in settings_of(config))
    return [f"{key}=" for key in keys]


def suggest_settings_or_methods(ctx: Any) -> list[str]:
    """Return the settings of the backend, and the methods that take assemblies apart."""
    return [*suggest_settings(ctx), *(f"method={method}" for method in Method)]


def suggest_triggers() -> list[str]:
    """Return the triggers that need no parameter."""
    from dovetail.models.request import TRIGGER_FORMS

    return [form for form in TRIGGER_FORMS if form.islower()]


# Completions by their names in the table of options.
COMPLETIONS: dict[str, Callable[..., list[str]]] = {
    "puzzles": suggest_puzzles,
    "suites and puzzles": suggest_suites_and_puzzles,
    "puzzle formats": suggest_puzzle_formats,
    "backends": suggest_backends,
    "improvers": suggest_names("dovetail.improvers.registry:improvers"),
    "help topics": suggest_help_topics,
    "settings": suggest_settings,
    "settings or methods": suggest_settings_or_methods,
    "symmetries": suggest_names("dovetail.models.request:Symmetry"),
    "reductions": suggest_names("dovetail.models.request:PLAIN_REDUCTIONS"),
    "triggers": suggest_triggers,
    "objectives": suggest_names("dovetail.models.partial_board:Objective"),
}


def declare(function: Callable[..., None], command: str) -> Callable[..., None]:
    """Annotate each parameter of a command's function with its entry in `options.txt`."""
    table = _table()
    declared = table[command if command in table else table.default_section]
    function.__annotations__ |= {
        name: Annotated[hint, _parameter(declared[name])]
        for name, hint in get_type_hints(function).items()
        if name in declared
    }
    return function


@cache
def _table() -> ConfigParser:
    """Return the table of options; a command's section also has the entries of every command."""
    table = ConfigParser(
        delimiters="=", comment_prefixes="#", interpolation=None, default_section="every command"
    )
    table.read_string(Path(__file__).with_name("options.txt").read_text(encoding="utf-8"))
    return table


def _parameter(entry: str) -> Any:
    """Return the option or argument of an entry of the table."""
    head, *text = entry.splitlines()
    declaration, *features = head.split(" | ")
    words = declaration.split()
    names = [word for word in words if word.startswith("-")]
    metavar = " ".join(words[len(names) :]) or None
    given: dict[str, Any] = {"metavar": metavar, "help": " ".join(text)}
    for feature in features:
        if bounds := BOUNDS.fullmatch(feature):
            given["min"], given["max"] = (bound and json.loads(bound) for bound in bounds.groups())
        elif feature == "advanced":
            given["rich_help_panel"] = ADVANCED
        else:
            given["autocompletion"] = COMPLETIONS[feature]
    return typer.Option(*names, **given) if names else typer.Argument(**given)


# Options of every command, named like the attributes of `MESSAGES`.
MESSAGE_OPTIONS = [
    TyperOption(param_decls=names, help=text, is_flag=True)
    for names, text in (
        (["--quiet", "-q"], "Print only answers, warnings and errors."),
        (["--verbose", "-v"], "Also print the plan of a search, on standard error."),
    )
]


class Subcommand(TyperCommand):
    """A command with -q and -v, a section of advanced options, and single-line errors.

    The help lists the installed formats: `{formats}` and other placeholders are filled in.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters of the function, the options of all commands and --help."""
        *own, help_option = super().get_params(ctx)
        return [*own, *MESSAGE_OPTIONS, help_option]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line, and set `MESSAGES`; raise a usage error for -q with -v."""
        rest = super().parse_args(ctx, args)
        MESSAGES.quiet, MESSAGES.verbose = (
            ctx.params.pop(each.name, False) for each in MESSAGE_OPTIONS
        )
        MESSAGES.json_progress = ctx.params.get("_json_progress", False)
        if MESSAGES.quiet and MESSAGES.verbose:
            ctx.fail("-q and -v exclude each other")
        return rest

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
        """Run the command."""
        with guarded():
            if ctx.params.get("_allow_commands"):
                from dovetail.backends.command.search import allow_commands

                allow_commands()
            return super().invoke(ctx)


def _with_formats(text: str) -> str:
    """Fill in the names of formats, and the suffixes of puzzles, boards and solutions."""
    if "{" not in text:
        return text
    from dovetail.models.edges import EdgePuzzle
    from dovetail.puzzles.formats.registry import puzzle_formats, solution_formats

    formats = puzzle_formats().values()
    boards = [board.suffixes[0] for board in formats if board.puzzle_type is EdgePuzzle]
    return text.format(
        formats=", ".join(puzzle_formats()),
        suffixes=" ".join(dict.fromkeys(suffix for each in formats for suffix in each.suffixes)),
        board_suffixes=" ".join(boards),
        solution_suffixes=" ".join(solution_formats()),
    )


def _print_version(wanted: bool) -> None:
    if wanted:
        from dovetail.harness.records.new_records import versions

        print_lines(f"dovetail {versions()['dovetail']}")
        raise typer.Exit


def show_version(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version and exit.",
            callback=_print_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Solve packing and edge-matching puzzles exhaustively, and compare solvers fairly."""
