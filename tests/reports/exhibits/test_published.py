"""The table of published and measured figures."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from dovetail.harness.records.published import (
    FigurePair,
    PublishedRow,
    TrialShare,
    TrialsWithTrigger,
)
from dovetail.models.outcome import Status
from dovetail.reports.exhibits.published import print_published


def row(**changes: Any) -> PublishedRow:
    """A row that agrees in everything."""
    figures: dict[str, Any] = {
        "name": "P4",
        "status": Status.EXHAUSTED,
        "count": 2339,
        "expected": 2339,
        "fits": FigurePair(2_091_215, 2_091_215),
        "no_fits": FigurePair(13_106_789, 13_106_789),
        "seconds": FigurePair(0.168, 0.336),
        "rate": FigurePair(None, None),
    }
    return PublishedRow(**(figures | changes))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ["P4", "exhausted", "2,339 (as expected)", "2,091,215", "exact", "168 ms", "2.00"]),
        ({"fits": FigurePair(2**53 + 1, 2**53 + 1)}, ["9,007,199,254,740,993"]),
        ({"no_fits": FigurePair(0, 7)}, ["fits exact, no-fits 7 instead of none"]),
        ({"fits": FigurePair(None, 5)}, ["exact"]),
        (
            {"status": Status.REMAINING_LIMIT, "count": 9, "rate": FigurePair(0.885, 123.4)},
            ["not compared: remaining-limit", "0.885", "123"],
        ),
        (
            {"with_trigger": TrialsWithTrigger(842, 1000, TrialShare(711, 1000))},
            ["842 of 1,000", "711 of 1,000 (68.2 to 73.8 %)"],
        ),
    ],
)
def test_what_the_table_shows(changes: dict[str, Any], expected: list[str]) -> None:
    """Exact, or by how much it differs; a row that was cut is not compared."""
    shown = io.StringIO()
    print_published([row(**changes)], Console(file=shown, width=300))
    (line,) = (text for text in shown.getvalue().splitlines() if text.startswith(" P4"))
    for words in expected:
        assert f" {words} " in f"{line} "
    rated = changes.get("rate", FigurePair(None, None)).published is not None
    assert ("published per s" in shown.getvalue()) == rated
    assert ("per s: solutions of trials per second" in shown.getvalue()) == rated
    assert ("published trials with trigger" in shown.getvalue()) == ("with_trigger" in changes)
    assert ("\ntrials with trigger: " in shown.getvalue()) == ("with_trigger" in changes)
