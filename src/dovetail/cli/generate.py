"""`dovetail generate`: random puzzles; each kind is a subcommand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dovetail.cli.output import STANDARD_OUTPUT, write_text


def generate_edges(
    size: Annotated[
        str,
        typer.Option(metavar="N|HxW", help="Size of the board: N for a square, or HEIGHTxWIDTH."),
    ],
    inner_colours: Annotated[
        int, typer.Option(metavar="N", help="Number of colours of inner edges.")
    ],
    border_colours: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Number of separate colours for edges between two border cells."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Seed of the random board.")] = 1,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File to write ({board_suffixes}); - is standard output.",
        ),
    ] = STANDARD_OUTPUT,
) -> None:
    """Generate a random edge-matching board that has a solution."""
    from dovetail.puzzles.edge_boards import random_board
    from dovetail.puzzles.formats.edge_text import parse_board_size
    from dovetail.puzzles.formats.registry import format_named, format_to_write

    width, height = parse_board_size(size)
    board = random_board(width, height, inner_colours, seed, border_colours)
    edge_text = output == STANDARD_OUTPUT
    chosen = format_named("edges") if edge_text else format_to_write(output, board)
    write_text(output, chosen.text(board))
