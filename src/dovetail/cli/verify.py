"""`dovetail verify`: are these solutions of that puzzle?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from dovetail.cli.exits import EXIT_WRONG
from dovetail.cli.options import Json, OnePuzzle, SourceFormat
from dovetail.cli.output import print_lines
from dovetail.errors import ConfigError, shorten


def verify(
    puzzle: OnePuzzle,
    solutions: Annotated[
        Path,
        typer.Argument(
            metavar="SOLUTIONS",
            help="A file of solutions: text, JSON lines, JSON, CSV or URLs, or what a solver "
            "printed for a file of convert; - is standard input.",
        ),
    ],
    fold: Annotated[
        str | None,
        typer.Option(
            metavar="s=S,h=H,...", help="Symbols in drawings and the pieces that they stand for."
        ),
    ] = None,
    by_shape: Annotated[
        bool,
        typer.Option("--by-shape", help="Identify pieces by shape instead of by name."),
    ] = False,
    source_format: SourceFormat = None,
    as_json: Json = False,
) -> None:
    """Check every solution in a file against the puzzle."""
    from dovetail.files.text_file import TextFile
    from dovetail.puzzles.loading import load
    from dovetail.puzzles.verification import verify_file
    from dovetail.reports.describe_result import solution_noun

    folded = parse_fold(fold)
    loaded = load(puzzle, source_format)
    file = TextFile(solutions)
    found = verify_file(loaded, file, fold=folded, by_shape=by_shape)
    if as_json:
        counts = {"puzzle": loaded.name, "solutions": found.total, "distinct": found.distinct}
        wrong = [{"line": one.line, "reason": one.reason} for one in found.wrong]
        print_lines(json.dumps({**counts, "wrong": wrong}))
    else:
        verdict = "all valid" if found.valid else f"{len(found.wrong)} WRONG"
        repeated = found.total - found.distinct
        again = f", {repeated} repeated" if repeated else ""
        counted = solution_noun(loaded).of(found.total)
        print_lines(f"{loaded.name}: {counted}{again}, {verdict}")
        for one in found.wrong:
            print_lines(f"  {file.place}:{one.line}: {one.reason}")
    raise typer.Exit(0 if found.valid else EXIT_WRONG)


def parse_fold(words: str | None) -> dict[str, str]:
    """`s=S,h=H` as a mapping; `ConfigError` for anything else."""
    from dovetail.models.text_drawing import OPEN, OUTSIDE

    folded: dict[str, str] = {}
    for word in (words or "").split(",") if words is not None else []:
        symbol, _, piece = word.partition("=")
        if not symbol or not piece or {symbol, piece} & {OPEN, OUTSIDE}:
            raise ConfigError(f"--fold has {shorten(word)!r}; expected SYMBOL=PIECE, as in s=S,h=H")
        if symbol in folded:
            raise ConfigError(f"--fold has symbol {shorten(symbol)!r} twice; expected each once")
        folded[symbol] = piece
    return folded
