"""`dovetail help`: the page of a command or of a backend."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from dovetail.cli import suggestions
from dovetail.cli.output import print_lines


def show_help(
    context: typer.Context,
    topics: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND|BACKEND",
            help="What to explain; without it, the list of commands.",
            autocompletion=suggestions.help_topics,
        ),
    ] = None,
) -> None:
    """Explain a command, or a backend with all its settings."""
    from dovetail.backends.registry import registry
    from dovetail.errors import unknown_name
    from dovetail.harness.planning.named import backend_names
    from dovetail.reports.backend_help import backend_page

    root = context.find_root()
    commands: dict[str, Any] = root.command.commands  # type: ignore[attr-defined]
    within, command = root, root.command
    for topic in topics or ():
        commands_here: dict[str, Any] = getattr(command, "commands", {})
        if topic not in commands_here:
            break
        command = commands_here[topic]
        within = command.make_context(topic, [], parent=within, resilient_parsing=True)
    else:
        print_lines(command.get_help(within))
        return
    if topics == [topic] and (topic in backend_names() or topic in registry().broken):
        print_lines(backend_page(topic))
    else:
        shown = [name for name, command in commands.items() if not command.hidden]
        raise unknown_name("command or backend", topic, [*shown, *backend_names()])
