"""The command `dovetail`. To run a subcommand, only its own module is imported.

Commands import large modules when they begin to work. `main` imports all other modules after it has
set up the handling of Ctrl-C.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from dovetail.cli.process import (
    EXIT_BAD_INPUT,
    collect_seldom,
    leave,
    leave_on_ctrl_c,
    report_os_error,
)

if TYPE_CHECKING:
    import typer

NAME = "dovetail"
# Subcommands in the order of the help, with their modules and functions.
COMMANDS = {
    "list": "listing:list_names",
    "show": "listing:show",
    "explain": "listing:explain",
    "solve": "searches:solve",
    "count": "searches:count",
    "status": "searches:status",
    "disassemble": "disassembling:disassemble",
    "estimate": "estimates:estimate",
    "sample": "estimates:sample",
    "improve": "searches:improve",
    "trials": "searches:trials",
    "trace": "estimates:trace",
    "polycube": "polycube:polycube",
    "bench": "bench:bench",
    "report": "reporting:report",
    "reproductions": "reporting:reproductions",
    "site": "reporting:site",
    "capsule": "reporting:capsule",
    "compare": "reporting:compare",
    "ui": "bench:ui",
    "verify": "files:verify",
    "convert": "files:convert",
    "doctor": "listing:doctor",
    "check-backend": "listing:check_backend",
    "help": "listing:show_help",
    "generate": "files:generate_edges",
}
GENERATED = "edges"  # the only subcommand of generate
MAX_MESSAGE = 400
# Patterns of the parser's messages, with replacements in the style of this command's messages. All
# replacements are made, one after the other.
PLAIN_WORDS: dict[str, str | Callable[[re.Match[str]], str]] = {
    r"Invalid value for '[^']*\|[^']*': ": "the argument is ",
    "Invalid value for '([^']*)'[^:]*: ": r"\1 is ",
    " is not a valid int(eger)?( range)?$": "; expected a whole number",
    " is not a valid float( range)?$": "; expected a number",
    " is not in the range x>=([0-9.]+)$": r"; expected \1 or more",
    " is not in the range ([0-9.]+)<=x<=([0-9.]+)$": r"; expected \1 to \2",
    " is not one of (.*)": lambda match: "; valid: " + match[1].replace("'", ""),
    "Missing (?:argument|option) '([^']*)'.*": r"\1 is missing",
    "Missing command$": "a command is missing",
    "Option '([^']*)' requires an argument$": r"\1 has no value; expected one",
    "Option '([^']*)' does not take a value$": r"\1 takes no value",
    r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)$": r"unexpected argument: \1",
}


def main() -> None:
    """Run the command line, and end the process."""
    leave_on_ctrl_c()
    collect_seldom()
    from dovetail.cli.output import prepare_streams, warn_in_one_line
    from dovetail.harness.run.memory_limit import MemoryLimit

    prepare_streams()
    warn_in_one_line()
    MemoryLimit(None).hold_in_this_process()
    leave(run(sys.argv[1:]))


def run(words: list[str]) -> int:
    """Run a command line; return the exit status, which is 2 for a usage error."""
    import typer

    from dovetail.cli.output import complain

    # `-#N` is a puzzle of standard input; the parser would take it for an option.
    words = [f"./{word}" if re.fullmatch(r"-#[0-9]+", word) else word for word in words]
    # The class of all usage errors, which typer does not export by itself.
    usage_error: type[Exception] = typer.BadParameter.__mro__[1]
    try:
        command = words[0] if words and words[0] in COMMANDS and words[0] != "help" else None
        app = make_app(command)
        status = app(words or ["--help"], prog_name=NAME, standalone_mode=False) or 0
        sys.stdout.flush()
        return status
    except usage_error as error:
        complain(_usage_message(error, words))
        return EXIT_BAD_INPUT
    except SystemExit as left:  # a script for completion in a shell was printed or installed
        return int(left.code or 0)
    except OSError as error:  # the help could not be printed
        return report_os_error(error)


def _usage_message(error: Any, words: list[str]) -> str:
    """Return the message of a usage error, which names the command that prints the help."""
    from dovetail.errors import shorten, unknown_name

    message = error.format_message().rstrip(".")
    unknown = re.match("No such (command|option):? '?(.*?)(?:['\\s]|$)", message)
    if unknown and error.ctx:
        message = str(unknown_name(unknown[1], unknown[2], _valid(error.ctx, unknown[1])))
    for wording, plain in PLAIN_WORDS.items():
        message = re.sub(wording, plain, message)
    if message.startswith("unexpected argument"):
        parameters = error.ctx.command.get_params(error.ctx)
        names = [each.metavar for each in parameters if each.param_type_name == "argument"]
        message += f"; expected {', '.join(names) or 'none'}"
    elif message == "a command is missing":
        message += f"; valid: {', '.join(_valid(error.ctx, 'command'))}"
    elif message.endswith(" is missing"):
        meaning = re.split(r"[.;{]", error.param.help)[0]
        first = meaning[:1] if meaning[1:2].isupper() else meaning[:1].lower()
        message += f"; expected {first}{meaning[1:]}"
    named = words[:1] if words and not words[0].startswith("-") else []
    place = " ".join([NAME, *named]) if error.ctx is None else error.ctx.command_path
    return f"{shorten(message, MAX_MESSAGE)} (see {place} --help)"


def _valid(ctx: Any, kind: str) -> list[str]:
    """Return the subcommands of a group, or the long options of a command."""
    if kind == "command":
        return list(ctx.command.commands)
    names = [name for each in ctx.command.get_params(ctx) for name in each.opts]
    return [name for name in names if name.startswith("--")]


def make_app(command: str | None = None) -> typer.Typer:
    """Return the command `dovetail` with all subcommands, or only with the subcommand `command`."""
    import inspect

    import typer

    from dovetail.cli.options import Subcommand, show_version

    app = typer.Typer(
        name=NAME,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(show_version)
    for name, place in COMMANDS.items():
        if command not in (None, name):
            continue
        module_name, function_name = place.split(":")
        module = import_module(f"dovetail.cli.commands.{module_name}")
        function = getattr(module, function_name)
        # The list of commands shows the first line of the docstring, uncut.
        summary = (inspect.getdoc(function) or "").partition("\n")[0]
        group, group_name = app, name
        if name == "generate":
            group, group_name = typer.Typer(help="Generate random puzzles."), GENERATED
            app.add_typer(group, name=name)
        command_class = getattr(module, "COMMAND_CLASS", Subcommand)
        group.command(group_name, short_help=summary, cls=command_class)(function)
    return app


if __name__ == "__main__":
    main()
