"""Puzzles from whatever names them: a catalogue name or a file."""

from __future__ import annotations

from pathlib import Path

from dovetail.errors import ConfigError, shorten
from dovetail.models.task import Puzzle
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.puzzles.formats.registry import format_named, format_of_file
from dovetail.puzzles.formats.text_file import TextFile


def load_all(reference: str | Path, format_name: str | None = None) -> tuple[Puzzle, ...]:
    """All puzzles that `reference` names: one of the catalogue, or those in a file.

    A file's format is told by its name and its first line unless `format_name` says it.

    Raises `FormatError` for a file that cannot be read as a puzzle and `ConfigError` for a
    name that is neither in the catalogue nor a file.
    """
    path = Path(reference)
    if is_file(path):
        file = TextFile(path)
        chosen = format_of_file(file) if format_name is None else format_named(format_name)
        return chosen.read(file)
    if isinstance(reference, Path) or "/" in reference or path.suffix:
        raise ConfigError(f"there is no file {shorten(str(reference))!r}")
    return (catalogue_puzzle(reference),)


def load(reference: str | Path, format_name: str | None = None) -> Puzzle:
    """The one puzzle that `reference` names; `ConfigError` if a file holds several."""
    puzzles = load_all(reference, format_name)
    if len(puzzles) != 1:
        raise ConfigError(f"{shorten(str(reference))} holds {len(puzzles)} puzzles; expected one")
    return puzzles[0]


def is_file(path: Path) -> bool:
    """Whether there is a file at `path`; False for what cannot be a path."""
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, or with a NUL in it
        return False
