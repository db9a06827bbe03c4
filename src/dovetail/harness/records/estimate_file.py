"""Reads files of estimates, which `dovetail estimate --json` prints, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError

from dovetail.errors import FormatError
from dovetail.files.input_bytes import input_bytes, place_of
from dovetail.files.validation import problem_of
from dovetail.harness.confidence import Interval
from dovetail.harness.records.fields import composed, json_fields, line_type
from dovetail.harness.records.record import JobFields
from dovetail.plain_data import Mark

# What identifies a search: all that was asked, apart from the name of the puzzle.
SEARCH = (
    *("digest", "backend", "config", "symmetry", "labelled"),
    *("reductions", "triggers", "random", "trials"),
)


@dataclass(frozen=True)
class EstimateRecord:
    """A job, and the nodes that were expected of its search."""

    job: Annotated[JobFields, Mark.PART]
    nodes: Interval


def read_estimates(path: Path) -> Iterator[EstimateRecord]:
    """Yield the estimates in the file at `path`.

    Raises `FormatError` when it cannot be read, for the first line that is no estimate, and for a
    file without any.
    """
    reader: TypeAdapter[Any] = TypeAdapter(line_type(EstimateRecord))
    empty = True
    for number, line in enumerate(input_bytes(path).splitlines(), start=1):
        if line.strip():
            empty = False
            try:
                yield composed(EstimateRecord, reader.validate_json(line))
            except ValidationError as error:
                problem = f"not an estimate by dovetail estimate --json: {problem_of(error).text}"
                raise FormatError(problem, place_of(path), number) from None
    if empty:
        raise FormatError("empty; expected estimates by dovetail estimate --json", place_of(path))


def search_of(job: JobFields) -> dict[str, Any]:
    """Return the fields that identify a search."""
    return json_fields(job, *SEARCH)
