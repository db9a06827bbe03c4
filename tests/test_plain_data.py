"""Types of plain data: what is read, and what is written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from dovetail.plain_data import (
    Count,
    Flag,
    Positive,
    Text,
    Whole,
    plain,
)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (Text, ["", "ä", "<b>"]),
        (Flag, [True, False]),
        (Whole, [0, 2**63 - 1]),
        (Count, [0, 10**100]),
        (Positive, [1e-300]),
    ],
)
def test_what_is_read(kind: Any, values: list[object]) -> None:
    """As it is, in Python and in JSON."""
    adapter = TypeAdapter[object](kind)
    for value in values:
        assert adapter.validate_python(value) == value
        assert adapter.validate_json(json.dumps(value)) == value
        assert isinstance(adapter.validate_python(value), bool) == isinstance(value, bool)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (Text, [1, None, []]),
        (Whole, [-1, 2**63, 1.0, True, "1"]),
        (Count, [-1, False]),
        (Positive, [0.0]),
    ],
)
def test_what_is_not_read(kind: Any, values: list[object]) -> None:
    """Nothing is converted, rounded or cut."""
    adapter = TypeAdapter[object](kind)
    for value in values:
        with pytest.raises(ValidationError):
            adapter.validate_python(value)
        with pytest.raises(ValidationError):
            adapter.validate_json(json.dumps(value))


class Colour(StrEnum):
    """A word."""

    RED = "red"


@dataclass(frozen=True)
class Point:
    """A class with a derived property, which is no field."""

    x: int
    colour: Colour = Colour.RED

    @property
    def double(self) -> int:
        """Twice as much."""
        return 2 * self.x


def test_plain_values() -> None:
    """Fields of classes within lists and objects; words are texts."""
    assert plain({"a": (Point(1), None), "b": [2.5]}) == {
        "a": [{"x": 1, "colour": "red"}, None],
        "b": [2.5],
    }
    assert type(plain(Colour.RED)) is str
