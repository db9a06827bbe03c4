"""The page docs/reproductions/index.md is what the command makes of the records beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from dovetail.cli.main import run
from dovetail.harness.records.record import Record
from dovetail.harness.records.record_files import read_records
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.suite.bench import plan_results
from dovetail.harness.suite.reproduction import ReproducedRow, Verdict, reproduced_rows
from dovetail.harness.suite.suite_file import load_suite
from dovetail.harness.workers.runs import execute, finish
from dovetail.reports.exhibits.measured import measured

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reproductions"
RECORDS = sorted((FOLDER / "records").glob("*.jsonl"))
ESTIMATES = FOLDER / "estimates.jsonl"
DIFFERENT = {"OP3", "OP4"}
# Solvers whose shortest runs are repeated, by suite, and how many runs of each.
REPEATED = {
    "fila-table1": {"fila": 2},
    "polycube-table2": {"fila": 3},
    "colorpair": {"rows": 3, "colorpair": 2},
}


def test_the_page_is_made_from_the_records(tmp_path: Path) -> None:
    """Else: dovetail reproductions records/*.jsonl --estimates estimates.jsonl -o index.md, there.

    The site has the same page in HTML, made by docs_hooks/reproductions_page.py.
    """
    made = tmp_path / "index.md"
    words = ["reproductions", *map(str, RECORDS), "--estimates", str(ESTIMATES)]
    assert run([*words, "-o", str(made)]) == 0
    assert made.read_text() == (FOLDER / "index.md").read_text()


@cache
def every_record() -> list[Record]:
    """The records of the page."""
    return [record for path in RECORDS for record in read_records(path).records]


def rows_of(suite: str) -> dict[str, ReproducedRow]:
    """The rows of a suite by name."""
    plan = load_suite(suite)
    return {row.name: row for row in reproduced_rows(plan, plan_results(plan, every_record()))}


def test_table_1_of_2018() -> None:
    """16 of 18 rows are exact, two of them by bitset; all 18 have the published solutions."""
    rows = rows_of("fila-table1")
    assert len(rows) == 18
    for name, row in rows.items():
        assert row.run is not None
        assert row.run.result.count == row.planned.expected
        expected = {Verdict.EXACT, Verdict.PROXY}
        assert (row.verdict in expected) == (name not in DIFFERENT), name


def test_table_2_of_2011() -> None:
    """Every row of P, OP and TC is exact."""
    rows = rows_of("polycube-table2")
    whole = {name: row for name, row in rows.items() if name.startswith(("P-", "OP-", "TC-"))}
    assert len(whole) == 28
    for name, row in whole.items():
        exact = row.verdict in (Verdict.EXACT, Verdict.PROXY)
        assert exact, name


def test_trials_of_shaving_cost_what_they_save() -> None:
    """The suite explains figure 7 so: nodes and trials together are not fewer with shaving."""
    plan = load_suite("colorpair")
    (figure,) = (shown for shown in plan.exhibits if shown.name == "figure-7")
    boards = measured(figure, plan_results(plan, every_record())).finished_by_all()
    steps = [
        sum((run.result.nodes or 0) + run.result.counters.native["probes"] for run in runs)
        for runs in zip(*(board.runs.values() for board in boards), strict=True)
    ]
    assert min(steps[1:]) > steps[0]


def shortest() -> Iterator[tuple[Record, Job]]:
    """The shortest complete runs of some solvers, with their jobs."""
    for suite, backends in REPEATED.items():
        plan = load_suite(suite)
        runs = [run for run in plan_results(plan, every_record()) if run.result.is_finished]
        for backend, number in backends.items():
            own = [run for run in runs if run.job.backend == backend]
            for record in sorted(own, key=lambda run: run.result.solve_s)[:number]:
                yield record, plan.jobs[record.job.digest].job


def test_ten_rows_made_anew() -> None:
    """Count, nodes, fits and attempts by pieces left are those of the records."""
    repeated = list(shortest())
    assert len(repeated) == 10
    for record, job in repeated:
        made = finish(execute(replace(job, limits=Limits())))
        was, now = record.result.counters, made.counters
        assert (made.count, now.nodes) == (record.result.count, was.nodes), record.job
        assert now.fits_by_remaining == was.fits_by_remaining
        assert now.attempts_by_remaining == was.attempts_by_remaining
