"""`dovetail convert`: puzzles and solutions from one format into another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dovetail.cli.output import STANDARD_OUTPUT, write_text
from dovetail.errors import ConfigError, shorten

if TYPE_CHECKING:
    from dovetail.models.task import Puzzle


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A puzzle file or catalogue name.")],
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="The file to write; - is standard output.")
    ],
    source_format: Annotated[
        str | None,
        typer.Option("--from", metavar="FORMAT", help="Of IN, if its name or content mislead."),
    ] = None,
    target_format: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="polycube, toml, burrtools, edges or knuth; default: "
            "by the suffix of OUT (.def .toml .xmpuzzle .txt .dlx).",
        ),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(metavar="N|HxW", help="Edge text without a first line: its size."),
    ] = None,
    no_header: Annotated[
        bool, typer.Option("--no-header", help="Edge text without a first line: it is square.")
    ] = False,
    sides: Annotated[
        str, typer.Option(metavar="ORDER", help="Edge text: the order of a tile's sides.")
    ] = "trbl",
    solutions_of: Annotated[
        str | None,
        typer.Option(
            metavar="PUZZLE",
            help="IN and OUT hold solutions of PUZZLE (.txt .jsonl .json .csv .xmpuzzle).",
        ),
    ] = None,
) -> None:
    """Convert a puzzle between formats, or a file of solutions. What OUT cannot say is refused."""
    from dovetail.puzzles.formats.registry import format_named, format_to_write

    if solutions_of is not None:
        write_text(target, "".join(_converted_solutions(source, target, solutions_of)))
        return
    if size is not None or no_header or sides != "trbl":
        if source_format not in (None, "edges"):
            raise ConfigError("--size, --no-header and --sides are for the format edges")
        puzzle = _edge_board(Path(source), size, no_header, sides)
    else:
        puzzle = _only_puzzle(source, source_format)
    if target == STANDARD_OUTPUT and target_format is None:
        raise ConfigError("standard output has no suffix: --to says the format")
    chosen = (
        format_to_write(target, puzzle) if target_format is None else format_named(target_format)
    )
    write_text(target, chosen.text(puzzle))


def parse_board_size(text: str) -> tuple[int, int]:
    """`8` or `4x5`, height x width, as (width, height)."""
    found = re.fullmatch(r"(\d{1,4})(?:x(\d{1,4}))?", text)
    if found is None:
        raise ConfigError(f"size {shorten(text)!r}; expected N, or HEIGHTxWIDTH such as 4x5")
    height, width = found[1], found[2] or found[1]
    return int(width), int(height)


def _only_puzzle(source: str, source_format: str | None) -> Puzzle:
    from dovetail.puzzles.loading import load

    return load(source, source_format)


def _edge_board(path: Path, size: str | None, no_header: bool, sides: str) -> Puzzle:
    from dovetail.puzzles.formats.edge_text import read_edge_text
    from dovetail.puzzles.formats.text_file import TextFile

    return read_edge_text(
        TextFile(path),
        size=None if size is None else parse_board_size(size),
        header=not no_header,
        sides=sides,
    )


def _converted_solutions(source: str, target: Path, puzzle_name: str) -> Iterator[str]:
    from dovetail.puzzles.formats.solutions import read_solutions, solution_writer
    from dovetail.puzzles.formats.text_file import TextFile
    from dovetail.puzzles.loading import load

    puzzle = load(puzzle_name)
    suffix = ".txt" if target == STANDARD_OUTPUT else target.suffix
    writer = solution_writer(suffix, puzzle)
    yield writer.head
    solutions = read_solutions(TextFile(Path(source)), puzzle)
    for number, (_, solution) in enumerate(solutions, start=1):
        yield writer.one(number, solution)
    yield writer.tail
