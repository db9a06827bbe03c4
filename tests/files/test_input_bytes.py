"""Inputs that are no regular files: pipes, devices, standard input."""

from __future__ import annotations

import io
import os
import sys
import threading
from pathlib import Path

import pytest

from dovetail.errors import FormatError
from dovetail.files.text_file import STANDARD_INPUT, TextFile, input_bytes, is_input


def standard_input(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Let standard input hold `content`."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def filled_pipe(path: Path, content: bytes) -> threading.Thread:
    """A named pipe at `path` that somebody writes `content` into, once."""
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(content,))
    writer.start()
    return writer


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    """However often its writer pauses: it is more than a pipe holds at once."""
    path = tmp_path / "pipe"
    content = b"0123456789" * 100_000
    writer = filled_pipe(path, content)
    assert is_input(path)
    assert input_bytes(path) == content
    writer.join()


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its lines are those of a file; messages and puzzles without a name call it so."""
    standard_input(monkeypatch, b"2 2\n")
    file = TextFile(STANDARD_INPUT)
    assert file.lines == ["2 2", ""]
    assert (file.place, file.stem) == ("standard input", "standard input")
    assert str(file.error("wrong", 2)) == "standard input:2: wrong"
    with pytest.raises(FormatError, match=r"^standard input: empty; .*only one argument"):
        TextFile(STANDARD_INPUT)


@pytest.mark.parametrize("stream", [None, io.StringIO("no bytes")])
def test_no_standard_input(monkeypatch: pytest.MonkeyPatch, stream: object) -> None:
    """A process may have none, and a notebook has another thing in its place."""
    monkeypatch.setattr(sys, "stdin", stream)
    with pytest.raises(FormatError, match=r"^standard input: closed; expected a file$"):
        input_bytes(STANDARD_INPUT)


def test_a_standard_input_that_was_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the script that calls."""
    standard_input(monkeypatch, b"2 2\n")
    sys.stdin.close()
    with pytest.raises(FormatError, match="closed"):
        input_bytes(STANDARD_INPUT)


def test_an_input_without_end() -> None:
    """Is read up to the bound."""
    with pytest.raises(FormatError, match=r"^/dev/zero: more than 1,000 bytes"):
        input_bytes(Path("/dev/zero"), 1_000)


def test_what_is_no_input(tmp_path: Path) -> None:
    """A folder, a name without a file, a name that no file can have."""
    for path in (tmp_path, tmp_path / "none", Path("a" * 1000), Path("a\0b")):
        assert not is_input(path)
    with pytest.raises(FormatError, match=r": a folder; expected a file$"):
        input_bytes(tmp_path)
