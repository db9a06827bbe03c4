"""Packings drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise, product
from xml.etree.ElementTree import Element

import pytest

from dovetail.api import solve
from dovetail.errors import PuzzleError
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.puzzles.loading import load
from dovetail.reports.pictures.colouring import touching
from dovetail.reports.pictures.drawing import Drawing, svg_text
from dovetail.reports.pictures.gallery_colours import gallery_colours
from dovetail.reports.pictures.packing import (
    piece_drawing,
    placed_drawing,
    region_drawing,
    solution_drawing,
)
from reports.pictures.puzzles import HOSTILE, SMALL, SMALL_SOLUTION, hostile_packing


def styles(shapes: Iterable[Element]) -> list[str]:
    """The classes of all shapes, in order."""
    return [shape.get("class", "") for shape in shapes]


def letters(drawing: Drawing) -> list[str | None]:
    """The names written on pieces."""
    return [shape.text for shape in drawing.shapes if shape.get("class") == "letter"]


def solved(name: str) -> tuple[PackingPuzzle, PackingSolution]:
    """A puzzle of the catalogue, and a solution of it."""
    puzzle = load(name)
    solution = next(solve(puzzle))
    assert isinstance(puzzle, PackingPuzzle)
    assert isinstance(solution, PackingSolution)
    return puzzle, solution


def test_a_solution() -> None:
    """The region, the cell that stays empty, the fixed piece, the pieces and their names."""
    drawing = solution_drawing(SMALL, SMALL_SOLUTION, "a title")
    assert styles(drawing.shapes) == [
        *("blank", "lines", "empty"),
        *("fixed", "hatch", "letter"),
        *("piece piece-0", "letter"),
        *("piece piece-1", "letter"),
    ]
    assert letters(drawing) == ["wall", "A", "B"]
    assert (drawing.title, drawing.alt_text.split("\n")[0].split()) == ("a title", ["A", "A", "."])
    assert [shape.findtext("title") for shape in drawing.shapes if shape.get("d")] == [
        *(None, None, "wall", None, "A", "B")
    ]


def test_a_cell_that_is_filled_has_no_dot() -> None:
    """Optional cells have one only while nothing covers them."""
    filled = PackingSolution((*SMALL_SOLUTION.placed[:1], ("B", ((2, 1),))))
    assert "empty" not in styles(solution_drawing(SMALL, filled, "").shapes)
    assert "empty" in styles(region_drawing(SMALL).shapes)


@pytest.mark.parametrize("name", ["pentominoes-6x10", "pentominoes-8x8-hole", "soma-cube"])
def test_neighbours_have_other_colours(name: str) -> None:
    """In the plane and in space; most pieces keep the colour of their place."""
    puzzle, solution = solved(name)
    colours = gallery_colours(puzzle).of(solution)
    near = touching([cells for _, cells in solution.placed], puzzle.lattice)
    assert all(colours[one] != colours[other] for one in range(len(near)) for other in near[one])
    home = {piece.name: number % 7 for number, piece in enumerate(puzzle.pieces)}
    kept = [
        home[name] == colour for (name, _), colour in zip(solution.placed, colours, strict=True)
    ]
    assert sum(kept) >= len(kept) / 2


def test_solids_in_layers() -> None:
    """A piece is named in every layer that it lies in, in one colour."""
    puzzle, solution = solved("soma-cube")
    drawing = solution_drawing(puzzle, solution, "")
    assert [shape.text for shape in drawing.shapes if shape.get("class") == "title"] == [
        "z = 0",
        "z = 1",
        "z = 2",
    ]
    for name, cells in solution.placed:
        assert letters(drawing).count(name) == len({cell[2] for cell in cells})
    assert len([s for s in styles(drawing.shapes) if s.startswith("piece ")]) == 7


def test_a_piece() -> None:
    """In the colour of its place among the pieces."""
    drawing = piece_drawing(SMALL.lattice, SMALL.pieces[0], 8)
    assert styles(drawing.shapes) == ["piece piece-1"]
    assert (drawing.width, drawing.height, drawing.title) == (80, 80, "A")


def test_a_solution_alone() -> None:
    """What lies where; without anything there is no picture."""
    drawing = placed_drawing(SMALL_SOLUTION)
    assert (drawing.width, drawing.height, letters(drawing)) == (80, 80, ["A", "B"])
    assert drawing.alt_text == "A at (0, 0) (0, 1) (1, 1); B at (1, 0)"
    with pytest.raises(PuzzleError, match="nothing to draw"):
        placed_drawing(PackingSolution(()))


def test_hostile_names_are_text() -> None:
    """Names that text cannot have are listed piece by piece; nothing becomes a tag."""
    puzzle, solution = hostile_packing()
    text = svg_text(solution_drawing(puzzle, solution, HOSTILE))
    assert "<script" not in text
    assert text.count("&lt;script&gt;alert('1')&lt;/script&gt;") == 3  # title, words, piece
    assert text.encode()


def test_copies_have_colours_too() -> None:
    """Pieces of one name that touch differ."""
    cells = tuple(product(range(4), range(2)))
    solution = PackingSolution(
        tuple(("domino", (cells[number], cells[number + 1])) for number in range(0, 8, 2))
    )
    shown = [s for s in styles(placed_drawing(solution).shapes) if s.startswith("piece")]
    assert len(shown) == 4
    assert all(re.fullmatch(r"piece piece-[0-6]", style) for style in shown)
    assert all(one != other for one, other in pairwise(shown))
