"""Readers of files of run records and of estimates, and the file that a bench writes.

A bench appends each record as a line of JSON as soon as its run has ended. In a JSON file of
pytest-benchmark, each timed search has a record in its `extra_info`. See `benchexec_results` for
result files of BenchExec. The types and bounds of `Record` are checked when a record is read.
"""

from __future__ import annotations

import json
import os
import stat
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError

from dovetail.errors import ConfigError, FormatError, PuzzleError, how_many, reason_of, shorten
from dovetail.files.text_file import input_bytes, place_of
from dovetail.files.validation import problem_of
from dovetail.harness.confidence import Interval
from dovetail.harness.records.benchexec_results import benchexec_runs
from dovetail.harness.records.fields import composed, field_types, json_fields, line_type
from dovetail.harness.records.outline import check_example, check_outline
from dovetail.harness.records.record import SCHEMA, JobFields, Record
from dovetail.plain_data import Mark
from dovetail.platform.system import lock, sync_folder
from dovetail.printable import printable

FIRST_FIELD = b'{"schema": '
# Key of the record in `extra_info` of a benchmark.
RECORD = "record"
MAX_NAMED = 3
# Fields that identify a search; limits, the seed and the number of the repeat are not among them.
SEARCH = (
    *("digest", "backend", "config", "symmetry", "labelled"),
    *("reductions", "triggers", "random", "trials"),
)


class RecordError(ValueError):
    """Raised for a line, a run or a benchmark without a valid record."""


@dataclass(frozen=True)
class SkippedLine:
    """A line that is not a valid record, or a run or benchmark without a valid record."""

    # Line number; None for a run or a benchmark.
    number: int | None
    problem: str
    unit: str = "line"

    @property
    def message(self) -> str:
        """The problem, with the line number of a line."""
        return self.problem if self.number is None else f"line {self.number}: {self.problem}"


@dataclass(frozen=True)
class RecordFile:
    """The records in the file at `path`, and the lines, runs or benchmarks without a record."""

    path: Path
    records: tuple[Record, ...]
    skipped: tuple[SkippedLine, ...] = ()
    # Length of the last line in bytes if it is an incomplete record, otherwise 0.
    torn_bytes: int = 0

    @property
    def unit(self) -> str:
        """Noun for a skipped item, such as "line"; at least one item must have been skipped."""
        return self.skipped[0].unit

    @property
    def warning(self) -> str | None:
        """Message with the number of skipped items and some problems; None if all are valid."""
        if not self.skipped:
            return None
        messages = [line.message for line in self.skipped[:MAX_NAMED]]
        if len(self.skipped) > MAX_NAMED:
            messages.append(f"and {len(self.skipped) - MAX_NAMED} more")
        lines = how_many(len(self.skipped), self.unit)
        return f"{place_of(self.path)}: {lines} skipped: {'; '.join(messages)}"


def read_records(path: Path) -> RecordFile:
    """Return the records in the file at `path`; another process may be writing the file.

    Raises `FormatError` for a file that cannot be read or that has no record.
    """
    return parse_file(input_bytes(path), path)


def parse_file(data: bytes, path: Path) -> RecordFile:
    """Return the records in a file written by a bench, pytest-benchmark or BenchExec.

    Raises `FormatError` for a file without a record.
    """
    file = _parse_benchmarks(data, path) or _parse_benchexec(data, path)
    file = file or parse_records(data, path)
    if file.records:
        return file
    problem = "empty; expected run records written by dovetail bench -o"
    if file.skipped:
        skipped = f"{file.unit}s skipped: {len(file.skipped)}"
        problem = f"no run records; {skipped}; {file.skipped[0].message}"
    raise FormatError(problem, place_of(path))


def parse_records(data: bytes, path: Path) -> RecordFile:
    """Return the records in the content of a file written by a bench; the file may be empty."""
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


