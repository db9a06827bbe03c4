"""The options that several commands share, and those that ask the parameters of a question."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from dovetail.cli import suggestions
from dovetail.harness.parameters import signatures_of

KEYWORD_ONLY = Parameter.KEYWORD_ONLY


class OptionOrder(StrEnum):
    """The order in which a search tries placements."""

    GIVEN = "given"
    RANDOM = "random"


Puzzles = Annotated[
    list[str],
    typer.Argument(
        metavar="PUZZLE",
        help="Catalogue names or puzzle files; - is standard input.",
        autocompletion=suggestions.puzzles,
    ),
]
OnePuzzle = Annotated[
    str,
    typer.Argument(
        metavar="PUZZLE",
        help="A catalogue name or a puzzle file; - is standard input.",
        autocompletion=suggestions.puzzles,
    ),
]
SourceFormat = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="FORMAT",
        help="Format of puzzle files. Default: by suffix or content.",
        autocompletion=suggestions.puzzle_formats,
    ),
]
BackendName = Annotated[
    str,
    typer.Option(
        "--backend",
        "-b",
        metavar="NAME",
        help="Solver; see `dovetail list backends`.",
        autocompletion=suggestions.backends,
    ),
]
AnyBackendName = Annotated[
    str,
    typer.Option(
        "--backend",
        "-b",
        metavar="NAME",
        help="Solver; auto chooses one that suits the puzzle. See `dovetail list backends`.",
        autocompletion=suggestions.backends,
    ),
]
Backends = Annotated[
    list[str] | None,
    typer.Option(
        "--backend",
        "-b",
        metavar="NAME,...",
        help="Solvers to compare; see `dovetail list backends`. Can be repeated.",
        autocompletion=suggestions.backends,
    ),
]
ConfigWords = Annotated[
    list[str] | None,
    typer.Option(
        "--config",
        "-c",
        metavar="KEY=VALUE",
        help="A setting of the backend; see `dovetail help BACKEND`. Can be repeated.",
        autocompletion=suggestions.settings,
    ),
]
Labelled = Annotated[
    bool, typer.Option("--labelled", help="Count identical pieces and tiles as different.")
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed",
        metavar="SEED",
        min=0,
        help="Seed for random orders, samples, estimates and checks.",
    ),
]
SymmetryName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Solutions to count: all; unique, up to symmetry; or mirror, also up to reflection "
        "(default: unique; for a solved BurrTools file, those that it counts).",
        autocompletion=suggestions.symmetries,
    ),
]
Reductions = Annotated[
    list[str] | None,
    typer.Option(
        "--reduce",
        metavar="NAME",
        help="Remove placements: redundancy (break symmetry with the best piece), "
        "redundancy=PIECE (with that piece), redundancy:one-sided[=PIECE] (the same, but "
        "symmetries that turn the region over exclude positions of the piece instead of "
        "orientations), redundancy:top-left[=TILE] (of a board: a corner tile is at the top left, "
        "not at the bottom left), probe (with the piece whose trial searches are smallest), parity "
        "or volume (before the search), fit (placements that leave a cell or piece without a "
        "place), "
        "fit=fixed-point (the same, until nothing changes), or parity@PIECES, volume@PIECES, "
        "fit@PIECES (also after every placement while at least that many pieces remain). Can be "
        "repeated.",
        autocompletion=suggestions.reductions,
    ),
]
Triggers = Annotated[
    list[str] | None,
    typer.Option(
        "--trigger",
        metavar="NAME",
        help="Check after every placement and backtrack if no solution is possible: parity (of "
        "the open cells), volume (of their connected parts), or parity@PIECES, "
        "volume@PIECES (only while at least that many pieces remain). Can be repeated.",
        autocompletion=suggestions.triggers,
    ),
]
OptionOrderName = Annotated[
    OptionOrder,
    typer.Option(help="Order in which to try placements; random uses --seed."),
]
SolutionLimit = Annotated[
    int | None, typer.Option("--limit", metavar="N", min=1, help="Stop after N solutions.")
]
TimeLimit = Annotated[
    str | None,
    typer.Option(
        metavar="TIME", help="Stop after this much time (preparing and solving): 5s, 2m, 1h."
    ),
]
NodeLimit = Annotated[
    int | None, typer.Option(metavar="N", min=0, help="Stop after N nodes of the search tree.")
]
MemoryLimit = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Memory limit of the search, e.g. 2GiB; default: a third of the machine's memory, "
        "or the free memory if that is less.",
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
AllowCommands = Annotated[
    bool,
    typer.Option(
        "--allow-commands",
        help="Let backends run programs that you or a suite name; see `dovetail help command`.",
    ),
]
Json = Annotated[
    bool, typer.Option("--json", help="Print the result as JSON, one object per puzzle.")
]
JsonProgress = Annotated[
    bool,
    typer.Option("--json-progress", help="Print progress as lines of JSON on standard error."),
]


def _print_version(wanted: bool) -> None:
    if wanted:
        from dovetail.cli.output import print_lines
        from dovetail.harness.records.environment import versions

        print_lines(f"dovetail {versions()['dovetail']}")
        raise typer.Exit


def show_version(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Solve packing and edge-matching puzzles exhaustively, and compare solvers fairly."""


