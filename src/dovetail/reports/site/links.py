"""Links between the pages of a site: the names in tables lead to the pages about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from dovetail.errors import shorten
from dovetail.harness.evaluation.solver_runs import LONGEST_NAME
from dovetail.harness.records.questions import question_of, solver_name
from dovetail.harness.records.record import Record
from dovetail.reports.columns import RESULTS, question_title
from dovetail.reports.page import Section
from dovetail.reports.site.content import ComputerResults, SiteContent, SiteSolver, one_line
from dovetail.reports.table import Table

PUZZLES, SOLVERS, COMPUTERS, FAMILIES, RECORDS = (
    "puzzles",
    "solvers",
    "machines",
    "families",
    "records",
)
FOLDERS = (PUZZLES, SOLVERS, COMPUTERS, FAMILIES, RECORDS)
# Titles of columns with names of puzzles or questions, of solvers, of computers, of families.
OF_PUZZLES = ("puzzle", "question", "board")
OF_SOLVERS = (
    *("solver", "backend", "winner", "first", "second", "other solver", "improver", "fastest"),
)
OF_COMPUTERS, OF_FAMILIES = ("machine",), ("family",)

# Addresses, by the title of a column and a text in it.
Links = Mapping[str, Mapping[str, str]]


def site_links(content: SiteContent) -> Links:
    """The addresses, from the root of the site, of all pages that texts in tables name.

    What might mean two pages leads to none.
    """
    puzzles = _unambiguous(_puzzle_texts(content))
    solvers = _unambiguous(_solver_texts(content))
    computers = _unambiguous(
        (one_line(computer.title), f"{COMPUTERS}/{name}.html")
        for computer, name in content.computer_files.items()
    )
    families = {family: family_address(family) for family in content.families}
    return {
        **dict.fromkeys(OF_PUZZLES, puzzles),
        **dict.fromkeys(OF_SOLVERS, solvers),
        **dict.fromkeys(OF_COMPUTERS, computers),
        **dict.fromkeys(OF_FAMILIES, families),
    }


def one_folder_down(links: Links) -> Links:
    """The same addresses, from a page in a folder of the site."""
    return {
        column: {text: f"../{address}" for text, address in addresses.items()}
        for column, addresses in links.items()
    }


def family_address(family: str) -> str:
    """The address of the page about a family of puzzles."""
    return f"{FAMILIES}/{family.replace(' ', '-')}.html"


def settings_identity(solver: SiteSolver, name: str) -> str:
    """The identity of the part about a solver with its settings on the page of its backend."""
    return f"settings-{solver.numbers[name]}"


def with_links(part: Section, links: Links) -> Section:
    """The same part, with links in all of its tables."""
    return replace(
        part,
        tables=tuple(_linked(table, links) for table in part.tables),
        sections=tuple(with_links(one, links) for one in part.sections),
        beside=None if part.beside is None else with_links(part.beside, links),
    )


def _linked(table: Table, links: Links) -> Table:
    own = {column: links[column] for column in table.titles if column in links}
    return replace(table, links={**own, **table.links})


def renamed(part: Section, prefix: str) -> Section:
    """The same part with another identity, as are those of the parts within it."""
    return replace(
        part,
        identity=f"{prefix}-{part.identity}",
        sections=tuple(renamed(one, prefix) for one in part.sections),
        beside=None if part.beside is None else renamed(part.beside, prefix),
    )


def _unambiguous(texts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The address of each text; of places on one page the first."""
    found: dict[str, str] = {}
    twice = set()
    for text, address in texts:
        page = found.setdefault(text, address).partition("#")[0]
        if page != address.partition("#")[0]:
            twice.add(text)
    return {text: address for text, address in found.items() if text not in twice}


def _puzzle_texts(content: SiteContent) -> Iterator[tuple[str, str]]:
    """Yield what tables call puzzles and questions, with the addresses of their pages."""
    pages = {digest: f"{PUZZLES}/{name}.html" for digest, name in content.puzzle_files.items()}
    for puzzle in content.puzzles:
        yield puzzle.title, pages[puzzle.digest]
    for computer in content.computers:
        for title, question in computer.runs.asked.items():
            yield title, pages[question.digest]
        for result in computer.results:
            for text in (content.title_of(question_of(result)), *_question_texts(result)):
                yield text, pages[result.job.puzzle_digest]


def _question_texts(result: Record) -> Iterator[str]:
    question = question_of(result)
    yield question.title
    yield shorten(question_title(question, [result]), LONGEST_NAME)
    if result.job.improves:
        yield shorten(result.job.puzzle, LONGEST_NAME)


def _solver_texts(content: SiteContent) -> Iterator[tuple[str, str]]:
    """Yield what tables call solvers, with the addresses of the parts about them."""
    solvers = {solver.backend: solver for solver in content.solvers}
    for computer in content.computers:
        for title in computer.runs.solvers:
            run = next(iter(computer.runs.of(title).values()))
            yield title, _solver_address(content, solvers[run.job.backend], run)
        for result in computer.results:
            address = _solver_address(content, solvers[result.job.backend], result)
            for text in _names_of_solver(computer, result):
                yield text, address
    for solver in content.solvers:
        yield solver.title, f"{SOLVERS}/{content.solver_files[solver.backend]}.html"


def _names_of_solver(computer: ComputerResults, result: Record) -> Iterator[str]:
    name = solver_name(result)
    yield from (name, one_line(name), shorten(name, LONGEST_NAME))
    yield RESULTS["backend"].text(computer.compared[result.job.digest])


def _solver_address(content: SiteContent, solver: SiteSolver, result: Record) -> str:
    page = f"{SOLVERS}/{content.solver_files[solver.backend]}.html"
    return f"{page}#{settings_identity(solver, solver_name(result))}"
