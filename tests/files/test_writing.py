"""Atomic writing of files, and folders that a command owns."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dovetail.errors import ConfigError
from dovetail.files.writing import OwnedFolder, write_whole


def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_whole(path, b"1")
    path.chmod(0o640)
    write_whole(path, b"2")
    assert path.read_bytes() == b"2"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_usual_permissions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The umask is applied without being set, which would affect all threads."""
    (tmp_path / "other").touch()
    monkeypatch.delattr(os, "umask")
    write_whole(tmp_path / "a", b"1")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_the_target_of_a_link_is_written(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "link").symlink_to("a")
    write_whole(tmp_path / "link", b"2")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a").read_bytes() == b"2"


def test_an_error_names_the_file_and_leaves_no_other_file(tmp_path: Path) -> None:
    path = tmp_path / "none" / "a"
    with pytest.raises(ConfigError) as raised:
        write_whole(path, b"1")
    assert str(raised.value) == f"{path} cannot be written (No such file or directory)"
    (tmp_path / "folder").mkdir()
    with pytest.raises(ConfigError, match="folder cannot be written"):
        write_whole(tmp_path / "folder", b"1")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def owned(path: Path) -> OwnedFolder:
    """Return an owned folder with pages in it and in `sub`."""
    return OwnedFolder(path, ".ours", "marker\n", ("sub",), (".html",))


def paths(folder: Path) -> list[str]:
    """Return the paths of all files in a folder."""
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if not p.is_dir())


def test_replacing_a_folder_keeps_files_of_other_programs(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "site"
    assert owned(folder).replace([("sub/a.html", b"a"), ("b.html", b"b")]) == 2
    assert paths(folder) == [".ours", "b.html", "sub/a.html"]
    for foreign in ("CNAME", "own.html", "sub/notes.txt"):
        (folder / foreign).write_text("")
    assert owned(folder).replace([("sub/c.html", b"c"), ("b.html", b"B")]) == 2
    assert paths(folder) == [".ours", "CNAME", "b.html", "own.html", "sub/c.html", "sub/notes.txt"]
    assert (folder / "b.html").read_bytes() == b"B"


def test_a_folder_of_other_files_is_refused(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "thesis.html").write_text("years of work")
    with pytest.raises(ConfigError, match=r"foreign is not empty and holds no \.ours; expected"):
        owned(foreign).replace([("thesis.html", b"")])
    assert paths(foreign) == ["thesis.html"]
    with pytest.raises(ConfigError, match=r"thesis\.html cannot be written \(Not a directory\)"):
        owned(foreign / "thesis.html").check()
    site = tmp_path / "site"
    owned(site).replace([])
    (site / "sub").symlink_to(foreign)
    with pytest.raises(ConfigError, match=r"sub is a link or a file; expected a folder"):
        owned(site).replace([("sub/thesis.html", b"")])
    assert (foreign / "thesis.html").read_text() == "years of work"


def test_files_of_an_interrupted_call_are_replaced(tmp_path: Path) -> None:

    def broken() -> object:
        yield "sub/a.html", b"a"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        owned(tmp_path / "site").replace(broken())  # type: ignore[arg-type] # it never ends
    owned(tmp_path / "site").replace([("b.html", b"b")])
    assert paths(tmp_path / "site") == [".ours", "b.html"]
