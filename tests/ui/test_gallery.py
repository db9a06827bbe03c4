"""The pictures of the first page."""

from __future__ import annotations

import json

import pytest

from dovetail.ui.gallery import GALLERY, PICTURES, thumbnail


def test_every_puzzle_has_its_picture() -> None:
    """In the order of the gallery; `python -m dovetail.ui.gallery` draws them."""
    assert tuple(json.loads(PICTURES.read_text(encoding="utf-8"))) == GALLERY


@pytest.mark.parametrize("name", ["pentominoes-8x8-hole", "soma-cube"])
def test_pictures_are_as_they_are_drawn_now(name: str) -> None:
    """A flat puzzle and a solid."""
    assert json.loads(PICTURES.read_text(encoding="utf-8"))[name] == thumbnail(name)
