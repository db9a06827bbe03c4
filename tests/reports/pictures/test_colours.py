"""Colours: the palette, its CSS, and the colours of neighbouring pieces and of galleries."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from xml.etree import ElementTree

import pytest

from dovetail.reports.pictures.colours import (
    DARK,
    LIGHT,
    PATTERNS,
    PIECES,
    picture_style,
    piece_style,
    placed_numbers,
    touching,
)
from dovetail.reports.pictures.picture import picture_of
from reports.eyes import min_contrast, min_difference
from reports.pictures.puzzles import solved
from reports.present import present


def pieces_of(palette: dict[str, str]) -> list[str]:
    return [colour for name, colour in palette.items() if name.startswith("piece-")]


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("eyes", "bound"),
    [("usual", 13.4), ("deuteranopia", 9.9), ("protanopia", 9.9), ("tritanopia", 9.3)],
)
def test_all_can_be_distinguished(palette: dict[str, str], eyes: str, bound: float) -> None:
    """As they are seen; Okabe and Ito's mere seven come to 15.6, 7.6, 9.6 and 8.5."""
    assert len(set(pieces_of(palette))) == PIECES
    assert min_difference(pieces_of(palette), eyes) > bound


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_letters_are_legible(palette: dict[str, str]) -> None:
    """On all pieces at the contrast that is asked for small text, on grey for large text."""
    assert min_contrast(pieces_of(palette), palette["picture-letter"]) >= 4.5
    assert min_contrast([palette["picture-fixed"]], palette["picture-letter"]) > 3


def test_every_variable_is_defined_three_times() -> None:
    """For light, dark and print; and none is used that is not."""
    style = picture_style()
    defined = re.findall(r"(--[\w-]+): #", style)
    assert set(re.findall(r"var\((--[\w-]+)", style)) <= set(defined)
    assert {defined.count(name) for name in defined} == {3}


SVG = "{http://www.w3.org/2000/svg}"


def colours_in(text: str) -> dict[str, set[str]]:
    """Of each piece the colours that it has in a file: a sheet, a page, or a viewer."""
    found = defaultdict[str, set[str]](set)
    if "viewer-data" in text:
        data = present(
            re.search(r'<script[^>]*id="viewer-data"[^>]*>(.*?)</script>', text, re.DOTALL)
        )
        for placed in json.loads(data[1])["solutions"]:
            for name, _, colour, _ in placed:
                found[name].add(str(colour))
        return found
    for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        for shape in ElementTree.fromstring(svg.replace(f' xmlns="{SVG[1:-1]}"', "")).iter("path"):
            colour = re.search(r"piece-\d+", shape.get("class", ""))
            if colour is not None:
                found[shape.findtext("title", "")].add(colour[0])
    return found


@pytest.mark.parametrize(
    ("name", "suffix"),
    [("pentominoes-6x10", "svg"), ("pentominoes-6x10", "html"), ("soma-cube", "html")],
)
def test_one_colour_in_all_pictures(name: str, suffix: str) -> None:
    """Of a sheet, a page and a viewer: that of the piece's place, in every solution."""
    puzzle, solutions = solved(name, 20)
    found = colours_in(getattr(picture_of(puzzle, solutions), suffix))
    # The viewer's data have the number alone.
    numbers = {
        name: {int(colour.removeprefix("piece-")) for colour in its} for name, its in found.items()
    }
    assert numbers == {piece.name: {number} for number, piece in enumerate(puzzle.pieces)}


def test_the_thirteenth_piece_has_a_pattern() -> None:
    """No two of 48 pieces look alike; the next is like the first."""
    assert [piece_style(number) for number in (0, 11, 12, 25, 47)] == [
        *("piece-0", "piece-11", "piece-0 pattern-1", "piece-1 pattern-2", "piece-11 pattern-3")
    ]
    assert len({piece_style(number) for number in range(48)}) == 48
    assert piece_style(48) == piece_style(0)
    assert all(f".hatch.pattern-{n}" in picture_style() for n in range(1, PATTERNS))


def test_colours_are_spread_where_names_say_nothing() -> None:
    """Neighbours differ, and all colours are used about as often."""
    puzzle, (solution,) = solved("dominoes-8x8")
    colours = placed_numbers(puzzle, solution)
    near = touching([cells for _, cells in solution.placed], puzzle.lattice)
    assert all(colours[one] != colours[other] for one in range(len(near)) for other in near[one])
    assert max(map(colours.count, colours)) - min(map(colours.count, colours)) <= 2
