"""`dovetail convert`: puzzles and solutions from one format into another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dovetail.cli.guard import complain
from dovetail.cli.options import SourceFormat
from dovetail.cli.output import STANDARD_OUTPUT, write_text
from dovetail.errors import ConfigError

if TYPE_CHECKING:
    from dovetail.files.text_file import TextFile
    from dovetail.models.task import Puzzle
    from dovetail.puzzles.formats.base import Format

EDGES = "edges"
COVER = "cover"


def convert(
    source: Annotated[
        str,
        typer.Argument(metavar="IN", help="A puzzle file or catalogue name; - is standard input."),
    ],
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="The file to write; - is standard output.")
    ],
    source_format: SourceFormat = None,
    target_format: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="Format of OUT: {formats}. Default: by its suffix ({suffixes}).",
        ),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(
            metavar="N|HxW", help="Size of the board, for edge-matching text that lacks it."
        ),
    ] = None,
    no_header: Annotated[
        bool,
        typer.Option("--no-header", help="Read the first line of edge-matching text as a tile."),
    ] = False,
    sides: Annotated[
        str, typer.Option(metavar="ORDER", help="Order of a tile's sides in edge-matching text.")
    ] = "trbl",
    model: Annotated[
        str,
        typer.Option(
            metavar="MODEL",
            help="Model in input of solvers (.cnf .opb .mzn .xml): cover; for edge matching also "
            "4-edges or edge-variables, with variables for the colours of edges.",
        ),
    ] = COVER,
    solutions_of: Annotated[
        str | None,
        typer.Option(
            metavar="PUZZLE",
            help="Convert solutions of PUZZLE instead of puzzles ({solution_suffixes}).",
        ),
    ] = None,
) -> None:
    """Convert puzzles, or a file of solutions, between formats.

    Fails if the format of OUT cannot represent the content of IN.
    """
    from dovetail.models.cover import CoverProblem
    from dovetail.puzzles.formats.registry import format_named, format_to_write
    from dovetail.puzzles.loading import load_all

    if solutions_of is not None:
        write_text(target, *_converted_solutions(source, target, solutions_of, source_format))
        return
    if size is not None or no_header or sides != "trbl":
        file = _edge_file(source, source_format)
        puzzles = _edge_board(file, size, no_header, sides)
    else:
        puzzles = load_all(source, source_format)
    if target == STANDARD_OUTPUT and target_format is None:
        raise ConfigError("standard output has no suffix; expected --to FORMAT")
    chosen = (
        format_to_write(target, puzzles[0])
        if target_format is None
        else format_named(target_format)
    )
    write_text(target, _content(chosen, puzzles, model))
    if chosen.puzzle_type is CoverProblem and chosen.readable:
        _warn_of_lost_symmetries(puzzles, chosen)


def _content(chosen: Format, puzzles: Sequence[Puzzle], model: str) -> str:
    """The content of the file to write; `ConfigError` for a model in a format that has none."""
    from dovetail.backends.config import parse_value
    from dovetail.models.boolean_model import ModelName
    from dovetail.puzzles.formats.solver_input import SolverInput

    if isinstance(chosen, SolverInput):
        return chosen.text(*puzzles, model=parse_value("--model", ModelName, model))
    if model != COVER:
        raise ConfigError(
            "--model is for input of solvers (.cnf, .opb, .mzn, .xml); the format of OUT is "
            f"{chosen.name}"
        )
    return chosen.text(*puzzles)


def _edge_file(source: str, source_format: str | None) -> TextFile:
    """The file that `source` names, which may be edge text; `ConfigError` for another format."""
    from dovetail.files.text_file import TextFile
    from dovetail.puzzles.formats.registry import possible_formats

    possible = [source_format]
    if source_format in (None, EDGES):
        file = TextFile(Path(source))
        if source_format is None:
            possible = [one.name for one in possible_formats(file)]
        if EDGES in possible:
            return file
    raise ConfigError(
        f"--size, --no-header and --sides are for the format {EDGES}; {source} is {possible[0]}"
    )


def _edge_board(
    file: TextFile, size: str | None, no_header: bool, sides: str
) -> tuple[Puzzle, ...]:
    from dovetail.puzzles.formats.edge_text import parse_board_size, read_edge_text

    board = read_edge_text(
        file,
        size=None if size is None else parse_board_size(size),
        header=not no_header,
        sides=sides,
    )
    return (board,)


def _warn_of_lost_symmetries(puzzles: Sequence[Puzzle], chosen: Format) -> None:
    """Warn where a cover problem has fewer symmetries than counts are up to."""
    from dovetail.models.packing import PackingPuzzle
    from dovetail.models.request import Request, Symmetry
    from dovetail.models.task import as_cover, build_task

    for puzzle in puzzles:
        if not chosen.keeps_symmetries:
            if len(as_cover(puzzle).symmetries) > 1:
                complain(
                    f"{puzzle.name} is written without its symmetries; for the {chosen.name}, "
                    "--symmetry unique gives the same count as all"
                )
            continue
        if not isinstance(puzzle, PackingPuzzle):  # boards and covers are not reflected
            continue
        options = build_task(puzzle, Request()).options
        if len(options.symmetries(Symmetry.MIRROR)) > len(options.symmetries(Symmetry.UNIQUE)):
            complain(
                f"{puzzle.name} is written with its rotations only; for the cover problem, "
                "--symmetry mirror gives the same count as unique"
            )


def _converted_solutions(
    source: str, target: Path, puzzle_name: str, source_format: str | None
) -> tuple[str, str]:
    """The content of the file to write, and its encoding."""
    from dovetail.cli.destination import encoding_of, source_to_extend, writer_of
    from dovetail.files.text_file import TextFile
    from dovetail.puzzles.formats.registry import read_solutions
    from dovetail.puzzles.loading import Reference

    reference = Reference(puzzle_name)
    puzzle = reference.puzzle(source_format)
    name = target.with_suffix("") if target.suffix.lower() == ".gz" else target
    output = None if target == STANDARD_OUTPUT else name
    extended = None if output is None else source_to_extend(reference.file, output)
    writer = writer_of(output, puzzle, extended)
    solutions = read_solutions(TextFile(Path(source)), puzzle)
    ones = [writer.one(number, one) for number, (_, one) in enumerate(solutions, start=1)]
    return "".join([writer.head, *ones, writer.tail]), encoding_of(extended)
