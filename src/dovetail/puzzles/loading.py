"""Puzzles from whatever names them: a catalogue name or a file."""

from __future__ import annotations

import re
from pathlib import Path

from dovetail.errors import ConfigError, shorten
from dovetail.models.task import Puzzle
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.puzzles.formats.edge_text import read_edge_text
from dovetail.puzzles.formats.polycube import read_polycube
from dovetail.puzzles.formats.text_file import TextFile


def load_all(reference: str | Path) -> tuple[Puzzle, ...]:
    """All puzzles that `reference` names: one of the catalogue, or those in a file.

    Raises `FormatError` for a file that cannot be read as a puzzle and `ConfigError` for a
    name that is neither in the catalogue nor a file.
    """
    path = Path(reference)
    if is_file(path):
        return _read(path)
    if isinstance(reference, Path) or "/" in reference or path.suffix:
        raise ConfigError(f"there is no file {shorten(str(reference))!r}")
    return (catalogue_puzzle(reference),)


def load(reference: str | Path) -> Puzzle:
    """The one puzzle that `reference` names; `ConfigError` if a file holds several."""
    puzzles = load_all(reference)
    if len(puzzles) != 1:
        raise ConfigError(f"{shorten(str(reference))} holds {len(puzzles)} puzzles; expected one")
    return puzzles[0]


def is_file(path: Path) -> bool:
    """Whether there is a file at `path`; False for what cannot be a path."""
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, or with a NUL in it
        return False


def _read(path: Path) -> tuple[Puzzle, ...]:
    """The puzzles of a file, whose format its first line tells."""
    file = TextFile(path)
    line, first = next(file.content(), (None, ""))
    if line is None:
        raise file.error("the file is empty; expected a puzzle")
    if re.match(r"[DCL]\s*:|~", first):
        return read_polycube(file)
    if re.match(r"[+-]?\d", first):
        return (read_edge_text(file),)
    raise file.error(
        f"{shorten(first)!r}; expected D: (a polycube definition) or two numbers, width and "
        "height (edge-matching text)",
        line,
    )
