"""Files of a results site: pages with links between them, and records for download.

Copies of record files are unchanged. Other record files have a record in each line, in the current
schema and in the order of the source files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from dovetail.errors import shorten
from dovetail.files.writing import OwnedFolder
from dovetail.harness.evaluation.solver_runs import LONGEST_NAME
from dovetail.harness.records.questions import question_of, solver_name
from dovetail.harness.records.record import Record
from dovetail.reports.columns import RESULTS, question_title, results_csv
from dovetail.reports.html import page_html
from dovetail.reports.page import Page, Section
from dovetail.reports.site.content import INDEX, Kind, Site, one_line
from dovetail.reports.site.history import history_page
from dovetail.reports.site.overview import computer_page, family_page, home_page, records_page
from dovetail.reports.site.subjects import puzzle_page, puzzles_page, solver_page, solvers_page

MARKER = ".dovetail-site"
MARKER_TEXT = (
    "A site written by the command dovetail site. The next one replaces index.html, history.html\n"
    f"and all pages and records in {', '.join(Kind)}.\n"
)
SUFFIXES = (".html", ".jsonl", ".json", ".csv")
HOME = f"{INDEX}.html"
NAVIGATION = {
    HOME: "Leaderboards",
    f"{Kind.PUZZLE}/{HOME}": "Puzzles",
    f"{Kind.SOLVER}/{HOME}": "Solvers",
    "history.html": "History",
    f"{Kind.FILE}/{HOME}": "Records",
}
# Titles of the columns with links.
PUZZLE_COLUMNS = ("puzzle", "question", "board")
SOLVER_COLUMNS = (
    *("solver", "backend", "winner", "first", "second", "other solver", "improver", "fastest"),
)

# Addresses by the title of a column and a text in it.
Links = Mapping[str, Mapping[str, str]]


def site_folder(path: Path) -> OwnedFolder:
    """Return the folder of a site."""
    return OwnedFolder(path, MARKER, MARKER_TEXT, tuple(Kind), SUFFIXES)


def site_files(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield the address of each file from the root of the site, and its content.

    A page comes before the pages with links to it; the home page is last.
    """
    yield from _downloads(site)
    columns = site_links(site)
    for address, page in _pages(site):
        up = "../" * address.count("/")
        links = {
            column: {text: up + target for text, target in targets.items()}
            for column, targets in columns.items()
        }
        yield (
            address,
            page_html(
                replace(
                    page,
                    sections=tuple(_with_links(section, links) for section in page.sections),
                    navigation=tuple(
                        (title, "" if main == address else up + main)
                        for main, title in NAVIGATION.items()
                    ),
                )
            ).encode(),
        )


def _downloads(site: Site) -> Iterator[tuple[str, bytes]]:
    for file, source in zip(site.files, site.sources, strict=True):
        yield f"{file.kind}/{file.title}", source.data
    subjects = (*site.puzzles.values(), *site.solvers.values())
    records = {id(record): record for subject in subjects for record in subject.records}
    lines = {
        key: f"{json.dumps(record.json_fields(), allow_nan=False)}\n"
        for key, record in records.items()
    }
    for subject in subjects:
        text = "".join(lines[id(record)] for record in subject.records)
        yield f"{subject.kind}/{subject.name}.jsonl", text.encode()
    for subject in site.computers.values():
        yield f"{subject.kind}/{subject.name}.csv", results_csv(subject.results).encode()


def _pages(site: Site) -> Iterator[tuple[str, Page]]:
    for puzzle in site.puzzles.values():
        yield puzzle.address, puzzle_page(site, puzzle)
    for solver in site.solvers.values():
        yield solver.address, solver_page(site, solver)
    for computer in site.computers.values():
        yield computer.address, computer_page(computer)
    for family in site.families.values():
        yield family.address, family_page(site, family)
    yield f"{Kind.PUZZLE}/{HOME}", puzzles_page(site)
    yield f"{Kind.SOLVER}/{HOME}", solvers_page(site)
    yield f"{Kind.FILE}/{HOME}", records_page(site)
    yield "history.html", history_page(site)
    yield HOME, home_page(site)


def site_links(site: Site) -> Links:
    """Return the addresses from the root of the site; a text with several pages has no address."""
    puzzles = _unambiguous(_puzzle_texts(site))
    solvers = _unambiguous(_solver_texts(site))
    computers = _unambiguous(
        (computer.title, computer.address) for computer in site.computers.values()
    )
    return {
        **dict.fromkeys(PUZZLE_COLUMNS, puzzles),
        **dict.fromkeys(SOLVER_COLUMNS, solvers),
        "machine": computers,
        "family": {family.title: family.address for family in site.families.values()},
    }


def _with_links(section: Section, links: Links) -> Section:
    """Return a section with links in all of its tables."""
    return replace(
        section,
        tables=tuple(
            replace(
                table,
                links={title: links[title] for title in table.titles if title in links}
                | dict(table.links),
            )
            for table in section.tables
        ),
        sections=tuple(_with_links(inner, links) for inner in section.sections),
        beside=None if section.beside is None else _with_links(section.beside, links),
    )


def _unambiguous(texts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the address of each text, or the first of several addresses on the same page."""
    addresses: dict[str, str] = {}
    ambiguous = set()
    for text, address in texts:
        if addresses.setdefault(text, address).partition("#")[0] != address.partition("#")[0]:
            ambiguous.add(text)
    return {text: address for text, address in addresses.items() if text not in ambiguous}


def _puzzle_texts(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the names of puzzles and questions in tables, with the addresses of their pages."""
    for puzzle in site.puzzles.values():
        yield puzzle.title, puzzle.address
    for computer in site.computers.values():
        for title, question in computer.runs.asked.items():
            yield title, site.puzzles[question.digest].address
        for result in computer.results:
            question, address = question_of(result), site.puzzles[result.job.puzzle_digest].address
            yield site.title_of(question), address
            yield question.title, address
            yield shorten(question_title(question, [result]), LONGEST_NAME), address
            if result.job.improves:
                yield shorten(result.job.puzzle, LONGEST_NAME), address


def _solver_texts(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the names of solvers in tables, with the addresses of the sections about them."""
    for computer in site.computers.values():
        for title in computer.runs.solvers:
            yield title, _solver_address(site, next(iter(computer.runs.of(title).values())))
        for result in computer.results:
            address, name = _solver_address(site, result), solver_name(result)
            backend = RESULTS["backend"].text(computer.compared[result.job.digest])
            for text in (name, one_line(name), shorten(name, LONGEST_NAME), backend):
                yield text, address
    for solver in site.solvers.values():
        yield solver.title, solver.address


def _solver_address(site: Site, result: Record) -> str:
    solver = site.solvers[result.job.backend]
    return f"{solver.address}#{solver.solvers[solver_name(result)].name}"
