"""Puzzles by reference: a catalogue name, a file, or `FILE#N` for a single puzzle of a file.

`-` is standard input.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from dovetail.errors import ConfigError, shorten, show
from dovetail.files.text_file import TextFile, is_input
from dovetail.models.task import Puzzle
from dovetail.puzzles.catalogue import catalogue_puzzle, is_catalogue_name
from dovetail.puzzles.formats.registry import format_named, read_puzzles

_NUMBERED = re.compile(r"(.+)#([0-9]{1,9})", re.DOTALL)


class Reference:
    """A reference to puzzles; a file is read once, since a pipe can be read only once."""

    def __init__(self, reference: str | Path) -> None:
        """Read the file, if the reference is a file.

        `file` is None for a name of the catalogue and for an unknown name. Raises `FormatError` for
        a file that cannot be read, and `ConfigError` for a folder, for the path of a missing file
        and for a reference that is neither a text nor a path.
        """
        if not isinstance(reference, str | Path):
            raise ConfigError(f"puzzle is {show(reference)}; expected a catalogue name or a file")
        self._name = str(reference)
        path, self._number = _file_and_number(Path(reference))
        self.file = None if path is None else TextFile(path)
        for_file = isinstance(reference, Path) or "/" in reference or Path(reference).suffix
        if path is None and (for_file or not is_catalogue_name(self._name)):
            folder = folder_named(Path(reference))
            if folder is not None:
                raise ConfigError(f"{shorten(str(folder))!r} is a folder; expected a puzzle file")
        if path is None and for_file:
            raise ConfigError(f"there is no file {shorten(self._name)!r}")

    def puzzles(self, format_name: str | None = None) -> tuple[Puzzle, ...]:
        """Return all puzzles of the reference.

        The name of a file and its content decide its format unless `format_name` is given.

        Raises `FormatError` for a file that cannot be read as a puzzle. Raises `ConfigError` for an
        unknown format, and for an N that no puzzle of the file has. Raises errors as
        `catalogue_puzzle` does if the reference is not a file.
        """
        if self.file is None:
            if format_name is not None:
                format_named(format_name)  # raises for an unknown format
            return (catalogue_puzzle(self._name),)
        puzzles = read_puzzles(self.file, format_name)
        if self._number is None:
            return tuple(puzzles)
        if not 1 <= self._number <= len(puzzles):
            several = f"{len(puzzles)} puzzles" if len(puzzles) > 1 else "one puzzle"
            raise ConfigError(f"{self.file.place} holds {several}; #{self._number} does not exist")
        return (puzzles[self._number - 1],)

    def puzzle(self, format_name: str | None = None) -> Puzzle:
        """Return the only puzzle of the reference; raise `ConfigError` if there are several."""
        puzzles = self.puzzles(format_name)
        if self.file is not None and len(puzzles) != 1:
            raise ConfigError(
                f"{self.file.place} holds {len(puzzles)} puzzles; choose one with {self._name}#N"
            )
        return puzzles[0]


def load_all(reference: str | Path, format_name: str | None = None) -> tuple[Puzzle, ...]:
    """Return all puzzles that `reference` names; raise errors as `Reference` and `puzzles` do."""
    return Reference(reference).puzzles(format_name)


def load_each(references: Iterable[str], format_name: str | None = None) -> Iterator[Puzzle]:
    """Yield the puzzles that each of `references` names; raise errors as `load_all` does."""
    for reference in references:
        yield from load_all(reference, format_name)


def load(reference: str | Path, format_name: str | None = None) -> Puzzle:
    """Return the puzzle that `reference` names.

    Raises `ConfigError` if a file holds several puzzles, and other errors as `load_all` does.

    >>> load("soma-cube").name
    'soma-cube'
    """
    return Reference(reference).puzzle(format_name)


def is_file(path: Path) -> bool:
    """Return True if `path` is `-`, a file, or `FILE#N` with a file; False for any other path."""
    return _file_and_number(path)[0] is not None


def folder_named(path: Path) -> Path | None:
    """Return the folder that `path` or `FOLDER#N` names; None if there is no such folder."""
    found = _NUMBERED.fullmatch(str(path))
    return next(filter(os.path.isdir, [path, *([Path(found[1])] if found else [])]), None)


def _file_and_number(path: Path) -> tuple[Path | None, int | None]:
    """Return the file and the number that `path` names as `FILE` or `FILE#N`; None if missing."""
    if is_input(path):
        return path, None
    found = _NUMBERED.fullmatch(str(path))
    if found is not None and is_input(Path(found[1])):
        return Path(found[1]), int(found[2])
    return None, None
