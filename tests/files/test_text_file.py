"""Input files, pipes, devices and standard input: limits, encodings and compression."""

from __future__ import annotations

import gzip
import io
import os
import sys
import threading
from pathlib import Path

import pytest

from dovetail.errors import FormatError
from dovetail.files import text_file
from dovetail.files.text_file import STANDARD_INPUT, TextFile, input_bytes, is_input


def written(folder: Path, content: bytes) -> Path:
    """Write a file with `content` and return its path."""
    path = folder / "puzzle.txt"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(b"2 2\n" * 100, mtime=0)[:-20], "ends early"),
        (gzip.compress(b"2 2\n", mtime=0)[:-8] + b"12345678", "file is damaged"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", ":3: not text; expected a text file$"),
    ],
)
def test_damaged_compression_and_binary_data_are_refused(
    tmp_path: Path, content: bytes, message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        TextFile(written(tmp_path, content))


@pytest.mark.parametrize(
    ("content", "encoding", "text"),
    [
        ("Röver".encode(), "utf-8", "Röver"),
        ("“Röver” €".encode("cp1252"), "cp1252", "“Röver” €"),
        ("\ufeffRöver\n☃".encode("utf-16-le"), "utf-16-le", "Röver\n☃"),
        (b'<?xml encoding="punycode"?>\xe4', "cp1252", '<?xml encoding="punycode"?>ä'),
    ],
)
def test_encodings_are_decoded_without_losing_a_byte(
    tmp_path: Path, content: bytes, encoding: str, text: str
) -> None:
    for data in (content, gzip.compress(content, mtime=0)):
        file = TextFile(written(tmp_path, data))
        assert (file.encoding, "\n".join(file.lines)) == (encoding, text)
        assert file.text.encode(encoding) == content


@pytest.mark.parametrize(("name", "stem"), [("p.dlx", "p"), ("p.dlx.gz", "p"), ("p.1.gz", "p")])
def test_the_name_of_a_puzzle_has_no_suffix_of_its_compression(
    tmp_path: Path, name: str, stem: str
) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(b"2 2\n", mtime=0))
    assert TextFile(path).stem == stem


@pytest.mark.parametrize("padding", [0, 1, 512])
def test_all_members_of_a_gzip_file_are_read(tmp_path: Path, padding: int) -> None:
    """Empty members and zero bytes at the end are allowed."""
    parts = [b"2 2\n0 0 ", b"", b"1 1\n", b"# \xc3", b"\xa4\n" + b"a\n" * 10_000]
    packed = b"".join(map(gzip.compress, parts)) + bytes(padding)
    assert TextFile(written(tmp_path, packed)).text.encode() == b"".join(parts)


def test_a_cut_gzip_file_is_refused(tmp_path: Path) -> None:
    """A cut between two members leaves a valid file."""
    first, second = gzip.compress(b"2 2\n", mtime=0), gzip.compress(b"0 0 1 1\n", mtime=0)
    for length in range(len(first) + 1, len(first + second)):
        with pytest.raises(FormatError, match=r"puzzle\.txt: the compressed file"):
            TextFile(written(tmp_path, (first + second)[:length]))
    assert TextFile(written(tmp_path, first)).text == "2 2\n"


@pytest.mark.parametrize("rest", [b"x", b"\0\0x"])
def test_bytes_behind_gzip_data_are_refused(tmp_path: Path, rest: bytes) -> None:
    with pytest.raises(FormatError, match="other bytes follow the compressed content"):
        TextFile(written(tmp_path, gzip.compress(b"2 2\n", mtime=0) + rest))


def test_the_limit_holds_for_all_gzip_members_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_file, "LARGEST_FILE_BYTES", 1_000)
    member = gzip.compress(b"a\n" * 50, mtime=0)
    assert len(TextFile(written(tmp_path, member * 10)).lines) == 501
    with pytest.raises(FormatError, match="unpacks to more than 1,000 bytes"):
        TextFile(written(tmp_path, member * 10 + gzip.compress(b"a", mtime=0)))


def test_a_line_that_is_too_long_is_refused_with_its_number(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=":2: the line has 100,001 bytes"):
        TextFile(written(tmp_path, b"\n" + b"a" * 100_001))


def standard_input(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Replace standard input by `content`."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def filled_pipe(path: Path, content: bytes) -> threading.Thread:
    """Make a named pipe at `path` and start a thread that writes `content` to it."""
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(content,))
    writer.start()
    return writer


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    """The content exceeds the buffer of a pipe."""
    path = tmp_path / "pipe"
    content = b"0123456789" * 100_000
    writer = filled_pipe(path, content)
    assert is_input(path)
    assert input_bytes(path) == content
    writer.join()


def test_standard_input_is_read_like_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    standard_input(monkeypatch, b"2 2\n")
    file = TextFile(STANDARD_INPUT)
    assert file.lines == ["2 2", ""]
    assert (file.place, file.stem) == ("standard input", "standard input")
    assert str(file.error("wrong", 2)) == "standard input:2: wrong"
    with pytest.raises(FormatError, match=r"^standard input: empty; .*only one argument"):
        TextFile(STANDARD_INPUT)


@pytest.mark.parametrize("stream", [None, io.StringIO("no bytes")])
def test_a_closed_or_textual_standard_input_is_refused(
    monkeypatch: pytest.MonkeyPatch, stream: object
) -> None:
    monkeypatch.setattr(sys, "stdin", stream)
    with pytest.raises(FormatError, match=r"^standard input: closed; expected a file$"):
        input_bytes(STANDARD_INPUT)


def test_an_endless_device_is_read_up_to_the_limit() -> None:
    with pytest.raises(FormatError, match=r"^/dev/zero: more than 1,000 bytes"):
        input_bytes(Path("/dev/zero"), 1_000)


def test_folders_and_missing_files_are_no_inputs(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none", Path("a" * 1000), Path("a\0b")):
        assert not is_input(path)
    with pytest.raises(FormatError, match=r": a folder; expected a file$"):
        input_bytes(tmp_path)
