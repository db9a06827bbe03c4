"""Settings of programs, files of every format, and whatever a program prints."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.command.definitions import LISTING, PYTHON
from dovetail.backends.command.search import GRANTED, VARIABLE, Answers, ProgramError
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named
from dovetail.errors import ConfigError
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.printable import is_printable
from dovetail.puzzles.loading import load

ALL = Request(Symmetry.ALL)


@pytest.fixture(autouse=True)
def _allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, GRANTED)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"command": "mine,{dlz}"}, "unknown placeholder 'dlz'; did you mean 'dlx'"),
        ({"count": "found"}, "count is 'found'; expected a group"),
        (
            {"command": "mine,{dlx}", "formulation": "4-edges"},
            "command 'mine {dlx}' has no file with formulation 4-edges; expected {cnf}",
        ),
    ],
)
def test_bad_settings(values: dict[str, object], message: str) -> None:
    """The message names the place and what is valid."""
    config_type = backend_named("command").config_type
    with pytest.raises(ConfigError) as caught:
        build_config(config_type, values, "backend command")
    assert message in str(caught.value)


def ran(puzzle: str, *command: str, request: Request = ALL, **more: object) -> Result:
    """The run of a command on a puzzle."""
    config = {"command": list(command), **more}
    return finish(execute(Job(load(puzzle), request, "command", config)))


@pytest.mark.parametrize(
    ("suffix", "puzzle", "begins"),
    [
        ("dlx", "queens-4", "| name i1"),
        ("cnf", "queens-4", "c t pmc"),
        ("xml", "queens-4", "<instance format="),
        ("def", "soma-cube", "#"),
        ("json", "edges-4-b3i3-1", "{"),
    ],
)
def test_formats(suffix: str, puzzle: str, begins: str) -> None:
    """The file of each placeholder has the format of its suffix."""
    script = f"print('[%d]' % open(__import__('sys').argv[1]).read().startswith({begins!r}))"
    finished = ran(puzzle, PYTHON, "-c", script, f"{{{suffix}}}", count=r"\[([0-9])\]")
    assert (finished.status, finished.count) == (Status.EXHAUSTED, 1), finished.reason


@pytest.mark.parametrize(
    ("puzzle", "command", "more", "reason"),
    [
        ("queens-4", ("no-such-program", "{dlx}"), {}, "there is no program no-such-program"),
        ("queens-4", (PYTHON, "{def}"), {}, "format polycube"),
        ("soma-cube", (PYTHON, "{def}"), {"solutions": "json"}, "format polycube does not nu"),
        ("edges-4-b3i3-1", (PYTHON, "{dlx}"), {"unsupported": ["colours"]}, "it does not"),
        ("queens-4", (), {}, "no program is given; expected -c command=PROGRAM,{dlx} or the like"),
        ("queens-4", (PYTHON, "{dlx}"), {"unsupported": ["secondary"]}, "it does not"),
    ],
)
def test_refusals(puzzle: str, command: tuple[str, ...], more: dict[str, Any], reason: str) -> None:
    """Before anything runs."""
    finished = ran(puzzle, *command, **more)
    assert finished.status == Status.SKIPPED
    assert (finished.reason or "").startswith(reason)


def test_labels_do_not_reach_a_program_by_a_file_with_the_whole_puzzle() -> None:
    """A program that reads such a file would not tell the copies of a piece apart."""
    request = Request(Symmetry.ALL, labelled=True)
    words = PYTHON, "-c", "print('[480]')", "{toml}"
    finished = ran("dominoes-2x2", *words, request=request, count=r"\[([0-9]+)")
    assert finished.status == Status.SKIPPED
    assert (finished.reason or "").endswith("no sub-problems and no labels")
    distinct = ran("soma-cube", *words, request=request, count=r"\[([0-9]+)")
    assert distinct.count == 480, "there is nothing to tell apart"


def test_reductions_reach_the_program() -> None:
    """Options are those that are left, and come back by the puzzle's own numbers."""
    request = Request.named("unique", False, ("redundancy", "fit"))
    finished = finish(execute(Job(load("pentominoes-3x5-LPU"), request, "command", LISTING)))
    assert finished.status == Status.EXHAUSTED
    expected = finish(execute(Job(load("pentominoes-3x5-LPU"), Request(), "dlx")))
    assert finished.count == expected.count


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["v 1 -2 0"], [[0]]),
        (["x = [0, 1,", "0];", "----------", "=========="], [[1]]),
        (["<instantiation> <list> x[] </list> <values> 0 0 1 </values> </instantiation>"], [[2]]),
        (["s SATISFIABLE", "v x1 -x2 x3"], [[0, 2]]),
        (["x" * 2_000_000, "x = [0, 0, 1];", "----------", "searching", "=========="], [[2]]),
    ],
)
def test_printed_solutions(lines: list[str], expected: list[list[int]]) -> None:
    """Of SAT solvers, pseudo-Boolean solvers, MiniZinc and XCSP3, read as they come."""
    answers = Answers(3, printed=True)
    found = [solution for line in lines for solution in answers.add(line)]
    assert [*found, *answers.finish()] == expected


