"""`dovetail explain`: what is known of a puzzle before any search."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from dovetail.cli.options import Json, Puzzles, SourceFormat
from dovetail.cli.output import print_lines


def explain(
    puzzles: Puzzles,
    orientations: Annotated[
        bool,
        typer.Option("--orientations", help="Show the orientations and placements of every piece."),
    ] = False,
    source_format: SourceFormat = None,
    as_json: Json = False,
) -> None:
    """Explain what is known about puzzles before any search.

    Shows the symmetries of a puzzle, any proof that it has no solution, and the backends that
    refuse it; also what each reduction of a packing puzzle removes, and how often a board has each
    colour.
    """
    from dovetail.harness import explanation
    from dovetail.puzzles.loading import load_each
    from dovetail.reports.explanation import explain_puzzle

    for number, puzzle in enumerate(load_each(puzzles, source_format)):
        explained = explanation.explain(puzzle)
        if as_json:
            print_lines(json.dumps(asdict(explained)))
        else:
            print_lines(
                ("\n" if number else "") + explain_puzzle(explained, orientations=orientations)
            )
