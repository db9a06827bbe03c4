"""Edge-matching boards drawn."""

from __future__ import annotations

from dovetail.models.boards.edges import EdgePuzzle
from dovetail.reports.pictures.board import (
    MOTIFS,
    board_drawing,
    motif_path,
    side_path,
)
from dovetail.reports.pictures.colours import motif_numbers, paint_numbers
from dovetail.reports.pictures.drawing import SvgDrawing
from dovetail.reports.pictures.geometry import square
from reports.pictures.puzzles import SIGNED, SIGNED_SOLUTION, solved_board


def paths(drawing: SvgDrawing) -> dict[str, str]:
    """Path data by class."""
    return {s.get("class", ""): s.get("d", "") for s in drawing.shapes if s.tag == "path"}


def test_twenty_two_colours_can_be_distinguished() -> None:
    """And ninety-six: no two have the same paint and motif."""
    sides = [(colour, colour, colour, colour) for colour in range(100, 196)]
    many = EdgePuzzle("many", 96, 1, tuple(sides))
    paints, motifs = paint_numbers(many), motif_numbers(many)
    assert {(paints[colour], motifs[colour]) for colour in motifs} == {
        (paint, motif) for paint in range(12) for motif in range(8)
    }
    more = EdgePuzzle("more", 97, 1, (*sides, (9, 9, 9, 9)))
    assert (paint_numbers(more)[9], motif_numbers(more)[9]) == (0, 0)


def test_a_side() -> None:
    """The triangle between a side and the middle, clockwise."""
    shown = [side_path(square(0, 0), side) for side in range(4)]
    assert shown == [
        "M0 0l40 0 -20 20z",
        "M40 0l0 40 -20 -20z",
        "M40 40l-40 0 20 -20z",
        "M0 40l0 -40 20 20z",
    ]


def corners(path: str) -> set[tuple[int, int]]:
    """All corners of a path of relative steps."""
    found = set()
    for part in path.split("M")[1:]:
        first, _, steps = part.rstrip("z").partition("l")
        x, y = map(int, first.split())
        found.add((x, y))
        moves = list(map(int, steps.split()))
        for right, down in zip(moves[::2], moves[1::2], strict=True):
            x, y = x + right, y + down
            found.add((x, y))
    return found


def test_motifs_are_whole_where_tiles_match() -> None:
    """The halves on both sides of an edge are each other's mirror image, and lie in their sides."""
    for motif in range(len(MOTIFS)):
        above = corners(motif_path(square(0, 0), 2, motif))  # the south side of one tile
        below = corners(motif_path(square(0, 1), 0, motif))  # the north side of the one below
        assert {(x, 80 - y) for x, y in above} == below
        assert all(y - 40 <= min(x, 40 - x) for x, y in below)
        left = corners(motif_path(square(0, 0), 1, motif))
        right = corners(motif_path(square(1, 0), 3, motif))
        assert {(80 - x, y) for x, y in left} == right
    shapes = {motif_path(square(0, 0), 0, motif) for motif in range(len(MOTIFS))}
    assert len(shapes) == 8


def test_a_signed_board_with_a_hint() -> None:
    """The half of the negative side is hollow; the tile that the hint names has a border."""
    drawing = board_drawing(SIGNED, SIGNED_SOLUTION, "a title")
    shown = paths(drawing)
    assert shown["motif"] == motif_path(square(0, 0), 1, 0)
    assert shown["hollow"] == motif_path(square(1, 0), 3, 0)
    assert shown["paint piece-0"] == side_path(square(0, 0), 1) + side_path(square(1, 0), 3)
    assert shown["paint frame"].count("M") == 6
    assert shown["hint"] == "M0 0H40V40H0Z"
    assert "blank" not in shown
    assert [s.text for s in drawing.shapes if s.tag == "text"] == ["0", "1"]
    assert drawing.alt_text == "0/0 1/0"


def test_a_board_has_few_elements() -> None:
    """One path for each paint, whatever its size."""
    puzzle, solution = solved_board("edges-6-22-1")
    drawing = board_drawing(puzzle, solution, "")
    assert sum(path.count("M") for name, path in paths(drawing).items() if "paint" in name) == 144
    assert len(paths(drawing)) == 15  # twelve paints, the frame, motifs, borders
