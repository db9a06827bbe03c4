"""Texts as cells of CSV."""

from __future__ import annotations

import pytest

from dovetail.reports.table import csv_text


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("box", "box"),
        ("a=b", "a=b"),
        ("−volume", "−volume"),
        ("=1+1", "'=1+1"),
        (" @x", "' @x"),
        ("a\0\ud800", "a��"),
    ],
)
def test_texts_are_no_formulas(text: str, cell: str) -> None:
    """And can be written."""
    assert csv_text(text) == cell
