"""A piece has one colour in all pictures of a gallery."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from itertools import islice
from xml.etree import ElementTree

import pytest

from dovetail.api import solve
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.puzzles.loading import load
from dovetail.reports.pictures.gallery_colours import GalleryColours, gallery_colours
from dovetail.reports.pictures.picture import picture_of

SVG = "{http://www.w3.org/2000/svg}"


def solved(name: str, count: int) -> tuple[PackingPuzzle, list[PackingSolution]]:
    """A puzzle of the catalogue, and solutions of it."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    found = [one for one in islice(solve(puzzle), count) if isinstance(one, PackingSolution)]
    return puzzle, found


def colours_in(text: str) -> dict[str, set[str]]:
    """Of each piece the colours that it has in a file: a sheet, a page, or a viewer."""
    found = defaultdict[str, set[str]](set)
    if "viewer-data" in text:
        data = re.search(r'<script[^>]*id="viewer-data"[^>]*>(.*?)</script>', text, re.DOTALL)
        assert data is not None
        for placed in json.loads(data[1])["solutions"]:
            for name, _, colour, _ in placed:
                found[name].add(str(colour))
        return found
    for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        for shape in ElementTree.fromstring(svg.replace(f' xmlns="{SVG[1:-1]}"', "")).iter("path"):
            colour = re.search(r"piece-\d", shape.get("class", ""))
            if colour is not None:
                found[shape.findtext("title", "")].add(colour[0])
    return found


@pytest.mark.parametrize(
    ("name", "suffix"),
    [("pentominoes-6x10", "svg"), ("pentominoes-6x10", "html"), ("soma-cube", "html")],
)
def test_one_colour_in_all_pictures(name: str, suffix: str) -> None:
    """Of a sheet, a page and a viewer; neighbours differ in the first."""
    puzzle, solutions = solved(name, 20)
    found = colours_in(getattr(picture_of(puzzle, solutions), suffix))
    assert found.keys() == {piece.name for piece in puzzle.pieces}
    assert all(len(colours) == 1 for colours in found.values())
    first = gallery_colours(puzzle).of(solutions[0])
    expected = {
        name: {str(colour)} for (name, _), colour in zip(solutions[0].placed, first, strict=True)
    }
    assert {name: {one[-1] for one in colours} for name, colours in found.items()} == expected


def test_pieces_that_come_later() -> None:
    """They keep apart from those that are known; copies are coloured anew."""
    colours = GalleryColours(SquareLattice(2), ["A", "B", "C"], ["C"])
    assert colours.of(PackingSolution((("A", ((0, 0),)), ("C", ((1, 0),)), ("C", ((2, 0),))))) == [
        *(0, 2, 1)
    ]
    assert colours.of(PackingSolution((("C", ((0, 0),)), ("A", ((3, 0),)), ("B", ((4, 0),))))) == [
        *(2, 0, 1)
    ]
