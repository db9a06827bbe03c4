"""`dovetail help`: the page of a command or of a backend."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from dovetail.cli import suggestions
from dovetail.cli.output import print_lines


def explain_topic(
    context: typer.Context,
    topic: Annotated[
        str | None,
        typer.Argument(
            metavar="COMMAND|BACKEND",
            help="What to explain; without it, the list of commands.",
            autocompletion=suggestions.help_topics,
        ),
    ] = None,
) -> None:
    """Explain a command, or a backend with all its settings."""
    from dovetail.backends.registry import backends
    from dovetail.errors import unknown_name
    from dovetail.harness.planning import AUTO
    from dovetail.reports.backend_help import backend_page

    root = context.find_root()
    commands: dict[str, Any] = root.command.commands  # type: ignore[attr-defined]
    if topic is None:
        print_lines(root.get_help())
    elif topic in commands:
        command = commands[topic]
        of_command = command.make_context(topic, [], parent=root, resilient_parsing=True)
        print_lines(command.get_help(of_command))
    elif topic == AUTO or topic in backends():
        print_lines(backend_page(topic))
    else:
        shown = [name for name, command in commands.items() if not command.hidden]
        raise unknown_name("command or backend", topic, [*shown, AUTO, *backends()])
