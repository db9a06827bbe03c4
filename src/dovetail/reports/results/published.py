"""Published figures beside measured ones, for runs that repeat a published row."""

from __future__ import annotations

from collections.abc import Sequence

from dovetail.harness.records.published import published_rows
from dovetail.harness.records.summary import JobResult
from dovetail.reports.page import Part, Table
from dovetail.reports.published import LEGEND, columns_of, published_cells


def published_part(results: Sequence[JobResult]) -> Part | None:
    """A row for each row of a published table, None where no record repeats one."""
    rows = published_rows(results)
    if not rows:
        return None
    columns = columns_of(rows)
    cells = map(published_cells, rows)
    texts = tuple(
        (row.name, *(texts[column] for column in columns))
        for row, texts in zip(rows, cells, strict=True)
    )
    table = Table(("row", *columns), texts, left=2)
    return Part("published", "Published and measured", (LEGEND,), tables=(table,))
