"""Texts as cells of CSV."""

from __future__ import annotations

from dovetail.reports.elements import shown

FORMULA = ("=", "+", "-", "@")


def csv_text(text: str) -> str:
    """`text` as it is shown, with an apostrophe before what a spreadsheet takes for a formula."""
    safe = shown(text)
    return f"'{safe}" if safe.lstrip().startswith(FORMULA) else safe
