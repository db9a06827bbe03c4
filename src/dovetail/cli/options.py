"""Annotated types of shared options and arguments, and the class of all commands."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperCommand, TyperOption

from dovetail.cli import suggestions
from dovetail.cli.output import MESSAGES, print_lines
from dovetail.cli.process import guarded
from dovetail.harness.workers.options import MAX_JOBS, SubProblemOrder

ADVANCED = "Advanced options"


def option(declaration: str, text: str, suggest: Any = None, **attributes: Any) -> Any:
    """Return an option with its help; `suggest` completes its values.

    The declaration has the names and the placeholder of the value: "--output -o FILE".
    """
    words = declaration.split()
    names = [word for word in words if word.startswith("-")]
    metavar = " ".join(words[len(names) :]) or None
    return typer.Option(*names, metavar=metavar, help=text, autocompletion=suggest, **attributes)


# Help shows these options in a section of their own.
advanced = partial(option, rich_help_panel=ADVANCED)


def argument(metavar: str, text: str, suggest: Any = None) -> Any:
    """Return an argument with its help; `suggest` completes its values."""
    return typer.Argument(metavar=metavar, help=text, autocompletion=suggest)


# Commands do not read the values of options with callbacks. Their parameters begin with "_".
def _allow_commands(allowed: bool) -> None:
    if allowed:
        from dovetail.backends.command.search import allow_commands

        allow_commands()


def _choose_json_progress(chosen: bool) -> None:
    MESSAGES.json_progress = chosen


def _choose_messages(_context: object, named: TyperOption, chosen: bool) -> None:
    setattr(MESSAGES, str(named.name), chosen)


Puzzles = Annotated[
    list[str],
    argument("PUZZLE", "Catalogue names or files; - is standard input.", suggestions.puzzles),
]
OnePuzzle = Annotated[
    str,
    argument("PUZZLE", "A catalogue name or a file; - is standard input.", suggestions.puzzles),
]
RunFiles = Annotated[
    list[Path],
    argument(
        "RUNS.jsonl ...", "Files of bench -o or pytest --benchmark-json; - is standard input."
    ),
]
SourceFormat = Annotated[
    str | None,
    option(
        "--from FORMAT",
        "Format of puzzle files; default: by suffix or content.",
        suggestions.puzzle_formats,
    ),
]
BackendName = Annotated[
    str, option("--backend -b NAME", "Solver; see `dovetail list solvers`.", suggestions.backends)
]
AnyBackendName = Annotated[
    str,
    option(
        "--backend -b NAME",
        "Solver; auto chooses a suitable one. See `dovetail list solvers`.",
        suggestions.backends,
    ),
]
ConfigWords = Annotated[
    list[str] | None,
    option(
        "--config -c KEY=VALUE",
        "Setting of the backend; see `dovetail help BACKEND`. Can be repeated.",
        suggestions.settings,
    ),
]
SymmetryName = Annotated[
    str | None,
    option(
        "--symmetry NAME",
        "Solutions to count: all; unique, up to symmetry; mirror, also up to reflection. "
        "Default: unique; for a solved BurrTools file, those that it counts.",
        suggestions.symmetries,
    ),
]
Labelled = Annotated[bool, option("--labelled", "Count identical pieces and tiles as different.")]
Reductions = Annotated[
    list[str] | None,
    option(
        "--reduce NAME",
        "Remove placements; see `dovetail help reductions`. Can be repeated.",
        suggestions.reductions,
    ),
]
Triggers = Annotated[
    list[str] | None,
    advanced(
        "--trigger NAME",
        "Backtrack if no solution is possible; see `dovetail help reductions`. Can be repeated.",
        suggestions.triggers,
    ),
]
OptionOrder = Annotated[
    Literal["given", "random"],
    advanced("--option-order", "Order in which to try placements; random uses --seed."),
]
Seed = Annotated[
    int, option("--seed SEED", "Seed for random orders, samples, estimates and checks.", min=0)
]
SolutionLimit = Annotated[int | None, option("--limit N", "Stop after N solutions.", min=1)]
TimeLimit = Annotated[
    str | None, option("--time-limit TIME", "Stop after this time, preparing included: 5s, 2m, 1h.")
]
NodeLimit = Annotated[
    int | None,
    advanced("--node-limit N", "Stop after N nodes.", min=0),
]
MemorySize = Annotated[
    str | None,
    advanced(
        "--memory-limit SIZE",
        "Memory limit of the search, e.g. 2GiB; default: a third of the machine's memory, or "
        "the free memory if that is less.",
    ),
]
AllowCommands = Annotated[
    bool,
    advanced(
        "--allow-commands",
        "Let backends run programs that you or a suite name; see `dovetail help command`.",
        callback=_allow_commands,
    ),
]
Jobs = Annotated[
    int,
    option("--jobs N", "Worker processes for each search; 0: one per core.", min=0, max=MAX_JOBS),
]
CheckpointPath = Annotated[
    Path | None,
    option("--checkpoint FILE", "Keep progress in FILE; the same command continues from there."),
]
Cluster = Annotated[
    str | None,
    advanced(
        "--cluster ADDRESS",
        "Search on the dask cluster with this scheduler, such as tcp://host:8786; local:N "
        "starts one with N workers.",
    ),
]
OrderName = Annotated[
    SubProblemOrder,
    advanced(
        "--subproblem-order ORDER",
        "Sub-problems to search first: serial, in the order of one search; promising, with "
        "the most solutions per node in random probes.",
    ),
]
Audit = Annotated[
    float,
    advanced(
        "--audit SHARE",
        "Share of the sub-problems to search twice, comparing the results.",
        min=0,
        max=1,
    ),
]
Output = Annotated[
    Path | None,
    option("--output -o FILE", "Write to FILE ({solution_suffixes}; pictures: .svg .html)."),
]
AsJson = Annotated[bool, option("--json", "Print results as JSON, one object per line.")]
JsonProgress = Annotated[
    bool,
    advanced(
        "--json-progress",
        "Print progress as lines of JSON on standard error.",
        callback=_choose_json_progress,
    ),
]
# Options of every command, named like the attributes of `MESSAGES`.
MESSAGE_OPTIONS = [
    TyperOption(
        param_decls=names, help=text, is_flag=True, expose_value=False, callback=_choose_messages
    )
    for names, text in (
        (["--quiet", "-q"], "Print only answers, warnings and errors."),
        (["--verbose", "-v"], "Also print the plan of a search, on standard error."),
    )
]


class Subcommand(TyperCommand):
    """A command with -q and -v, a section of advanced options, and single-line errors.

    The help lists the installed formats: `{formats}` and other placeholders are filled in.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters of the function, the options of all commands and --help."""
        *own, help_option = super().get_params(ctx)
        return [*own, *MESSAGE_OPTIONS, help_option]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line, which chooses the messages; raise for -q with -v."""
        MESSAGES.reset()
        rest = super().parse_args(ctx, args)
        if MESSAGES.quiet and MESSAGES.verbose:
            ctx.fail("-q and -v exclude each other")
        return rest

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, the options and the advanced options."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": [], ADVANCED: []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                kind = "Arguments" if parameter.param_type_name == "argument" else "Options"
                section = getattr(parameter, "rich_help_panel", None) or kind
                sections[section].append((record[0], _with_formats(record[1])))
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with guarded():
            return super().invoke(ctx)


def _with_formats(text: str) -> str:
    """Fill in the names of formats, and the suffixes of puzzles, boards and solutions."""
    if "{" not in text:
        return text
    from dovetail.models.edges import EdgePuzzle
    from dovetail.puzzles.formats.registry import puzzle_formats, solution_formats

    formats = puzzle_formats().values()
    boards = [board.suffixes[0] for board in formats if board.puzzle_type is EdgePuzzle]
    suffixes = dict.fromkeys(
        suffix for puzzle_format in formats for suffix in puzzle_format.suffixes
    )
    lists = {
        "{formats}": ", ".join(puzzle_formats()),
        "{suffixes}": " ".join(suffixes),
        "{board_suffixes}": " ".join(boards),
        "{solution_suffixes}": " ".join(solution_formats()),
    }
    for name, words in lists.items():
        text = text.replace(name, words)
    return text


def _print_version(wanted: bool) -> None:
    if wanted:
        from dovetail.harness.records.recording import versions

        print_lines(f"dovetail {versions()['dovetail']}")
        raise typer.Exit


def show_version(
    version: Annotated[
        bool,
        option("--version", "Print the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Solve packing and edge-matching puzzles exhaustively, and compare solvers fairly."""
