"""Jobs: their digests."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from dovetail.harness.run.job import Job, Limits, RandomOrder, Trials
from dovetail.models.partial_board import PartialBoard
from dovetail.models.request import Request, Symmetry
from dovetail.puzzles.loading import load

JOB = Job(load("queens-6"), Request(Symmetry.ALL), "cpsat", {"seed": 3}, Limits(solutions=1))


def test_every_field_counts_in_the_digest() -> None:
    """The puzzle by its content."""
    changes: dict[str, Any] = {
        "puzzle": load("queens-5"),
        "request": replace(JOB.request, labelled=True),
        "backend": "dlx",
        "config": {"seed": 4},
        "limits": Limits(solutions=2),
        "seed": 1,
        "random": RandomOrder(0),
        "trials": Trials(5, 2),
        "cold_start": True,
        "improves": True,
        "start": PartialBoard(((None,),)),
    }
    assert list(changes) == [own.name for own in fields(Job)]
    others = [replace(JOB, **{name: value}) for name, value in changes.items()]
    assert len({job.digest for job in (JOB, *others)}) == 1 + len(changes)
    assert replace(JOB, puzzle=replace(JOB.puzzle, name="renamed")).digest == JOB.digest