class _Asked(NamedTuple):
    """An option, and the parameter of `harness.parameters` that it helps to ask.

    `default` is that of an option whose value is not the parameter's.
    """

    option: Any
    parameter: str
    default: object = None

    def default_as(self, parameter: Parameter) -> object:
        """Return the option's default: that of the parameter where it has the same values."""
        plain = isinstance(parameter.default, str | int)
        return parameter.default if plain else self.default


# By the name of the command's parameter, in the order of the help.
_QUESTION = {
    "config": _Asked(ConfigWords, "config"),
    "symmetry": _Asked(SymmetryName, "symmetry"),
    "labelled": _Asked(Labelled, "labelled"),
    "reduce": _Asked(Reductions, "reduce"),
    "triggers": _Asked(Triggers, "triggers"),
    "option_order": _Asked(OptionOrderName, "random", OptionOrder.GIVEN),
    "seed": _Asked(Seed, "seed"),
}
_LIMITS = {
    "limit": _Asked(SolutionLimit, "limit"),
    "time_limit": _Asked(TimeLimit, "limits"),
    "node_limit": _Asked(NodeLimit, "limits"),
    "memory_limit": _Asked(MemoryLimit, "limits"),
}


_ALLOW_COMMANDS = Parameter("allow_commands", KEYWORD_ONLY, default=False, annotation=AllowCommands)


def permit_commands(*, allowed: bool) -> None:
    """Let backends run programs if that is `allowed`."""
    if allowed:
        from dovetail.backends.command.permission import allow_commands

        allow_commands()


def with_options(parameters: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command, which takes `**asked: Unpack[parameters]`, the options that ask for them.

    In the help they follow `--backend`, and those of limits precede what is keyword-only. The
    command is called with the parameters that the options mean: see `understood`.
    """
    asked = signatures_of(parameters)
    question, limits = (
        [
            Parameter(
                name,
                KEYWORD_ONLY,
                default=one.default_as(asked[one.parameter]),
                annotation=one.option,
            )
            for name, one in options.items()
            if one.parameter in asked
        ]
        for options in (_QUESTION, _LIMITS)
    )

    permission = [] if not limits else [_ALLOW_COMMANDS]

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

            permit_commands(allowed=given.pop("allow_commands", False))
            words = {one.name: given.pop(one.name) for one in (*question, *limits)}
            command(**given, **understood(given["backend"], words))

        run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [*first[:behind], *question, *first[behind:], *limits, *permission, *last]
        )
        return run

    return decorate
