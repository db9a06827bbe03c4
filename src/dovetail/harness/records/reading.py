"""Reads records: of a file that a bench resumes, every line; for reports, whatever can be read.

A bench refuses a file in which a line is no record; whoever only reads passes that line over and
says so. All that is read has the types and bounds of `RunRecord`, so that nobody has to look again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from dovetail.errors import FormatError, shorten
from dovetail.harness.records.fields import field_types
from dovetail.harness.records.record import SCHEMA, RunRecord
from dovetail.models.outcome import Status
from dovetail.printable import printable
from dovetail.puzzles.formats.input_bytes import input_bytes, place_of

FIRST_FIELD = b'{"schema": '
MAX_NAMED = 3
NAMES = {
    str: "text",
    Status: "text",
    int: "a whole number",
    float: "a number",
    tuple: "list",
    Mapping: "an object",
}
OUT_OF_BOUNDS = ("greater_than_equal", "less_than", "finite_number")


class RecordError(ValueError):
    """What keeps a line of a file from being a record."""


@dataclass(frozen=True)
class SkippedLine:
    """A line that is no record that can be read, and why."""

    number: int
    problem: str


@dataclass(frozen=True)
class RecordFile:
    """What can be read of the file at `path`, and the lines that were passed over."""

    path: Path
    records: tuple[RunRecord, ...]
    skipped: tuple[SkippedLine, ...]

    @property
    def warning(self) -> str | None:
        """How many lines were passed over and why, the first few named; None if none were."""
        if not self.skipped:
            return None
        named = [f"line {one.number}: {one.problem}" for one in self.skipped[:MAX_NAMED]]
        more = len(self.skipped) - len(named)
        lines = "1 line" if len(self.skipped) == 1 else f"{len(self.skipped)} lines"
        rest = [f"and {more} more"] if more else []
        return f"{place_of(self.path)}: {lines} passed over: {'; '.join([*named, *rest])}"


def read_records(path: Path) -> RecordFile:
    """The records in the file at `path`, which may be being written, and the lines that are none.

    Raises `FormatError` when it cannot be read or has not one record.
    """
    records: list[RunRecord] = []
    skipped: list[SkippedLine] = []
    lines = input_bytes(path).split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            records.append(parse_record(line))
        except RecordError as error:
            torn = number == len(lines) and is_torn(line, first=number == 1)
            skipped.append(SkippedLine(number, f"torn ({len(line)} bytes)" if torn else str(error)))
    if not records:
        raise FormatError(_nothing_in(skipped), place_of(path))
    return RecordFile(path, tuple(records), tuple(skipped))


def parse_records(data: bytes, path: Path) -> tuple[list[RunRecord], int]:
    """The records in `data`, and how many bytes of it they take: fewer than all if it is torn.

    Raises `FormatError` naming the line of what is no record, unless it is the torn beginning
    of one at the end.
    """
    records: list[RunRecord] = []
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        if number == len(lines) and is_torn(line, first=number == 1):
            return records, len(data) - len(line)
        if line.strip():
            try:
                records.append(parse_record(line))
            except RecordError as error:
                raise FormatError(f"{error}: use another file", path, number) from None
    return records, len(data)


def parse_record(line: bytes) -> RunRecord:
    """The record in a line of a file; raises `RecordError` where it is none of this schema."""
    try:
        return _reader().validate_json(line)
    except ValidationError:  # or a text that only Python takes: lone surrogates, another encoding
        pass
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        raise RecordError("not JSON; expected a run record per line") from None
    if not isinstance(fields, dict) or not {"schema", "job", "repeat"} <= fields.keys():
        raise RecordError("not a run record as dovetail bench writes them")
    return record_of(fields)


def record_of(fields: Mapping[str, Any]) -> RunRecord:
    """The record with these fields, as JSON has them; raises `RecordError` where there is none.

    What it does not have, or null stands for, has the default value; unknown fields are left out.
    """
    if fields["schema"] != SCHEMA:
        schema = printable(shorten(str(fields["schema"])))
        raise RecordError(f"a record of schema {schema}; expected {SCHEMA}")
    types = field_types(RunRecord)
    known = {
        key: fields[key]
        for key, field in types.items()
        if key in fields and (field.is_required or fields[key] is not None)
    }
    try:
        return _reader().validate_python(known)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise RecordError(f"a record whose {printable(_problem(first, known))}") from None


def is_torn(line: bytes, *, first: bool) -> bool:
    """Whether the last `line` is the beginning of a record, without its end.

    A power loss may leave NULs behind it, or, after other records, in place of it.
    """
    written = line.rstrip(b"\0")
    if len(written) < len(FIRST_FIELD):
        return FIRST_FIELD.startswith(written) and (bool(written) or not first)
    return written.startswith(FIRST_FIELD) and (written != line or not _is_json(line))


@cache
def _reader() -> TypeAdapter[RunRecord]:
    """What makes records of JSON, from the types of their fields."""
    return TypeAdapter(RunRecord)


def _problem(error: ErrorDetails, fields: Mapping[str, Any]) -> str:
    """What is wrong with the fields of a record, in words that begin with the name of one."""
    location = error["loc"]
    if not location:  # of the record as a whole
        return str(error["ctx"]["error"])
    field = field_types(RunRecord)[str(location[0])]
    value = fields.get(field.name)
    if len(location) > 1 or not field.is_required:
        message = error["msg"][:200].replace("valid tuple", "valid list")  # as JSON calls it
        return f"{shorten(_place(error, fields))}: {message}"
    if error["type"] == "missing":
        return f"{field.name} is missing"
    if field.base is Status and isinstance(value, str):
        return f"status is {shorten(value)}; valid: {', '.join(Status)}"
    expected = NAMES[field.base] + (" or null" if field.is_nullable else "")
    if error["type"] in OUT_OF_BOUNDS:
        expected = "a number from 0 on"
    return f"{field.name} is {shorten(repr(value))}; expected {expected}"


def _place(error: ErrorDetails, fields: Mapping[str, Any]) -> str:
    """The keys that lead to a value, and the one that is missing there if one is."""
    value: Any = fields
    names: list[str] = []
    for part in error["loc"]:
        is_there = part in value if isinstance(value, Mapping) else isinstance(value, Sequence)
        if is_there and not isinstance(value, str):
            value = value[part]
        elif error["type"] != "missing":
            break
        names.append(str(part))
    return ".".join(names)


def _nothing_in(skipped: Sequence[SkippedLine]) -> str:
    """Why there is nothing to report in a file, in which not one record can be read."""
    if not skipped:
        return "empty; expected run records as dovetail bench -o writes them"
    first, lines = skipped[0], len(skipped)
    return f"not one run record; lines passed over: {lines}; line {first.number}: {first.problem}"


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True
