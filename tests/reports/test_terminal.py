"""Tables that fit a terminal."""

from __future__ import annotations

import io
import os
import pty
import sys
from collections.abc import Sequence

import pytest
from rich.console import Console
from rich.table import Table

from dovetail.reports.terminal import empty_table, output_console, print_fitting

NAME = "a name of many words"
WORD = "pentominoes"
CELLS = {"name": NAME, "word": WORD, "count": "1", "seconds": "38.3 ms"}


def build(columns: Sequence[str]) -> Table:
    """Return a table of one row."""
    table = empty_table(columns, left=("name", "word"))
    table.add_row(*(CELLS[column] for column in columns))
    return table


def printed(width: int, *dispensable: str) -> list[str]:
    """Return the lines of that table on a console of this width, without the rule."""
    file = io.StringIO()
    print_fitting(build, list(CELLS), dispensable, Console(file=file, width=width))
    lines = [line.strip() for line in file.getvalue().splitlines()]
    return [line for line in lines if line.strip("─")]


@pytest.mark.parametrize("width", [10, 20, 30, 35, 40, 45, 50, 60, 1000])
def test_nothing_is_cut(width: int) -> None:
    """At any width every letter is printed."""
    letters = "".join(printed(width)).replace(" ", "")
    assert sorted(letters) == sorted("".join([*CELLS, *CELLS.values()]).replace(" ", ""))


def test_columns_are_left_out_before_words_are_wrapped() -> None:
    """And are named below the table."""
    assert printed(60, "seconds")[1:] == [f"{NAME}   {WORD}       1   38.3 ms"]
    assert printed(50, "seconds")[1:] == [
        f"{NAME}   {WORD}       1",
        "hidden columns (narrow terminal): seconds",
    ]


def test_words_are_wrapped_between_words() -> None:
    """A column of several words gives way to one of a single word."""
    assert printed(44)[1:] == [f"a name of    {WORD}       1   38.3 ms", "many words"]


def test_a_row_becomes_a_list() -> None:
    """Where single words are too long for their columns."""
    assert printed(32) == [
        f"name      {NAME}",
        f"word      {WORD}",
        "count     1",
        "seconds   38.3 ms",
    ]


@pytest.mark.parametrize("colours", ["", "1"])
def test_output_that_is_no_terminal_is_unbounded(
    colours: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where a CI service asks for colours or sets a width."""
    monkeypatch.setenv("FORCE_COLOR", colours)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert output_console().width > 100_000


def test_output_is_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """As rich finds it."""
    terminal, end = pty.openpty()
    monkeypatch.setenv("COLUMNS", "72")
    with os.fdopen(end, "w") as output, monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", output)
        assert output_console().width == 72
    os.close(terminal)
