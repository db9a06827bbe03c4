"""The pictures of the first page."""

from __future__ import annotations

import json
from pathlib import Path
from runpy import run_path

import pytest

PROGRAM = run_path(str(Path(__file__).parents[2] / "viewer" / "gallery.py"))
PICTURES = json.loads(PROGRAM["PICTURES"].read_text(encoding="utf-8"))


def test_every_puzzle_has_its_picture() -> None:
    """In the order of the gallery; `python viewer/gallery.py` draws them."""
    assert tuple(PICTURES) == PROGRAM["GALLERY"]


@pytest.mark.parametrize("name", ["pentominoes-8x8-hole", "soma-cube"])
def test_pictures_are_as_they_are_drawn_now(name: str) -> None:
    """A flat puzzle and a solid."""
    assert PICTURES[name] == PROGRAM["thumbnail"](name)