@pytest.mark.parametrize(
    ("lines", "is_complete"),
    [
        (["x = [1, 0, 0];", "----------", "=========="], True),
        (["=====UNSATISFIABLE====="], True),
        (["s SATISFIABLE", "d COMPLETE EXPLORATION"], True),
        (["=====UNKNOWN====="], False),
        (["3 found"], True),
        (["none found"], False),
    ],
)
def test_the_end_of_a_search(lines: list[str], *, is_complete: bool) -> None:
    """A program that may not have searched everything is not taken for one that has."""
    answers = Answers(3, re.compile("(?:([0-9]+)|none) found"), printed=True)
    for line in lines:
        answers.add(line)
    answers.finish()
    assert answers.is_complete == is_complete


def test_paths_of_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program is found on PATH, and by its path from the current folder."""
    program = tmp_path / "mine"
    program.write_text(f"#!{PYTHON}\nprint('{{\"count\": 2}}')\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert ran("queens-4", "./mine", "{dlx}").count == 2
    monkeypatch.setenv("PATH", str(tmp_path))
    assert ran("queens-4", "mine", "{dlx}").count == 2


def test_words_too_long_for_a_path() -> None:
    """A word of a command may be longer than the name of a file."""
    script = "print('{\"count\": 2}')".ljust(10_000)
    assert ran("queens-4", PYTHON, "-c", script, "{dlx}").count == 2


def test_a_null_byte_in_a_command() -> None:
    """No word that a program is started with can contain it."""
    result = ran("queens-4", PYTHON, "\0", "{dlx}")
    assert result.reason is not None
    assert result.reason.endswith("cannot be started: embedded null byte")


def test_a_program_without_a_count() -> None:
    """Messages have the name of the program, not the word of the command."""
    finished = ran("queens-4", "{python}", "-c", "pass", "{dlx}")
    assert finished.reason == f"{Path(PYTHON).name} printed no count"


OPTIONS = 3


# Parts of lines that are nearly right, in any of the formats.
WORDS = (
    "v|s|o|c|d|x|x1|-x2|1|-2|3|4|0|99999999999|*|1x2|1x999999999|x = [|0, 1, 0|]|);|;|%| |\t"
    "|array1d(1..3, [|----------|==========|=====UNKNOWN=====|s SATISFIABLE|s UNSATISFIABLE"
    "|<instantiation>|</instantiation>|<list> x[] </list>|<values> 1 0 0 </values>|<a|&lt;|]]>"
    "|x[2]|x[0..2]|\x1b[32mv\x1b[0m|\u2028|\x00|\ufffd|true|found 5|found 1,000|found |found _"
    '|{"solution": [0, 2]}|{"count": 3}|{"nodes": 1e999}|{"|: |[[|}|nodes 7|nodes 1e400'
)


PARTS = st.sampled_from(WORDS.split("|"))


NUMBERS = [None, True, -1, 0, 2, 3, 10**30, 0.5, float("nan"), 1e999]


SCALARS = st.sampled_from([*NUMBERS, "7", "", "1 000", "\ud800", "9" * 5000])


MEMBERS = st.dictionaries(
    st.sampled_from(["solution", "count", "nodes", "", "\ud800", "\x1b[2J"]),
    st.one_of(SCALARS, st.lists(SCALARS, max_size=3), st.dictionaries(st.just("\x1b"), SCALARS)),
    max_size=3,
)


BYTES = st.binary(max_size=30).map(lambda line: line.decode(errors="replace"))


PIECES = st.lists(PARTS, max_size=6)


LINES = st.one_of(BYTES, PIECES.map("".join), PIECES.map(" ".join))


COUNT = re.compile("found ?(.*)|none found")


FIGURES = {"nodes": re.compile("nodes ([^ ]*)|nodes")}


def check(answers: Answers, lines: list[str]) -> list[list[int]]:
    """Read lines; solutions are options of the puzzle, the rest can be recorded and printed."""
    found, complaint = list[list[int]](), ""
    try:
        for line in lines:
            found += answers.add(line)
        found += answers.finish()
    except ProgramError as error:
        complaint = str(error)
    assert is_printable(complaint)
    assert all(0 <= option < OPTIONS for solution in found for option in solution)
    assert answers.is_complete or answers.count is None
    assert answers.count is None or answers.count >= 0
    json.dumps(answers.figures, allow_nan=False)
    assert all(map(is_printable, answers.figures))
    return found


@given(st.sampled_from([None, COUNT]), st.lists(LINES | MEMBERS.map(json.dumps), max_size=8))
@settings(max_examples=70)
def test_any_printed_lines(pattern: re.Pattern[str] | None, lines: list[str]) -> None:
    """Each printed solution has an end, or is the last one; a line of JSON has one solution."""
    found = check(Answers(OPTIONS, pattern, FIGURES, reads_json=True), lines)
    assert len(found) <= sum('"solution"' in line for line in lines)
    found = check(Answers(OPTIONS, pattern, FIGURES, printed=True), lines)
    ends = re.findall(
        r"</instantiation|(?<!\S)0(?!\S)|;|^\W*(?:v|s)", "\n".join(lines), re.MULTILINE
    )
    assert len(found) <= len(ends)
