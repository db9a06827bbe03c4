"""Tables, results and pages that fit a terminal."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest
from rich.console import Console

from dovetail.reports.page import Page, Section
from dovetail.reports.rendering.terminal import (
    output_console,
    print_page,
    print_results,
    print_table,
)
from dovetail.reports.table import text_table
from harness.records.made import made, results

NAME = "a name of many words"
WORD = "pentominoes"
CELLS = {"name": NAME, "word": WORD, "count": "1", "seconds": "38.3 ms"}


def printed(width: int, *dispensable: str) -> list[str]:
    """Return the lines of a table of one row on a console of this width, without the rule."""
    file = io.StringIO()
    table = text_table(tuple(CELLS), (tuple(CELLS.values()),), words=2, dispensable=dispensable)
    print_table(table, Console(file=file, width=width))
    lines = [line.strip() for line in file.getvalue().splitlines()]
    return [line for line in lines if line.strip("─")]


def page_lines(*sections: Section, **parts: Any) -> list[str]:
    """Return the lines of a page on a console of 80 columns, without blank ones and rules."""
    file = io.StringIO()
    print_page(Page("title", sections, **parts), Console(file=file, width=80))
    return [line.strip() for line in file.getvalue().splitlines() if line.strip(" ─")]


@pytest.mark.parametrize("width", [10, 30, 45, 1000])
def test_nothing_is_cut(width: int) -> None:
    """At any width every letter is printed."""
    letters = "".join(printed(width)).replace(" ", "")
    assert sorted(letters) == sorted("".join([*CELLS, *CELLS.values()]).replace(" ", ""))


@pytest.mark.parametrize("colours", ["", "1"])
def test_output_that_is_no_terminal_is_unbounded(
    colours: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where a CI service asks for colours or sets a width."""
    monkeypatch.setenv("FORCE_COLOR", colours)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert output_console().width > 100_000


def test_groups_are_ruled_off_and_named_once() -> None:
    """The first column is empty in the other rows of a group; marked rows are red."""
    rows = (("a", "1"), ("a", "2"), ("b", "3"))
    table = text_table(("x", "n"), rows, group=lambda row: row[0], marked=lambda row: row[0] == "b")
    console = Console(record=True, width=80, file=io.StringIO())
    print_table(table, console)
    styled = console.export_text(clear=False, styles=True)
    lines = [line.rstrip() for line in console.export_text().splitlines()]
    assert lines[3:] == [" a   1", "     2", "", " b   3", ""]
    assert "\x1b[31mb" in styled


def test_a_page_without_its_folded_sections() -> None:
    """The headline, warnings, and the text and tables of open sections."""
    table = text_table(("x", "n"), (("a", "1"),))
    lines = page_lines(
        Section("one", "One", ["Said.", table]),
        Section("two", "Two", ["Hidden."], folded=True),
        about="about",
        warnings=("a warning",),
        headline="A sentence.",
    )
    words = ["title", "A sentence.", "a warning", "about", "One", "x   n", "a   1", "Said."]
    assert lines == words


def test_long_tables_end_with_the_number_of_rows_left_out() -> None:
    table = text_table(("x",), [(str(number),) for number in range(5_000)])
    lines = page_lines(Section("one", "One", [table]))
    assert lines[-2:] == ["99", "4,900 more rows; --format md shows them all"]


@pytest.mark.parametrize(
    ("width", "dispensable", "lines"),
    [
        (60, ["seconds"], [f"{NAME}   {WORD}       1   38.3 ms"]),
        (32, [], [f"word      {WORD}", "count     1", "seconds   38.3 ms"]),
    ],
    ids=["all columns", "a list"],
)
def test_a_row_where_there_is_less_room(
    width: int, dispensable: list[str], lines: list[str]
) -> None:
    assert printed(width, *dispensable)[1:] == lines


@pytest.mark.parametrize("width", [60, 100_000])
def test_what_is_wrong_is_named_whole(width: int) -> None:
    """Puzzle and backend with its settings in the table, and the reason below it."""
    reason = " ".join(f"word{n}" for n in range(99))
    settings = {"stages": ["dlx:s", "fila:f@11"], "nof": True}
    (run,) = results(made(config=settings, reductions=["redundancy", "volume"]))
    shown = io.StringIO()
    print_results([run.marked_wrong(reason)], Console(file=shown, width=width))
    names = {"box", "dlx", "stages=dlx:s,fila:f@11", "nof=True", "−redundancy", "−volume"}
    table, _, below = shown.getvalue().partition("WRONG OR FAILED:")
    assert names <= set(table.split())
    assert set(reason.split()) <= set(below.split())
    assert "…" not in table + below
    assert (width == 100_000) == (f"  box, dlx: {reason}\n" in below)
