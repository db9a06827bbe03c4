"""Reads files of estimates, which `dovetail estimate --json` prints, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from dovetail.errors import FormatError
from dovetail.files.input_bytes import input_bytes, place_of
from dovetail.files.validation import problem_of
from dovetail.harness.confidence import Interval
from dovetail.harness.records.record import JobFields


@dataclass(frozen=True, kw_only=True)
class EstimateRecord(JobFields):
    """What was estimated, and the nodes that were expected of the search."""

    nodes: Interval


def read_estimates(path: Path) -> Iterator[EstimateRecord]:
    """The estimates in the file at `path`.

    Raises `FormatError` when it cannot be read, for the first line that is no estimate, and for a
    file without any.
    """
    reader = TypeAdapter(EstimateRecord)
    empty = True
    for number, line in enumerate(input_bytes(path).splitlines(), start=1):
        if line.strip():
            empty = False
            try:
                yield reader.validate_json(line)
            except ValidationError as error:
                problem = f"not an estimate by dovetail estimate --json: {problem_of(error).text}"
                raise FormatError(problem, place_of(path), number) from None
    if empty:
        raise FormatError("empty; expected estimates by dovetail estimate --json", place_of(path))


def search_of(fields: JobFields) -> dict[str, Any]:
    """What identifies a search: all that was asked, apart from the name of the puzzle."""
    return fields.json_fields(
        *(name for name in JobFields.__dataclass_fields__ if name != "puzzle")
    )