def _parse_benchmarks(data: bytes, path: Path) -> RecordFile | None:
    """Return the records in a file of pytest-benchmark, or None if it is another file.

    Each round of a benchmark becomes a repeat of the same job.
    """
    content = _json_object(data) if data.lstrip().startswith(b"{") else None
    benchmarks = (content or {}).get("benchmarks")
    if not isinstance(benchmarks, list):
        return None
    runs = list[tuple[str, list[dict[str, Any]]]]()
    for benchmark in benchmarks:
        name = benchmark.get("fullname") if isinstance(benchmark, dict) else None
        what = f"benchmark {shorten(name)}" if isinstance(name, str) else "a benchmark"
        runs.append((what, []))
        with suppress(LookupError, TypeError):
            fields, rounds = benchmark["extra_info"][RECORD], benchmark["stats"]["data"]
            runs[-1] = (
                what,
                [
                    {**fields, "repeat": repeat, "solve_s": seconds, "solve_cpu_s": None}
                    for repeat, seconds in enumerate(rounds)
                ],
            )
    missing = "it has no record; expected a record written by the fixture solution_count"
    return _file_of(path, runs, "benchmark", missing)


def _parse_benchexec(data: bytes, path: Path) -> RecordFile | None:
    """Return the records in a result file of BenchExec, or None if it is another file."""
    runs = benchexec_runs(data, path)
    if runs is None:
        return None
    named = [(shorten(printable(name)), fields) for name, fields in runs]
    missing = "it has no record; expected a run of tool dovetail.benchexec that began to search"
    return _file_of(path, named, "run", missing)


def _file_of(
    path: Path, runs: Iterable[tuple[str, Sequence[Mapping[str, Any]]]], unit: str, missing: str
) -> RecordFile:
    """Return the records that another program has stored in the file at `path`.

    `runs` has the name of each run and the fields of its records. `unit` is the noun for a run, and
    `missing` is the problem of a run without a record.
    """
    records, skipped = list[Record](), list[SkippedLine]()
    for name, repeats in runs:
        try:
            if not repeats:
                raise RecordError(missing)
            records += [record_of(fields) for fields in repeats]
        except RecordError as error:
            skipped.append(SkippedLine(None, f"{name}: {error}", unit))
    return RecordFile(path, tuple(records), tuple(skipped))


def parse_record(line: bytes) -> Record:
    """Return the record in a line of a file; raise `RecordError` if the line is invalid."""
    try:
        return _checked(_reader().validate_json(line))
    except ValueError:  # parse again to find the reason, and to support lone surrogates
        fields = _json_object(line)
    if fields is None:
        raise RecordError("not JSON; expected a run record per line")
    return record_of(fields)


def record_of(fields: Mapping[str, Any]) -> Record:
    """Return the record with these fields in JSON types; unknown fields are ignored.

    Raises `RecordError` for missing fields, for another schema and for invalid values.
    """
    if not {"schema", "job", "repeat"} <= fields.keys():
        raise RecordError("not a run record of dovetail bench")
    if fields["schema"] != SCHEMA:
        schema = printable(shorten(str(fields["schema"])))
        raise RecordError(f"schema is {schema}; expected {SCHEMA}")
    try:
        return _checked(_reader().validate_python(fields))
    except ValidationError as error:
        problem = problem_of(error, fields)
    places = [*map(str, problem.location)]  # empty for a key that is not Unicode
    or_null = ""
    if problem.expected and len(places) == 1 and field_types(Record)[places[0]].is_nullable:
        or_null = ", or null" if " or " in problem.expected else " or null"
    raise RecordError(f"invalid record: {problem.text}{or_null}")


@cache
def _reader() -> TypeAdapter[Any]:
    return TypeAdapter(line_type(Record))


def _checked(line: object) -> Record:
    """Return the record of a parsed line.

    Raises `RecordError` if the outline or the example cannot be drawn.
    """
    record = composed(Record, line)
    field = "outline"
    try:
        check_outline(record.outline)
        field = "example"
        check_example(record.example, record.outline)
    except PuzzleError as error:
        raise RecordError(f"invalid record: {field}: {error}") from None
    return record


def _json_object(data: bytes) -> dict[str, Any] | None:
    """Parse a JSON object.

    Returns an empty dict for another JSON value, and None for a text that is not JSON.
    """
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else {}


def _is_torn(line: bytes, *, first: bool) -> bool:
    """Return whether the last line of a file, without a newline, is an incomplete record.

    After a power loss, NUL bytes may follow the beginning of the record. If the line is not the
    first line of the file, it may consist of NUL bytes only.
    """
    written = line.rstrip(b"\0")
    if len(written) < len(FIRST_FIELD):
        return FIRST_FIELD.startswith(written) and (bool(written) or not first)
    return written.startswith(FIRST_FIELD) and (_json_object(written) is None or written != line)


