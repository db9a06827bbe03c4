"""The commands in README.md and docs/commands.md are commands: parsed, not run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from dovetail.backends.config import build_config, parse_words
from dovetail.cli.main import make_app
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import named_config
from dovetail.improvers.registry import improver_named
from dovetail.puzzles.catalogue import is_catalogue_name

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/commands.md", "docs/solvers/quick-suite.md")


def documented() -> Iterator[str]:
    """Yield the lines of shell that begin with the command, continued lines joined."""
    for page in PAGES:
        for block in re.findall(r"```sh\n(.*?)```", (ROOT / page).read_text(), re.DOTALL):
            for line in block.replace("\\\n", " ").splitlines():
                for part in line.split(" && "):
                    if re.match(r"(?:\.venv/bin/)?dovetail ", part):
                        yield part


@pytest.mark.parametrize("line", sorted(set(documented())))
def test_a_documented_command(line: str) -> None:
    """The options exist, the backend has the settings, the catalogue has the puzzles."""
    _, *words = shlex.split(line, comments=True)
    root: Any = typer.main.get_command(make_app())
    context = root.make_context("dovetail", list(words))
    name, command, rest = root.resolve_command(context, list(words))
    if not hasattr(command, "commands"):
        context = command.make_context(name, rest, parent=context)
        backend = context.params.get("backend")
        settings = parse_words(context.params.get("config") or [])
        if name == "improve":
            build_config(improver_named(backend).config_type, settings, backend)
        else:
            named_config(backend if isinstance(backend, str) else AUTO, settings)
        puzzles = context.params.get("puzzles") or [context.params.get("puzzle")]
        for puzzle in filter(None, puzzles):
            assert is_catalogue_name(puzzle) or Path(puzzle).suffix, puzzle


def test_there_are_some() -> None:
    assert len(set(documented())) > 30
