"""What pages outside the guide ask a reader to run, besides dovetail's own commands."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
RUN_AS_TESTS = {"guide", "formats.md"}  # from top to bottom
WITH_PROGRAM = ["README.md", "docs/index.md", "docs/api/index.md"]


def blocks(page: Path, language: str) -> list[str]:
    """Return the blocks of code of a page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", WITH_PROGRAM)
def test_a_program(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It runs, and prints what its comments say."""
    (program,) = blocks(ROOT / name, "python")
    exec(compile(program, name, "exec"), {})
    printed = capsys.readouterr().out
    for expected in re.findall(r"print\(.*#\s*(.+)$", program, re.MULTILINE):
        assert expected in printed


def test_other_pages_have_no_programs() -> None:
    """Else nothing would run them."""
    others = [page for page in PAGES if not RUN_AS_TESTS & {page.name, page.parent.name}]
    found = {page for page in others if blocks(page, "python") or blocks(page, "console")}
    assert found == {ROOT / name for name in WITH_PROGRAM}


def test_extras_are_there() -> None:
    """Those that a page installs, as in '.[dev]'."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = [found for page in PAGES for found in re.findall(r"'\.\[(.+?)\]'", page.read_text())]
    named = {name for group in groups for name in group.split(",")}
    assert named
    assert named <= set(project["optional-dependencies"])
