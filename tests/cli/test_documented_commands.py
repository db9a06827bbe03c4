"""The commands in README.md and in the pages of docs are commands: parsed, not run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import typer

from dovetail.backends.config import build_config, parse_words
from dovetail.cli.main import make_app
from dovetail.errors import ConfigError
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import named_config
from dovetail.improvers.registry import improver_named
from dovetail.puzzles.catalogue import is_catalogue_name
from dovetail.reports.printing import SHEET
from dovetail.reports.printing.sheet import SheetConfig
from dovetail.reports.printing.solids import SolidsConfig

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


# A word in capitals stands for something: the rest of such a command is checked.
PLACEHOLDER = re.compile(r"\b[A-Z]+\b")
INLINE = re.compile(r"(?<!`)`(dovetail [a-z][^`…\[]*)`(?!`)")


def documented() -> Iterator[str]:
    """Yield the lines of shell that begin with the command, continued lines joined."""
    for page in PAGES:
        for block in re.findall(r"```sh\n(.*?)```", page.read_text(), re.DOTALL):
            for line in block.replace("\\\n", " ").splitlines():
                for part in line.split(" && "):
                    if re.match(r"(?:\.venv/bin/)?dovetail ", part):
                        yield part


def test_documented_commands() -> None:
    """The options exist, the backend has the settings, the catalogue has the puzzles."""
    for line in documented():
        try:
            parse(line)
        except Exception as error:
            raise AssertionError(line) from error


@cache
def command() -> Any:
    """Return the command, built once."""
    return typer.main.get_command(make_app())


def parse(line: str) -> None:
    """Parse a command and what it names; raises what the command would report."""
    _, *words = shlex.split(line, comments=True)
    root = command()
    context = root.make_context("dovetail", list(words))
    name, chosen, rest = root.resolve_command(context, list(words))
    if not hasattr(chosen, "commands"):
        context = chosen.make_context(name, rest, parent=context)
        backend = context.params.get("backend")
        settings = parse_words(context.params.get("config") or [])
        if name == "improve":
            build_config(improver_named(backend).config_type, settings, backend)
        elif name == "convert":
            is_sheet = context.params["target_format"] == SHEET
            build_config(SheetConfig if is_sheet else SolidsConfig, settings, name)
        else:
            named_config(backend if isinstance(backend, str) else AUTO, settings)
        puzzles = context.params.get("puzzles") or [context.params.get("puzzle")]
        for puzzle in filter(None, puzzles):
            known = is_catalogue_name(puzzle) or Path(puzzle).suffix
            assert known or PLACEHOLDER.fullmatch(puzzle), puzzle


def mentioned() -> set[str]:
    """Return the commands within sentences; many of them leave out the puzzle or the file."""
    texts = (re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S) for page in PAGES)
    return {" ".join(line.split()) for text in texts for line in INLINE.findall(text)}


def test_commands_within_sentences() -> None:
    """They have the options and settings that are named there."""
    for line in mentioned():
        try:
            parse(line)
        except (typer.BadParameter, ConfigError) as error:
            left_out = type(error).__name__ == "MissingParameter"  # which typer does not export
            assert left_out or PLACEHOLDER.search(line), line


def test_there_are_some() -> None:
    """Else a change of how commands are written would pass unseen."""
    assert len(set(documented())) > 30
    assert len(mentioned()) > 30
