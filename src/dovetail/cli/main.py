"""The command `dovetail`. Each subcommand is a module; heavy imports happen inside them.

Even the light ones happen inside `main`, where Ctrl-C is already handled.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from dovetail.cli.exits import EXIT_BAD_INPUT
from dovetail.cli.guard import complain, guarded, leave, leave_on_ctrl_c, report_unwritable
from dovetail.cli.streams import prepare_streams
from dovetail.harness.run.memory_limit import MemoryLimit

if TYPE_CHECKING:
    import typer


def main() -> None:
    """Run the command line; what cannot be understood is one line and exit status 2."""
    leave_on_ctrl_c()
    prepare_streams()
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
        status = make_app()(words or ["--help"], standalone_mode=False) or 0
        sys.stdout.flush()
        return status
    except usage_error as error:
        complain(f"{error.format_message()} (see dovetail --help)")  # type: ignore[attr-defined]
        return EXIT_BAD_INPUT
    except OSError as error:  # the help could not be printed
        return report_unwritable(error)


def make_app() -> typer.Typer:
    """The command with all its subcommands."""
    import typer

    from dovetail.cli.bench import bench
    from dovetail.cli.check_backend import check_backend
    from dovetail.cli.compare import compare
    from dovetail.cli.convert import convert
    from dovetail.cli.count import count
    from dovetail.cli.doctor import doctor
    from dovetail.cli.estimate import estimate
    from dovetail.cli.explain import explain
    from dovetail.cli.format_help import FormatListingCommand
    from dovetail.cli.generate import generate_edges
    from dovetail.cli.list import list_names
    from dovetail.cli.report import report
    from dovetail.cli.sample import sample
    from dovetail.cli.show import show
    from dovetail.cli.solve import solve
    from dovetail.cli.trace import trace
    from dovetail.cli.trials import trials
    from dovetail.cli.verify import verify

    app = typer.Typer(
        name="dovetail",
        help="Solve packing and edge-matching puzzles exhaustively, and compare solvers honestly.",
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.command("list")(guarded(list_names))
    app.command()(guarded(show))
    app.command()(guarded(explain))
    app.command(cls=FormatListingCommand)(guarded(solve))
    app.command()(guarded(count))
    app.command()(guarded(estimate))
    app.command(cls=FormatListingCommand)(guarded(sample))
    app.command("draw", hidden=True)(guarded(sample))  # the name it had up to version 0.1
    app.command()(guarded(trials))
    app.command()(guarded(trace))
    app.command()(guarded(bench))
    app.command()(guarded(report))
    app.command()(guarded(compare))
    app.command()(guarded(verify))
    app.command(cls=FormatListingCommand)(guarded(convert))
    app.command()(guarded(doctor))
    app.command("check-backend")(guarded(check_backend))

    generators = typer.Typer(help="Generate random puzzles.")
    generators.command("edges", cls=FormatListingCommand)(guarded(generate_edges))
    app.add_typer(generators, name="generate")
    return app


if __name__ == "__main__":
    main()
