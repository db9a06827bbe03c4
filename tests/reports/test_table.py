"""Tables: texts and values of cells, and CSV."""

from __future__ import annotations

import pytest

from dovetail.reports.table import Column, Table, csv_text, table_csv, text_table

PLACES: tuple[Column[dict[str, float | None]], ...] = (
    Column("name", lambda item: "=x", words=True),
    Column("time", lambda item: item["s"], unit="s", field="time_s"),
    Column("size", lambda item: item["bytes"], unit="bytes"),
    Column("twice", lambda item: item["s"], lambda value: f"2 × {value}"),
)


def test_texts_and_values() -> None:
    """A unit has a format, unknown values are dashes; files have names and plain values."""
    table = Table(PLACES, [{"s": 0.5, "bytes": 2048}, {"s": None, "bytes": None}])
    assert table.titles == ("name", "time", "size", "twice")
    assert table.rows == (
        ("=x", "500 ms", "2 KiB", "2 × 0.5"),
        ("=x", "–", "–", "–"),
    )
    assert table_csv(table) == "name,time_s,size,twice\n'=x,0.5,2048,0.5\n'=x,,,\n"
    assert table.without("name", "twice").rows == (("500 ms", "2 KiB"), ("–", "–"))


def test_a_table_of_texts() -> None:
    table = text_table(("a", "b", "n"), (("x", "y", "1"),), words=2)
    assert table.rows == (("x", "y", "1"),)
    assert [column.words for column in table.columns] == [True, True, False]


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
