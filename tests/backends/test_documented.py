"""The pages of solvers and improvers."""

from __future__ import annotations

from backends.documented import FORMULATIONS_PAGE, pages, with_options

SECTIONS = ["Idea", "When it wins, when it loses", "Options", "Counters"]


def test_every_solver_has_a_page_with_its_options() -> None:
    """Else: python tests/backends/documented.py."""
    for path, options in pages().items():
        page = path.read_text()
        assert page == with_options(page, options), path.name


def test_every_page_answers_the_same_questions() -> None:
    """In the same order; what follows differs."""
    for path in pages().keys() - {FORMULATIONS_PAGE}:
        headings = [line[3:] for line in path.read_text().splitlines() if line.startswith("## ")]
        assert [one for one in headings if one in SECTIONS] == SECTIONS, path.name
        assert {"Source", "Sources"} & set(headings), path.name
