"""The command `dovetail`. Each subcommand is a module; heavy imports happen inside them.

Even the light ones happen inside `main`, where Ctrl-C is already handled.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dovetail.cli.exits import EXIT_BAD_INPUT
from dovetail.cli.garbage import collect_seldom
from dovetail.cli.guard import (
    complain,
    guarded,
    leave,
    leave_on_ctrl_c,
    report_os_error,
    warn_in_one_line,
)
from dovetail.cli.streams import prepare_streams
from dovetail.harness.run.memory_limit import MemoryLimit

if TYPE_CHECKING:
    import typer

NAME = "dovetail"
MAX_MESSAGE = 400
# How the parser words what is wrong with a value, as a pattern, and how every other message does.
PLAIN_WORDS = {
    "Value error, ": "",
    "Input should be a valid integer(, .*)?": "expected a whole number",
    "Input should be a valid number(, .*)?": "expected a number",
    "Input should be greater than or equal to ([0-9]+)": r"expected \1 or more",
    "Input should be less than or equal to ([0-9]+)": r"expected \1 or less",
    "is not one of (.*)": r"is unknown; valid: \1",
}


def main() -> None:
    """Run the command line; what cannot be understood is one line and exit status 2."""
    leave_on_ctrl_c()
    collect_seldom()
    prepare_streams()
    warn_in_one_line()
    MemoryLimit(None).hold_in_this_process()
    leave(run(sys.argv[1:]))


def run(words: list[str]) -> int:
    """Run the command that `words` are; returns its exit status."""
    import typer

    # The parser would take these for options.
    words = [f"./{word}" if re.fullmatch(r"-#[0-9]+", word) else word for word in words]
    # The class of all usage errors, which typer does not export by itself.
    usage_error: type[Exception] = typer.BadParameter.__mro__[1]
    try:
        app = make_app()
        status = app(words or ["--help"], prog_name=NAME, standalone_mode=False) or 0
        sys.stdout.flush()
        return status
    except usage_error as error:
        complain(_usage_message(error, words))
        return EXIT_BAD_INPUT
    except SystemExit as left:  # the script of a shell was printed or installed
        return int(left.code or 0)
    except OSError as error:  # the help could not be printed
        return report_os_error(error)


def _usage_message(error: Any, words: list[str]) -> str:
    """Return what is wrong with the words of a command, and where it is explained."""
    from dovetail.errors import shorten

    close = getattr(error, "possibilities", None)
    if close:
        meant = next((one for one in close if one.startswith(error.option_name)), close[0])
        message = f"no such option: {error.option_name}; did you mean {meant}?"
    else:
        message = error.format_message().rstrip(".")
        for wording, plain in PLAIN_WORDS.items():
            message = re.sub(wording, plain, message)
    named = words[:1] if words and not words[0].startswith("-") else []
    place = " ".join([NAME, *named]) if error.ctx is None else error.ctx.command_path
    return f"{shorten(message, MAX_MESSAGE)} (see {place} --help)"


def make_app() -> typer.Typer:
    """The command with all its subcommands."""
    import typer

    from dovetail.cli.options import show_version

    app = typer.Typer(
        name=NAME,
        help="Solve packing and edge-matching puzzles exhaustively, and compare solvers fairly.",
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(show_version)
    _add_questions(app)
    _add_comparisons(app)
    _add_tools(app)
    app.add_typer(_generators(), name="generate")
    return app


def _add_questions(app: typer.Typer) -> None:
    """Add the commands that ask something about a puzzle."""
    from dovetail.cli.count import count
    from dovetail.cli.estimate import estimate
    from dovetail.cli.explain import explain
    from dovetail.cli.format_help import FormatListingCommand
    from dovetail.cli.improve import improve
    from dovetail.cli.list import list_names
    from dovetail.cli.sample import sample
    from dovetail.cli.show import show
    from dovetail.cli.solve import solve
    from dovetail.cli.status import status
    from dovetail.cli.trace import trace
    from dovetail.cli.trials import trials

    _add(app, "list", list_names)
    _add(app, "show", show)
    _add(app, "explain", explain)
    _add(app, "solve", solve, cls=FormatListingCommand)
    _add(app, "count", count)
    _add(app, "status", status)
    _add(app, "estimate", estimate)
    _add(app, "sample", sample, cls=FormatListingCommand)
    _add(app, "improve", improve)
    _add(app, "trials", trials)
    _add(app, "trace", trace)


def _add_comparisons(app: typer.Typer) -> None:
    """Add the commands that compare solvers, and show what was compared."""
    from dovetail.cli.bench import bench
    from dovetail.cli.compare import compare
    from dovetail.cli.report import report
    from dovetail.cli.reproductions import reproductions
    from dovetail.cli.site import site
    from dovetail.cli.ui import ui

    _add(app, "bench", bench)
    _add(app, "report", report)
    _add(app, "reproductions", reproductions)
    _add(app, "site", site)
    _add(app, "compare", compare)
    _add(app, "ui", ui)


def _add_tools(app: typer.Typer) -> None:
    """Add the commands about files, backends and the command itself."""
    from dovetail.cli.check_backend import check_backend
    from dovetail.cli.convert import convert
    from dovetail.cli.doctor import doctor
    from dovetail.cli.format_help import FormatListingCommand
    from dovetail.cli.help import show_help
    from dovetail.cli.verify import verify

    _add(app, "verify", verify)
    _add(app, "convert", convert, cls=FormatListingCommand)
    _add(app, "doctor", doctor)
    _add(app, "check-backend", check_backend)
    _add(app, "help", show_help)


def _generators() -> typer.Typer:
    import typer

    from dovetail.cli.format_help import FormatListingCommand
    from dovetail.cli.generate import generate_edges

    generators = typer.Typer(help="Generate random puzzles.")
    _add(generators, "edges", generate_edges, cls=FormatListingCommand)
    return generators


def _add(app: typer.Typer, name: str, command: Callable[..., None], **options: Any) -> None:
    """Add a command; the list of commands shows the first line of its docstring, uncut."""
    summary = (inspect.getdoc(command) or "").partition("\n")[0]
    app.command(name, short_help=summary, **options)(guarded(command))


if __name__ == "__main__":
    main()
