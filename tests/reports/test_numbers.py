"""Numbers as people read them."""

from __future__ import annotations

import pytest

from dovetail.reports.numbers import show_change, show_rounded


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (0.1234, "0.123"),
        (999.4, "999"),
        (999.6, "1 k"),
        (123_456, "123 k"),
        (999_600, "1 M"),
        (20e6, "20 M"),
        (1.5e10, "15 G"),
    ],
)
def test_rounded_numbers(number: float, shown: str) -> None:
    """Three digits and a unit."""
    assert show_rounded(number) == shown


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (None, "–"),
        (0.0, "+0 %"),
        (-1e-9, "+0 %"),
        (-0.2275, "−22.8 %"),
        (0.5, "+50 %"),
        (-1.0, "−100 %"),
        (12.345, "+1,234.5 %"),
    ],
)
def test_changes(change: float | None, shown: str) -> None:
    """Percentages with a sign, never −0."""
    assert show_change(change) == shown
