"""What commands that report recorded runs have in common: their files and formats."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from dovetail.cli.guard import complain

if TYPE_CHECKING:
    from dovetail.harness.records.record import Record

RunsArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="RUNS.jsonl ...",
        help="Files written by bench -o or pytest --benchmark-json; - is standard input.",
    ),
]


Formats = TypeVar("Formats", bound=StrEnum)


class PageFormat(StrEnum):
    """What a page can be."""

    HTML = "html"
    MARKDOWN = "md"


def read_runs(
    runs: Sequence[Path], output: Path | None, others: Sequence[Path] = ()
) -> tuple[list[Record], list[str]]:
    """Return the records of `runs`, and the warnings about what could not be read, which it prints.

    Raises `ConfigError` if `output` is one of the `runs` or of the `others` that are read, and
    `FormatError` for a file that holds no record.
    """
    from dovetail.errors import ConfigError
    from dovetail.files.text_file import STANDARD_INPUT
    from dovetail.harness.records.record_files import read_records

    inputs = {path.resolve() for path in (*runs, *others) if path != STANDARD_INPUT}
    if output is not None and output.resolve() in inputs:
        raise ConfigError(f"-o {output} is an input of the report; expected another file")
    files = [read_records(path) for path in runs]
    warnings = [file.warning for file in files if file.warning is not None]
    for warning in warnings:
        complain(warning)
    return [record for file in files for record in file.records], warnings


def format_of(output: Path, formats: type[Formats]) -> Formats:
    """Return the format by the suffix of the file; the first one on standard output.

    Raises `ConfigError` for another suffix.
    """
    from dovetail.cli.output import STANDARD_OUTPUT
    from dovetail.errors import ConfigError

    if output == STANDARD_OUTPUT:
        return next(iter(formats))
    for form in formats:
        if output.suffix.lower() == f".{form}":
            return form
    suffixes = ", ".join(f".{form}" for form in formats)
    raise ConfigError(f"-o {output}; expected a suffix of {suffixes}, or --format")
