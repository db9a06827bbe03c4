"""Atomic writing of files, and folders of such files.

If the process is killed, a file has either its earlier or its new content.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from dovetail.errors import ConfigError, reason_of


def write_whole(path: Path, data: bytes) -> None:
    """Create or replace the file at `path`, keeping its permissions and a symbolic link.

    Writes straight to a device or a pipe. Raises `ConfigError` if the file cannot be written.
    """
    with writing(path):
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        target = path.resolve()
        temporary = target.with_name(f".{target.name}.{os.urandom(8).hex()}")
        kept_mode = target.stat().st_mode if target.exists() else None
        try:
            # The system applies the umask to a new file. Reading the umask would mean setting it,
            # for every thread of the process.
            temporary.touch(0o666 if kept_mode is None else 0o600, exist_ok=False)
            temporary.write_bytes(data)
            if kept_mode is not None:
                temporary.chmod(kept_mode)
            temporary.replace(target)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise


class OwnedFolder(NamedTuple):
    """A folder whose files a command writes and replaces.

    A folder without the marker file is written to only if it is empty or does not exist. Files of
    other programs stay: an earlier file is deleted only if it is in one of `folders` and its suffix
    is in `suffixes`.
    """

    path: Path
    marker: str  # name of the file that shows that the folder is owned
    content: str  # content of the marker file
    folders: Collection[str]  # names of subfolders in which earlier files are deleted
    suffixes: Collection[str]  # suffixes of the files written

    def check(self) -> None:
        """Raise `ConfigError` if the folder may not be written to."""
        marker = self.path / self.marker
        if _entries(self.path) and (marker.is_symlink() or not marker.is_file()):
            raise ConfigError(
                f"{self.path} is not empty and holds no {self.marker}; expected an empty or new "
                "folder, or one that this command wrote"
            )
        for name in self.folders:
            folder = self.path / name
            if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
                raise ConfigError(f"{folder} is a link or a file; expected a folder, or nothing")

    def replace(self, files: Iterable[tuple[str, bytes]]) -> int:
        """Write `files`, pairs of a path within the folder and a content; delete earlier files.

        Returns the number of files written. Each file is written atomically, the marker first. If
        the process is killed, the folder may have both earlier and new files. Raises `ConfigError`
        if the folder may not or cannot be written to.
        """
        self.check()
        _make(self.path)
        write_whole(self.path / self.marker, self.content.encode())
        written = set()
        for name, data in files:
            path = self.path / name
            _make(path.parent)
            write_whole(path, data)
            written.add(path)
        for folder in self.folders:
            for path in _entries(self.path / folder):
                if path.suffix in self.suffixes and path not in written and path.is_file():
                    with writing(path):
                        path.unlink()
        return len(written)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an error of the system into a `ConfigError` that names `path`."""
    try:
        yield
    except OSError as error:
        raise ConfigError(f"{path} cannot be written ({reason_of(error)})") from None


def _entries(folder: Path) -> list[Path]:
    with writing(folder), suppress(FileNotFoundError):
        return sorted(folder.iterdir())
    return []


def _make(folder: Path) -> None:
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
