"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dovetail.errors import ConfigError
from dovetail.files.writing import write_whole


def test_a_file_is_new_or_written_over(tmp_path: Path) -> None:
    """Nothing else is left in the folder, and permissions stay."""
    path = tmp_path / "a"
    write_whole(path, b"1")
    path.chmod(0o600)
    write_whole(path, b"2")
    assert path.read_bytes() == b"2"
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_permissions_of_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Write a new file with the umask applied, without setting it for all threads."""
    (tmp_path / "other").touch()
    monkeypatch.delattr(os, "umask")
    write_whole(tmp_path / "a", b"1")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_link_stays_one(tmp_path: Path) -> None:
    """What it goes to is written."""
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "link").symlink_to("a")
    write_whole(tmp_path / "link", b"2")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a").read_bytes() == b"2"


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    """Is named; nothing is left behind."""
    path = tmp_path / "none" / "a"
    with pytest.raises(ConfigError) as raised:
        write_whole(path, b"1")
    assert str(raised.value) == f"{path} cannot be written (No such file or directory)"
    (tmp_path / "folder").mkdir()
    with pytest.raises(ConfigError, match="folder cannot be written"):
        write_whole(tmp_path / "folder", b"1")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