class RecordStore:
    """A file of records to which a bench appends; a missing file is created.

    A record is on the disk when `add` returns. If the process is killed or the power fails during a
    write, the last line may be torn; a torn line is removed when the file is opened again. If the
    file system has locks, only a single bench at a time can write the file.

    Raises `ConfigError` if the file cannot be written or another bench is writing it, and
    `FormatError` if a line of the file is not a record.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.has_added = False  # whether a record was added since the file was opened
        self._writing = threading.Lock()
        is_new = not os.path.exists(path)
        try:
            # Unbuffered, so that the bytes of a failed write are not written later.
            self._file = path.open("a+b", buffering=0)
        except (OSError, ValueError) as error:  # `ValueError`: a null byte
            raise self._unwritable(error) from None
        try:
            self._lock()
            data = self._content()
            file = parse_records(data, path)
            # The records in the file now, and the length of the torn line that is removed, or 0.
            self.records, self.torn_bytes = file.records, file.torn_bytes
            for line in file.skipped[: -1 if self.torn_bytes else None]:
                expected = "expected a run record, or another file for -o"
                raise FormatError(f"{line.problem}; {expected}", path, line.number)
            whole = len(data) - self.torn_bytes
            if self.torn_bytes:
                self._file.truncate(whole)
            if whole and data[whole - 1 : whole] != b"\n":
                self._write(b"\n")
            if is_new:
                sync_folder(path.parent)
        except BaseException:
            self._file.close()
            raise

    def add(self, record: Record) -> None:
        """Append a record and wait until it is on the disk; any thread may call this method."""
        line = json.dumps(record.json_fields(), allow_nan=False) + "\n"
        with self._writing:
            self._write(line.encode())
            self.has_added = True

    def close(self) -> None:
        """Close the file, so that another bench can write it."""
        self._file.close()

    def __enter__(self) -> RecordStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _lock(self) -> None:
        try:
            lock(self._file.fileno())
        except BlockingIOError:
            raise ConfigError(f"{self.path} is being written by another bench") from None
        except OSError:
            pass  # a file system without locks

    def _content(self) -> bytes:
        """Return the content of the file; a pipe or a device has no content."""
        if not self._is_regular():
            return b""
        self._file.seek(0)
        return self._file.read()

    def _is_regular(self) -> bool:
        return stat.S_ISREG(os.fstat(self._file.fileno()).st_mode)

    def _write(self, data: bytes) -> None:
        size = os.fstat(self._file.fileno()).st_size
        try:
            while data:
                data = data[self._file.write(data) :]
            if self._is_regular():  # pipes and devices cannot be synced
                os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):  # the disk may be full, so only whole lines are kept
                os.ftruncate(self._file.fileno(), size)
            raise self._unwritable(error) from None

    def _unwritable(self, error: Exception) -> ConfigError:
        return ConfigError(f"{self.path} cannot be written ({reason_of(error)})")


@dataclass(frozen=True)
class EstimateRecord:
    """A job and the estimated nodes of its search, from a line of `dovetail estimate --json`."""

    job: Annotated[JobFields, Mark.PART]
    nodes: Interval


def read_estimates(path: Path) -> list[EstimateRecord]:
    """Return the estimates in the file at `path`.

    Raises `FormatError` for a file that cannot be read or that has no estimate, and for a line that
    is not an estimate.
    """
    reader: TypeAdapter[Any] = TypeAdapter(line_type(EstimateRecord))
    estimates = []
    for number, line in enumerate(input_bytes(path).splitlines(), start=1):
        if line.strip():
            try:
                estimates.append(composed(EstimateRecord, reader.validate_json(line)))
            except ValidationError as error:
                text = problem_of(error, line).text
                problem = f"not a line of dovetail estimate --json: {text}"
                raise FormatError(problem, place_of(path), number) from None
    if not estimates:
        raise FormatError("empty; expected estimates of dovetail estimate --json", place_of(path))
    return estimates


def search_of(job: JobFields) -> dict[str, Any]:
    """Return the fields that identify a search."""
    return json_fields(job, *SEARCH)
