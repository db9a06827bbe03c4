"""Pictures of puzzles, solutions and kept examples, and the files of them."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dovetail import ConfigError, PuzzleError, picture, solve
from dovetail.harness.records.outline import example_of, outline
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.boards.partial_board import PartialBoard, mismatched_edges
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.solution import Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import SolutionWriter, solutions_text
from dovetail.puzzles.loading import load
from dovetail.reports.pictures import picture as picture_module
from dovetail.reports.pictures.board import board_drawing
from dovetail.reports.pictures.drawing import SvgDrawing, svg_element
from dovetail.reports.pictures.packing import solution_drawing
from dovetail.reports.pictures.picture import (
    PICTURES,
    example_drawing,
    picture_writer,
    puzzles_picture,
)
from reports.pictures.puzzles import (
    HOSTILE,
    SIGNED,
    SIGNED_SOLUTION,
    SMALL,
    SMALL_SOLUTION,
    hostile_packing,
    solved,
    solved_board,
)
from reports.test_html import Outline


def test_one_solution_or_several() -> None:
    """As given, from an iterator too."""
    assert "solution 1 of small" in picture(SMALL, SMALL_SOLUTION).svg
    several = picture("pentominoes-3x20", islice(solve("pentominoes-3x20"), 2))
    assert several.html.count("<figure>") == 2
    assert several._repr_html_().count("<figure>") == 2
    with pytest.raises(PuzzleError, match=r"^small: there is no solution to draw$"):
        picture(SMALL, [])


def test_save(tmp_path: Path) -> None:
    """By the suffix; what cannot be written is one line."""
    shown = picture(SMALL, SMALL_SOLUTION)
    shown.save(tmp_path / "small.svg")
    shown.save(str(tmp_path / "small.html"))
    assert (tmp_path / "small.svg").read_text() == shown.svg
    assert (tmp_path / "small.html").read_text() == shown.html
    with pytest.raises(ConfigError, match=r"'\.png' is no kind of picture; valid: \.svg, \.html"):
        shown.save(tmp_path / "small.png")
    with pytest.raises(ConfigError, match="cannot be written"):
        shown.save(tmp_path / "missing" / "small.svg")


BOARD = EdgePuzzle("board", 2, 2, ((0, 1, 2, 0), (0, 0, 2, 1), (2, 1, 0, 0), (2, 0, 0, 1)))


def test_a_board_that_is_no_solution(tmp_path: Path) -> None:
    """Edges that do not match are marked, in files and in notebooks; its score is below it."""
    crossed = PartialBoard((((0, 1), (3, 0)), (None, (1, 0))))
    shown = picture(BOARD, crossed)
    marks = len(mismatched_edges(BOARD, crossed))
    assert marks == 1
    for text in (shown.svg, shown.html, shown._repr_html_()):
        assert text.count('class="mismatch"') == 1
        assert "1 of 4 edges match" in text
    shown.save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text() == shown.svg


def test_a_board_of_another_puzzle() -> None:
    """Is refused with the rule that it breaks."""
    with pytest.raises(PuzzleError, match="not a board of board: the size of the board is not 2"):
        picture(BOARD, PartialBoard(((None,),)))
    with pytest.raises(PuzzleError, match="small has no boards: it is not an edge-matching"):
        picture(SMALL, PartialBoard(((None,),)))


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


@pytest.mark.parametrize("suffix", [".html", ".svg"])
def test_parts_beyond_the_limit_are_counted(monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    """Of a thousand pieces and more the first are shown."""
    monkeypatch.setattr(picture_module, "MAX_PARTS", 1)
    assert "and 1 more piece<" in puzzles_picture(suffix, [SMALL])


@pytest.mark.parametrize("suffix", [".html", ".svg"])
def test_hostile_names_of_puzzles_are_text(suffix: str) -> None:
    """In titles, captions and words."""
    text = puzzles_picture(suffix, [hostile_packing()[0]])
    assert HOSTILE not in text
    assert "<script" not in text
    assert text.encode()


def written(suffix: str, puzzle: Puzzle, *solutions: Solution) -> tuple[str, SolutionWriter]:
    """The file with these solutions, and its writer."""
    writer = picture_writer(suffix, puzzle)
    return solutions_text(writer, solutions), writer


@pytest.mark.parametrize("count", [1, 3])
def test_a_page_is_whole(count: int) -> None:
    """A figure for each solution, with its number; all that is opened is closed."""
    text, writer = written(".html", SMALL, *[SMALL_SOLUTION] * count)
    outline = Outline(text)
    assert outline.open == []
    assert (outline.tags.count("figure"), outline.tags.count("svg")) == (count, count)
    assert re.findall(r"<figcaption>(\d)", text) == [str(n + 1) for n in range(count)]
    assert f"</div><p>{count} solution{'s' * (count > 1)} in this file</p></body></html>" in text
    assert writer.left_out == 0


def test_one_solution_as_svg() -> None:
    """Is the file by itself, with its style and the solution in words."""
    text, _ = written(".svg", SMALL, SMALL_SOLUTION)
    root = ElementTree.fromstring(text)
    assert (root.tag, root.get("role")) == (f"{SVG}svg", "img")
    assert root.findtext(f"{SVG}title") == "solution 1 of small"
    assert (root.findtext(f"{SVG}desc") or "").split() == [*"AA.", *("A", "B", "wall")]
    assert "prefers-color-scheme: dark" in (root.findtext(f"{SVG}style") or "")
    (legend,) = [group for group in root.iter(f"{SVG}g") if group.get("class") == "legend"]
    assert [text.text for text in legend.iter(f"{SVG}text")] == ["A", "B"]
    assert (root.get("width"), root.get("height")) == ("102", "107")


@pytest.mark.parametrize("suffix", [".svg", ".html"])
@pytest.mark.parametrize("puzzle", [SMALL, SIGNED, load("soma-cube"), load("edges-4-b3i3-1")])
def test_there_is_no_picture_of_no_solution(suffix: str, puzzle: Puzzle) -> None:
    writer = picture_writer(suffix, puzzle)
    assert not writer.may_be_empty
    with pytest.raises(PuzzleError, match=f"^{puzzle.name}: there is no solution to draw$"):
        assert writer.tail


@pytest.mark.parametrize(("suffix", "bound"), [(".html", "MAX_IN_HTML"), (".svg", "MAX_IN_SVG")])
def test_what_is_beyond_is_counted(
    monkeypatch: pytest.MonkeyPatch, suffix: str, bound: str
) -> None:
    """The file says how many are not drawn."""
    monkeypatch.setattr(picture_module, bound, 2)
    text, writer = written(suffix, SMALL, *[SMALL_SOLUTION] * 5)
    assert text.count("solution 2 of small") == 1
    assert "solution 3 of small" not in text
    assert ">2 solutions in this file; 3 more omitted<" in text
    assert writer.left_out == 3


def test_covers_are_lists() -> None:
    """A page has the chosen options by name; there is no SVG of them."""
    queens = load("queens-6")
    text, _ = written(".html", queens, *islice(solve(queens), 1))
    outline = Outline(text)
    assert (outline.open, outline.tags.count("li")) == ([], 6)
    with pytest.raises(PuzzleError, match=r"queens-6 is a bare cover problem.* use \.html"):
        picture_writer(".svg", queens)


@pytest.mark.parametrize("suffix", PICTURES)
def test_too_many_dimensions(suffix: str) -> None:
    """Refused before anything runs."""
    cells = ((0, 0, 0, 0, 0),)
    puzzle = PackingPuzzle("deep", SquareLattice(5), cells, (Piece("A", cells),))
    with pytest.raises(PuzzleError, match="up to 4 dimensions, not 5"):
        picture_writer(suffix, puzzle)


@pytest.mark.parametrize("suffix", PICTURES)
def test_hostile_names_are_text(suffix: str) -> None:
    """No tag comes of them, it can be written as UTF-8, and nothing is asked of any host."""
    puzzle, solution = hostile_packing()
    text, _ = written(suffix, puzzle, solution, solution)
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert text.encode()
    assert not re.search(r"(?<!xmlns=\")https?:|src=|@import|url\(", text)
    if suffix == ".html":
        assert (Outline(text).open, "script" in Outline(text).tags) == ([], False)
    else:
        ElementTree.fromstring(text)


def drawn(puzzle: Puzzle, solution: Solution) -> SvgDrawing:
    """The picture of a solution, made of what a record keeps."""
    example, kept = example_of(puzzle, solution), outline(puzzle)
    assert example is not None
    assert kept is not None
    return example_drawing(example, kept)


def pieces(drawing: SvgDrawing) -> set[tuple[str, str, str]]:
    """The class, the name and the path of each piece."""
    return {
        (shape.get("class", ""), shape.findtext("title", ""), shape.get("d", ""))
        for shape in drawing.shapes
        if shape.get("class", "").startswith("piece")
    }


@pytest.mark.parametrize("name", ["pentominoes-6x10", "soma-cube"])
def test_a_packing(name: str) -> None:
    """Each piece where `dovetail solve` draws it, and in the same colour."""
    puzzle, (solution,) = solved(name)
    drawing = drawn(puzzle, solution)
    expected = solution_drawing(puzzle, solution, "")
    assert pieces(drawing) == pieces(expected)
    assert len(pieces(drawing)) == len(puzzle.pieces)
    assert (drawing.width, drawing.height) == (expected.width, expected.height)
    assert drawing.title == f"a solution in a region of {len(puzzle.open_cells)} cells"
    assert drawing.alt_text == expected.alt_text
    assert svg_element(drawing).get("role") == "img"


def test_a_board() -> None:
    """All paints and motifs of the board that `dovetail solve` draws, without numbers."""
    puzzle, solution = solved_board("edges-4x5-b3i4-1")
    assert paths(drawn(puzzle, solution)) == paths(board_drawing(puzzle, solution, ""))
    signed = drawn(SIGNED, SIGNED_SOLUTION)
    assert paths(signed)["hollow"]
    assert signed.title == "a solution of a board, 2 wide and 1 high"
    assert {shape.tag for shape in signed.shapes} == {"path"}


def paths(drawing: SvgDrawing) -> dict[str, list[str]]:
    """The parts of each path but hints', by class."""
    return {
        style: sorted(shape.get("d", "").split("M"))
        for shape in drawing.shapes
        if shape.tag == "path" and (style := shape.get("class", "")) != "hint"
    }
