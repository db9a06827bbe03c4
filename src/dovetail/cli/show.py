"""`dovetail show`: what a puzzle is."""

from __future__ import annotations

import typer

from dovetail.cli.options import Puzzles


def show(puzzles: Puzzles) -> None:
    """Show puzzles: region and pieces, board and tiles, or items and options."""
    from dovetail.puzzles.loading import load_all
    from dovetail.reports.describe import describe_puzzle

    texts = [describe_puzzle(p) for reference in puzzles for p in load_all(reference)]
    typer.echo("\n\n".join(texts))
