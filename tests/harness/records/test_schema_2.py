"""Files of schema 2 stay readable: their fields come under the names of today."""

from __future__ import annotations

import json
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


def test_a_status_that_was_renamed(tmp_path: Path) -> None:
    """The end of trials has today's name."""
    line = json.loads(RECORDS.read_text().splitlines()[0])
    path = tmp_path / "trials.jsonl"
    path.write_text(json.dumps({**line, "status": "removal-limit"}) + "\n")
    (record,) = read_records(path).records
    assert record.status == "remaining-limit"
