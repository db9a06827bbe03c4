"""Processes started without some of the descriptors 0 to 2."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

OCCUPY = """
import os, sys
from dovetail.platform.system import occupy_standard_descriptors
occupy_standard_descriptors()
occupy_standard_descriptors()
opened = os.open(os.devnull, os.O_RDONLY)
works = []
for descriptor, use in enumerate((lambda: os.read(0, 1), lambda: os.write(1, b"x"),
                                  lambda: os.write(2, b"x"))):
    try:
        use()
        works.append(descriptor)
    except OSError as error:
        assert error.errno == 9, error
with open(sys.argv[1], "w") as file:
    file.write(f"{opened > 2} {works}")
"""
COUNT = """
import sys
import dovetail
found = dovetail.count("queens-6", "constraint", symmetry="all")
with open(sys.argv[1], "w") as file:
    file.write(f"{found.status} {found.count} {found.reason}")
"""


def written_by(script: str, folder: Path, closed: str) -> str:
    """Return the text that `script` writes when it is started with `closed` streams."""
    (folder / "script.py").write_text(script)
    words = f'exec "{sys.executable}" script.py answer.txt {closed}'
    subprocess.run(["bash", "-c", words], cwd=folder, check=True, timeout=120)
    return (folder / "answer.txt").read_text()


@pytest.mark.parametrize(
    ("closed", "works"),
    [
        ("<&- >/dev/null 2>/dev/null", "[1, 2]"),
        ("</dev/null >&- 2>/dev/null", "[0, 2]"),
        ("</dev/null >/dev/null 2>&-", "[0, 1, 2]"),
        ("<&- >&- 2>&-", "[2]"),
    ],
)
def test_a_new_file_takes_no_descriptor_of_a_closed_stream(
    tmp_path: Path, closed: str, works: str
) -> None:
    """A closed input or output remains an error."""
    assert written_by(OCCUPY, tmp_path, closed) == f"True {works}"


def test_a_script_without_standard_streams_can_count(tmp_path: Path) -> None:
    assert written_by(COUNT, tmp_path, "<&- >&- 2>&-") == "exhausted 4 None"
