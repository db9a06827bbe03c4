"""The viewer page as text: whole, offline, and what is hostile in it is text."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from dovetail.reports.viewer.viewer import MAX_SOLUTIONS, viewer_page
from reports.viewer.shapes import HOSTILE, SHOWN, cube_solutions, small_cube


class Outline(HTMLParser):
    """The elements of a page that matter here, and the texts in them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.policy = ""
        self.texts: dict[str, list[str]] = {"title": [], "h1": [], "script": [], "p": []}
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append(tag)
        self.policy += (found["content"] or "") if "http-equiv" in found else ""
        if tag in self.texts:
            self.texts[tag].append("")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] in self.texts:
            self.texts[self.tags[-1]][-1] += data


def test_hostile_names_are_text() -> None:
    """Two scripts, the data and the bundle, whatever the names; it can be written as UTF-8."""
    page = viewer_page(small_cube(HOSTILE, HOSTILE), cube_solutions(HOSTILE))
    outline = Outline(page)
    assert outline.tags.count("script") == 2
    assert outline.texts["title"] == outline.texts["h1"] == [SHOWN]
    assert json.loads(outline.texts["script"][0])["solutions"][0][1][0] == SHOWN
    assert page.encode()


@pytest.mark.parametrize(
    ("given", "found", "expected"),
    [
        (0, None, "No solution found; the picture shows the empty region."),
        (1, None, "1 solution in this file."),
        (2, None, "2 solutions in this file."),
        (2, 4321, "4,321 solutions; this file contains the first 2."),
        (501, None, "501 solutions; this file contains the first 500."),
    ],
)
def test_how_many_solutions(given: int, found: int | None, expected: str) -> None:
    """Shown above the picture; not more than a bound are in the page."""
    solutions = (cube_solutions() * MAX_SOLUTIONS)[:given]
    outline = Outline(viewer_page(small_cube(), solutions, found))
    assert outline.texts["p"][0] == expected
    embedded = json.loads(outline.texts["script"][0])["solutions"]
    assert len(embedded) == min(max(given, 1), MAX_SOLUTIONS)


@pytest.mark.parametrize(
    ("max_cells", "expected"),
    [(16, "; this file contains the first 2."), (15, "the first 1."), (0, "the first 1.")],
)
def test_fewer_solutions_of_a_large_region(
    monkeypatch: pytest.MonkeyPatch, max_cells: int, expected: str
) -> None:
    """As many as there is room for, and one at least."""
    monkeypatch.setattr("dovetail.reports.viewer.viewer.MAX_CELLS", max_cells)
    outline = Outline(viewer_page(small_cube(), cube_solutions() * 2))
    assert outline.texts["p"][0].endswith(expected)


def test_buttons_for_solutions_only_where_there_are_several() -> None:
    """They are hidden otherwise: the script knows them all."""
    hidden = [
        re.search(r'aria-label="Solutions"[^>]*', viewer_page(small_cube(), cube_solutions()[:n]))
        for n in (1, 2)
    ]
    assert ["hidden" in found[0] for found in hidden if found] == [True, False]
