"""The options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Puzzles = Annotated[
    list[str],
    typer.Argument(metavar="PUZZLE", help="Catalogue names or puzzle files; - is standard input."),
]
OnePuzzle = Annotated[
    str,
    typer.Argument(
        metavar="PUZZLE", help="A catalogue name or a puzzle file; - is standard input."
    ),
]
BackendName = Annotated[
    str, typer.Option("--backend", "-b", help="Which solver; see `dovetail list backends`.")
]
AnyBackendName = Annotated[
    str,
    typer.Option(
        "--backend",
        "-b",
        help="Which solver, auto for the one that suits; see `dovetail list backends`.",
    ),
]
ConfigWords = Annotated[
    list[str] | None,
    typer.Option(
        "--config",
        "-c",
        metavar="KEY=VALUE",
        help="A setting of the backend, or labelled=true to tell identical pieces apart.",
    ),
]
SymmetryName = Annotated[
    str,
    typer.Option(help="Which solutions count as one: all, unique or mirror."),
]
Reductions = Annotated[
    list[str] | None,
    typer.Option(
        "--reduce",
        metavar="NAME",
        help="Take placements out: redundancy (of the best piece, or redundancy=PIECE), probe "
        "(redundancy of the piece that shortens a trial search most), parity or volume (before the "
        "search), parity@PIECES or volume@PIECES (also after every placement while so many pieces "
        "remain), fit (a cell or piece has no place left beside it) or fit=fixed-point.",
    ),
]
Triggers = Annotated[
    list[str] | None,
    typer.Option(
        "--trigger",
        metavar="NAME",
        help="Check after every placement: parity (of the cells left open, or parity@PIECES: "
        "while so many pieces remain) or volume (of the parts they fall into, or volume@PIECES); "
        "one that cannot be is taken back at once.",
    ),
]
RandomSeed = Annotated[
    int | None,
    typer.Option("--random", metavar="SEED", help="Try placements in the random order of a seed."),
]
TimeLimit = Annotated[
    float | None, typer.Option(metavar="S", min=0.0, help="Seconds of prepare and solve.")
]
NodeLimit = Annotated[
    int | None, typer.Option(metavar="N", min=0, help="Nodes (placements made) to stop after.")
]
MemoryLimit = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE", help="Memory of the search, e.g. 2GiB; a third of the machine's by default."
    ),
]
# Its help is for a command of the class `FormatListingCommand`.
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to FILE ({solution_suffixes}; pictures: .svg .html).",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object per puzzle.")]
JsonProgress = Annotated[
    bool,
    typer.Option("--json-progress", help="Tell progress as lines of JSON on standard error."),
]
