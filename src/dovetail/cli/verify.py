"""`dovetail verify`: are these solutions of that puzzle?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dovetail.cli.exits import EXIT_WRONG
from dovetail.cli.options import Json, OnePuzzle
from dovetail.cli.output import print_lines
from dovetail.errors import ConfigError, PuzzleError, shorten

if TYPE_CHECKING:
    from dovetail.models.solution import Solution
    from dovetail.models.task import Puzzle


def verify(
    puzzle: OnePuzzle,
    solutions: Annotated[
        Path,
        typer.Argument(
            metavar="SOLUTIONS",
            help="A file of solutions: text, JSON lines, JSON, CSV, URLs; - is standard input.",
        ),
    ],
    fold: Annotated[
        str | None,
        typer.Option(metavar="s=S,h=H,...", help="Symbols in pictures and the pieces they mean."),
    ] = None,
    by_shape: Annotated[
        bool,
        typer.Option("--by-shape", help="Identify pieces by their shapes, whatever their names."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Check every solution in a file against the puzzle."""
    from dovetail.files.text_file import TextFile
    from dovetail.models.packing import PackingPuzzle
    from dovetail.puzzles.formats.solutions import read_solutions
    from dovetail.puzzles.loading import load

    folded = parse_fold(fold)
    loaded = load(puzzle)
    if (by_shape or folded) and not isinstance(loaded, PackingPuzzle):
        raise ConfigError(f"{loaded.name} has no pieces; --fold and --by-shape are for packings")
    file = TextFile(solutions)
    seen: set[object] = set()
    total, wrong = 0, list[dict[str, object]]()
    for line, solution in read_solutions(file, loaded, folded):
        total += 1
        error = _error(loaded, solution, by_shape)
        if error is not None:
            wrong.append({"line": line, "reason": error})
        seen.add(solution)
    if total == 0:
        raise file.error("no solution in it; expected at least one")
    if as_json:
        counts = {"puzzle": loaded.name, "solutions": total, "distinct": len(seen)}
        print_lines(json.dumps({**counts, "wrong": wrong}))
    else:
        verdict = "all valid" if not wrong else f"{len(wrong)} WRONG"
        again = f", {total - len(seen)} of them again" if len(seen) < total else ""
        print_lines(f"{loaded.name}: {total} solutions{again}, {verdict}")
        for entry in wrong:
            print_lines(f"  {file.place}:{entry['line']}: {entry['reason']}")
    raise typer.Exit(EXIT_WRONG if wrong else 0)


def parse_fold(words: str | None) -> dict[str, str]:
    """`s=S,h=H` as a mapping; `ConfigError` for anything else."""
    from dovetail.puzzles.formats.layered_text import OPEN, OUTSIDE

    folded: dict[str, str] = {}
    for word in (words or "").split(",") if words is not None else []:
        symbol, _, piece = word.partition("=")
        if not symbol or not piece or {symbol, piece} & {OPEN, OUTSIDE}:
            raise ConfigError(f"--fold has {shorten(word)!r}; expected SYMBOL=PIECE, as in s=S,h=H")
        if symbol in folded:
            raise ConfigError(f"--fold has symbol {shorten(symbol)!r} twice; expected each once")
        folded[symbol] = piece
    return folded


def _error(puzzle: Puzzle, solution: Solution, by_shape: bool) -> str | None:
    """What is wrong with a solution, or None."""
    from dovetail.models.packing import PackingPuzzle
    from dovetail.models.solution import PackingSolution
    from dovetail.models.verification.dispatch import solution_error
    from dovetail.puzzles.by_shape import named_by_shape

    if not isinstance(puzzle, PackingPuzzle) or not isinstance(solution, PackingSolution):
        return solution_error(puzzle, solution)
    error = None if by_shape else solution_error(puzzle, solution)
    if error is None and not by_shape:
        return None
    try:
        error_by_shape = solution_error(puzzle, named_by_shape(puzzle, solution))
    except PuzzleError as misfit:
        error_by_shape = str(misfit)
    if by_shape:
        return error_by_shape
    names = {piece.name for piece in puzzle.pieces}
    other_names = any(name not in names for name, _ in solution.placed)
    if other_names or error_by_shape is None:
        return f"{error}; --by-shape identifies pieces by their shapes instead"
    return error
