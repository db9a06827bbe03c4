"""A folder that one command writes, and nothing else is lost in."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from dovetail.errors import ConfigError
from dovetail.files.writing import OwnedFolder


def owned(path: Path) -> OwnedFolder:
    """The folder at `path`, with pages in it and in `sub`."""
    return OwnedFolder(path, ".ours", "marker\n", ("sub",), (".html",))


def paths(folder: Path) -> list[str]:
    """All files in a folder."""
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if not p.is_dir())


def test_a_new_folder_and_its_replacement(tmp_path: Path) -> None:
    """Files of an earlier time go; what others have put there stays."""
    folder = tmp_path / "new" / "site"
    assert owned(folder).replace([("sub/a.html", b"a"), ("b.html", b"b")]) == 2
    assert paths(folder) == [".ours", "b.html", "sub/a.html"]
    for foreign in ("CNAME", "own.html", "sub/notes.txt"):
        (folder / foreign).write_text("")
    assert owned(folder).replace([("sub/c.html", b"c"), ("b.html", b"B")]) == 2
    assert paths(folder) == [".ours", "CNAME", "b.html", "own.html", "sub/c.html", "sub/notes.txt"]
    assert (folder / "b.html").read_bytes() == b"B"


def test_folders_that_are_not_ours(tmp_path: Path) -> None:
    """Nothing is written to a folder with other files, to a file, or through a link."""
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
    with pytest.raises(ConfigError, match=r"sub is no folder of its own"):
        owned(site).replace([("sub/thesis.html", b"")])
    assert (foreign / "thesis.html").read_text() == "years of work"


def test_a_link_to_a_folder_is_the_folder(tmp_path: Path) -> None:
    """As whoever serves it has it."""
    (tmp_path / "target").mkdir()
    (tmp_path / "link").symlink_to("target")
    owned(tmp_path / "link").replace([("a.html", b"")])
    assert paths(tmp_path / "target") == [".ours", "a.html"]


def test_an_ended_writing_is_ours(tmp_path: Path) -> None:
    """What comes after a failure in the middle replaces what was written."""

    def broken() -> object:
        yield "sub/a.html", b"a"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        owned(tmp_path / "site").replace(broken())  # type: ignore[arg-type] # it never ends
    owned(tmp_path / "site").replace([("b.html", b"b")])
    assert paths(tmp_path / "site") == [".ours", "b.html"]


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names it."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    for name, written in (("mkdir", "site"), ("iterdir", "site")):
        with monkeypatch.context() as patched:
            patched.setattr(Path, name, refuse)
            with pytest.raises(ConfigError, match=rf"{written} cannot be written \(Permission"):
                owned(tmp_path / "site").replace([])
