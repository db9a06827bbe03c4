"""The page of a record's fields."""

from __future__ import annotations

from pathlib import Path

from dovetail.models.outcome import Counters
from harness.records.documented import GROUPS, meanings_of, page

PAGE = Path(__file__).parents[3] / "docs" / "records.md"


def test_the_page_is_what_the_types_say() -> None:
    """Else: python tests/harness/records/documented.py > docs/records.md."""
    assert PAGE.read_text() == page()


def test_every_field_of_a_record_has_a_meaning() -> None:
    """Below its declaration."""
    for group in (*GROUPS, Counters):
        parts = {"job", "counters", "result", "environment"}
        assert set(group.__annotations__) - parts <= set(meanings_of(group))
