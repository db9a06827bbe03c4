"""`verify`, `doctor` and `check-backend`: solutions, this installation, and single backends."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from dovetail.cli import options, suggestions
from dovetail.cli.options import advanced, argument
from dovetail.cli.output import complain, print_lines
from dovetail.cli.process import EXIT_WRONG
from dovetail.errors import ConfigError, how_many, shorten


def verify(
    puzzle: options.OnePuzzle,
    solutions: Annotated[
        Path,
        argument(
            "SOLUTIONS",
            "A file of solutions: text, JSON lines, JSON, CSV or URLs, or what a solver printed "
            "for a file of convert; - is standard input.",
        ),
    ],
    fold: Annotated[
        str | None,
        advanced("--fold s=S,h=H,...", "Symbols in drawings and the pieces that they stand for."),
    ] = None,
    by_shape: Annotated[
        bool, advanced("--by-shape", "Identify pieces by shape instead of by name.")
    ] = False,
    source_format: options.SourceFormat = None,
    as_json: options.AsJson = False,
) -> None:
    """Check every solution in a file against the puzzle."""
    from dovetail.files.text_file import TextFile
    from dovetail.puzzles.loading import load
    from dovetail.puzzles.verification import verify_file
    from dovetail.reports.describe_result import describe_verification

    folded = parse_fold(fold)
    loaded = load(puzzle, source_format)
    found = verify_file(loaded, TextFile(solutions), fold=folded, by_shape=by_shape)
    if as_json:
        counts = {"puzzle": loaded.name, "solutions": found.total, "distinct": found.distinct}
        wrong = [{"line": error.line, "reason": error.reason} for error in found.wrong]
        print_lines(json.dumps({**counts, "wrong": wrong}))
    else:
        print_lines(describe_verification(loaded, found))
    raise typer.Exit(0 if found.valid else EXIT_WRONG)


def parse_fold(words: str | None) -> dict[str, str]:
    """Return `s=S,h=H` as a mapping; raise `ConfigError` for anything else."""
    from dovetail.models.text_drawing import OPEN, OUTSIDE

    folded: dict[str, str] = {}
    for word in [] if words is None else words.split(","):
        symbol, _, piece = word.partition("=")
        if not symbol or not piece or {symbol, piece} & {OPEN, OUTSIDE}:
            raise ConfigError(f"--fold has {shorten(word)!r}; expected SYMBOL=PIECE, as in s=S,h=H")
        if symbol in folded:
            raise ConfigError(f"--fold has symbol {shorten(symbol)!r} twice; expected each once")
        folded[symbol] = piece
    return folded


def doctor(_allow_commands: options.AllowCommands = False) -> None:
    """Check this installation: versions, backends, a self-test.

    Also shows where compiled kernels are cached.
    """
    from dovetail.harness.contract.subject import Judgement
    from dovetail.harness.diagnosis import backend_states, broken_plugins, kernel_cache, self_test
    from dovetail.harness.records.recording import versions
    from dovetail.harness.sizes import show_size
    from dovetail.reports.numbers import show_seconds
    from dovetail.reports.table import facts_table
    from dovetail.reports.terminal import print_table

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
        str, argument("NAME", "A backend; see `dovetail list solvers`.", suggestions.backends)
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
    from dovetail.printable import printable

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
