"""Whatever a program prints is read or refused: no traceback, no solution that it did not print."""

from __future__ import annotations

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.backends.command.search import Answers, ProgramError
from dovetail.printable import is_printable

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


@given(st.sampled_from([None, COUNT]), st.lists(LINES, max_size=8))
@settings(max_examples=70)
def test_printed_solutions(pattern: re.Pattern[str] | None, lines: list[str]) -> None:
    """Each has an end, or is the last one."""
    found = check(Answers(OPTIONS, pattern, FIGURES, printed=True), lines)
    ends = re.findall(
        r"</instantiation|(?<!\S)0(?!\S)|;|^\W*(?:v|s)", "\n".join(lines), re.MULTILINE
    )
    assert len(found) <= len(ends)


@given(st.sampled_from([None, COUNT]), st.lists(st.one_of(LINES, MEMBERS.map(json.dumps))))
@settings(max_examples=70)
def test_lines_of_json(pattern: re.Pattern[str] | None, lines: list[str]) -> None:
    """One line has one solution."""
    found = check(Answers(OPTIONS, pattern, FIGURES, reads_json=True), lines)
    assert len(found) <= sum('"solution"' in line for line in lines)
