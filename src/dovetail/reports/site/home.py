"""The first page of a site: who is first where, on which machines, and what is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from dovetail.errors import how_many
from dovetail.harness.records.questions import solver_name
from dovetail.models.outcome import Status
from dovetail.reports.numbers import ABSENT
from dovetail.reports.page import Page, Section
from dovetail.reports.results.page import disagreements_section
from dovetail.reports.site.boards import leaders_part
from dovetail.reports.site.content import ComputerResults, SiteContent, one_line
from dovetail.reports.table import text_table

MACHINES = ("machine", "records", "runs", "puzzles", "solvers", "from", "to")
ABOUT_MACHINES = (
    "A machine is a processor with its number of cores. runs: one for each question and solver, "
    "whatever its repeats; of a run that was done at several revisions of dovetail the last counts."
)


def home_page(content: SiteContent) -> Page:
    """The page that a site begins with."""
    wrong = [record for record in content.results if record.result.status is Status.WRONG]
    machines = text_table(MACHINES, tuple(map(_machine_row, content.computers)))
    parts = [
        leaders_part(content),
        *([disagreements_section(content.results)] if wrong else []),
        Section("machines", "Machines", tables=(machines,), definitions=(ABOUT_MACHINES,)),
    ]
    warnings = [source.warning for source in content.files if source.warning is not None]
    if wrong:
        warnings.append(f"Wrong results: {len(wrong)} of {len(content.results)}.")
    return Page(content.title, "", tuple(warnings), tuple(parts), headline=_headline(content))


def _headline(content: SiteContent) -> str:
    solvers = sum(len(solver.settings) for solver in content.solvers)
    return (
        f"{how_many(len(content.results), 'run')} of {how_many(solvers, 'solver')} on "
        f"{how_many(len(content.puzzles), 'puzzle')}, from "
        f"{how_many(len(content.records), 'record')} in {how_many(len(content.files), 'file')}."
    )


def _machine_row(computer: ComputerResults) -> tuple[str, ...]:
    dates: Sequence[str] = sorted(one.begun[:10] for one in computer.records if one.begun)
    return (
        one_line(computer.computer.title),
        f"{len(computer.records):,}",
        f"{len(computer.results):,}",
        f"{len({result.job.puzzle_digest for result in computer.results}):,}",
        f"{len(set(map(solver_name, computer.results))):,}",
        dates[0] if dates else ABSENT,
        dates[-1] if dates else ABSENT,
    )
