"""A folder whose files one command writes and replaces: never one that holds anything else.

The folder has a marker, a file with the name of what is in it. A folder without it is only written
to when it is empty or not there. What others put beside the files stays: only in the folders within
it, and only files with our suffixes, are those of an earlier time deleted.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from dovetail.errors import ConfigError, reason_of
from dovetail.files.whole_file import write_whole


@dataclass(frozen=True)
class OwnedFolder:
    """The folder at `path`, with files in it and in the `folders` within, of these `suffixes`.

    `marker` is the name of the file that makes it ours, `content` what the file holds.
    """

    path: Path
    marker: str
    content: str
    folders: Collection[str]
    suffixes: Collection[str]

    def check(self) -> None:
        """Raise `ConfigError` if the folder may not be written to."""
        if self._entries(self.path) and not self._is_ours():
            raise ConfigError(
                f"{self.path} is not empty and holds no {self.marker}; expected an empty or new "
                "folder, or one that this command wrote"
            )
        for name in self.folders:
            folder = self.path / name
            if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
                raise ConfigError(f"{folder} is no folder of its own; expected one, or nothing")

    def replace(self, files: Iterable[tuple[str, bytes]]) -> int:
        """Write `files`, by their paths within the folder, then delete those of an earlier time.

        Returns how many were written. Each is written at one stroke; after a kill the folder has
        old and new ones, and is ours. Raises `ConfigError` if the folder may not be written to or
        cannot be.
        """
        self.check()
        self._make(self.path)
        write_whole(self.path / self.marker, self.content.encode())
        written = set()
        for name, data in files:
            path = self.path / name
            self._make(path.parent)
            write_whole(path, data)
            written.add(path)
        for folder in self.folders:
            for path in self._entries(self.path / folder):
                if path.suffix in self.suffixes and path not in written and path.is_file():
                    self._delete(path)
        return len(written)

    def _is_ours(self) -> bool:
        marker = self.path / self.marker
        return marker.is_file() and not marker.is_symlink()

    def _entries(self, folder: Path) -> list[Path]:
        """What is in a folder; nothing if it is not there."""
        try:
            return sorted(folder.iterdir())
        except FileNotFoundError:
            return []
        except OSError as error:
            raise self._unusable(folder, error) from None

    def _make(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._unusable(folder, error) from None

    def _delete(self, path: Path) -> None:
        try:
            os.unlink(path)
        except OSError as error:
            raise self._unusable(path, error) from None

    def _unusable(self, path: Path, error: OSError) -> ConfigError:
        return ConfigError(f"{path} cannot be written ({reason_of(error)})")
