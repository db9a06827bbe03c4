"""The command `dovetail`. Each subcommand is a module; heavy imports happen inside them."""

from __future__ import annotations

import sys

import typer

from dovetail.cli.bench import bench
from dovetail.cli.convert import convert
from dovetail.cli.count import count
from dovetail.cli.doctor import doctor
from dovetail.cli.exits import EXIT_BAD_INPUT
from dovetail.cli.generate import generate_edges
from dovetail.cli.guard import complain, guarded
from dovetail.cli.list import list_names
from dovetail.cli.show import show
from dovetail.cli.solve import solve
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
app.command()(guarded(solve))
app.command()(guarded(count))
app.command()(guarded(bench))
app.command()(guarded(verify))
app.command()(guarded(convert))
app.command()(guarded(doctor))

generators = typer.Typer(help="Generate random puzzles.")
generators.command("edges")(guarded(generate_edges))
app.add_typer(generators, name="generate")

# The class of all usage errors, which typer does not export by itself.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def main() -> None:
    """Run the command line; what cannot be understood is one line and exit status 2."""
    try:
        sys.exit(app(sys.argv[1:] or ["--help"], standalone_mode=False))
    except UsageError as error:
        complain(f"{error.format_message()} (see dovetail --help)")  # type: ignore[attr-defined]
        sys.exit(EXIT_BAD_INPUT)


if __name__ == "__main__":
    main()
