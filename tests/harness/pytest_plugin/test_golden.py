"""Golden files are read and written, and what is no entry is named with its line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dovetail.errors import FormatError
from dovetail.harness.pytest_plugin.golden import (
    Figures,
    GoldenEntry,
    GoldenFile,
    entry_line,
    read_golden,
)

FIGURES = Figures(2339, 892_247, "0123456789abcdef")
LINE = '"a dlx all" = { count = 2339, nodes = 892_247, digest = "0123456789abcdef" }'
WRITTEN = f"""\
# Ours.

# Busche 2011
{LINE}
"b # x dlx all" = {{ count = 0, digest = "0123456789abcdef" }}  # none # at all
# the end
"""


def test_a_file_that_is_read_is_written_the_same(tmp_path: Path) -> None:
    """Comments before, above, behind and at the end; a `#` in a name is none."""
    path = tmp_path / "golden.toml"
    path.write_text(WRITTEN)
    golden = read_golden(path)
    assert golden.text() == golden.source == WRITTEN
    assert golden.opening == ("# Ours.",)
    assert golden.entries["a dlx all"] == GoldenEntry(FIGURES, 4, ("# Busche 2011",))
    none = replace(FIGURES, count=0, nodes=None)
    assert golden.entries["b # x dlx all"] == GoldenEntry(none, 5, behind="# none # at all")
    assert golden.closing == ("# the end",)


def test_there_need_not_be_a_file(tmp_path: Path) -> None:
    """A new one says what it is."""
    golden = read_golden(tmp_path / "golden.toml")
    assert golden == GoldenFile()
    assert golden.text().startswith("# Expected solution counts and nodes;")


@pytest.mark.parametrize(
    "name", ["<script>", 'say "a"', "back\\slash", "line\nfeed", "nul\0", "\x7f", "\u202e", "𝄞", ""]
)
def test_any_name_can_be_read_back(tmp_path: Path, name: str) -> None:
    """And is one line that prints."""
    line = entry_line(name, FIGURES)
    assert line.isprintable()
    path = tmp_path / "golden.toml"
    path.write_text(line + "\n")
    assert read_golden(path).figures() == {name: FIGURES}


WHOLE, SIXTEEN = "not a whole number of 0 or more", "not 16 hexadecimal digits"
EXPECTED = "expected { count = …, nodes = …, digest = … }, nodes optional"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("<<<<<<< HEAD", "not TOML: Invalid statement; expected one entry per line"),
        (LINE, '"a dlx all" is already on line 1; expected each question once'),
        ("[a]", f'"a": it is a table; {EXPECTED}'),
        ("a = 8", f'"a": it is 8; {EXPECTED}'),
        ("a = {}", f'"a": count is missing; {EXPECTED}'),
        ("a = { count = 8 }", f'"a": digest is missing; {EXPECTED}'),
        ('a = { cuont = 8, digest = "" }', f'"a": unknown key "cuont"; {EXPECTED}'),
        ('a = { count = true, digest = "" }', f'"a": count is True, {WHOLE}; {EXPECTED}'),
        ('a = { count = 1, nodes = -1, digest = "" }', f'"a": nodes is -1, {WHOLE}; {EXPECTED}'),
        ('a = { count = 1, digest = "0" }', f"\"a\": digest is '0', {SIXTEEN}; {EXPECTED}"),
    ],
)
def test_what_is_no_entry_is_named(tmp_path: Path, line: str, message: str) -> None:
    """With file and line."""
    path = tmp_path / "golden.toml"
    path.write_text(f"{LINE}\n\n{line}\n")
    with pytest.raises(FormatError) as raised:
        read_golden(path)
    assert str(raised.value) == f"{path}:3: {message}"
