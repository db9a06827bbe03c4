"""`dovetail show`: what a puzzle is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dovetail.cli.options import Puzzles, SourceFormat
from dovetail.cli.output import print_text, write_text


def show(
    puzzles: Puzzles,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write a picture to FILE (.svg .html)."
        ),
    ] = None,
    source_format: SourceFormat = None,
) -> None:
    """Show puzzles: region and pieces, board and tiles, or options."""
    from dovetail.puzzles.loading import load_each
    from dovetail.reports.describe_puzzle import describe_puzzle
    from dovetail.reports.pictures.text import terminal_paint

    shown = list(load_each(puzzles, source_format))
    if output is None:
        paint = terminal_paint()
        described = "\n\n".join(describe_puzzle(puzzle, paint) for puzzle in shown)
        print_text(f"{described}\n")
        return
    from dovetail.reports.pictures.picture import puzzles_picture

    write_text(output, puzzles_picture(output.suffix, shown))
