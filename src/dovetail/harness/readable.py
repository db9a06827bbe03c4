"""Files of records as far as they can be read: for reports, which need not have every line.

A bench that resumes refuses a file in which a line is no record (`store`); whoever only reads
passes that line over and says so. Besides what `record_problem` looks at, everything that reports
read of a record has its type here, so that none of them has to look again.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, InstanceOf, ValidationError

from dovetail.errors import FormatError, shorten
from dovetail.harness.outline import Outline, board_size, outlined_cells
from dovetail.harness.record import LARGEST, Record, RecordError, parsed_record
from dovetail.harness.store import is_torn
from dovetail.printable import printable
from dovetail.puzzles.formats.input_bytes import input_bytes, place_of

MOST_NAMED = 3


@dataclass(frozen=True)
class PassedOver:
    """A line that is no record that can be read, and why."""

    line: int
    problem: str


@dataclass(frozen=True)
class Readable:
    """What can be read of the file at `path`, and what was passed over."""

    path: Path
    records: tuple[Record, ...]
    passed_over: tuple[PassedOver, ...]

    def said(self) -> str | None:
        """How many lines were passed over and why, the first few named; None if none were."""
        if not self.passed_over:
            return None
        named = [f"line {one.line}: {one.problem}" for one in self.passed_over[:MOST_NAMED]]
        more = len(self.passed_over) - len(named)
        lines = "1 line" if len(self.passed_over) == 1 else f"{len(self.passed_over)} lines"
        rest = [f"and {more} more"] if more else []
        return f"{place_of(self.path)}: {lines} passed over: {'; '.join([*named, *rest])}"


def readable_records(path: Path) -> Readable:
    """The records in the file at `path`, which may be being written, and the lines that are none.

    Raises `FormatError` when it cannot be read or has not one record.
    """
    data = input_bytes(path)
    records: list[Record] = []
    passed_over: list[PassedOver] = []
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            records.append(_readable_record(line))
        except RecordError as error:
            torn = number == len(lines) and is_torn(line, first=number == 1)
            problem = f"torn ({len(line)} bytes)" if torn else printable(str(error))
            passed_over.append(PassedOver(number, problem))
    readable = Readable(path, tuple(records), tuple(passed_over))
    if not records:
        raise FormatError(_nothing(readable), place_of(path))
    return readable


def _nothing(readable: Readable) -> str:
    """Why there is nothing to report in a file, in which not one record can be read."""
    if not readable.passed_over:
        return "empty; expected run records as dovetail bench -o writes them"
    first, lines = readable.passed_over[0], len(readable.passed_over)
    return f"not one run record; lines passed over: {lines}; line {first.line}: {first.problem}"


def _readable_record(line: bytes) -> Record:
    record = parsed_record(line)
    try:
        _Rest.model_validate(record)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise RecordError(f"a record whose {shorten(where)}: {first['msg'][:200]}") from None
    return record


Count = Annotated[int, Field(ge=0)]  # of solutions: labelled ones know no bound
Whole = Annotated[int, Field(ge=0, lt=LARGEST)]
Number = Annotated[float, Field(ge=0, lt=LARGEST)]
Text = InstanceOf[str]  # with lone surrogates too, as a name may be no Unicode
Setting = Text | int | float | bool | None


def _drawable(outline: Outline | None) -> Outline | None:
    """Raises `PuzzleError`, which is a ValueError, for what cannot be drawn."""
    if isinstance(outline, str):
        outlined_cells(outline)
    elif outline is not None:
        board_size(outline)
    return outline


class _Typed(BaseModel):
    """An object of which only some keys are looked at, each with its very type."""

    model_config = ConfigDict(strict=True, extra="ignore", allow_inf_nan=False)


class _Remaining(_Typed):
    remaining: Whole
    attempts: Whole | None
    fits: Whole


class _Trials(_Typed):
    count: Whole


class _Searched(_Typed):
    begun: Whole
    per_prepare_and_solve_s: Number | None = None


class _Limits(_Typed):
    time_s: Number | None = None
    nodes: Whole | None = None
    solutions: Whole | None = None
    memory_bytes: Whole | None = None


class _Published(_Typed):
    fits: Whole | None = None
    no_fits: Whole | None = None
    seconds: Annotated[float, Field(gt=0, lt=LARGEST)] | None = None
    attempts: Whole | None = None
    solutions: Whole | None = None
    rate: Number | None = None


class _Machine(_Typed):
    processor: Text | None = None
    cores: Whole | None = None
    memory_bytes: Whole | None = None
    system: Text | None = None


class _Load(_Typed):
    busy_cores: Number | None = None
    stolen_cores: Number | None = None
    parallel: Whole | None = None


class _Rest(_Typed):
    """What reports read of a record besides what every record must have, where it is there."""

    config: dict[Text, Setting | list[Setting]]
    reductions: list[Text]
    triggers: list[Text] = []
    trials: _Trials | None = None
    searched: _Searched | None = None
    suite: Text | None = None
    tags: list[Text] = []
    begun: Text | None = None
    expected: Count | None = None
    node_meaning: Text | None = None
    by_remaining: list[_Remaining] | None = None
    native: dict[Text, Setting] | None = None
    placements: dict[Text, Whole] | None = None
    completion: Text | None = None
    warm_up_s: Number | None = None
    solve_cpu_s: Number | None = None
    check_s: Number | None = None
    baseline_bytes: Whole | None = None
    verified: Whole | None = None
    limits: _Limits | None = None
    seed: Whole | None = None
    machine: _Machine | None = None
    versions: dict[Text, Text | None] | None = None
    commit: Text | None = None
    load: _Load | None = None
    published: dict[Text, _Published] | None = None
    outline: Annotated[Outline | None, AfterValidator(_drawable)] = None
    size: dict[Text, Whole] | None = None
