"""Families of puzzles, by what a record counts their size in."""

from __future__ import annotations

from collections.abc import Iterable

from dovetail.harness.records.record import RunRecord

FAMILIES = {"cells": "packing", "tiles": "edge matching", "items": "exact cover"}
OTHER_PUZZLES = "other"


def family_of(answers: Iterable[RunRecord]) -> str:
    """Return the family of the puzzle of `answers` to one question."""
    known = (FAMILIES[what] for answer in answers for what in answer.size if what in FAMILIES)
    return next(known, OTHER_PUZZLES)
