"""Files of schema 2 stay readable: their fields come under the names of today."""

from __future__ import annotations

from pathlib import Path

from dovetail.harness.records.reading import read_records

RECORDS = Path(__file__).parents[2] / "browser" / "records" / "fila-table1.jsonl"


def test_a_file_of_schema_2() -> None:
    """Every line is a record, with what renamed fields held."""
    found = read_records(RECORDS)
    assert b'"schema": 2' in RECORDS.read_bytes()
    assert (len(found.records), found.skipped) == (len(RECORDS.read_bytes().splitlines()), ())
    assert {record.schema for record in found.records} == {3}
    assert "as found" in {record.symmetry_expansion for record in found.records}
