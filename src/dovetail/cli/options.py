"""Shared options and arguments with their completions in a shell, and the class of all commands."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperOption

from dovetail.cli.output import MESSAGES, print_lines
from dovetail.cli.process import guarded
from dovetail.disassembly import Method
from dovetail.harness.run import OptionOrder
from dovetail.harness.workers.options import MAX_JOBS, SubProblemOrder

ADVANCED = "Advanced options"
MAX_OFFERED = 200  # maximum number of paths among completions


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


# Completions of words in a shell. typer offers those of the returned words that begin with the
# incomplete word. A shell starts a process for each completion, so each function imports only the
# modules that it needs.
def suggest_names(place: str) -> Callable[[], list[str]]:
    """Return a completion that offers the names in the iterable or from the callable at `place`."""

    def suggest() -> list[str]:
        named = resolve_name(place)
        return list(named if isinstance(named, Iterable) else named())

    return suggest


suggest_improvers = suggest_names("dovetail.improvers.registry:improvers")


def suggest_puzzles(incomplete: str) -> list[str]:
    """Return catalogue names, files and folders."""
    from glob import escape, glob

    from dovetail.puzzles.catalogue import catalogue

    names = [name for entry in catalogue() for name in entry.examples]
    paths = sorted(glob(f"{escape(incomplete)}*"))[:MAX_OFFERED]
    return [*names, *(f"{path}{'/' * os.path.isdir(path)}" for path in paths)]


def suggest_suites_and_puzzles(incomplete: str) -> list[str]:
    """Return the names of suites, catalogue names, files and folders."""
    from dovetail.harness.suite.suite_file import bundled_suites

    return [*bundled_suites(), *suggest_puzzles(incomplete)]


def suggest_puzzle_formats() -> list[str]:
    """Return the names of the formats that puzzles can be read from."""
    from dovetail.puzzles.formats.registry import puzzle_formats

    return [name for name, file_format in puzzle_formats().items() if file_format.readable]


def suggest_backends(incomplete: str) -> list[str]:
    """Return backends, auto and Python files, each after the names that precede a comma."""
    from glob import escape, glob

    from dovetail.harness.planning.named import backend_names

    given, comma, word = incomplete.rpartition(",")
    names = [*backend_names(), *sorted(glob(f"{escape(word)}*.py"))[:MAX_OFFERED]]
    return [given + comma + name for name in names if name not in given.split(",")]


def suggest_help_topics(ctx: Any, incomplete: str) -> list[str]:
    """Return the topics of `dovetail help`, such as commands, solvers and improvers."""
    return [
        *ctx.find_root().command.commands,
        "reductions",
        "formulations",
        *suggest_backends(incomplete),
        *suggest_improvers(),
    ]


def suggest_settings(ctx: Any) -> list[str]:
    """Return `KEY=` for each setting of the backends that the command line names."""
    from dovetail.backends.config import settings_of
    from dovetail.backends.registry import backends
    from dovetail.improvers.registry import improvers

    given = ctx.params.get("backend") or ""
    names = (given if isinstance(given, str) else ",".join(given)).split(",")
    solvers: dict[str, Any] = {**backends(), **improvers()}
    known = [solvers[name].config_type for name in names if name in solvers]
    keys = dict.fromkeys(setting.key for config in known for setting in settings_of(config))
    return [f"{key}=" for key in keys]


def suggest_settings_or_methods(ctx: Any) -> list[str]:
    """Return the settings of the backend, and the methods that take assemblies apart."""
    return [*suggest_settings(ctx), *(f"method={method}" for method in Method)]


def suggest_triggers() -> list[str]:
    """Return the triggers that need no parameter."""
    from dovetail.models.request import TRIGGER_FORMS

    return [form for form in TRIGGER_FORMS if form.islower()]


# Callbacks apply an option before its command runs. The parameter of the option begins with "_".
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
    argument("PUZZLE", "Catalogue names or files; - is standard input.", suggest_puzzles),
]
OnePuzzle = Annotated[
    str,
    argument("PUZZLE", "A catalogue name or a file; - is standard input.", suggest_puzzles),
]
RunFiles = Annotated[
    list[Path],
    argument(
        "RUNS.jsonl ...",
        "Files of bench -o, pytest --benchmark-json or BenchExec (.xml); - is standard input.",
    ),
]
SourceFormat = Annotated[
    str | None,
    option(
        "--from FORMAT",
        "Format of puzzles; default: by suffix or content.",
        suggest_puzzle_formats,
    ),
]
BackendName = Annotated[
    str,
    option(
        "--backend -b NAME", "Solver or FILE.py; see `dovetail list solvers`.", suggest_backends
    ),
]
AnyBackendName = Annotated[
    str,
    option(
        "--backend -b NAME",
        "Solver or FILE.py; auto chooses a suitable one. See `dovetail list solvers`.",
        suggest_backends,
    ),
]
ConfigWords = Annotated[
    list[str] | None,
    option(
        "--config -c KEY=VALUE",
        "Setting of the backend; see `dovetail help BACKEND`. Can be repeated.",
        suggest_settings,
    ),
]
SymmetryName = Annotated[
    str | None,
    option(
        "--symmetry NAME",
        "Solutions to count: all; unique, up to symmetry; mirror, also up to reflection. "
        "Default: unique; for a solved BurrTools file, those that it counts.",
        suggest_names("dovetail.models.request:Symmetry"),
    ),
]
ObjectiveName = Annotated[
    str,
    option(
        "--objective NAME",
        "What to maximise: matched edges, or tiles without a mismatch on a board with empty cells.",
        suggest_names("dovetail.models.boards.partial_board:Objective"),
    ),
]
Labelled = Annotated[bool, option("--labelled", "Count identical pieces and tiles as different.")]
Reductions = Annotated[
    list[str] | None,
    option(
        "--reduce NAME",
        "Remove placements; see `dovetail help reductions`. Can be repeated.",
        suggest_names("dovetail.models.request:PLAIN_REDUCTIONS"),
    ),
]
Triggers = Annotated[
    list[str] | None,
    advanced(
        "--trigger NAME",
        "Backtrack if no solution is possible; see `dovetail help reductions`. Can be repeated.",
        suggest_triggers,
    ),
]
OrderOfOptions = Annotated[
    OptionOrder,
    advanced(
        "--option-order",
        "Order in which to try placements; random orders use --seed. With random-within-items, "
        "each cell and piece has its own order (dlx).",
    ),
]
Seed = Annotated[
    int, option("--seed SEED", "Seed for random orders, samples, estimates and checks.", min=0)
]
SolutionLimit = Annotated[int | None, option("--limit N", "Stop after N solutions.", min=1)]
TimeLimit = Annotated[
    str | None, option("--time-limit TIME", "Time limit, preparing included: 5s, 2m, 1h.")
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
        "starts one with N workers, and slurm:FILE one with jobs of SLURM. slurm reads slurm.toml.",
    ),
]
OrderName = Annotated[
    SubProblemOrder,
    advanced(
        "--subproblem-order ORDER",
        "Order of sub-problems: serial, as in one search; promising, first those with the most "
        "solutions per node.",
    ),
]
Audit = Annotated[
    float,
    advanced(
        "--audit SHARE",
        "Share of sub-problems to search twice and compare.",
        min=0,
        max=1,
    ),
]
Output = Annotated[
    Path | None,
    option(
        "--output -o FILE",
        "Write to FILE ({solution_suffixes}; pictures: .svg .html; assembly: .stl .3mf).",
    ),
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
        *params, help_option = super().get_params(ctx)
        return [*params, *MESSAGE_OPTIONS, help_option]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line, and choose the messages; -q with -v is a usage error."""
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
        """Run the command; report an error in a line, with an exit status."""
        with guarded():
            return super().invoke(ctx)


def _with_formats(text: str) -> str:
    """Fill in the names of formats, and the suffixes of puzzles, boards and solutions."""
    if "{" not in text:
        return text
    from dovetail.models.boards.edges import EdgePuzzle
    from dovetail.puzzles.formats.registry import puzzle_formats, solution_formats

    formats = puzzle_formats().values()
    boards = [board.suffixes[0] for board in formats if board.puzzle_type is EdgePuzzle]
    return text.format(
        formats=", ".join(puzzle_formats()),
        suffixes=" ".join(dict.fromkeys(suffix for each in formats for suffix in each.suffixes)),
        board_suffixes=" ".join(boards),
        solution_suffixes=" ".join(solution_formats()),
    )


def _print_version(wanted: bool) -> None:
    if wanted:
        from dovetail.harness.records.environment import versions

        print_lines(f"dovetail {versions()['dovetail']}")
        raise typer.Exit


def show_version(
    version: Annotated[
        bool,
        option("--version", "Print the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Solve packing and edge-matching puzzles exhaustively, and compare solvers fairly."""
