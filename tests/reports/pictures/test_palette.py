"""The colours are as far apart as the module says, for most kinds of eyes."""

from __future__ import annotations

import pytest

from dovetail.reports.pictures.palette import DARK, LIGHT, PIECES, SIXTEEN, Palette
from reports.eyes import min_contrast, min_difference


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("eyes", "bound"),
    [("usual", 15.0), ("deuteranopia", 12.0), ("protanopia", 12.0), ("tritanopia", 11.0)],
)
def test_all_can_be_distinguished(palette: Palette, eyes: str, bound: float) -> None:
    """As they are seen; Okabe and Ito's seven come to 15.6, 7.6, 9.6 and 8.5."""
    assert len(set(palette.pieces)) == PIECES
    assert min_difference(palette.pieces, eyes) > bound


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_letters_are_legible(palette: Palette) -> None:
    """On all pieces, at the contrast that is asked for large text."""
    assert min_contrast((*palette.pieces, palette.fixed), palette.letter) > 3


def test_sixteen_colours_differ_in_hue() -> None:
    """One of each: some terminals show the bright ones as the others."""
    assert len({name.removeprefix("bright_") for name in SIXTEEN.pieces}) == PIECES
