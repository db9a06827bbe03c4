"""Records: their fields, and how jobs and results become records."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from dovetail.harness.records.fields import json_fields
from dovetail.harness.records.record import PER_REPEAT, Load
from dovetail.harness.records.record_files import record_of
from dovetail.harness.records.recording import environment, result_fields, run_record
from dovetail.harness.run.job import (
    Chosen,
    Job,
    Limits,
    PieceEstimate,
    PieceSelection,
    Trials,
)
from dovetail.harness.run.result import Result, Searched
from dovetail.models.outcome import Counters, Status
from dovetail.puzzles.cover_classics import queens
from dovetail.puzzles.loading import load
from harness.records.made import made, results

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


def test_back_and_forth() -> None:
    """What is written is read."""
    record = made(
        labelled=True,
        config={"stages": ["s", "f@2"], "nof": None},
        random={"seed": 3, "restarts": True, "hardest_first": False},
        trials={"count": 5, "remaining": 4, "seed": 1},
        backtracks_by_trigger={"parity": {"3": 7}},
        searched={"begun": 5, "with_solutions": 1, "found": 2, "cpu_s": 2.0},
        published={"P1": {"fits": 5, "seconds": 0.5}},
        outline={"width": 3, "height": 1},
        example={"text": "3 1\n0 1 0 0\n0 1 0 1\n0 0 0 1", "pieces": []},
    )
    assert record_of(json.loads(json.dumps(record.json_fields()))) == record


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


FINISHED = Result(
    Status.TIME_LIMIT,
    3,
    Counters(9, 20, {2: 15, 1: 5}, {2: 7, 1: 2}, {"updates": 3}, {"parity": {3: 0, 1: 4}}),
    "why",
    searched=Searched(begun=5, with_solutions=1, found=6),
    prepare_s=1.0,
    solve_s=2.0,
)


def test_what_came_of_it() -> None:
    """Counters stand among the other fields; solutions per second are derived."""
    fields = result_fields(Job(load("queens-6"), trials=Trials(5, 2)), FINISHED)
    assert (fields["status"], fields["count"], fields["reason"]) == ("time-limit", 3, "why")
    assert (fields["nodes"], fields["attempts"], fields["native"]) == (9, 20, {"updates": 3})
    assert fields["attempts_by_remaining"] == {"2": 15, "1": 5}
    assert fields["fits_by_remaining"] == {"2": 7, "1": 2}
    assert fields["backtracks_by_trigger"] == {"parity": {"3": 0, "1": 4}}
    assert (fields["searched"]["begun"], fields["searched"]["per_solve_s"]) == (5, 3.0)
    assert fields["searched"]["per_prepare_and_solve_s"] == 2.0
    assert (fields["prepare_s"], fields["solve_s"], fields["total_s"]) == (1.0, 2.0, 3.0)


def test_what_a_node_is() -> None:
    """To the backend that was chosen; nothing where none was, and where nobody knows it."""
    chosen = Result(*FINISHED.answer, chosen=Chosen("fila", {}, (), "small"))
    job = Job(load("queens-6"), backend="auto")
    assert result_fields(job, chosen)["node_meaning"] == "a placement made"
    assert result_fields(job, FINISHED)["node_meaning"] is None
    assert result_fields(Job(load("queens-6"), backend="theirs"), FINISHED)["node_meaning"] is None


def test_the_record_of_a_run() -> None:
    """With where it took place; it is read as it was written."""
    job = Job(load("soma-cube"), backend="auto", limits=Limits(time_s=20.0), seed=7)
    selection = PieceSelection((PieceEstimate("V", 5, 10**20, None),), "V")
    chosen = Chosen("dlx", {"order": ["a"]}, ("volume",), "small")
    finished = Result(*FINISHED.answer, piece_selection=selection, chosen=chosen)
    load_then = Load(1.5, 0.0, 1)
    record = run_record(job, finished, repeat=2, suite="s", load=load_then)
    assert (record.job.digest, record.repeat, record.suite) == (job.digest, 2, "s")
    assert (record.job.limits, record.job.seed) == (Limits(time_s=20.0), 7)
    assert (record.load, record.environment) == (load_then, environment())
    again = record_of(json.loads(json.dumps(record.json_fields())))
    assert (again.result.piece_selection, again.result.chosen) == (selection, chosen)
    assert again == record
