"""Completions of the words of a command in a shell.

Each function returns words, and typer offers the words that begin like the incomplete word. A shell
starts a process for each completion, so functions import the modules that they need.
"""

from __future__ import annotations

import os.path
from typing import Any

MAX_OFFERED = 200


def puzzles(incomplete: str) -> list[str]:
    """Return catalogue names, files and folders."""
    from glob import escape, glob

    from dovetail.puzzles.catalogue import catalogue

    names = [name for entry in catalogue() for name in entry.examples]
    paths = sorted(glob(f"{escape(incomplete)}*"))[:MAX_OFFERED]
    return [*names, *(f"{path}{'/' * os.path.isdir(path)}" for path in paths)]


def suites_and_puzzles(incomplete: str) -> list[str]:
    """Return the names of suites, catalogue names, files and folders."""
    from dovetail.harness.suite.suite_file import bundled_suites

    return [*bundled_suites(), *puzzles(incomplete)]


def puzzle_formats() -> list[str]:
    """Return the names of the formats that puzzles can be read from."""
    from dovetail.puzzles.formats.registry import puzzle_formats as registered

    return [name for name, found in registered().items() if found.readable]


def backends(incomplete: str) -> list[str]:
    """Return the names of backends, and auto."""
    from dovetail.harness.planning.named import backend_names

    given, comma, _ = incomplete.rpartition(",")
    return [given + comma + name for name in backend_names() if name not in given.split(",")]


def improvers() -> list[str]:
    """Return the names of improvers."""
    from dovetail.improvers.registry import improvers as registered

    return list(registered())


def help_topics(ctx: Any, incomplete: str) -> list[str]:
    """Return the topics of `dovetail help`: commands, backends, improvers and reductions."""
    return [
        *ctx.find_root().command.commands,
        "reductions",
        "formulations",
        *backends(incomplete),
        *improvers(),
    ]


def settings(ctx: Any) -> list[str]:
    """Return the keys of the solvers on the command line, each with its equals sign."""
    from dovetail.backends.config import settings_of
    from dovetail.backends.registry import backends as registered
    from dovetail.improvers.registry import improvers as registered_improvers

    given = ctx.params.get("backend") or ""
    names = (given if isinstance(given, str) else ",".join(given)).split(",")
    solvers: dict[str, Any] = {**registered(), **registered_improvers()}
    known = [solvers[name].config_type for name in names if name in solvers]
    keys = dict.fromkeys(setting.key for config in known for setting in settings_of(config))
    return [f"{key}=" for key in keys]


def symmetries() -> list[str]:
    """Return the values of the option for symmetry."""
    from dovetail.models.request import Symmetry

    return list(Symmetry)


def reductions() -> list[str]:
    """Return the reductions that need no parameter."""
    from dovetail.models.request import PLAIN_REDUCTIONS

    return list(PLAIN_REDUCTIONS)


def triggers() -> list[str]:
    """Return the triggers that need no parameter."""
    from dovetail.models.request import TRIGGER_FORMS

    return [form for form in TRIGGER_FORMS if form.islower()]
