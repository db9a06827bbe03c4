"""`dovetail help`: the page of a command, of a backend or of an improver."""

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
            metavar="COMMAND|BACKEND|IMPROVER",
            help="What to explain; without it, the list of commands.",
            autocompletion=suggestions.help_topics,
        ),
    ] = None,
) -> None:
    """Explain a command, a backend or an improver."""
    from dovetail.backends.registry import registry
    from dovetail.errors import unknown_name
    from dovetail.harness.planning.named import backend_names
    from dovetail.improvers.registry import improvers
    from dovetail.reports.backend_help import backend_page, improver_page

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
    elif topics == [topic] and topic in improvers():
        print_lines(improver_page(topic))
    else:
        names = [*commands, *backend_names(), *improvers()]
        raise unknown_name("command, backend or improver", topic, names)
