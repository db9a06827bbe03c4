"""The files of a site: its pages with links between them, and the records for download."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dovetail.reports.html import page_html
from dovetail.reports.page import Page
from dovetail.reports.site.addresses import INDEX
from dovetail.reports.site.boards import computer_page, family_page
from dovetail.reports.site.content import SiteContent
from dovetail.reports.site.downloads import (
    FIGURES_SUFFIX,
    RECORDS_SUFFIX,
    copy_name,
    figures_text,
    records_page,
    records_text,
)
from dovetail.reports.site.history import history_page
from dovetail.reports.site.home import home_page
from dovetail.reports.site.links import (
    COMPUTERS,
    PUZZLES,
    RECORDS,
    SOLVERS,
    family_address,
    one_folder_down,
    site_links,
    with_links,
)
from dovetail.reports.site.puzzles import puzzle_page, puzzles_page
from dovetail.reports.site.solvers import solver_page, solvers_page

HOME = f"{INDEX}.html"
NAVIGATION = {
    HOME: "Leaderboards",
    f"{PUZZLES}/{INDEX}.html": "Puzzles",
    f"{SOLVERS}/{INDEX}.html": "Solvers",
    "history.html": "History",
    f"{RECORDS}/{INDEX}.html": "Records",
}


def site_files(content: SiteContent) -> Iterator[tuple[str, bytes]]:
    """Yield the address of each file, from the root of the site, and its content.

    A page comes before those that lead to it, the home page last.
    """
    yield from _downloads(content)
    from_root = site_links(content)
    from_folder = one_folder_down(from_root)
    for address, page in _pages(content):
        links = from_folder if "/" in address else from_root
        parts = tuple(with_links(part, links) for part in page.sections)
        made = replace(page, sections=parts, navigation=_navigation(address))
        yield address, page_html(made).encode()


def _downloads(content: SiteContent) -> Iterator[tuple[str, bytes]]:
    for place, source in enumerate(content.files):
        yield f"{RECORDS}/{copy_name(content, place)}", source.data
    for puzzle in content.puzzles:
        name = content.puzzle_files[puzzle.digest]
        yield f"{PUZZLES}/{name}{RECORDS_SUFFIX}", records_text(puzzle.records)
    for solver in content.solvers:
        name = content.solver_files[solver.backend]
        yield f"{SOLVERS}/{name}{RECORDS_SUFFIX}", records_text(solver.records)
    for computer in content.computers:
        name = content.computer_files[computer.computer]
        yield f"{COMPUTERS}/{name}{FIGURES_SUFFIX}", figures_text(computer)


def _pages(content: SiteContent) -> Iterator[tuple[str, Page]]:
    for puzzle in content.puzzles:
        name = content.puzzle_files[puzzle.digest]
        yield f"{PUZZLES}/{name}.html", puzzle_page(content, puzzle)
    for solver in content.solvers:
        name = content.solver_files[solver.backend]
        yield f"{SOLVERS}/{name}.html", solver_page(content, solver)
    for computer in content.computers:
        name = content.computer_files[computer.computer]
        yield f"{COMPUTERS}/{name}.html", computer_page(content, computer)
    for family in content.families:
        yield family_address(family), family_page(content, family)
    yield f"{PUZZLES}/{INDEX}.html", puzzles_page(content)
    yield f"{SOLVERS}/{INDEX}.html", solvers_page(content)
    yield f"{RECORDS}/{INDEX}.html", records_page(content)
    yield "history.html", history_page(content)
    yield HOME, home_page(content)


def _navigation(address: str) -> tuple[tuple[str, str], ...]:
    """The main pages as they are reached from a page."""
    up = "../" if "/" in address else ""
    return tuple(
        (title, "" if main == address else up + main) for main, title in NAVIGATION.items()
    )
