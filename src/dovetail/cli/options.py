"""The options that several commands share, and those that ask the parameters of a question."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any

import typer

from dovetail.harness.parameters import signatures_of

KEYWORD_ONLY = Parameter.KEYWORD_ONLY

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
Backends = Annotated[
    list[str] | None,
    typer.Option(
        "--backend",
        "-b",
        metavar="NAME,...",
        help="Solvers to compare; see `dovetail list backends`. Can be repeated.",
    ),
]
ConfigWords = Annotated[
    list[str] | None,
    typer.Option(
        "--config",
        "-c",
        metavar="KEY=VALUE",
        help="A setting of the backend, or labelled=true to distinguish identical pieces.",
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
    typer.Option("--json-progress", help="Print progress as lines of JSON on standard error."),
]

# What asks for a parameter, by its name, in the order of the help; `labelled` is a config word.
_QUESTION: dict[str, Any] = {
    "config": ConfigWords,
    "symmetry": SymmetryName,
    "reduce": Reductions,
    "triggers": Triggers,
    "random": RandomSeed,
}
_LIMITS: dict[str, Any] = {
    "time_limit": TimeLimit,
    "node_limit": NodeLimit,
    "memory_limit": MemoryLimit,
}


def with_options(parameters: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command, which takes `**asked: Unpack[parameters]`, the options that ask for them.

    In the help they follow `--backend`, and those of limits precede what is keyword-only. The
    command is called with the parameters that the options mean: see `understood`.
    """
    asked = signatures_of(parameters)
    question = [
        # Texts keep their default, and options that can be repeated want None for an empty one.
        Parameter(name, KEYWORD_ONLY, default=asked[name].default or None, annotation=option)
        for name, option in _QUESTION.items()
        if name in asked
    ]
    limits = [
        Parameter(name, KEYWORD_ONLY, default=None, annotation=option)
        for name, option in _LIMITS.items()
        if "limits" in asked
    ]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True).parameters
        first = [
            one.replace(kind=KEYWORD_ONLY)
            for one in own.values()
            if one.kind == Parameter.POSITIONAL_OR_KEYWORD
        ]
        last = [one for one in own.values() if one.kind == KEYWORD_ONLY]
        behind = list(own).index("backend") + 1

        @wraps(command)
        def run(**given: Any) -> None:
            from dovetail.cli.jobs import understood

            words = {one.name: given.pop(one.name) for one in (*question, *limits)}
            command(**given, **understood(given["backend"], words))

        run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [*first[:behind], *question, *first[behind:], *limits, *last]
        )
        return run

    return decorate
