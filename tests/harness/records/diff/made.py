"""Records that are made up, for comparing them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dovetail.harness.records.record import Record
from dovetail.harness.records.record_files import record_of
from dovetail.harness.records.summary import summaries

MACHINE = {"processor": "a fast one", "cores": 2, "system": "Linux"}


def record(job: str = "a", repeat: int = 0, **changes: Any) -> Record:
    """A record with what a comparison looks at."""
    base = {
        "puzzle": "queens-6",
        "digest": changes.pop("digest", job),
        "backend": "dlx",
        "config": {},
        "symmetry": "all",
        "labelled": False,
        "reductions": [],
        "status": "exhausted",
        "count": 4,
        "nodes": 150,
        "attempts": None,
        "reason": None,
        "native": {},
        "chosen": None,
        "prepare_s": 0.5,
        "solve_s": 2.0,
        "solve_cpu_s": 2.0,
        "total_s": 2.5,
        "peak_bytes": 2**27,
        "machine": MACHINE,
        "versions": {"python": "3.12"},
        "commit": "abc",
        "load": {"parallel": 1, "busy_cores": 1.0},
    }
    return record_of({"schema": 4, "job": job, "repeat": repeat, **base, **changes})


def repeats(
    key: str, figures: Sequence[float | None], job: str = "a", **changes: Any
) -> list[Record]:
    """Runs of one job with these figures under a key, wall-clock and processor seconds alike."""
    also = {"solve_cpu_s": None} if key == "solve_s" else {}
    return [
        record(job, number, **{**also, key: figure, **changes})
        for number, figure in enumerate(figures)
    ]


def summary(records: Sequence[Record]) -> Record:
    """What the runs of one job come to."""
    (only,) = summaries(records)
    return only
