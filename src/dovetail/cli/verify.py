"""`dovetail verify`: are these solutions of that puzzle?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from dovetail.cli.exits import EXIT_WRONG
from dovetail.cli.options import Json, OnePuzzle


def verify(
    puzzle: OnePuzzle,
    solutions: Annotated[
        Path, typer.Argument(metavar="SOLUTIONS", help="A file of solutions, text or JSON lines.")
    ],
    as_json: Json = False,
) -> None:
    """Check every solution in a file against the puzzle itself."""
    from dovetail.models.verification.dispatch import solution_error
    from dovetail.puzzles.formats.solutions import read_solutions
    from dovetail.puzzles.formats.text_file import TextFile
    from dovetail.puzzles.loading import load

    loaded = load(puzzle)
    file = TextFile(solutions)
    seen: set[object] = set()
    total, wrong = 0, list[dict[str, object]]()
    for line, solution in read_solutions(file, loaded):
        total += 1
        error = solution_error(loaded, solution)
        if error is not None:
            wrong.append({"line": line, "reason": error})
        seen.add(solution)
    if total == 0:
        raise file.error("no solution in it; expected at least one")
    if as_json:
        counts = {"puzzle": loaded.name, "solutions": total, "distinct": len(seen)}
        typer.echo(json.dumps({**counts, "wrong": wrong}))
    else:
        verdict = "all valid" if not wrong else f"{len(wrong)} WRONG"
        again = f", {total - len(seen)} of them again" if len(seen) < total else ""
        typer.echo(f"{loaded.name}: {total} solutions{again}, {verdict}")
        for entry in wrong:
            typer.echo(f"  {solutions}:{entry['line']}: {entry['reason']}")
    raise typer.Exit(EXIT_WRONG if wrong else 0)
