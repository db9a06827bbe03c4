"""The JSON reader: lines of values, and errors for other text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dovetail.errors import FormatError
from dovetail.files.json_file import JsonReader
from dovetail.files.text_file import TextFile


def reader(folder: Path, text: str) -> JsonReader:
    """Return a reader of a file with `text`."""
    path = folder / "values.json"
    path.write_text(text)
    return JsonReader(TextFile(path), "a list")


def test_members_and_entries_have_lines(tmp_path: Path) -> None:
    """Read keys of objects, entries of lists, and whole values, each with its line."""
    here = reader(tmp_path, '{\n"a": [\n1, [2,\n3]\n,4], "b":\n{}\n}\n')
    seen: list[tuple[object, ...]] = []
    for line, key in here.members():
        if key == "a":
            seen += [(entry, here.value()) for entry in here.entries()]
        else:
            seen.append((line, key, here.value()))
    here.end()
    assert seen == [(3, 1), (3, [2, 3]), (5, 4), (5, "b", {})]


def test_nothing_in_it(tmp_path: Path) -> None:
    """Read an empty list and an empty object."""
    assert list(reader(tmp_path, " [ ] ").entries()) == []
    assert list(reader(tmp_path, "{\n}").members()) == []


def entries(here: JsonReader) -> None:
    """Read all entries of a list."""
    for _ in here.entries():
        here.value(longest=20)
    here.end()


def members(here: JsonReader) -> None:
    """Read all members of an object."""
    for _ in here.members():
        here.value()


@pytest.mark.parametrize(
    ("text", "read", "line", "message"),
    [
        ("", entries, 1, r"; expected '\['"),
        ("{}", entries, 1, r"; expected '\['"),
        ("[1\n2]", entries, 2, "not JSON; expected ','"),
        ("[1,\n]", entries, 2, "not JSON; expected a list"),
        ("[1,\n\n", entries, 3, "not JSON; expected a list"),
        ("[1]\n2", entries, 2, "text after the end"),
        ("[" * 10_000, entries, 1, "not JSON; expected a list"),
        ("[\n" + "9" * 5_000 + "]", entries, 2, "not JSON; expected ','"),
        ('["' + "long" * 5 + '"]', entries, 1, "not JSON; expected a list"),
        ('{"a"\n1}', members, 2, "not JSON; expected ':'"),
        ('{"a": 1,\n2: 1}', members, 2, "expected a key in quotes"),
        ("[]", members, 1, "; expected '{'"),
    ],
)
def test_what_is_no_json(
    tmp_path: Path, text: str, read: Callable[[JsonReader], None], line: int, message: str
) -> None:
    """Report the line of the error and the expected text."""
    with pytest.raises(FormatError, match=message) as caught:
        read(reader(tmp_path, text))
    assert caught.value.line == line
