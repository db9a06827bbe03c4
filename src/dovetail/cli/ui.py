"""`dovetail ui`: a page on this machine to choose or draw puzzles and watch solvers race."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

from dovetail.cli import suggestions

NEEDED = ("starlette", "uvicorn")


def ui(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PUZZLE|RUNS.jsonl ...]",
            help="Puzzles to offer: catalogue names or files; and files of `bench -o` to follow.",
            autocompletion=suggestions.puzzles,
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Port; 0 is any free one.")
    ] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
) -> None:
    """Draw puzzles in a local page and watch solvers race on them.

    The page is served to this machine alone, to whoever has the address that is printed: it has a
    token. Ctrl-C ends the server and all its searches. Needs the extra: pip install dovetail[ui].
    """
    from dovetail.cli.output import print_lines
    from dovetail.errors import ConfigError

    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"the page needs {' and '.join(missing)}; install it with: pip install dovetail[ui]"
        )
    from dovetail.ui.inputs import workspace_of
    from dovetail.ui.server import serve

    def announce(address: str) -> None:
        print_lines(f"{address}\n(Ctrl-C ends the server and its searches)")
        if browser:
            import webbrowser

            webbrowser.open(address)

    serve(workspace_of(inputs or ()), port, announce)
