"""Files of pictures: whole wherever they end, bounded, and hostile text in them is text."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import islice
from xml.etree import ElementTree

import pytest

from dovetail.api import solve
from dovetail.errors import PuzzleError
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.solution import Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import SolutionWriter
from dovetail.puzzles.loading import load
from dovetail.reports.pictures import writing
from dovetail.reports.pictures.writing import PICTURES, picture_writer
from reports.pictures.puzzles import SIGNED, SIGNED_SOLUTION, SMALL, SMALL_SOLUTION, hostile_packing

VOID = ("meta",)
SVG = "{http://www.w3.org/2000/svg}"


class Outline(HTMLParser):
    """Tags that are open, and all that there were."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def written(suffix: str, puzzle: Puzzle, *solutions: Solution) -> tuple[str, SolutionWriter]:
    """The file with these solutions, and its writer."""
    writer = picture_writer(suffix, puzzle)
    drawn = [writer.one(number, one) for number, one in enumerate(solutions, start=1)]
    return writer.head + "".join(drawn) + writer.tail, writer


@pytest.mark.parametrize("count", [1, 3])
def test_a_page_is_whole(count: int) -> None:
    """A figure for each solution, with its number; all that is opened is closed."""
    text, writer = written(".html", SMALL, *[SMALL_SOLUTION] * count)
    outline = Outline(text)
    assert outline.open == []
    assert (outline.tags.count("figure"), outline.tags.count("svg")) == (count, count)
    assert re.findall(r"<figcaption>(\d)", text) == [str(n + 1) for n in range(count)]
    alt_text = {
        1: "1 solution in this file",
        3: "3 solutions in this file",
    }
    assert f"</div><p>{alt_text[count]}</p></body></html>" in text
    assert writer.left_out == 0


def test_one_solution_as_svg() -> None:
    """Is the file by itself, with its style and the solution in words."""
    text, _ = written(".svg", SMALL, SMALL_SOLUTION)
    root = ElementTree.fromstring(text)
    assert (root.tag, root.get("role")) == (f"{SVG}svg", "img")
    assert root.findtext(f"{SVG}title") == "solution 1 of small"
    assert (root.findtext(f"{SVG}desc") or "").split() == [*"AA.", *("A", "B", "wall")]
    assert "prefers-color-scheme: dark" in (root.findtext(f"{SVG}style") or "")
    assert (root.get("width"), root.get("height")) == ("102", "70")


def test_several_solutions_as_svg() -> None:
    """Each is a group at its place, with its number; how many there are is said below."""
    text, _ = written(".svg", SMALL, *[SMALL_SOLUTION] * 5)
    root = ElementTree.fromstring(text)
    groups = root.findall(f"{SVG}g")
    assert len({group.get("transform") for group in groups}) == 5
    captions = [group.findtext(f"{SVG}text") for group in groups]
    assert captions == ["1", "2", "3", "4", "5"]
    assert root.findtext(f"{SVG}text") == "5 solutions in this file"


@pytest.mark.parametrize("suffix", [".svg", ".html"])
@pytest.mark.parametrize("puzzle", [SMALL, SIGNED, load("soma-cube"), load("edges-4-b3i3-1")])
def test_there_is_no_picture_of_no_solution(suffix: str, puzzle: Puzzle) -> None:
    writer = picture_writer(suffix, puzzle)
    assert not writer.may_be_empty
    with pytest.raises(PuzzleError, match=f"^{puzzle.name}: no solution to draw$"):
        assert writer.tail


@pytest.mark.parametrize(("suffix", "bound"), [(".html", "MAX_IN_HTML"), (".svg", "MAX_IN_SVG")])
def test_what_is_beyond_is_counted(
    monkeypatch: pytest.MonkeyPatch, suffix: str, bound: str
) -> None:
    """The file says how many are not drawn."""
    monkeypatch.setattr(writing, bound, 2)
    text, writer = written(suffix, SMALL, *[SMALL_SOLUTION] * 5)
    assert text.count("solution 2 of small") == 1
    assert "solution 3 of small" not in text
    assert ">2 solutions in this file; 3 more omitted<" in text
    assert writer.left_out == 3


def test_a_page_does_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pictures are large there are fewer of them."""
    monkeypatch.setattr(writing, "MAX_CHARACTERS", 1)
    _, writer = written(".html", SMALL, *[SMALL_SOLUTION] * 5)
    assert writer.left_out == 4


def test_boards() -> None:
    """Are drawn like packings."""
    text, _ = written(".html", SIGNED, SIGNED_SOLUTION)
    assert 'class="hollow"' in text
    assert "solution 1 of two" in text


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


def test_a_solution_of_another_family() -> None:
    """Is an error, not a picture."""
    with pytest.raises(PuzzleError, match="for another kind"):
        written(".html", SMALL, SIGNED_SOLUTION)


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
