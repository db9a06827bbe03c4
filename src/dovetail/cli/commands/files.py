"""`convert`, `generate` and `verify`: files of puzzles and of solutions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dovetail.cli import options
from dovetail.cli.options import advanced, argument, option
from dovetail.cli.output import STANDARD_OUTPUT, complain, print_lines, write_data, write_text
from dovetail.cli.process import EXIT_WRONG
from dovetail.errors import ConfigError, how_many, shorten, unknown_name
from dovetail.files.writing import OwnedFolder
from dovetail.harness.planning import AUTO
from dovetail.reports.printing import BYTES, SHEET, SOLIDS

if TYPE_CHECKING:
    from dovetail.models.task import Puzzle
    from dovetail.puzzles.formats.base import Format

EDGES = "edges"
COVER = "cover"
BENCHEXEC = "benchexec"
SVG = ".svg"


def convert(
    source: Annotated[str, argument("IN", "A puzzle file or catalogue name; - is standard input.")],
    target: Annotated[Path, argument("OUT", "The file to write; - is standard output.")],
    source_format: options.SourceFormat = None,
    target_format: Annotated[
        str | None,
        option(
            "--to FORMAT",
            "Format of OUT: {formats}. Default: by its suffix ({suffixes}; solid pieces: .stl "
            ".3mf). sheet: flat pieces in true size, as SVG to print. benchexec: a folder with the "
            "tasks of puzzles or of a suite, and a benchmark definition, for BenchExec.",
        ),
    ] = None,
    size: Annotated[
        str | None,
        option("--size N|HxW", "Size of the board, for edge-matching text that lacks it."),
    ] = None,
    no_header: Annotated[
        bool,
        advanced("--no-header", "Read the first line of edge-matching text as a tile."),
    ] = False,
    sides: Annotated[
        str,
        advanced("--sides ORDER", "Order of a tile's sides in edge-matching text."),
    ] = "trbl",
    formulation: Annotated[
        str,
        advanced(
            "--formulation NAME",
            "Formulation in input of solvers (.cnf .opb .mzn .xml): cover, or another one that "
            "the format supports.",
        ),
    ] = COVER,
    solutions_of: Annotated[
        str | None,
        option(
            "--solutions-of PUZZLE",
            "Convert solutions of PUZZLE instead of puzzles ({solution_suffixes}; only the first, "
            "as a solid assembly: .stl .3mf).",
        ),
    ] = None,
    config: Annotated[
        list[str] | None,
        advanced(
            "--config -c KEY=VALUE",
            "Setting of .stl and .3mf (cell, gap, bevel, bed, explode) or of a print sheet (cell, "
            "paper). Can be repeated.",
        ),
    ] = None,
) -> None:
    """Convert puzzles, or a file of solutions, between formats.

    Fails if the format of OUT cannot represent the content of IN.
    """
    from dovetail.backends.config import parse_words
    from dovetail.models.cover import CoverProblem
    from dovetail.puzzles.formats.registry import format_named, format_to_write
    from dovetail.puzzles.loading import load_all

    values = parse_words(config or ())
    is_made = target_format == SHEET or (target_format is None and target.suffix in SOLIDS)
    if values and not is_made:
        raise ConfigError(f"--config is for {', '.join(SOLIDS)} and --to {SHEET}; OUT is {target}")
    if target_format is None and target.suffix == SVG and solutions_of is None:
        raise ConfigError(
            f"{target}: expected --to {SHEET} for a print sheet; dovetail show -o writes a picture"
        )
    of_puzzles = (target_format, size, no_header, sides, formulation)
    if solutions_of is not None and of_puzzles != (None, None, False, "trbl", COVER):
        raise ConfigError(
            "--solutions-of writes the format of OUT's suffix; expected no --to, --size, "
            "--no-header, --sides or --formulation"
        )
    if target_format == BENCHEXEC:
        _write_benchmark(source, target, source_format)
        return
    if solutions_of is not None:
        write_data(
            target, _converted_solutions(source, target, solutions_of, source_format, values)
        )
        return
    if size is not None or no_header or sides != "trbl":
        puzzles: Sequence[Puzzle] = [_edge_board(source, source_format, size, no_header, sides)]
    else:
        puzzles = load_all(source, source_format)
    if is_made:
        _write_printed(target, puzzles, values, is_sheet=target_format == SHEET)
        return
    if target == STANDARD_OUTPUT and target_format is None:
        raise ConfigError("standard output has no suffix; expected --to FORMAT")
    chosen = (
        format_to_write(target, puzzles[0])
        if target_format is None
        else format_named(target_format)
    )
    write_text(target, _content(chosen, puzzles, formulation))
    if chosen.puzzle_type is CoverProblem and chosen.readable:
        _warn_of_lost_symmetries(puzzles, chosen)
    if chosen.name in ("polycube", "toml"):
        _warn_of_lost_weights(puzzles)


def generate_edges(
    size: Annotated[
        str, option("--size N|HxW", "Size of the board: N for a square, or HEIGHTxWIDTH.")
    ],
    inner_colours: Annotated[int, option("--inner-colours N", "Number of colours of inner edges.")],
    border_colours: Annotated[
        int | None,
        option(
            "--border-colours N", "Number of separate colours for edges between two border cells."
        ),
    ] = None,
    seed: Annotated[int, option("--seed N", "Seed of the random board.", min=0)] = 1,
    output: Annotated[
        Path, option("--output -o FILE", "File to write ({board_suffixes}); - is standard output.")
    ] = STANDARD_OUTPUT,
) -> None:
    """Generate a random edge-matching board that has a solution."""
    from dovetail.puzzles.edge_boards import random_board
    from dovetail.puzzles.formats.edges import parse_board_size
    from dovetail.puzzles.formats.registry import format_named, format_to_write

    width, height = parse_board_size(size)
    board = random_board(width, height, inner_colours, seed, border_colours)
    edge_text = output == STANDARD_OUTPUT
    chosen = format_named("edges") if edge_text else format_to_write(output, board)
    write_text(output, chosen.text(board))


def verify(
    puzzle: options.OnePuzzle,
    solutions: Annotated[
        Path,
        argument(
            "SOLUTIONS",
            "A file of solutions: text, JSON lines, JSON, CSV or URLs, or what a solver printed "
            "for a file of convert; - is standard input.",
        ),
    ],
    fold: Annotated[
        str | None,
        advanced("--fold s=S,h=H,...", "Symbols in drawings and the pieces that they stand for."),
    ] = None,
    by_shape: Annotated[
        bool, advanced("--by-shape", "Identify pieces by shape instead of by name.")
    ] = False,
    source_format: options.SourceFormat = None,
    as_json: options.AsJson = False,
) -> None:
    """Check every solution in a file against the puzzle."""
    from dovetail.files.text_file import TextFile
    from dovetail.puzzles.loading import load
    from dovetail.puzzles.verification import verify_file
    from dovetail.reports.describe.result import describe_verification

    folded = parse_fold(fold)
    loaded = load(puzzle, source_format)
    found = verify_file(loaded, TextFile(solutions), fold=folded, by_shape=by_shape)
    if as_json:
        counts = {"puzzle": loaded.name, "solutions": found.total, "distinct": found.distinct}
        wrong = [{"line": error.line, "reason": error.reason} for error in found.wrong]
        print_lines(json.dumps({**counts, "wrong": wrong}))
    else:
        print_lines(describe_verification(loaded, found))
    raise typer.Exit(0 if found.valid else EXIT_WRONG)


def parse_fold(words: str | None) -> dict[str, str]:
    """Return `s=S,h=H` as a mapping, or {} for None; raise `ConfigError` for another text."""
    from dovetail.models.text_drawing import OPEN, OUTSIDE

    folded: dict[str, str] = {}
    for word in [] if words is None else words.split(","):
        symbol, _, piece = word.partition("=")
        if not symbol or not piece or {symbol, piece} & {OPEN, OUTSIDE}:
            raise ConfigError(f"--fold has {shorten(word)!r}; expected SYMBOL=PIECE, as in s=S,h=H")
        if symbol in folded:
            raise ConfigError(f"--fold has symbol {shorten(symbol)!r} twice; expected each once")
        folded[symbol] = piece
    return folded


def _content(chosen: Format, puzzles: Sequence[Puzzle], formulation: str) -> str:
    """Return the content of OUT; raise `ConfigError` for a formulation that the format lacks."""
    if chosen.formulations is not None:
        if formulation not in chosen.formulations.names:
            what = f"{chosen.name} formulation"
            raise unknown_name(what, formulation, chosen.formulations.names)
        return chosen.text(*puzzles, formulation=formulation)
    if formulation != COVER:
        raise ConfigError(
            "--formulation is for input of solvers (.cnf, .opb, .mzn, .xml); the format of OUT is "
            f"{chosen.name}"
        )
    return chosen.text(*puzzles)


def _write_printed(
    target: Path, puzzles: Sequence[Puzzle], values: Mapping[str, str], *, is_sheet: bool
) -> None:
    """Write the pieces of a puzzle as solids, or as pages of a print sheet, a file for each page.

    Raises `ConfigError` for several puzzles, and for several pages on standard output.
    """
    from dovetail.reports.printing.sheet import sheet_pages
    from dovetail.reports.printing.solids import pieces_file

    if len(puzzles) != 1:
        raise ConfigError(f"IN has {len(puzzles)} puzzles; choose one for {target} with FILE#N")
    if not is_sheet:
        write_data(target, pieces_file(target.suffix, puzzles[0], values))
        return
    pages = sheet_pages(puzzles[0], values)
    if target == STANDARD_OUTPUT and len(pages) > 1:
        raise ConfigError(f"standard output holds 1 page; the sheet has {len(pages)}")
    for number, page in enumerate(pages, start=1):
        name = target.with_stem(f"{target.stem}-{number}") if len(pages) > 1 else target
        write_text(name, page)


def _write_benchmark(source: str, target: Path, source_format: str | None) -> None:
    """Write the files of a suite, or of puzzles, for BenchExec to the folder OUT."""
    from dovetail.cli.output import MESSAGES
    from dovetail.harness.suite.benchexec_files import (
        ABOUT_PROPERTY,
        DEFINITION,
        PROPERTY,
        TASKS,
        benchmark_files,
    )
    from dovetail.harness.suite.suite_file import plan_named

    if target == STANDARD_OUTPUT:
        raise ConfigError(f"OUT is standard output; expected a folder for {BENCHEXEC}")
    plan = plan_named([source], AUTO, None, (), source_format)
    folder = OwnedFolder(
        target, PROPERTY, ABOUT_PROPERTY, (TASKS,), (".yml", ".toml", ".json", ".dlx")
    )
    files, left_out = benchmark_files(plan)
    if plan.left_out or left_out:
        complain("; ".join(filter(None, (plan.left_out, left_out))))
    folder.replace(files)
    tasks = sum(path.endswith(".yml") for path, _ in files)
    MESSAGES.note(f"wrote {target / DEFINITION}: {how_many(tasks, 'task')}")


def _edge_board(
    source: str, source_format: str | None, size: str | None, no_header: bool, sides: str
) -> Puzzle:
    """Return the board of edge-matching text; raise `ConfigError` for another format."""
    from dovetail.files.text_file import TextFile
    from dovetail.puzzles.formats.edges import parse_board_size, read_edge_text
    from dovetail.puzzles.formats.registry import possible_formats

    possible = [source_format]
    if source_format in (None, EDGES):
        file = TextFile(Path(source))
        if source_format is None:
            possible = [file_format.name for file_format in possible_formats(file)]
        if EDGES in possible:
            board_size = None if size is None else parse_board_size(size)
            return read_edge_text(file, size=board_size, header=not no_header, sides=sides)
    raise ConfigError(
        f"--size, --no-header and --sides are for the format {EDGES}; {source} is {possible[0]}"
    )


def _warn_of_lost_symmetries(puzzles: Sequence[Puzzle], chosen: Format) -> None:
    """Warn about cover problems that are written with fewer symmetries than their puzzles have."""
    from dovetail.models.packings.packing import PackingPuzzle
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
        if not isinstance(puzzle, PackingPuzzle):  # for others, mirror is the same as unique
            continue
        options = build_task(puzzle, Request()).options
        if len(options.symmetries(Symmetry.MIRROR)) > len(options.symmetries(Symmetry.UNIQUE)):
            complain(
                f"{puzzle.name} is written with its rotations only; for the cover problem, "
                "--symmetry mirror gives the same count as unique"
            )


def _warn_of_lost_weights(puzzles: Sequence[Any]) -> None:
    for puzzle in puzzles:
        if any(piece.weight != 1 or piece.groups for piece in puzzle.pieces):
            complain(f"{puzzle.name} is written without weights and groups (for disassemble)")


def _converted_solutions(
    source: str,
    target: Path,
    puzzle_name: str,
    source_format: str | None,
    values: Mapping[str, str],
) -> bytes:
    """Return the content of OUT: the solutions in `source`, or the first of them as an assembly."""
    from dovetail.cli.output import check_differs, source_to_extend, writer_of
    from dovetail.files.text_file import TextFile
    from dovetail.puzzles.formats.base import solutions_text
    from dovetail.puzzles.formats.registry import read_solutions
    from dovetail.puzzles.loading import Reference
    from dovetail.reports.printing.solids import assembly_writer

    reference = Reference(puzzle_name)
    puzzle = reference.puzzle(source_format)
    name = target.with_suffix("") if target.suffix.lower() == ".gz" else target
    output = None if target == STANDARD_OUTPUT else name
    solutions = (solution for _, solution in read_solutions(TextFile(Path(source)), puzzle))
    if name.suffix in SOLIDS:
        assembly = assembly_writer(name.suffix, puzzle, values)
        return solutions_text(assembly, islice(solutions, 1)).encode(BYTES)
    extended = None if output is None else source_to_extend(reference.file, output)
    if extended is None:
        check_differs(target, reference.file)  # `output` lacks the suffix .gz
    writer = writer_of(output, puzzle, extended)
    encoding = "utf-8" if extended is None else extended.encoding
    return solutions_text(writer, solutions).encode(encoding)
