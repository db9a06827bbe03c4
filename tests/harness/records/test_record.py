"""The type of a record: what it declares, and what becomes of that in files."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace

import pytest

from dovetail.harness.records.fields import field_types, json_fields
from dovetail.harness.records.record import PER_REPEAT, Environment, JobFields, Load, Record
from dovetail.harness.records.record_files import record_of
from dovetail.harness.records.recording import result_fields
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.models.outcome import Status
from dovetail.puzzles.cover_classics import queens
from harness.records.made import changed, made, results

JOB = """
job puzzle digest backend config symmetry labelled reductions triggers random trials limits seed
cold_start improves node_meaning probable
"""
RUN = """
repeat suite tags expected best_known published outline example size begun load
"""
RESULT = """
status count nodes attempts attempts_by_remaining fits_by_remaining native backtracks_by_trigger
reason score bound trace searched placements symmetry_expansion piece_selection chosen parallel
program warm_up_s prepare_s solve_s solve_cpu_s check_s total_s peak_bytes baseline_bytes verified
"""
FIELDS = f"schema {JOB} {RUN} {RESULT} machine versions commit"


def test_a_line_has_these_fields_in_this_order() -> None:
    """Whoever renames one raises the schema; the first tells a torn line."""
    assert list(made().json_fields()) == FIELDS.split()
    assert json.dumps(made().json_fields()).startswith('{"schema": 4, "job": ')


def test_what_json_prints_of_a_single_run() -> None:
    """The job and the result."""
    fields = result_fields(Job(queens(4)), Result(Status.EXHAUSTED))
    assert list(fields) == f"{JOB} {RESULT}".split()


def test_no_two_parts_have_a_field_of_one_name() -> None:
    """Or it would be lost in a file."""
    parts = (JobFields, Result, Environment)
    names = [name for part in parts for name in field_types(part)]
    assert len(names) == len({*names}) == len(field_types(Record)) - len(f"schema {RUN}".split())


def test_back_and_forth() -> None:
    """What is written is read."""
    record = made(
        labelled=True,
        config={"stages": ["s", "f@2"], "nof": None},
        random={"seed": 3, "restarts": True, "hardest_first": False},
        trials={"count": 5, "remaining": 4, "seed": 1},
        backtracks_by_trigger={"parity": {"3": 7}},
        searched={"begun": 5, "with_solutions": 1, "found": 2, "cpu_s": 2.0},
        piece_selection={
            "pieces": [{"piece": "F", "nodes": 9, "estimate": 10**30, "error": None}],
            "chosen": "F",
        },
        chosen={"backend": "dlx", "config": {"a": 1}, "reductions": ["volume"], "why": "small"},
        published={"P1": {"fits": 5, "seconds": 0.5}},
        outline={"width": 3, "height": 1},
        example={"text": "3 1\n0 1 0 0\n0 1 0 1\n0 0 0 1", "pieces": []},
    )
    assert record_of(json.loads(json.dumps(record.json_fields()))) == record


def test_it_is_frozen() -> None:
    """And derives its total from what it is the sum of."""
    record = made(prepare_s=1.0, solve_s=2.0)
    with pytest.raises(FrozenInstanceError):
        record.result.solve_s = 3.0  # type: ignore[misc]
    assert (record.result.total_s, changed(record, solve_s=4.0).result.total_s) == (3.0, 5.0)


def test_what_cannot_be_a_record() -> None:
    """Of another schema."""
    with pytest.raises(ValueError, match="schema is 3; expected 4"):
        replace(made(), schema=3)


def test_a_result_has_figures_of_all_runs() -> None:
    """Behind those of the run that represents them."""
    (result,) = results(made(solve_s=2.0), made(repeat=1, load={"parallel": 3}))
    fields = result.json_fields()
    assert list(fields) == [*FIELDS.split(), "repeats"]
    assert [list(run) for run in fields["repeats"]] == [list(PER_REPEAT)] * 2
    assert [run["solve_s"] for run in fields["repeats"]] == [2.0, 1.0]
    assert result.repeats[1].load == Load(parallel=3)
    assert json_fields(result, "job", "status") == {"job": "box dlx", "status": "exhausted"}
