"""Text files: bounds, encodings, packed ones."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from dovetail.errors import FormatError
from dovetail.files import text_file
from dovetail.files.text_file import TextFile


def written(folder: Path, content: bytes) -> Path:
    """A file with `content`."""
    path = folder / "puzzle.txt"
    path.write_bytes(content)
    return path


def test_packed_files_are_unpacked(tmp_path: Path) -> None:
    """What gzip has packed reads like the text itself."""
    text = b"2 2\n# \xc3\xa4\n"
    packed = TextFile(written(tmp_path, gzip.compress(text, mtime=0)))
    assert packed.lines == TextFile(written(tmp_path, text)).lines == ["2 2", "# ä", ""]


def test_content_that_is_in_no_file() -> None:
    """The path names it in messages."""
    text = TextFile(Path("example.txt"), b"2 2\n\xc3\xa4")
    assert (text.lines, text.stem) == (["2 2", "ä"], "example")
    assert str(text.error("wrong", 2)) == "example.txt:2: wrong"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(b"2 2\n" * 100, mtime=0)[:-20], "ends early"),
        (b"\x1f\x8bnonsense", "file is damaged"),
        (gzip.compress(b"2 2\n", mtime=0)[:-8] + b"12345678", "file is damaged"),
        (gzip.compress(b"\xff\0", mtime=0), ":1: not text"),
        (b"\xff\xfe\0\0a\0\0\0", ":1: not text"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", ":3: not text; expected a text file$"),
        (b"a\n\0", ":2: not text"),
    ],
)
def test_what_is_no_text(tmp_path: Path, content: bytes, message: str) -> None:
    """Is said in one line."""
    with pytest.raises(FormatError, match=message):
        TextFile(written(tmp_path, content))


@pytest.mark.parametrize(
    ("content", "encoding", "text"),
    [
        ("Röver".encode(), "utf-8", "Röver"),
        ("Röver".encode("latin-1"), "cp1252", "Röver"),
        ("“Röver” €".encode("cp1252"), "cp1252", "“Röver” €"),
        (b"R\xf6ver\x81", "latin-1", "Röver\x81"),
        ("\ufeffRöver\n☃".encode("utf-16-le"), "utf-16-le", "Röver\n☃"),
        ("\ufeffRöver".encode("utf-16-be"), "utf-16-be", "Röver"),
        ('<?xml encoding="KOI8-R"?>Да'.encode("koi8-r"), "koi8-r", '<?xml encoding="KOI8-R"?>Да'),
        (
            "<?xml version='1.0' encoding = 'windows-1251'?>Да".encode("cp1251"),
            "cp1251",
            "<?xml version='1.0' encoding = 'windows-1251'?>Да",
        ),
        # One that is no encoding of text, one that does not give the bytes back, none at all.
        (b'<?xml encoding="punycode"?>\xe4', "cp1252", '<?xml encoding="punycode"?>ä'),
        (b'<?xml encoding="utf-7"?>\xe4', "cp1252", '<?xml encoding="utf-7"?>ä'),
        (b'<?xml encoding="nonsense"?>\xe4', "cp1252", '<?xml encoding="nonsense"?>ä'),
        # It says Latin-1 and is UTF-8: by chance other text hardly ever is.
        ('<?xml encoding="latin-1"?>ä'.encode(), "utf-8", '<?xml encoding="latin-1"?>ä'),
    ],
)
def test_encodings(tmp_path: Path, content: bytes, encoding: str, text: str) -> None:
    """Of older programs, of declarations, of byte order marks; no byte is lost."""
    for data in (content, gzip.compress(content, mtime=0)):
        file = TextFile(written(tmp_path, data))
        assert (file.encoding, "\n".join(file.lines)) == (encoding, text)
        assert file.text.encode(encoding) == content


def test_the_text_is_kept_as_it_was(tmp_path: Path) -> None:
    """Marks that are no part of lines included, packed or not."""
    content = "\ufeffa\r\nb\rc\n".encode()
    for data in (content, gzip.compress(content, mtime=0)):
        file = TextFile(written(tmp_path, data))
        assert file.text.encode() == content
        assert file.lines == ["a", "b\rc", ""]


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound on files holds for what comes out of them."""
    monkeypatch.setattr(text_file, "LARGEST_FILE_BYTES", 10_000)
    assert len(TextFile(written(tmp_path, gzip.compress(b"a\n" * 5_000, mtime=0))).lines) == 5_001
    with pytest.raises(FormatError, match="unpacks to more than 10,000 bytes"):
        TextFile(written(tmp_path, gzip.compress(b"a\n" * 5_001, mtime=0)))


@pytest.mark.parametrize("padding", [0, 1, 512])
def test_all_members_of_a_gzip_file_are_read(tmp_path: Path, padding: int) -> None:
    """Empty members too; zero bytes at the end are padding, as for the program gzip."""
    parts = [b"2 2\n0 0 ", b"", b"1 1\n", b"# \xc3", b"\xa4\n" + b"a\n" * 10_000]
    packed = b"".join(map(gzip.compress, parts)) + bytes(padding)
    assert TextFile(written(tmp_path, packed)).text.encode() == b"".join(parts)


def test_a_gzip_file_that_is_cut_anywhere(tmp_path: Path) -> None:
    """It is refused, unless it ends where a member does."""
    first, second = gzip.compress(b"2 2\n", mtime=0), gzip.compress(b"0 0 1 1\n", mtime=0)
    for length in range(len(first) + 1, len(first + second)):
        with pytest.raises(FormatError, match=r"puzzle\.txt: the compressed file"):
            TextFile(written(tmp_path, (first + second)[:length]))
    assert TextFile(written(tmp_path, first)).text == "2 2\n"


@pytest.mark.parametrize("rest", [b"x", b"2 2\n", b"\0\0x", b"\x1f"])
def test_bytes_after_the_last_gzip_member(tmp_path: Path, rest: bytes) -> None:
    """They are refused."""
    with pytest.raises(FormatError, match="other bytes follow the compressed content"):
        TextFile(written(tmp_path, gzip.compress(b"2 2\n", mtime=0) + rest))


def test_a_damaged_later_gzip_member(tmp_path: Path) -> None:
    """Its checksum is verified."""
    damaged = bytearray(gzip.compress(b"0 0 1 1\n", mtime=0))
    damaged[-6] ^= 1  # in its checksum
    with pytest.raises(FormatError, match="file is damaged"):
        TextFile(written(tmp_path, gzip.compress(b"2 2\n", mtime=0) + damaged))


def test_the_limit_holds_for_all_gzip_members_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each member alone is smaller."""
    monkeypatch.setattr(text_file, "LARGEST_FILE_BYTES", 1_000)
    member = gzip.compress(b"a\n" * 50, mtime=0)
    assert len(TextFile(written(tmp_path, member * 10)).lines) == 501
    with pytest.raises(FormatError, match="unpacks to more than 1,000 bytes"):
        TextFile(written(tmp_path, member * 10 + gzip.compress(b"a", mtime=0)))


def test_the_line_that_is_too_long(tmp_path: Path) -> None:
    """Is named."""
    with pytest.raises(FormatError, match=":2: the line has 100,001 characters"):
        TextFile(written(tmp_path, b"\n" + b"a" * 100_001))
