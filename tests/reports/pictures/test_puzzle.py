"""Puzzles drawn: the whole and its parts."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from dovetail.errors import ConfigError, PuzzleError
from dovetail.puzzles.loading import load
from dovetail.reports.pictures import puzzle as puzzle_module
from dovetail.reports.pictures.puzzle import puzzles_picture
from reports.pictures.puzzles import HOSTILE, SIGNED, SMALL, hostile_packing

SVG = "{http://www.w3.org/2000/svg}"


def test_region_and_pieces() -> None:
    """A page with a figure for each piece, and the same as one drawing."""
    page = puzzles_picture(".html", [SMALL])
    assert page.count("<figure>") == 2
    assert "<h2>Pieces</h2>" in page
    assert "<figcaption>A: 3 cells, free</figcaption>" in page
    root = ElementTree.fromstring(puzzles_picture(".svg", [SMALL]))
    assert root.findtext(f"{SVG}title") == "the region of small"
    captions = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "caption"]
    assert captions == ["A: 3 cells, free", "B: 1 cell, free"]


def test_board_and_tiles() -> None:
    """With their numbers."""
    page = puzzles_picture(".html", [SIGNED])
    assert "<h2>Tiles</h2>" in page
    assert "<figcaption>0</figcaption>" in page
    assert "top 0, right 5, bottom 0, left 0" in page


def test_options_of_a_cover() -> None:
    """A list on a page, and no drawing."""
    page = puzzles_picture(".html", [load("queens-6")])
    assert page.count("<li>") == 36
    with pytest.raises(PuzzleError, match="no picture"):
        puzzles_picture(".svg", [load("queens-6")])


def test_several_puzzles() -> None:
    """Are sections of one page, but one drawing is of one puzzle."""
    page = puzzles_picture(".html", [SMALL, SIGNED])
    assert page.count("<section>") == 2
    assert "<h1>2 puzzles</h1>" in page
    with pytest.raises(ConfigError, match=r"2 puzzles in one \.svg; expected one, or \.html"):
        puzzles_picture(".svg", [SMALL, SIGNED])
    with pytest.raises(
        ConfigError, match=r"'\.png': unknown kind of picture; valid: \.svg, \.html"
    ):
        puzzles_picture(".png", [SMALL])


@pytest.mark.parametrize("suffix", [".html", ".svg"])
def test_what_is_beyond_is_counted(monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    """Of a thousand pieces and more the first are shown."""
    monkeypatch.setattr(puzzle_module, "MAX_PARTS", 1)
    assert "and 1 more piece<" in puzzles_picture(suffix, [SMALL])


@pytest.mark.parametrize("suffix", [".html", ".svg"])
def test_hostile_names_are_text(suffix: str) -> None:
    """In titles, captions and words."""
    text = puzzles_picture(suffix, [hostile_packing()[0]])
    assert HOSTILE not in text
    assert "<script" not in text
    assert text.encode()
