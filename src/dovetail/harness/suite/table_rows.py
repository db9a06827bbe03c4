"""Runs of a suite that are rows of a published table, and proxies of such rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from dovetail.errors import how_many, shorten, unknown_name
from dovetail.files.text_file import TextFile
from dovetail.files.validation import located
from dovetail.harness.records.record import Published
from dovetail.harness.suite.plan import UNPUBLISHED, PlannedRun
from dovetail.harness.suite.sections import RunSection


def naming_problem(
    section: RunSection, planned: Sequence[PlannedRun], before: Iterable[PlannedRun]
) -> tuple[str, str] | None:
    """The key that keeps a section from being a row of a table and why, None if nothing does."""
    if section.name is None:
        for key in ("published", "proxy_for", "fitted", "difference"):
            if getattr(section, key):
                return key, f"{key} needs the name of its row; name is missing"
        return None
    name = repr(shorten(section.name))
    if len(planned) != 1:
        single = "expected one puzzle, one backend and one config"
        return "name", f"{name} names {how_many(len(planned), 'run')}; {single}"
    if section.name in (run.name for run in before):
        return "name", f"two runs are called {name}; expected different names"
    return None


def with_proxies(
    file: TextFile, sections: Sequence[RunSection], runs: Iterable[PlannedRun]
) -> Iterator[PlannedRun]:
    """The runs, of which proxies have the published fits of their rows."""
    runs = list(runs)
    rows = {run.name: run for run in runs if run.name is not None and run.proxy_for is None}
    for run in runs:
        if run.proxy_for is None:
            yield run
        else:
            number = [section.name for section in sections].index(run.name)
            row = rows.get(run.proxy_for)
            if row is None:
                problem: str | None = str(unknown_name("row of this suite", run.proxy_for, rows))
            else:
                problem = _proxy_problem(run, row, [one for one in runs if one.proxy_for])
            if row is None or problem is not None:
                raise located(file, ("run", number, "proxy_for"), str(problem))
            yield replace(run, published=Published(row.published.fits))


def _proxy_problem(run: PlannedRun, row: PlannedRun, proxies: Sequence[PlannedRun]) -> str | None:
    """Why a run cannot stand in for a row, None if it can."""
    name = repr(shorten(str(row.name)))
    if row.published.fits is None:
        return f"row {name} has no published fits to compare with"
    if run.published != UNPUBLISHED:
        return f"the published figures are those of row {name}; expected none here"
    if run.job.puzzle.digest != row.job.puzzle.digest:
        return f"row {name} is of puzzle {row.job.puzzle.name}, not {run.job.puzzle.name}"
    if [one.proxy_for for one in proxies].count(row.name) > 1:
        return f"row {name} has several proxies; expected one"
    return None
