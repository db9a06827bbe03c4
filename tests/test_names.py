"""Names and prose use the field's terms, never the words that these have replaced.

The left column of LANGUAGE.md's table of names stands here as two lists. *Identifiers* are matched
by their parts, whatever their case: `StagedSearch`, `_staged` and `STAGED_S` have the part
`staged`. A word that is also plain English or a publication's own is matched only as the whole
name that it was. *Words in prose* are matched in docstrings, comments, messages and the command's
help.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from dovetail.cli.main import make_app

ROOT = Path(__file__).parents[1]

# Parts of compound names, in lower case, and the standard term.
PARTS = {
    "awkward": "hardest",
    "beyond reach": "representation limit",
    "completion": "symmetry expansion",
    "confine": "symmetry breaking",
    "confined": "symmetry breaking",
    "confinement": "symmetry breaking",
    "confinements": "symmetry breaking",
    "confines": "symmetry breaking",
    "confining": "symmetry breaking",
    "course": "session",
    "dive": "random probe, estimator",
    "dived": "estimate",
    "diver": "tree estimator",
    "dives": "random probes, estimator",
    "diving": "random probes",
    "drive": "run",
    "driven": "run",
    "duties": "post-placement actions",
    "duty": "post-placement action",
    "fan": "exhaustive prefix",
    "fans": "exhaustive prefixes",
    "fired": "backtracks by trigger",
    "headway": "bench progress",
    "hear": "update",
    "heard": "updated",
    "kind": "the thing itself: tile class, option group, move class, ...",
    "kinds": "the things themselves: tile classes, option groups, move classes, ...",
    "ledger": "reachable sums",
    "look": "tile orientation, refresh, style",
    "looks": "tile orientations, style",
    "out of room": "memory budget exceeded",
    "probed piece": "sampled piece",
    "programme": "layered dynamic program",
    "relay": "hybrid search",
    "relays": "hybrid searches",
    "removal": "stop at remaining",
    "restored": "to original ids",
    "room": "memory budget, capacity",
    "run standing": "run progress",
    "said": "reported, message, label",
    "sizer": "tree estimator",
    "staged": "prepared in slices",
    "stretch": "engine segment",
    "stretches": "engine segments",
    "tell": "report, describe",
    "told": "reported, message, tooltip, alt text",
    "tree sizes": "tree estimator",
    "unasked": "automatic",
    "watch": "trigger spec",
    "watched": "triggered",
    "watches": "trigger specs",
}
# Whole names, as they were spelled, of words that mean something else elsewhere.
WHOLE = {
    "Answer": "SolutionCollector",
    "Begin": "factory of engine segments",
    "Probe": "piece selection by sampling",
    "Stages": "SearchSchedule",
    "Turn": "PreparedSearch",
}
# Names that start so, whatever their case.
PREFIXES = {"least": "min_", "most": "max_"}
# Modules and folders.
MODULES = {"answer": "collector", "changes": "diff", "probe": "piece selection", "turns": "session"}
# Words and their forms, in what people read.
PROSE = re.compile(
    r"\b(told|awkward\w*|headway|div(?:e|es|ed|er|ers|ing)|confin(?:e|es|ed|ing|ement|ements))\b",
    re.IGNORECASE,
)

# Names of others, and plain English in names.
ALLOWED = {
    "autocompletion": "typer's: TAB in a shell",
    "install_completion": "typer's",
    "show_completion": "typer's",
    "most_common": "collections.Counter's",
    "kind": "of a file, a value or an event: plain English",
    "kinds": "as above",
}

# The one module that has the old names, of fields that files still hold.
EARLIER_NAMES = ROOT / "src/dovetail/harness/earlier_names.py"

# A string with its prefix, a comment, or a name.
TOKEN = re.compile(
    r"""(?P<text>(?<!\w)[rbfu]{0,2}(?:\"{3}.*?(?<!\\)\"{3}|'{3}.*?(?<!\\)'{3}"""
    r"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\#[^\n]*)|(?P<name>[^\W\d]\w*)""",
    re.DOTALL | re.IGNORECASE,
)
VALUE_IN_TEXT = re.compile(r"\{([^{}]*)\}")
NAME = re.compile(r"[^\W\d]\w*")
COMPOUND = re.compile(r"(?<![\w.@-])(?:\w+_\w+|[A-Za-z]+[a-z0-9][A-Z]\w*)")
BOUNDARY = re.compile(r"_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
RUNS_OF_PARTS = tuple(f" {part} " for part in PARTS)


@cache
def fault(name: str) -> str | None:
    """Standard term for a name that uses a replaced one, or None."""
    if name in ALLOWED:
        return None
    parts = [part.lower() for part in BOUNDARY.split(name) if part]
    joined = f" {' '.join(parts)} "
    found = next((part.strip() for part in RUNS_OF_PARTS if part in joined), None)
    if found is not None:
        return PARTS[found]
    if parts and parts[0] in PREFIXES:
        return PREFIXES[parts[0]]
    return WHOLE.get(name)


def faults_in_text(text: str) -> Iterator[str]:
    """Yield what is wrong with the prose of a docstring, a comment, a message or a help text."""
    for match in PROSE.finditer(text):
        yield match[0]
    for match in COMPOUND.finditer(text):
        if fault(match[0]):
            yield f"{match[0]} ({fault(match[0])})"


def faults_in_code(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line number of each replaced word in the source of a module, and the word."""
    for match in TOKEN.finditer(source):
        if name := match["name"]:
            faults = [f"{name} ({fault(name)})"] if fault(name) else []
        else:
            text = match["text"]
            faults = list(faults_in_text(text))
            if text[0] in "fF":
                values = " ".join(VALUE_IN_TEXT.findall(text))
                faults += [f"{one} ({fault(one)})" for one in NAME.findall(values) if fault(one)]
        if faults:
            line = source.count("\n", 0, match.start()) + 1
            yield from ((line, found) for found in faults)


@pytest.mark.parametrize("folder", ["src", "tests", "benchmarks"])
def test_names_and_prose_of_the_code(folder: str) -> None:
    """No module name, identifier, docstring, comment or message uses a replaced word."""
    found = []
    for path in sorted({*(ROOT / folder).rglob("*.py")} - {EARLIER_NAMES}):
        if path == Path(__file__):
            continue
        shown = path.relative_to(ROOT)
        for step in (path.stem, path.parent.name):
            if standard := fault(step) or MODULES.get(step.removeprefix("test_")):
                found.append(f"{shown}: {step} ({standard})")
        found += [f"{shown}:{line}: {word}" for line, word in faults_in_code(path.read_text())]
    assert not found, "\n".join([f"{len(found)} replaced words", *found])


def help_texts(command: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield the path and the help of a command, its parameters and its subcommands."""
    yield path, command.help or ""
    for parameter in command.params:
        yield f"{path} {parameter.name}", getattr(parameter, "help", None) or ""
    for name, inner in getattr(command, "commands", {}).items():
        yield from help_texts(inner, f"{path} {name}")


def test_help_of_the_command() -> None:
    """No help text uses a replaced word, and no command or option is called by one."""
    shown = list(help_texts(typer.main.get_command(make_app()), "dovetail"))
    assert len(shown) > 50
    faults = [
        (path, found)
        for path, text in shown
        for found in [*faults_in_text(text), *filter(fault, path.split()[-1:])]
    ]
    assert not faults


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("class StagedSearch: ...", "StagedSearch (prepared in slices)"),
        ("LEAST_STAGE_S = 1", "LEAST_STAGE_S (min_)"),
        ("x = f(most_taken=1)", "most_taken (max_)"),
        ("raise BeyondReachError", "BeyondReachError (representation limit)"),
        ("turn = Turn()", "Turn (PreparedSearch)"),
        ('"""Confine a piece."""', "Confine"),
        ("x = 1  # what `tree_sizes` says", "tree_sizes (tree estimator)"),
        ('f"{x} is told"', "told"),
    ],
)
def test_what_is_found(source: str, found: str) -> None:
    """Each way in which a replaced word may come back."""
    assert [word for _, word in faults_in_code(source)] == [found]


def test_plain_english_is_free() -> None:
    """Words that only resemble the replaced ones, and a rotation's turn."""
    source = "def lookup(turn, stages, almost, removed): # at least 5, outlook, roommates\n  ..."
    assert list(faults_in_code(source)) == []
