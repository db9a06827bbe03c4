"""The metadata that `hatch_build.py` makes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
URL = "https://example.org/puzzles/dovetail"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the hook sets, for a repository."""
    monkeypatch.syspath_prepend(ROOT)
    from hatch_build import VARIABLE, LinkHook

    monkeypatch.setenv(VARIABLE, f"{URL}/")
    metadata: dict[str, Any] = {"version": "1.2.3"}
    LinkHook(str(ROOT), {}).update(metadata)
    return metadata


def test_links_of_the_project(made: dict[str, Any]) -> None:
    """They are those of the repository."""
    assert made["urls"]["Source"] == URL
    assert all(url.startswith(URL) for url in made["urls"].values())


def test_links_of_the_description(made: dict[str, Any]) -> None:
    """All are absolute, also those of pictures, at the tag of the version."""
    text = made["readme"]["text"]
    targets = re.findall(r"\]\(([^)]+)\)|^\[[^\]]+\]: +(\S+)", text, re.MULTILINE)
    assert targets
    assert all(re.match(r"https?://|#", one or other) for one, other in targets)
    assert re.search(rf"^\[\w+\]: {URL}/raw/v1\.2\.3/docs/pictures/\S+$", text, re.MULTILINE)
    without = re.sub(rf"{URL}/(?:raw|blob)/v1\.2\.3/", "", text)
    assert without == (ROOT / "README.md").read_text()
