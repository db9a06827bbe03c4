"""Rows of an explanation: a label and the text beside it, within 80 columns."""

from __future__ import annotations

from textwrap import TextWrapper

WIDTH, INDENT = 80, 18

TIED = "\N{NO-BREAK SPACE}"


def row(label: str, text: str) -> list[str]:
    """Return a label and the text beside it, wrapped; no line ends at a `TIED` blank."""
    wrapper = TextWrapper(
        width=WIDTH,
        initial_indent=f"{label:{INDENT}}",
        subsequent_indent=" " * INDENT,
        drop_whitespace=True,
        break_on_hyphens=False,
    )
    return [line.replace(TIED, " ") for line in wrapper.wrap(text)]


def verdict(impossible: str | None, tests: str) -> list[str]:
    """Why a puzzle has no solution, or that `tests` do not rule it out."""
    return row("solvable", f"no: {impossible}" if impossible else f"not ruled out by {tests}")
