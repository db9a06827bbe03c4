"""Figures as CSV, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from dovetail.reports.elements import shown

FORMULA = ("=", "+", "-", "@")


def csv_lines(rows: Iterable[Iterable[object]], digits: int | None = None) -> str:
    """Write a line for each of `rows`, None as an empty cell and texts by `csv_text`.

    Floats have so many significant `digits`, or all; whole numbers are exact.
    """
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerows([_cell(value, digits) for value in row] for row in rows)
    return lines.getvalue()


def csv_text(text: str) -> str:
    """`text` as it is shown, with an apostrophe before what a spreadsheet takes for a formula."""
    safe = shown(text)
    return f"'{safe}" if safe.lstrip().startswith(FORMULA) else safe


def _cell(value: object, digits: int | None) -> object:
    if isinstance(value, str):
        return csv_text(value)
    return f"{value:.{digits}g}" if digits and isinstance(value, float) else value
