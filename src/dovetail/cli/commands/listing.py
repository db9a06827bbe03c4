"""`list`, `show`, `explain`, `help`, `doctor` and `check-backend`: descriptions and checks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import typer

from dovetail.cli import options
from dovetail.cli.options import argument, option
from dovetail.cli.output import complain, print_lines, print_text, write_text
from dovetail.cli.process import EXIT_LIMIT, EXIT_WRONG
from dovetail.errors import ConfigError, how_many, shorten, unknown_name
from dovetail.printable import printable

ListedRow = Mapping[str, Any]
ListedKind = Literal["puzzles", "sets", "suites", "solvers", "improvers"]
# Fields that are printed below a name if they are known, and their titles.
DETAILS = {
    "examples": "examples",
    "jobs": "jobs",
    "node_meaning": "a node is",
    "missing": "missing",
}
REDUCTIONS, FORMULATIONS = "reductions", "formulations"


def list_names(
    kind: Annotated[
        ListedKind | None, argument("|".join(get_args(ListedKind)), "Default: all but sets.")
    ] = None,
    word: Annotated[
        str | None, argument("WORD", "List entries whose name, summary or example has this word.")
    ] = None,
    settings: Annotated[
        bool, option("--options", "Show the settings of solvers and improvers.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """List puzzles, piece sets, suites, solvers and improvers."""
    rows_of = dict(
        zip(get_args(ListedKind), (_puzzles, _sets, _suites, _solvers, _improvers), strict=True)
    )
    if kind is None:
        del rows_of["sets"]  # enumerating their pieces takes long
    from dovetail.reports.rendering.terminal import print_table
    from dovetail.reports.table import facts_table

    found = False
    for listed in rows_of if kind is None else [kind]:
        rows = [row for row in rows_of[listed]() if word is None or _has_word(row, word)]
        found = found or bool(rows)
        if not settings:
            rows = [{name: row[name] for name in row if name != "settings"} for row in rows]
        if as_json:
            for row in rows:
                print_lines(json.dumps({"kind": listed.removesuffix("s"), **row}))
        elif rows:
            print_table(facts_table([fact for row in rows for fact in _facts(row)], listed))
            for row in rows:
                if row.get("settings"):
                    _print_settings(row)
    if not found:
        raise ConfigError(
            f"no name, summary or example of {kind or 'any list'} has {shorten(str(word))!r}"
        )


def show(
    puzzles: options.Puzzles,
    output: Annotated[
        Path | None, option("--output -o FILE", "Write a picture to FILE (.svg .html).")
    ] = None,
    source_format: options.SourceFormat = None,
) -> None:
    """Show puzzles with their pieces, tiles or options."""
    from dovetail.puzzles.loading import load_each
    from dovetail.reports.describe.puzzle import describe_puzzle
    from dovetail.reports.pictures.text import terminal_paint

    shown = list(load_each(puzzles, source_format))
    if output is None:
        paint = terminal_paint()
        print_text("\n\n".join(describe_puzzle(puzzle, paint) for puzzle in shown) + "\n")
        return
    from dovetail.reports.pictures.picture import puzzles_picture

    write_text(output, puzzles_picture(output.suffix, shown))


def explain(
    puzzles: options.Puzzles,
    orientations: Annotated[
        bool, option("--orientations", "Show the orientations and placements of every piece.")
    ] = False,
    disassemble: Annotated[
        bool, option("--disassemble", "Search for assemblies, and take them apart.")
    ] = False,
    time_limit: Annotated[
        str, option("--time-limit TIME", "Time limit of --disassemble: 5s, 2m, 1h.")
    ] = "10s",
    source_format: options.SourceFormat = None,
    as_json: options.AsJson = False,
) -> None:
    """Explain what is known about puzzles before any search.

    Shows the symmetries of a puzzle, any proof that it has no solution, and the solvers that
    refuse it; also what each reduction of a packing puzzle removes, and how often a board has each
    colour.
    """
    from dovetail.harness.explanation import explain as explained
    from dovetail.models.outcome import Status
    from dovetail.puzzles.loading import load_each
    from dovetail.reports.describe.explanation import explain_puzzle

    status = 0
    for number, puzzle in enumerate(load_each(puzzles, source_format)):
        facts = explained(puzzle, disassemble=disassemble, time_limit=time_limit)
        apart = facts.disassembled
        if apart is not None and (apart.undecided or facts.searched != Status.EXHAUSTED):
            status = EXIT_LIMIT
        if as_json:
            print_lines(json.dumps(asdict(facts)))
        else:
            print_lines("\n" * bool(number) + explain_puzzle(facts, orientations=orientations))
    raise typer.Exit(status)


def show_help(
    context: typer.Context,
    topics: Annotated[
        list[str] | None,
        argument(
            "COMMAND|BACKEND|FILE.py|IMPROVER|reductions|formulations",
            "What to explain; without it, the list of commands.",
            options.suggest_help_topics,
        ),
    ] = None,
) -> None:
    """Explain a command, a backend, an improver or another topic."""
    from dovetail.backends.registry import registry, solver_of
    from dovetail.harness.planning.named import backend_names
    from dovetail.improvers.registry import improvers
    from dovetail.models.formulations.registry import describe_formulations
    from dovetail.reports.describe.backends import backend_page, improver_page

    within = context.find_root()
    command: Any = within.command
    commands = command.commands
    for topic in topics or ():
        if topic not in getattr(command, "commands", {}):
            break
        command = command.commands[topic]
        within = command.make_context(topic, [], parent=within, resilient_parsing=True)
    else:
        print_lines(command.get_help(within))
        return
    name, _ = solver_of(topic)
    if topics == [topic] and (name in [*backend_names(), *registry().broken] or name != topic):
        print_lines(backend_page(topic))
    elif topics == [topic] and topic in improvers():
        print_lines(improver_page(topic))
    elif topics == [REDUCTIONS]:
        print_lines(Path(__file__).with_name("reductions.txt").read_text(encoding="utf-8").rstrip())
    elif topics == [FORMULATIONS]:
        print_lines("\n".join(describe_formulations()))
    else:
        names = [*commands, *backend_names(), *improvers(), REDUCTIONS, FORMULATIONS]
        raise unknown_name("command, backend or improver", topic, names)


def doctor(_allow_commands: options.AllowCommands = False) -> None:
    """Check this installation: versions, backends, a self-test.

    Also shows where compiled kernels are cached.
    """
    from dovetail.harness.contract.subject import Judgement
    from dovetail.harness.diagnosis import backend_states, broken_plugins, kernel_cache, self_test
    from dovetail.harness.records.environment import versions
    from dovetail.harness.sizes import show_size
    from dovetail.reports.numbers import show_seconds
    from dovetail.reports.rendering.terminal import print_table
    from dovetail.reports.table import facts_table

    def print_facts(title: str, facts: dict[str, str]) -> None:
        print_table(facts_table(facts.items(), title))

    print_facts("versions", {name: has or "not installed" for name, has in versions().items()})
    print_facts("backends", {name: needs or "ready" for name, needs in backend_states().items()})
    broken = broken_plugins()
    if broken:
        print_facts("plugins", broken)
    cache = kernel_cache()
    facts = {"kept": "nowhere, because no folder is writable; every process compiles again"}
    if cache.directory is not None:
        state = f"{cache.kernels}, {show_size(cache.size_bytes)}"
        state = state if cache.kernels else "none yet: the first search compiles them"
        facts = {"kept in": str(cache.directory), "kernels": state}
        if cache.stale:
            folders = f"{how_many(cache.stale, 'folder')} of other versions in the same place"
            facts["stale"] = f"{folders}; safe to delete"
    print_facts("compiled kernels", facts)
    print_lines("self-test")
    is_wrong = bool(broken)
    for verdict in self_test():
        is_wrong = is_wrong or verdict.is_wrong
        text = verdict.reason or f"ok, {show_seconds(verdict.total_s)}"
        if verdict.judgement == Judgement.REFUSED:
            text = f"refuses all puzzles of the self-test: {verdict.reason}"
        print_lines(f" {verdict.backend}, {verdict.check}: {text}")
    raise typer.Exit(EXIT_WRONG if is_wrong else 0)


def check_backend(
    name: Annotated[
        str,
        argument(
            "NAME", "A backend or FILE.py; see `dovetail list solvers`.", options.suggest_backends
        ),
    ],
    config: options.ConfigWords = None,
    _allow_commands: options.AllowCommands = False,
    as_json: options.AsJson = False,
) -> None:
    """Test a backend on small puzzles of every kind.

    Describes each failure. A backend may refuse a puzzle if it gives the reason.
    The exit status is 1 if a check failed, or if the backend refuses every puzzle.
    """
    from dovetail.backends.config import parse_words
    from dovetail.harness.contract.cases import CASES
    from dovetail.harness.contract.check_backend import check_backend as verdicts
    from dovetail.harness.contract.subject import Judgement

    counted = {case.name for case in CASES}
    judgements = Counter[Judgement]()
    is_wrong = takes_any = False
    for verdict in verdicts(name, settings=parse_words(config or [])):
        judgement = verdict.judgement
        judgements[judgement] += 1
        is_wrong = is_wrong or verdict.is_wrong
        takes_any = takes_any or (verdict.check in counted and judgement != Judgement.REFUSED)
        if as_json:
            print_lines(json.dumps({**asdict(verdict), "total_s": round(verdict.total_s, 3)}))
            continue
        shown = judgement.upper() if verdict.is_wrong else str(judgement)
        text = "" if verdict.reason is None else f": {printable(verdict.reason)}"
        print_lines(f"  {shown:8} {verdict.check}{text}")
        if judgement == Judgement.FAILED:
            print_lines(f"  {'':8} required: {verdict.requires}")
    if not takes_any:
        complain(f"{name} refuses every puzzle of the checks, so its counts are untested")
    if not as_json:
        totals = (f"{judgements[kind]} {kind}" for kind in Judgement if judgements[kind])
        print_lines(f"{name}: {', '.join(totals)}")
    raise typer.Exit(EXIT_WRONG if is_wrong or not takes_any else 0)


def _has_word(row: ListedRow, word: str) -> bool:
    texts = [row["name"], row["summary"], *row.get("examples", ())]
    return any(word.lower() in text.lower() for text in texts)


def _facts(row: ListedRow) -> Iterator[tuple[str, str]]:
    """Yield rows of a table: the name and the summary, then the details with an empty name."""
    yield row["name"], row["summary"]
    for field, title in DETAILS.items():
        value = row.get(field)
        if value and value != [row["name"]]:
            yield "", f"{title}: {', '.join(value) if isinstance(value, list) else value}"


def _print_settings(row: ListedRow) -> None:
    from dovetail.backends.config import Setting
    from dovetail.reports.describe.backends import settings_lines

    lines = settings_lines(Setting(**setting) for setting in row["settings"])
    print_lines("\n".join([f"{row['name']}:", *lines, ""]))


def _puzzles() -> Iterator[ListedRow]:
    from dovetail.puzzles.catalogue import catalogue

    for entry in catalogue():
        yield {"name": entry.pattern, "summary": entry.summary, "examples": list(entry.examples)}


def _sets() -> Iterator[ListedRow]:
    from dovetail.puzzles.piece_sets import piece_set, set_lattice, set_names

    for name in set_names():
        pieces = piece_set(name).values()
        sizes = sorted({len(cells) for cells in pieces})
        cells = how_many(sizes[-1], "cell")
        if len(sizes) > 1:
            cells = f"{sizes[0]} to {cells}"
        lattice = set_lattice(name).name
        summary = f"{how_many(len(pieces), 'piece')} of {cells}, lattice {lattice}"
        yield {"name": name, "summary": summary, "pieces": len(pieces), "lattice": lattice}


def _suites() -> Iterator[ListedRow]:
    from dovetail.harness.suite.suite_file import bundled_suites, read_suite

    for name, path in bundled_suites().items():
        plan = read_suite(path)
        yield {"name": name, "summary": plan.about, "jobs": len(plan.jobs)}


def _solvers() -> Iterator[ListedRow]:
    from dovetail.harness.planning.named import backend_description, backend_names

    return (asdict(backend_description(name)) for name in backend_names())


def _improvers() -> Iterator[ListedRow]:
    from dovetail.backends.config import settings_of
    from dovetail.improvers.registry import improvers

    for name, improver in improvers().items():
        settings = [asdict(setting) for setting in settings_of(improver.config_type)]
        yield {"name": name, "summary": improver.summary, "settings": settings}
