"""The grid of formulations, solvers and strategies."""

from __future__ import annotations

from dovetail.harness.records.record import Record
from dovetail.reports.results.formulations import formulations_section
from harness.records.made import made
from reports.present import present


def run(backend: str, formulation: str, solve_s: float, **changes: object) -> Record:
    """A run on 3x20 with a formulation."""
    config = {"formulation": formulation, **changes.pop("config", {})}  # type: ignore[dict-item]
    job = f"{backend} {config}"
    return made("3x20", backend, job=job, config=config, solve_s=solve_s, **changes)


def test_a_grid_has_a_row_for_each_formulation_and_strategy() -> None:
    runs = [
        run("choco", "cover", 20.0, status="time-limit", count=0, native={"fails": 99}),
        run("choco", "dual", 0.5, native={"fails": 15_401}),
        run("choco", "dual", 0.4, config={"learning": True}, native={"fails": 6_885}),
        run("cpsat", "cover", 1.0, native={"conflicts": 8_732}),
        run("cpsat", "dual", 6.0, native={"conflicts": 13_494}),
        made("3x20", "dlx"),
    ]
    section = present(formulations_section(runs))
    (table,) = section.tables
    assert list(table.rows) == [
        ("cover", "", "> 20 s, 99", "1 s, 8,732", "–"),
        ("dual", "", "500 ms, 15,401", "6 s, 13,494", "–"),
        ("dual", "learning=True", "400 ms, 6,885", "–", "–"),
        ("–", "", "–", "–", "1 s, 1,000"),
    ]
    assert section.paragraphs[2].endswith(
        ": dual beats cover with choco (400 ms, > 20 s), "
        "and cover beats dual with cpsat (1 s, 6 s)."
    )


def test_no_reversal_among_close_times_or_unfinished_runs() -> None:
    runs = [
        run("choco", "cover", 1.0),
        run("choco", "dual", 0.9),
        run("cpsat", "cover", 20.0, status="time-limit", count=0),
        run("cpsat", "dual", 1.0),
    ]
    section = present(formulations_section(runs))
    assert len(section.paragraphs) == 1


def test_a_failed_or_wrong_run_is_no_bound() -> None:
    runs = [
        run("choco", "cover", 20.0, status="failed", count=None),
        run("choco", "dual", 0.5),
        run("cpsat", "cover", 1.0),
        run("cpsat", "dual", 6.0, status="wrong"),
    ]
    section = present(formulations_section(runs))
    assert len(section.paragraphs) == 1
    (table,) = section.tables
    assert list(table.rows) == [
        ("cover", "", "failed", "1 s, 1,000"),
        ("dual", "", "500 ms, 1,000", "wrong"),
    ]


def test_a_run_that_found_as_many_solutions_as_asked_is_no_bound() -> None:
    one = {"status": "solution-limit", "count": 1}
    runs = [
        run("choco", "cover", 20.0, **one),
        run("choco", "dual", 0.5, **one),
        run("cpsat", "cover", 1.0, **one),
        run("cpsat", "dual", 6.0, **one),
    ]
    section = present(formulations_section(runs))
    assert section.paragraphs[2].endswith(
        ": dual beats cover with choco (500 ms, 20 s), and cover beats dual with cpsat (1 s, 6 s)."
    )


def test_runs_that_differ_in_more_than_settings_have_rows_of_their_own() -> None:
    runs = [
        run("choco", "cover", 20.0),
        run("choco", "cover", 1.0, reductions=["redundancy"]),
        run("choco", "dual", 3.0, config={"learning": True}),
        run("choco", "dual", 5.0, config={"learning": True}, cold_start=True),
    ]
    (table,) = present(formulations_section(runs)).tables
    assert list(table.rows) == [
        ("cover", "", "20 s, 1,000"),
        ("cover", "−redundancy", "1 s, 1,000"),
        ("dual", "learning=True", "3 s, 1,000"),
        ("dual", "learning=True, (cold start)", "5 s, 1,000"),
    ]


LIMITS = {"time_s": 100.0, "nodes": None, "solutions": None, "memory_bytes": None}


def test_runs_that_differ_in_limits_have_rows_of_their_own() -> None:
    runs = [
        run("choco", "cover", 20.0, status="time-limit", count=0),
        run(
            "choco",
            "cover",
            90.0,
            limits=LIMITS,
        ),
        run("choco", "dual", 3.0),
    ]
    (table,) = present(formulations_section(runs)).tables
    assert [row[0] for row in table.rows] == ["cover", "cover", "dual"]
    assert "100 s" in str(table.rows[1][1])
