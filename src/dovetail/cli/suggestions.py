"""Completions of the words of a command in a shell.

Each function takes the word so far and returns the words that begin with it. A shell starts a
process for each completion, so modules are imported only where they are needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

MAX_OFFERED = 200


def puzzles(incomplete: str) -> list[str]:
    """Return catalogue names, files and folders."""
    from dovetail.puzzles.catalogue import catalogue

    names = (name for entry in catalogue() for name in entry.examples)
    return [*_beginning(names, incomplete), *_files(incomplete)]


def suites_and_puzzles(incomplete: str) -> list[str]:
    """Return the names of suites, catalogue names, files and folders."""
    from dovetail.harness.suite.suite_file import bundled_suites

    return [*_beginning(bundled_suites(), incomplete), *puzzles(incomplete)]


def puzzle_formats(incomplete: str) -> list[str]:
    """Return the names of the formats that puzzles can be read from."""
    from dovetail.puzzles.formats.registry import puzzle_formats as registered

    names = (name for name, found in registered().items() if found.readable)
    return _beginning(names, incomplete)


def backends(incomplete: str) -> list[str]:
    """Return the names of backends, and auto."""
    from dovetail.harness.planning.named import backend_names

    *before, last = incomplete.split(",")
    given = "".join(f"{name}," for name in before)
    names = (name for name in backend_names() if name not in before)
    return [f"{given}{name}" for name in _beginning(names, last)]


def improvers(incomplete: str) -> list[str]:
    """Return the names of improvers."""
    from dovetail.improvers.registry import improvers as registered

    return _beginning(registered(), incomplete)


def help_topics(ctx: Any, incomplete: str) -> list[str]:
    """Return the topics of `dovetail help`: commands, backends, improvers and reductions."""
    commands = ctx.find_root().command.commands
    topics = [*commands, "reductions"]
    return [*_beginning(topics, incomplete), *backends(incomplete), *improvers(incomplete)]


def settings(ctx: Any, incomplete: str) -> list[str]:
    """Return the keys of the solvers that the command names, each with its equals sign."""
    from dovetail.backends.config import settings_of
    from dovetail.backends.registry import backends as registered
    from dovetail.improvers.registry import improvers as registered_improvers

    given = ctx.params.get("backend") or ""
    names = (given if isinstance(given, str) else ",".join(given)).split(",")
    solvers: dict[str, Any] = {**registered(), **registered_improvers()}
    known = [solvers[name].config_type for name in names if name in solvers]
    keys = dict.fromkeys(setting.key for config in known for setting in settings_of(config))
    return _beginning((f"{key}=" for key in keys), incomplete)


def symmetries(incomplete: str) -> list[str]:
    """Return the ways to count symmetric solutions."""
    from dovetail.models.request import Symmetry

    return _beginning(Symmetry, incomplete)


def reductions(incomplete: str) -> list[str]:
    """Return the filters that need no parameter."""
    from dovetail.models.request import PLAIN_REDUCTIONS

    return _beginning(PLAIN_REDUCTIONS, incomplete)


def triggers(incomplete: str) -> list[str]:
    """Return the triggers that need no parameter."""
    from dovetail.models.request import TRIGGER_FORMS

    return _beginning((form for form in TRIGGER_FORMS if form.islower()), incomplete)


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [str(name) for name in names if name.startswith(incomplete)]


def _files(incomplete: str) -> list[str]:
    """Return the paths that begin with the word, folders with a slash."""
    folder, _, beginning = incomplete.rpartition("/")
    place = Path(f"{folder}/" if "/" in incomplete else ".")
    try:
        paths = sorted(path for path in place.iterdir() if path.name.startswith(beginning))
    except OSError:
        return []
    prefix = incomplete[: len(incomplete) - len(beginning)]
    return [f"{prefix}{path.name}{'/' * path.is_dir()}" for path in paths[:MAX_OFFERED]]
