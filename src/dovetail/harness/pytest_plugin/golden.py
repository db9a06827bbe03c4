"""Golden files: counts and nodes that tests are held to, one line of TOML for each question.

"pentominoes-3x20 dlx all" = { count = 8, nodes = 32_575, digest = "b5c3a7f6d7a1e904" }

The key is `question_words`; `digest` is that of the puzzle. Comments stand above a line or behind
it, and stay where they are when the file is written anew. Entries are one to a line so that each
change is one line of a diff, with all that it is about, and an error can name it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dovetail.errors import shorten
from dovetail.files.text_file import TextFile
from dovetail.printable import printable

OPENING = ("# Expected solution counts and nodes; `pytest --update-counts` updates them.",)
KEYS = ("count", "nodes", "digest")
_DIGEST = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class Figures:
    """A count, the nodes made for it (None: not looked at), the digest of the puzzle."""

    count: int
    nodes: int | None
    digest: str


@dataclass(frozen=True)
class Entry:
    """The figures of one question; `line` is 0 for one that is not in a file yet.

    `above` are the comments in the lines before it, `behind` is the one in its own line.
    """

    figures: Figures
    line: int = 0
    above: tuple[str, ...] = ()
    behind: str = ""


@dataclass(frozen=True)
class GoldenFile:
    """What is in a golden file: comments before all entries and behind them, and the entries.

    `source` is its text as it was read, empty if there was none.
    """

    entries: Mapping[str, Entry] = field(default_factory=dict)
    opening: tuple[str, ...] = OPENING
    closing: tuple[str, ...] = ()
    source: str = ""

    def figures(self) -> dict[str, Figures]:
        """The figures of all questions."""
        return {question: entry.figures for question, entry in self.entries.items()}

    def text(self) -> str:
        """The file, its entries sorted by their questions."""
        lines = [*self.opening, *([""] if self.opening else [])]
        for question, entry in sorted(self.entries.items()):
            behind = f"  {entry.behind}" if entry.behind else ""
            lines += [*entry.above, entry_line(question, entry.figures) + behind]
        return "\n".join([*lines, *self.closing]) + "\n"


def read_golden(path: Path) -> GoldenFile:
    """The golden file at `path`, one without entries if there is none.

    Raises `FormatError` naming the line of what is no entry, or asks what an earlier one does.
    """
    if not path.exists():
        return GoldenFile()
    file = TextFile(path)
    entries: dict[str, Entry] = {}
    opening, comments = tuple[str, ...](), list[str]()
    for number, line in enumerate(map(str.strip, file.lines), start=1):
        if line.startswith("#"):
            comments.append(line)
        elif line:
            question, figures, behind = _entry(file, number, line)
            if question in entries:
                asked = f"{quoted(shorten(question))} is already on line {entries[question].line}"
                raise file.error(f"{asked}; expected each question once", number)
            entries[question] = Entry(figures, number, tuple(comments), behind)
            comments = []
        elif not entries and not opening:
            opening, comments = tuple(comments), []
    return GoldenFile(entries, opening, tuple(comments), file.text)


def entry_line(question: str, figures: Figures) -> str:
    """An entry as it is written."""
    values = [f"count = {whole(figures.count)}"]
    if figures.nodes is not None:
        values.append(f"nodes = {whole(figures.nodes)}")
    values.append(f"digest = {quoted(figures.digest)}")
    return f"{quoted(question)} = {{ {', '.join(values)} }}"


def whole(number: int) -> str:
    """A number as it is written, thousands apart from five digits on."""
    return f"{number:_}" if number >= 10_000 else str(number)


def quoted(text: str) -> str:
    """`text` as a string of TOML, in which nothing is left that does not print."""
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(mark: str) -> str:
    if mark in '"\\':
        return f"\\{mark}"
    if mark.isprintable():
        return mark
    return f"\\u{ord(mark):04x}" if ord(mark) < 0x10000 else f"\\U{ord(mark):08x}"


def _entry(file: TextFile, number: int, line: str) -> tuple[str, Figures, str]:
    """The question in a line, its figures, and the comment behind them."""
    try:
        content = tomllib.loads(line)
    except (ValueError, RecursionError) as error:
        reason = printable(shorten(str(error).split(" (at ")[0], 100))
        raise file.error(f"not TOML: {reason}; expected one entry per line", number) from None
    ((question, values),) = content.items()
    problem = _problem(values) if "=" in line and not line.startswith("[") else "it is a table"
    if problem is not None:
        expected = f"expected {{ {', '.join(f'{key} = …' for key in KEYS)} }}"
        shown = quoted(shorten(question))
        raise file.error(f"{shown}: {problem}; {expected}, nodes optional", number)
    return question, Figures(values["count"], values.get("nodes"), values["digest"]), _behind(line)


def _problem(values: Any) -> str | None:
    """What keeps the value of an entry from being its figures, None if nothing does."""
    if not isinstance(values, dict):
        return f"it is {printable(shorten(repr(values)))}"
    for key in values:
        if key not in KEYS:
            return f"unknown key {quoted(shorten(key))}"
    for key in ("count", "digest"):
        if key not in values:
            return f"{key} is missing"
    for key in ("count", "nodes"):
        number = values.get(key, 0)
        if type(number) is not int or number < 0:
            return f"{key} is {printable(shorten(repr(number)))}, not a whole number of 0 or more"
    digest = values["digest"]
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        return f"digest is {printable(shorten(repr(digest)))}, not 16 hexadecimal digits"
    return None


def _behind(line: str) -> str:
    """The comment in a line of TOML: what follows the first `#` that is in no string."""
    places = [place for place, mark in enumerate(line) if mark == "#"]
    return next((line[place:] for place in places if _is_toml(line[:place])), "")


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except ValueError:
        return False
    return True
