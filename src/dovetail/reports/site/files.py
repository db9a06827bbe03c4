"""Files of a results site: pages with links between them, and records for download.

Copies of record files are unchanged. The record files of puzzles and solvers have a record in each
line, in the current schema and in the order of the source files. CSV files have the results of a
computer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from dovetail.files.writing import OwnedFolder
from dovetail.harness.records.summary import solver_name
from dovetail.reports.columns import results_csv
from dovetail.reports.page import Page
from dovetail.reports.rendering.html import page_html
from dovetail.reports.site.content import INDEX, Site
from dovetail.reports.site.history import history_page
from dovetail.reports.site.overview import computer_page, family_page, home_page, records_page
from dovetail.reports.site.subjects import puzzle_page, puzzles_page, solver_page, solvers_page
from dovetail.reports.table import Link, Topic

MARKER = ".dovetail-site"
MARKER_TEXT = (
    "A site written by the command dovetail site. The next run replaces index.html, history.html\n"
    f"and all pages and records in {', '.join(Topic)}.\n"
)
SUFFIXES = (".html", ".jsonl", ".json", ".csv")
HOME = f"{INDEX}.html"
NAVIGATION = {
    HOME: "Leaderboards",
    f"{Topic.PUZZLE}/{HOME}": "Puzzles",
    f"{Topic.SOLVER}/{HOME}": "Solvers",
    "history.html": "History",
    f"{Topic.FILE}/{HOME}": "Records",
}


def site_folder(path: Path) -> OwnedFolder:
    """Return the folder of a site."""
    return OwnedFolder(path, MARKER, MARKER_TEXT, tuple(Topic), SUFFIXES)


def site_files(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield the address of each file from the root of the site, and its content.

    The pages of subjects come before the pages that list these subjects; the home page is last.
    """
    yield from _downloads(site)
    addresses = site_addresses(site)
    for address, page in _pages(site):
        up = "../" * address.count("/")

        def address_of(link: Link, up: str = up) -> str | None:
            target = str(link[1]) if link[0] is Topic.FILE else addresses.get(link)
            return None if target is None else up + target

        navigation = tuple(
            (title, "" if main == address else up + main) for main, title in NAVIGATION.items()
        )
        yield address, page_html(replace(page, navigation=navigation), address_of).encode()


def _downloads(site: Site) -> Iterator[tuple[str, bytes]]:
    for file, source in zip(site.files, site.sources, strict=True):
        yield file.address, source.data
    subjects = (*site.puzzles.values(), *site.solvers.values())
    records = {id(record): record for subject in subjects for record in subject.records}
    lines = {
        key: f"{json.dumps(record.json_fields(), allow_nan=False)}\n"
        for key, record in records.items()
    }
    for subject in subjects:
        text = "".join(lines[id(record)] for record in subject.records)
        yield f"{subject.topic}/{subject.name}.jsonl", text.encode()
    for subject in site.computers.values():
        yield f"{subject.topic}/{subject.name}.csv", results_csv(subject.results).encode()


def _pages(site: Site) -> Iterator[tuple[str, Page]]:
    for puzzle in site.puzzles.values():
        yield puzzle.address, puzzle_page(site, puzzle)
    for solver in site.solvers.values():
        yield solver.address, solver_page(site, solver)
    for computer in site.computers.values():
        yield computer.address, computer_page(computer)
    for family in site.families.values():
        yield family.address, family_page(site, family)
    yield f"{Topic.PUZZLE}/{HOME}", puzzles_page(site)
    yield f"{Topic.SOLVER}/{HOME}", solvers_page(site)
    yield f"{Topic.FILE}/{HOME}", records_page(site)
    yield "history.html", history_page(site)
    yield HOME, home_page(site)


def site_addresses(site: Site) -> dict[Link, str]:
    """Return the addresses of pages, and of sections on solvers, from the root of the site.

    A shortened name that several solvers share has no address.
    """
    named: dict[Link, set[str]] = {}
    variants: dict[str, str] = {
        name: f"{backend.address}#{variant.name}"
        for backend in site.solvers.values()
        for name, variant in backend.solvers.items()
    }
    for runs in (computer.runs for computer in site.computers.values()):
        for (title, _), run in runs.runs.items():
            named.setdefault((Topic.SOLVER, title), set()).add(variants[solver_name(run)])
    subjects = (site.puzzles, site.solvers, site.computers, site.families)
    return {
        **{(page.topic, page.key): page.address for each in subjects for page in each.values()},
        **{link: addresses.pop() for link, addresses in named.items() if len(addresses) == 1},
        **{(Topic.SOLVER, name): address for name, address in variants.items()},
    }
