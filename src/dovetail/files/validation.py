"""Errors of pydantic in words: which field, what stands there, and what is expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from dovetail.errors import shorten
from dovetail.printable import printable

# Where a value stands: names of fields, and numbers in lists.
Location = tuple[int | str, ...]

MAX_MESSAGE = 200
NAMES = {
    ("int_type", "int_parsing", "int_from_float", "int_parsing_size"): "a whole number",
    ("float_type", "float_parsing"): "a number",
    ("finite_number",): "a finite number",
    ("bool_type", "bool_parsing"): "true or false",
    ("string_type", "is_instance_of"): "text",
    ("list_type", "tuple_type", "set_type", "frozen_set_type"): "a list",
    ("dict_type", "mapping_type", "model_type"): "an object",
    ("dataclass_type", "dataclass_exact_type"): "an object",
    ("none_required",): "null",
    ("json_invalid", "json_type"): "JSON",
}
EXPECTED = {kind: name for kinds, name in NAMES.items() for kind in kinds}
# Errors whose context has a number or the valid values.
FROM_CONTEXT = {
    "enum": "{expected}",
    "literal_error": "{expected}",
    "greater_than_equal": "{ge} or more",
    "greater_than": "more than {gt}",
    "less_than_equal": "{le} or less",
    "less_than": "less than {lt}",
    "too_short": "a list of {min_length} or more",
    "too_long": "a list of {max_length} or fewer",
}
# What pydantic calls the members of a union.
MEMBERS = ("str", "int", "float", "bool", "none")


@dataclass(frozen=True)
class Problem:
    """The first error: its place, what pydantic calls it, what is expected, and all in a line."""

    location: Location
    kind: str
    expected: str
    text: str


def problem_of(error: ValidationError) -> Problem:
    """The first error in words: `limits.nodes is 'x'; expected a whole number`."""
    errors = error.errors(include_url=False)
    location, expected, first = _first(errors)
    where = shorten(".".join(map(str, location)))
    if first["type"] == "missing":
        text = f"{where} is missing"
    elif expected and where:
        text = f"{where} is {shown(first['input'])}; expected {expected}"
    elif expected:
        text = f"expected {expected}"
    else:
        message = shorten(str(first.get("ctx", {}).get("error", first["msg"])), MAX_MESSAGE)
        text = f"{where}: {message}" if where else message
    return Problem(location, first["type"], expected, printable(text))


def shown(value: object) -> str:
    """A value as files have it, shortened."""
    names: Mapping[Any, str] = {None: "null", True: "true", False: "false"}
    is_named = value is None or isinstance(value, bool)
    return names[value] if is_named else shorten(repr(value))


def _first(errors: Sequence[ErrorDetails]) -> tuple[Location, str, ErrorDetails]:
    """The first error with its place and what is expected there, by any member of a union."""
    first = errors[0]
    place = first["loc"][:-1]
    if not first["loc"] or not _is_member(first["loc"][-1]):
        return _without_members(first["loc"]), _expected(first), first
    members = [error for error in errors if error["loc"][: len(place)] == place]
    for error in members:
        inner = error["loc"][len(place) + 1 :]
        if inner:  # the value is of this member's kind
            return _without_members((*place, *inner)), _expected(error), error
    *others, last = [one for one in dict.fromkeys(map(_expected, members)) if one] or [""]
    expected = f"{', '.join(others)} or {last}" if others else last
    return _without_members(place), expected, first


def _expected(error: ErrorDetails) -> str:
    """What is expected; empty where only the message says it."""
    kind = error["type"]
    if kind in FROM_CONTEXT:
        return FROM_CONTEXT[kind].format(**{k: _bound(v) for k, v in error["ctx"].items()})
    return EXPECTED.get(kind, "")


def _bound(value: object) -> str:
    """A bound or a list of valid values, as a message has it."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _without_members(location: Location) -> Location:
    return tuple(part for part in location if "[" not in str(part))


def _is_member(part: int | str) -> bool:
    return isinstance(part, str) and ("[" in part or part in MEMBERS)
