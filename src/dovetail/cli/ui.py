"""`dovetail ui`: a page on this machine to choose or draw puzzles and watch solvers race."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

from dovetail.cli import options, suggestions
from dovetail.cli.options import argument, option
from dovetail.cli.output import print_lines
from dovetail.cli.process import collect_by_default
from dovetail.errors import ConfigError

if TYPE_CHECKING:
    from dovetail.ui.server import PageServer

NEEDED = ("starlette", "uvicorn")


def ui(
    inputs: Annotated[
        list[str] | None,
        argument(
            "PUZZLE|RUNS.jsonl",
            "Puzzles to offer: catalogue names or files; and files of `bench -o` to follow.",
            suggestions.puzzles,
        ),
    ] = None,
    port: Annotated[int, option("--port N", "Port; 0: any free port.", min=0, max=65535)] = 0,
    browser: Annotated[
        bool, option("--browser/--no-browser", "Open the page in the browser.")
    ] = True,
    source_format: options.SourceFormat = None,
) -> None:
    """Draw puzzles in a local page and watch solvers race on them.

    The page is served to this machine alone. The printed address contains a token, without which
    the page cannot be opened. Ctrl-C ends the server and all its searches. Needs starlette and
    uvicorn (extra ui).
    """
    import webbrowser
    from threading import Thread

    from dovetail.extras import install_command

    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise ConfigError(f"the page needs {' and '.join(missing)}: {install_command('ui')}")
    from dovetail.ui.inputs import workspace_of
    from dovetail.ui.server import serve

    def announce(server: PageServer) -> None:
        print_lines(f"{server.address}\n(Ctrl-C ends the server and its searches)")
        if browser:  # in a thread, because some browsers block until they are closed
            Thread(target=webbrowser.open, args=[server.address_once], daemon=True).start()

    collect_by_default()
    serve(workspace_of(inputs or (), source_format), port, announce)
