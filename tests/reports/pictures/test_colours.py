"""Colours: the palette, its CSS, and the colours of neighbouring pieces and of galleries."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.models.lattices.square import SquareLattice
from dovetail.models.solution import PackingSolution
from dovetail.reports.pictures.colours import (
    DARK,
    LIGHT,
    PIECES,
    SIXTEEN,
    GalleryColours,
    Neighbours,
    colour_numbers,
    gallery_colours,
    picture_style,
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
    [("usual", 15.0), ("deuteranopia", 12.0), ("protanopia", 12.0), ("tritanopia", 11.0)],
)
def test_all_can_be_distinguished(palette: dict[str, str], eyes: str, bound: float) -> None:
    """As they are seen; Okabe and Ito's seven come to 15.6, 7.6, 9.6 and 8.5."""
    assert len(set(pieces_of(palette))) == PIECES
    assert min_difference(pieces_of(palette), eyes) > bound


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_letters_are_legible(palette: dict[str, str]) -> None:
    """On all pieces, at the contrast that is asked for large text."""
    assert (
        min_contrast([*pieces_of(palette), palette["picture-fixed"]], palette["picture-letter"]) > 3
    )


def test_sixteen_colours_differ_in_hue() -> None:
    """One of each: some terminals show the bright ones as the others."""
    assert len({name.removeprefix("bright_") for name in pieces_of(SIXTEEN)}) == PIECES


def test_every_variable_is_defined_three_times() -> None:
    """For light, dark and print; and none is used that is not."""
    style = picture_style()
    defined = re.findall(r"(--[\w-]+): #", style)
    assert set(re.findall(r"var\((--[\w-]+)", style)) <= set(defined)
    assert {defined.count(name) for name in defined} == {3}


def test_programs_without_variables_have_colours() -> None:
    """The light one stands before each."""
    style = picture_style()
    assert f"fill: {LIGHT['piece-6']}; fill: var(--piece-6);" in style
    assert style.count("; stroke: var(") == style.count("stroke: var(") > 0
    assert DARK["piece-6"] in style


def graph(nodes: int, edges: list[tuple[int, int]]) -> list[set[int]]:
    """Neighbours of each node."""
    near: list[set[int]] = [set() for _ in range(nodes)]
    for one, other in edges:
        near[one].add(other)
        near[other].add(one)
    return near


def equal_pairs(near: Neighbours, colours: list[int]) -> int:
    """How many neighbours have the same colour."""
    return sum(colours[a] == colours[b] for a in range(len(near)) for b in near[a] if a < b)


def test_touching() -> None:
    """Pieces that share a side, not those that share a corner or lie apart."""
    shapes = [((0, 0), (1, 0)), ((2, 0),), ((2, 1),), ((5, 5),)]
    assert touching(shapes, SquareLattice(2)) == [{1}, {0, 2}, {1}, set()]
    assert touching([((0, 0, 0),), ((0, 0, 1),)], SquareLattice(3)) == [{1}, {0}]


def test_as_few_colours_as_can_be() -> None:
    """An odd ring takes three, a wheel around it four; a first choice may have to be undone."""
    ring = graph(5, [(i, (i + 1) % 5) for i in range(5)])
    assert equal_pairs(ring, colour_numbers(ring, 3)) == 0
    wheel = graph(6, [(i, (i + 1) % 5) for i in range(5)] + [(i, 5) for i in range(5)])
    assert equal_pairs(wheel, colour_numbers(wheel, 4)) == 0
    assert equal_pairs(wheel, colour_numbers(wheel, 3)) == 1


def test_more_neighbours_than_colours() -> None:
    """Of eight that all touch one another two are alike."""
    clique = graph(8, [(a, b) for a in range(8) for b in range(a)])
    assert equal_pairs(clique, colour_numbers(clique, 7)) == 1


def test_preferred_colours_are_kept_where_they_can() -> None:
    """All of them if they differ; of two that do not, one changes."""
    path = graph(3, [(0, 1), (1, 2)])
    assert colour_numbers(path, 7, [4, 2, 4]) == [4, 2, 4]
    assert colour_numbers(path, 7, [4, 4, 3]) == [0, 4, 3]


def test_given_colours_stay() -> None:
    """Whatever their neighbours have; the others keep apart from them."""
    path = graph(4, [(0, 1), (1, 2), (2, 3)])
    assert colour_numbers(path, 7, [1, 1, 1, 5], {0: 4, 1: 4}) == [4, 4, 1, 5]
    assert colour_numbers(path, 2, [0, 0, 0, 0], {1: 0, 2: 1}) == [1, 0, 1, 0]


def test_colours_are_spread() -> None:
    """Nodes without neighbours do not all get the first one."""
    assert colour_numbers(graph(5, []), 3) == [0, 1, 2, 0, 1]
    assert colour_numbers([], 7) == []


@given(
    st.integers(2, 9).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=20),
        )
    )
)
def test_against_trying_everything(drawn: tuple[int, list[tuple[int, int]]]) -> None:
    """Three colours are enough whenever they can be."""
    nodes, edges = drawn
    near = graph(nodes, [(a, b) for a, b in edges if a != b])

    def possible(colours: list[int]) -> bool:
        node = len(colours)
        return node == nodes or any(
            all(colours[other] != colour for other in near[node] if other < node)
            and possible([*colours, colour])
            for colour in range(3)
        )

    assert (equal_pairs(near, colour_numbers(near, 3)) == 0) == possible([])


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
