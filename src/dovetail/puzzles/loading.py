"""Puzzles from whatever names them: a catalogue name, a file, or `FILE#N`, one puzzle of a file."""

from __future__ import annotations

import re
from pathlib import Path

from dovetail.errors import ConfigError, shorten
from dovetail.models.task import Puzzle
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.puzzles.formats.registry import format_named, format_of_file
from dovetail.puzzles.formats.text_file import TextFile

_NUMBERED = re.compile(r"(.+)#([0-9]{1,9})", re.DOTALL)


def load_all(reference: str | Path, format_name: str | None = None) -> tuple[Puzzle, ...]:
    """All puzzles that `reference` names: one of the catalogue, those in a file, or one of them.

    A file's format is told by its name and its first line unless `format_name` says it.

    Raises `FormatError` for a file that cannot be read as a puzzle and `ConfigError` for a
    name that is neither in the catalogue nor a file, or a number that no puzzle has.
    """
    path, number = _file_and_number(Path(reference))
    if path is not None:
        file = TextFile(path)
        chosen = format_of_file(file) if format_name is None else format_named(format_name)
        puzzles = chosen.read(file)
        return puzzles if number is None else (_numbered(path, puzzles, number),)
    if isinstance(reference, Path) or "/" in reference or Path(reference).suffix:
        raise ConfigError(f"there is no file {shorten(str(reference))!r}")
    return (catalogue_puzzle(reference),)


def load(reference: str | Path, format_name: str | None = None) -> Puzzle:
    """The one puzzle that `reference` names; `ConfigError` if a file holds several."""
    puzzles = load_all(reference, format_name)
    if len(puzzles) != 1:
        name = Path(reference).name
        raise ConfigError(f"{reference} holds {len(puzzles)} puzzles; {name}#N names one")
    return puzzles[0]


def source_of(reference: str | Path) -> TextFile | None:
    """The file that `reference` names a puzzle or all puzzles of; None for the catalogue's."""
    path, _ = _file_and_number(Path(reference))
    return None if path is None else TextFile(path)


def is_file(path: Path) -> bool:
    """Whether `path` is a file or `FILE#N`, a puzzle in one; False for what cannot be a path."""
    return _file_and_number(path)[0] is not None


def _file_and_number(path: Path) -> tuple[Path | None, int | None]:
    """The file that is there, and which of its puzzles is named."""
    if _exists(path):
        return path, None
    found = _NUMBERED.fullmatch(str(path))
    if found is not None and _exists(Path(found[1])):
        return Path(found[1]), int(found[2])
    return None, None


def _exists(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, or with a NUL in it
        return False


def _numbered(path: Path, puzzles: tuple[Puzzle, ...], number: int) -> Puzzle:
    if not 1 <= number <= len(puzzles):
        several = f"{len(puzzles)} puzzles" if len(puzzles) > 1 else "one puzzle"
        raise ConfigError(f"{path} holds {several}; there is no #{number}")
    return puzzles[number - 1]
