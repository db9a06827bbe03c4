"""The command `dovetail`. Each subcommand is a module; heavy imports happen inside them."""

from __future__ import annotations

import os
import sys

import typer

from dovetail.cli.bench import bench
from dovetail.cli.count import count
from dovetail.cli.exits import EXIT_BAD_INPUT, EXIT_INTERRUPTED
from dovetail.cli.list import list_names
from dovetail.cli.show import show
from dovetail.cli.solve import solve
from dovetail.cli.verify import verify
from dovetail.errors import DovetailError

app = typer.Typer(
    name="dovetail",
    help="Solve packing and edge-matching puzzles exhaustively, and compare solvers honestly.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("list")(list_names)
app.command()(show)
app.command()(solve)
app.command()(count)
app.command()(bench)
app.command()(verify)


def main() -> None:
    """Run the command line; a user's mistake is one line and exit status 2."""
    try:
        app()
    except DovetailError as error:
        sys.stderr.write(f"dovetail: {error}\n")
        sys.exit(EXIT_BAD_INPUT)
    except KeyboardInterrupt:
        sys.stderr.write("dovetail: interrupted before any search began\n")
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        # Whoever read the output has left. Python would complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


if __name__ == "__main__":
    main()
