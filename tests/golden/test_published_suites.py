"""Suites of publications against copies of the published tables, and rows run, exact."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dovetail.harness.exhibits import Exhibit
from dovetail.harness.records.record import Published
from dovetail.harness.run.job import Trials
from dovetail.harness.suite.plan import PlannedRun, SuitePlan
from dovetail.harness.suite.suite_file import read_suite
from dovetail.harness.workers.runs import execute, finish

SUITES = Path(__file__).resolve().parents[2] / "suites"
# Of the columns of table 2: basic ColorPair, Choco with 4-edge consistency, with edge variables.
NODES = [84_024_350, 61_639_636, 447_347]
SECONDS = [436, 99_837, 3_741]


@pytest.fixture(scope="module")
def plan() -> SuitePlan:
    """The whole suite."""
    return read_suite(SUITES / "colorpair.toml")


def exhibit(plan: SuitePlan, name: str) -> Exhibit:
    """One of its exhibits."""
    return next(one for one in plan.exhibits if one.name == name)


def test_published_boards(plan: SuitePlan) -> None:
    """Table 2: ten rows, of kinds that are measured too; the sums of its columns."""
    table = exhibit(plan, "table-2")
    names = [series.name for series in table.series]
    assert len(table.rows) == 10
    assert [sum(row.nodes[name] for row in table.rows) for name in names] == NODES
    assert [sum(row.seconds[name] for row in table.rows) for name in names] == SECONDS
    measured = {board.puzzle for board in table.boards}
    for row in table.rows:
        size, kind = row.name.split("_")[1], row.name.partition(".")[2]
        assert row.boards == f"edges-{size}-{kind}-*"
        assert any(name.startswith(f"edges-{size}-{kind}-") for name in measured)


def test_exhibits_have_different_names(plan: SuitePlan) -> None:
    """One page has those of all suites."""
    names = [shown.name for suite in (plan, FILA_PLAN, PLAN) for shown in suite.exhibits]
    assert len(set(names)) == len(names)


def marked(quick: set[str], names: Iterable[str]) -> list[Any]:
    """Parameters of tests that are slow unless they are quick."""
    return [pytest.param(one, marks=[] if one in quick else [pytest.mark.slow]) for one in names]


FILA_FACTS = json.loads(Path(__file__).with_name("fila-table1.json").read_text())
FILA_TABLE: dict[str, dict[str, Any]] = {row["case"]: row for row in FILA_FACTS["rows"]}
FILA_PLAN = read_suite(SUITES / "fila-table1.toml")
FILA_RUNS = {run.name or "": run for run in FILA_PLAN.runs if run.proxy_for is None}
FILA_PROXIES = {run.proxy_for: run for run in FILA_PLAN.runs if run.proxy_for is not None}
FILA_QUICK = {"P1", "P5"}


def test_every_row_of_fila_is_there() -> None:
    """In the order of the table; two rows are also run by another solver."""
    assert list(FILA_RUNS) == list(FILA_TABLE)
    assert list(FILA_PROXIES) == ["OP1", "OP2"]


@pytest.mark.parametrize("name", FILA_TABLE)
def test_rows_of_fila(name: str) -> None:
    """Puzzle, solutions, fits, no-fits, seconds; that rows are exact shows the settings."""
    row, run = FILA_TABLE[name], FILA_RUNS[name]
    assert (run.job.puzzle.name, run.expected) == (row["puzzle"], row["unique_solutions"])
    assert (run.published.fits, run.published.no_fits) == (row["fits"], row["no_fits"])
    assert run.published.seconds == row["seconds_i3_4130T_single_thread"]


@pytest.mark.parametrize("name", marked(FILA_QUICK, [n for n in FILA_TABLE if n[:2] != "OP"]))
def test_rows_of_fila_are_exact(name: str) -> None:
    """Fits, no-fits and solutions; half a minute to eight minutes for each of the larger ones."""
    finished, row = finish(execute(FILA_RUNS[name].job)), FILA_TABLE[name]
    assert (finished.nodes, finished.count) == (row["fits"], row["unique_solutions"])
    assert (finished.counters.attempts or 0) - row["fits"] == row["no_fits"]


@pytest.mark.slow
@pytest.mark.parametrize("name", FILA_PROXIES)
def test_rows_by_sets(name: str) -> None:
    """OP1 and OP2 by `bitset`, which makes the nodes of `dlx`; five to eight minutes each."""
    finished, row = finish(execute(FILA_PROXIES[name].job)), FILA_TABLE[name]
    assert (finished.nodes, finished.count) == (row["fits"], row["unique_solutions"])


def of_levels(listing: dict[str, list[int]], figure: str) -> dict[int, int]:
    """A figure of the listing by pieces remaining."""
    return dict(zip(listing["remaining"], listing[figure], strict=True))


def test_p4_by_pieces_remaining() -> None:
    """Attempts and fits as listed, with the heuristic `piece` in place of `dlx`."""
    job = replace(FILA_RUNS["P4"].job, config={"stages": "piece,f@11", "nof": False})
    counters = finish(execute(job)).counters
    listing = FILA_FACTS["P4_by_pieces_remaining"]
    assert counters.attempts_by_remaining == of_levels(listing, "attempts")
    assert counters.fits_by_remaining == of_levels(listing, "fits")


FACTS = json.loads(Path(__file__).with_name("polycube-table2.json").read_text())
TABLE: dict[str, dict[str, Any]] = {row["case"]: row for row in FACTS["rows"]}
PLAN = read_suite(SUITES / "polycube-table2.toml")
RUNS: dict[str, PlannedRun] = {run.name or "": run for run in PLAN.runs if run.proxy_for is None}

EXACT = [f"P-{number}" for number in range(1, 14)] + [f"TC-{number}" for number in range(5, 14)]
EXACT += ["OP-1", "OP-2"]
# Those that take a second or two.
QUICK = {"P-5", "P-9", "P-13", "OP-2"}


def test_every_row_is_there() -> None:
    """In the order of the table, and the experiment of figure 8."""
    assert list(RUNS) == [*TABLE, "figure-8"]


def test_figure_8() -> None:
    """1000 runs of min-fit, 842 of them cut the open space before the eleventh-to-last piece."""
    run = RUNS["figure-8"]
    assert run.job.puzzle.name == FACTS["puzzles"]["HBD"]
    assert (run.job.backend, run.job.config) == ("dlx", {})
    assert [str(trigger) for trigger in run.job.request.triggers] == ["volume:7@11"]
    assert [str(reduction) for reduction in run.job.request.reductions] == ["volume"]
    assert run.job.trials == Trials(count=1000, remaining=11, within_items=True)
    assert run.published == Published(trials=1000, trials_with_trigger=842)
    finished = finish(execute(replace(run.job, trials=replace(run.job.trials, count=20))))
    fits = finished.counters.fits_by_remaining
    assert fits is not None
    assert fits[11] == 20  # the eleventh-to-last piece, once in each trial
    assert finished.searched is not None
    assert finished.searched.with_trigger == {"volume": 18}


@pytest.mark.parametrize("name", TABLE)
def test_the_figures_are_the_published_ones(name: str) -> None:
    """Puzzle, solutions, fits, attempts, seconds, rate."""
    row, run = TABLE[name], RUNS[name]
    assert run.job.puzzle.name == FACTS["puzzles"][name.partition("-")[0]]
    slip = name == "HBD-5"  # see the notes of the table
    assert run.published.fits == (row["attempts"] if slip else row["fits"])
    assert run.published.attempts == row["attempts"]
    hours, minutes, seconds = map(float, row["run_time"].split(":"))
    assert run.published.seconds == pytest.approx(3600 * hours + 60 * minutes + seconds)
    if row["mc_trials"] is None:
        assert run.expected == row["unique_solutions"]
    else:
        assert run.published.solutions == row["unique_solutions"]
        assert run.published.rate == float(row["rate_per_s"])


@pytest.mark.parametrize("name", marked(QUICK, EXACT))
def test_rows_are_exact(name: str) -> None:
    """Fits, attempts and solutions."""
    run, row = RUNS[name], TABLE[name]
    finished = finish(execute(run.job))
    counters = finished.counters
    assert (counters.nodes, counters.attempts) == (row["fits"], row["attempts"])
    assert finished.count == row["unique_solutions"]


@pytest.mark.slow
def test_tc_1_by_sets() -> None:
    """TC-1 by `bitset`, which makes the nodes of `dlx`; five minutes."""
    run, row = RUNS["TC-1"], TABLE["TC-1"]
    by_sets = replace(run.job, backend="bitset", config={"break_symmetry": False})
    finished = finish(execute(by_sets))
    assert (finished.nodes, finished.count) == (row["fits"], row["unique_solutions"])
