"""Backends that disagree are found out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import expectation_error, judged, verified_count
from dovetail.models.outcome import Status
from harness.records.made import changed, made, results


def record(backend: str, count: int | None, **changes: Any) -> Record:
    """What a single run of a job comes to, with what the cross-check looks at."""
    return results(made(backend=backend, **{"digest": "d", "count": count, **changes}))[0]


def test_agreement() -> None:
    """Equal counts, lower bounds below them, refusals, and other questions."""
    records = [
        record("a", 8),
        record("b", 8),
        record("c", 3, status="time-limit"),
        record("d", None, status="skipped"),
        record("e", 2, symmetry="unique"),
        record("f", 16, labelled=True),
        record("g", 5, digest="other"),
    ]
    assert judged(records) == records


def wrong(records: list[Record]) -> dict[str, str | None]:
    """The backends whose records are judged wrong, and why."""
    return {
        r.job.backend: r.result.reason for r in judged(records) if r.result.status == Status.WRONG
    }


def test_different_counts_name_both() -> None:
    """Nobody can tell which one is right."""
    found = wrong([record("a", 8), record("b", 7), record("c", 1, digest="other")])
    assert found == dict.fromkeys("ab", "backends disagree: a 8, b 7")


def test_an_expected_count_is_the_measure() -> None:
    """Who has it is right, and who has not is not."""
    found = wrong([record("a", 8, expected=8), record("b", 7), record("c", 8)])
    assert found == {"b": "backends disagree: a 8, b 7, c 8"}


def test_a_probable_count_contradicts_no_exact_one() -> None:
    """It is the wrong one of two; among probable ones nobody can tell."""
    guess = changed(record("guess", 53), probable=True)
    found = wrong([record("a", 52), record("b", 52), guess])
    assert found == {"guess": "backends disagree: a 52, b 52, guess 53"}
    found = wrong([guess, changed(record("other", 54), probable=True)])
    assert found == dict.fromkeys(["guess", "other"], "backends disagree: guess 53, other 54")
    counts = "a 52, b 51, guess 52"
    found = wrong([record("a", 52), record("b", 51), changed(guess, count=52)])
    assert found == dict.fromkeys(["a", "b", "guess"], f"backends disagree: {counts}")


def test_a_lower_bound_above_a_count() -> None:
    """It contradicts it."""
    found = wrong([record("a", 8), record("b", 9, status="time-limit")])
    assert found == dict.fromkeys("ab", "backends disagree: a 8, b ≥ 9")
    found = wrong([record("a", 8, expected=8), record("b", 9, status="time-limit")])
    assert list(found) == ["b"]


def checked(backend: str, count: int, verified: int, **changes: Any) -> Record:
    """A result with what its verified solutions are worth."""
    return record(
        backend, count, **{"symmetry_expansion": "as found", "verified": verified, **changes}
    )


@pytest.mark.parametrize(
    ("ending", "shown"), [("exhausted", "a 4"), ("time-limit", "a ≥ 4"), ("node-limit", "a ≥ 4")]
)
def test_verified_solutions_refute_a_smaller_count(ending: str, shown: str) -> None:
    """Four verified solutions exist, whatever another run says of them."""
    found = wrong([checked("a", 4, 4, status=ending), checked("b", 0, 0)])
    assert found == {"b": f"it counted 0; verified solutions prove at least 4 ({shown}, b 0)"}


@pytest.mark.parametrize(
    ("symmetry_expansion", "symmetry", "verified", "proved"),
    [
        ("as found", "all", 4, 4),
        ("images", "all", 4, 4),  # not the images, which are worked out
        ("counted", "all", 200, 200),
        ("as found", "all", 30_000, 1_000),  # no more are verified and compared in any case
        ("as found", "unique", 4, 1),  # that symmetry breaking leaves no two images is worked out
        ("canonical forms", "unique", 2_000, 1),
        ("as found", "all", 0, 0),
    ],
)
def test_what_verified_solutions_prove(
    symmetry_expansion: str, symmetry: str, verified: int, proved: int
) -> None:
    """What was verified itself, and nothing that was concluded from it."""
    one = checked("a", 40_000, verified, symmetry_expansion=symmetry_expansion, symmetry=symmetry)
    assert verified_count(one) == proved


def test_an_expected_count_that_is_too_small() -> None:
    """The reason says so."""
    found = wrong([checked("a", 4, 4, expected=0)])
    assert found == {"a": "it counted 4; expected 0, but 4 were verified"}


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


def test_a_count_behind_a_cut_run() -> None:
    """What an earlier repeat has proved is compared, with what is expected and with others."""
    exact = made(backend="a", digest="d", count=7)
    (cut,) = results(exact, changed(exact, repeat=1, count=3, status=Status.TIME_LIMIT))
    assert wrong([replace(cut, expected=8)]) == {"a": "it counted 7; expected 8"}
    assert wrong([cut, record("b", 8)]) == dict.fromkeys("ab", "backends disagree: a 7, b 8")
