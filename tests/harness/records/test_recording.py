"""From runs to records."""

from __future__ import annotations

import json

from dovetail.harness.records.record import Load
from dovetail.harness.records.record_files import record_of
from dovetail.harness.records.recording import environment, job_fields, result_fields, run_record
from dovetail.harness.run.job import (
    Chosen,
    Job,
    Limits,
    PieceEstimate,
    PieceSelection,
    RandomOrder,
    Trials,
)
from dovetail.harness.run.result import Result, Searched
from dovetail.models.outcome import Counters, Status
from dovetail.models.request import Request, Symmetry, Trigger
from dovetail.puzzles.loading import load

COUNTERS = Counters(
    nodes=9,
    attempts=20,
    attempts_by_remaining={2: 15, 1: 5},
    fits_by_remaining={2: 7, 1: 2},
    native={"updates": 3},
    backtracks_by_trigger={"parity": {3: 0, 1: 4}},
)
FINISHED = Result(
    Status.TIME_LIMIT,
    3,
    COUNTERS,
    "why",
    verified=2,
    placements={"before": 90, "volume": 80},
    symmetry_expansion="as found",
    searched=Searched(begun=5, with_solutions=1, found=6),
    warm_up_s=0.5,
    prepare_s=1.0,
    solve_s=2.0,
    solve_cpu_s=1.9,
    check_s=0.25,
    peak_bytes=2**20,
    baseline_bytes=2**19,
)


def test_what_was_asked() -> None:
    """The request as it was made, whoever answers it."""
    request = Request(Symmetry.UNIQUE, labelled=True, triggers=(Trigger.parse("parity"),))
    job = Job(load("queens-6"), request, "auto", {"x": 1}, random=RandomOrder(3))
    fields = job_fields(job)
    assert (fields.puzzle, fields.digest) == (job.puzzle.name, job.digest)
    assert fields.puzzle_digest == job.puzzle.digest
    assert (fields.backend, fields.config) == ("auto", {"x": 1})
    assert (fields.symmetry, fields.labelled) == ("unique", True)
    assert (fields.reductions, fields.triggers) == ((), ("parity",))
    assert (fields.random, fields.trials) == (RandomOrder(3), None)


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
    assert (fields["warm_up_s"], fields["solve_cpu_s"], fields["check_s"]) == (0.5, 1.9, 0.25)
    assert (fields["verified"], fields["baseline_bytes"]) == (2, 2**19)
    assert not {"remaining", "example", "board"} & fields.keys()


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
    pieces = (PieceEstimate("V", 5, 10**20, None),)
    chosen = Chosen("dlx", {"order": ["a"]}, ("volume",), "small")
    finished = Result(*FINISHED.answer, piece_selection=PieceSelection(pieces, "V"), chosen=chosen)
    load_then = Load(1.5, 0.0, 1)
    record = run_record(job, finished, repeat=2, suite="s", load=load_then)
    assert (record.job.digest, record.repeat, record.suite, record.load) == (
        job.digest,
        2,
        "s",
        load_then,
    )
    assert (record.job.limits, record.job.seed) == (Limits(time_s=20.0), 7)
    assert record.environment == environment()
    again = record_of(json.loads(json.dumps(record.json_fields())))
    assert (again.result.piece_selection, again.result.chosen) == (
        PieceSelection(pieces, "V"),
        chosen,
    )
    assert again == record
