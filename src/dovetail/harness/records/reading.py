"""Reads files of records, line by line, and the JSON files of pytest-benchmark.

A bench that resumes refuses a file in which a line is no record (`store`); whoever only reads
passes that line over and says so. All that is read has the types and bounds of `Record`, so that
nobody has to look again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from dovetail.errors import FormatError, PuzzleError, how_many, shorten
from dovetail.files.input_bytes import input_bytes, place_of
from dovetail.files.validation import problem_of
from dovetail.harness.records.benchmark_file import benchmark_name, benchmarks_in, records_in
from dovetail.harness.records.fields import composed, field_types, line_type
from dovetail.harness.records.outline import check_example, check_outline
from dovetail.harness.records.record import SCHEMA, Record
from dovetail.printable import printable

FIRST_FIELD = b'{"schema": '
MAX_NAMED = 3


class RecordError(ValueError):
    """What keeps a line of a file from being a record."""


@dataclass(frozen=True)
class SkippedLine:
    """A line that is no record that can be read, and why. `number` is None for a benchmark."""

    number: int | None
    problem: str

    @property
    def message(self) -> str:
        """The problem and its place."""
        return self.problem if self.number is None else f"line {self.number}: {self.problem}"


@dataclass(frozen=True)
class RecordFile:
    """What can be read of the file at `path`, and the lines that cannot.

    The last of these is the torn beginning of a record if `torn_bytes`, its length, is not 0.
    """

    path: Path
    records: tuple[Record, ...]
    skipped: tuple[SkippedLine, ...] = ()
    torn_bytes: int = 0

    @property
    def warning(self) -> str | None:
        """How many lines were passed over and why, the first few named; None if none were."""
        if not self.skipped:
            return None
        named = [one.message for one in self.skipped[:MAX_NAMED]]
        more = len(self.skipped) - len(named)
        unit = "benchmark" if self.skipped[0].number is None else "line"
        lines = how_many(len(self.skipped), unit)
        rest = [f"and {more} more"] if more else []
        return f"{place_of(self.path)}: {lines} skipped: {'; '.join([*named, *rest])}"


def read_records(path: Path) -> RecordFile:
    """What can be read of the file at `path`, which may be being written.

    Raises `FormatError` when it cannot be read or has not one record.
    """
    return parse_file(input_bytes(path), path)


def parse_file(data: bytes, path: Path) -> RecordFile:
    """What can be read of `data`, which the file of a bench or of pytest-benchmark at `path` holds.

    Raises `FormatError` when it has not one record.
    """
    benchmarks = benchmarks_in(data)
    file = parse_records(data, path) if benchmarks is None else _parse_benchmarks(benchmarks, path)
    if file.records:
        return file
    problem = "empty; expected run records written by dovetail bench -o"
    if file.skipped:
        first, skipped = file.skipped[0], len(file.skipped)
        unit = "benchmarks" if first.number is None else "lines"
        problem = f"no run records; {unit} skipped: {skipped}; {first.message}"
    raise FormatError(problem, place_of(path))


def parse_records(data: bytes, path: Path) -> RecordFile:
    """What can be read of `data`, which the file at `path` holds."""
    records: list[Record] = []
    skipped: list[SkippedLine] = []
    lines = data.split(b"\n")
    torn = len(lines[-1]) if _is_torn(lines[-1], first=len(lines) == 1) else 0
    for number, line in enumerate(lines[:-1] if torn else lines, start=1):
        if line.strip():
            try:
                records.append(parse_record(line))
            except RecordError as error:
                skipped.append(SkippedLine(number, str(error)))
    if torn:
        skipped.append(SkippedLine(len(lines), f"incomplete ({how_many(torn, 'byte')})"))
    return RecordFile(path, tuple(records), tuple(skipped), torn)


def _parse_benchmarks(benchmarks: list[Any], path: Path) -> RecordFile:
    """What can be read of the benchmarks in a file of pytest-benchmark."""
    records: list[Record] = []
    skipped: list[SkippedLine] = []
    for benchmark in benchmarks:
        try:
            records += [_checked(record_of(fields)) for fields in records_in(benchmark)]
        except RecordError as error:
            skipped.append(SkippedLine(None, f"{benchmark_name(benchmark)}: {error}"))
        except (LookupError, TypeError):
            problem = "no record; expected one written by the fixture solution_count"
            skipped.append(SkippedLine(None, f"{benchmark_name(benchmark)}: {problem}"))
    return RecordFile(path, tuple(records), tuple(skipped))


def parse_record(line: bytes) -> Record:
    """The record in a line of a file; raises `RecordError` where it is none of this schema."""
    try:
        record = composed(Record, _reader().validate_json(line))
    except ValueError:  # or what only Python reads: lone surrogates, another encoding
        record = record_of(_object_in(line))
    return _checked(record)


def _checked(record: Record) -> Record:
    """Return a record whose pictures can be drawn; raises `RecordError` for another."""
    field = "outline"
    try:
        check_outline(record.outline)
        field = "example"
        check_example(record.example, record.outline)
    except PuzzleError as error:
        raise RecordError(f"a record whose {field} is invalid: {error}") from None
    return record


def record_of(fields: Mapping[str, Any]) -> Record:
    """The record with these fields, as JSON has them; unknown ones are left out.

    Raises `RecordError` for fields of another schema or with invalid values.
    """
    if not {"schema", "job", "repeat"} <= fields.keys():
        raise RecordError("not a run record of dovetail bench")
    if fields["schema"] != SCHEMA:
        schema = printable(shorten(str(fields["schema"])))
        raise RecordError(f"a record of schema {schema}; expected {SCHEMA}")
    try:
        return composed(Record, _reader().validate_python(fields))
    except ValidationError as error:
        raise RecordError(f"a record whose {_problem(error)}") from None


@cache
def _reader() -> TypeAdapter[Any]:
    """Return a parser of lines, made from the types of a record's fields."""
    return TypeAdapter(line_type(Record))


def _object_in(line: bytes) -> dict[str, Any]:
    """The JSON object in a line; raises `RecordError` where there is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise RecordError("not JSON; expected a run record per line") from None
    return found if isinstance(found, dict) else {}


def _problem(error: ValidationError) -> str:
    """What is wrong with the fields of a record, in words that begin with the name of one."""
    problem = problem_of(error)
    if len(problem.location) != 1 or not problem.expected:
        return problem.text
    field = field_types(Record)[str(problem.location[0])]
    or_null = ", or null" if " or " in problem.expected else " or null"
    return problem.text + (or_null if field.is_nullable else "")


def _is_torn(line: bytes, *, first: bool) -> bool:
    """Whether the last `line`, which has no end, is the beginning of a record.

    A power loss may leave NULs behind it, or, after other records, in place of it.
    """
    written = line.rstrip(b"\0")
    if len(written) < len(FIRST_FIELD):
        return FIRST_FIELD.startswith(written) and (bool(written) or not first)
    if not written.startswith(FIRST_FIELD):
        return False
    try:
        json.loads(written)
    except (ValueError, RecursionError):
        return True
    return written != line
