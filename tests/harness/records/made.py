"""Records of runs that were never made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dovetail.harness.records.fields import json_fields
from dovetail.harness.records.record import Record
from dovetail.harness.records.record_files import record_of
from dovetail.harness.records.summary import summaries
from dovetail.plain_data import plain

REGION = "\n".join([". . . . . . . . . ."] * 6)


def made(puzzle: str = "box", backend: str = "dlx", **changes: Any) -> Record:
    """A record of a run that finished, as a bench writes it, save for `changes`."""
    return record_of(fields(puzzle, backend, **changes))


def changed(record: Record, **changes: Any) -> Record:
    """The same record, with other fields in its line."""
    return replace(record_of({**json_fields(record), **plain(changes)}), repeats=record.repeats)


def fields(puzzle: str = "box", backend: str = "dlx", **changes: Any) -> dict[str, Any]:
    """The fields of such a record in a file."""
    own: dict[str, Any] = {
        "schema": 4,
        "job": f"{puzzle} {backend}",
        "repeat": 0,
        "suite": "made",
        "tags": [],
        "expected": None,
        "published": {},
        "outline": REGION,
        "size": {"pieces": 12, "cells": 60},
        "begun": "2026-01-01",
        "load": {"busy_cores": 1.0, "stolen_cores": 0.0, "parallel": 1},
        "puzzle": puzzle,
        "digest": f"digest of {puzzle}",
        "backend": backend,
        "config": {},
        "symmetry": "all",
        "labelled": False,
        "reductions": [],
        "triggers": [],
        "trials": None,
        "status": "exhausted",
        "count": 8,
        "nodes": 1_000,
        "node_meaning": "a placement made",
        "attempts": 3_000,
        **by_remaining(profile()),
        "native": {},
        "reason": None,
        "searched": None,
        "placements": {"before": 90},
        "prepare_s": 0.25,
        "solve_s": 1.0,
        "check_s": 0.05,
        "peak_bytes": 2**20,
        "limits": {"time_s": 20.0, "nodes": None, "solutions": None, "memory_bytes": None},
        "machine": {"processor": "P", "cores": 2, "memory_bytes": 2**34, "system": "S"},
        "versions": {"python": "3.12"},
        "commit": "abc",
        **changes,
    }
    return {"total_s": own["prepare_s"] + own["solve_s"], **own}


MACHINE = {"processor": "a fast one", "cores": 2, "system": "Linux"}


def compared(job: str = "a", repeat: int = 0, **changes: Any) -> Record:
    """A record with the fields that a comparison reads."""
    base = {"job": job, "digest": job, "repeat": repeat, "count": 4, "nodes": 150, "attempts": None}
    base |= {"prepare_s": 0.5, "solve_s": 2.0, "solve_cpu_s": 2.0, "peak_bytes": 2**27}
    return made(**{"puzzle": "queens-6", "machine": MACHINE, **base, **changes})


def repeats(
    key: str, figures: Sequence[float | None], job: str = "a", **changes: Any
) -> list[Record]:
    """Runs of one job with these figures under a key, wall-clock and processor seconds alike."""
    also = {"solve_cpu_s": None} if key == "solve_s" else {}
    return [
        compared(job, number, **{**also, key: figure, **changes})
        for number, figure in enumerate(figures)
    ]


def profile(depth: int = 12) -> list[dict[str, int]]:
    """Attempts and fits with 1 to `depth` pieces left."""
    return [{"remaining": n, "attempts": 30 * n, "fits": 10 * n} for n in range(1, depth + 1)]


def by_remaining(rows: Sequence[Mapping[str, Any]] | None) -> dict[str, Any]:
    """The two fields of a record for attempts and fits by pieces remaining."""
    if rows is None:
        return {"attempts_by_remaining": None, "fits_by_remaining": None}
    tried = {
        str(row["remaining"]): row["attempts"] for row in rows if row.get("attempts") is not None
    }
    fits = {str(row["remaining"]): row["fits"] for row in rows}
    return {"attempts_by_remaining": tried or None, "fits_by_remaining": fits}


def many(puzzles: int, solvers: int) -> list[Record]:
    """The records of every solver on every puzzle, all different and one in twenty refused."""
    return [
        made(f"box-{puzzle}", f"solver-{solver}", **_figures(puzzle, solver, solvers))
        for puzzle in range(puzzles)
        for solver in range(solvers)
    ]


def _figures(puzzle: int, solver: int, solvers: int) -> dict[str, Any]:
    number = puzzle * solvers + solver
    if number % 20 == 7:
        return {
            "status": "skipped",
            "count": None,
            "nodes": None,
            **by_remaining(None),
            "reason": "too large for it",
        }
    seconds = (1 + puzzle) * (1.5 + solver) / 97
    return {
        "count": 8 + puzzle,
        "nodes": 12_345 + 678 * number,
        "attempts": 23_456 + 1_234 * number,
        "solve_s": seconds,
    }


def results(*records: Record) -> list[Record]:
    """What records come to, none of them judged."""
    return summaries(records)
