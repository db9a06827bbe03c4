"""Backends that disagree are found out."""

from __future__ import annotations

from typing import Any

import pytest

from dovetail.harness.crosscheck import disagreements, expectation_error
from dovetail.models.outcome import Status


def record(backend: str, count: int | None, **changes: Any) -> dict[str, Any]:
    """As much of a record as the cross-check looks at."""
    return {
        "backend": backend,
        "digest": "d",
        "symmetry": "all",
        "config": {"labelled": False},
        "status": "exhausted",
        "count": count,
        **changes,
    }


def test_agreement() -> None:
    """Equal counts, lower bounds below them, refusals, and other questions."""
    records = [
        record("a", 8),
        record("b", 8),
        record("c", 3, status="time-limit"),
        record("d", None, status="skipped"),
        record("e", 2, symmetry="unique"),
        record("f", 16, config={"labelled": True}),
        record("g", 5, digest="other"),
    ]
    assert disagreements(records) == {}


def test_different_counts_name_both() -> None:
    """Nobody can tell which one is right."""
    found = disagreements([record("a", 8), record("b", 7), record("c", 1, digest="other")])
    assert found == dict.fromkeys([0, 1], "backends disagree: a 8, b 7")


def test_a_lower_bound_above_a_count() -> None:
    """It contradicts it."""
    found = disagreements([record("a", 8), record("b", 9, status="time-limit")])
    assert found == dict.fromkeys([0, 1], "backends disagree: a 8, b ≥ 9")


@pytest.mark.parametrize(
    ("count", "status", "wrong"),
    [
        (8, Status.EXHAUSTED, False),
        (7, Status.EXHAUSTED, True),
        (7, Status.TIME_LIMIT, False),
        (9, Status.TIME_LIMIT, True),
        (None, Status.SKIPPED, False),
    ],
)
def test_expectations(count: int | None, status: Status, wrong: bool) -> None:
    """A lower bound need only not exceed what is expected."""
    assert (expectation_error(count, status, 8) is not None) == wrong
    assert expectation_error(count, status, None) is None
