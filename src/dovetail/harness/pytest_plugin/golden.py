"""Golden files: the counts and nodes that tests expect, with a line of TOML for each question.

"pentominoes-3x20 dlx all" = { count = 8, nodes = 32_575, digest = "b5c3a7f6d7a1e904" }

`question_words` returns the key, and `digest` is the digest of the puzzle. An update keeps comments
above an entry and at the end of its line. Each entry is a single line, so that an error can name
the line and a change is a single line of a diff.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from pathlib import Path
from typing import Any

from dovetail.errors import how_many, shorten
from dovetail.files.text_file import TextFile
from dovetail.files.writing import write_whole
from dovetail.printable import printable

OPENING = ("# Expected solution counts and nodes; `pytest --update-counts` updates them.",)
KEYS = ("count", "nodes", "digest")
_DIGEST = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class Figures:
    """Count and nodes of a question, and the digest of its puzzle."""

    count: int
    # None if the nodes are not compared.
    nodes: int | None
    digest: str


@dataclass(frozen=True)
class GoldenEntry:
    """Figures of a question, and the comments on them."""

    figures: Figures
    # Line number in the file; 0 for a new entry.
    line: int = 0
    # Comments in the lines before the entry.
    above: tuple[str, ...] = ()
    # Comment at the end of the line.
    behind: str = ""


@dataclass(frozen=True)
class GoldenFile:
    """Content of a golden file: entries by question, and the comments around them."""

    entries: Mapping[str, GoldenEntry] = field(default_factory=dict)
    opening: tuple[str, ...] = OPENING
    closing: tuple[str, ...] = ()
    # Text of the file; empty if there was no file.
    source: str = ""

    def figures(self) -> dict[str, Figures]:
        """Return the figures of all questions."""
        return {question: entry.figures for question, entry in self.entries.items()}

    def text(self) -> str:
        """Return the text of the file, with the entries sorted by question."""
        lines = [*self.opening, *([""] if self.opening else [])]
        for question, entry in sorted(self.entries.items()):
            behind = f"  {entry.behind}" if entry.behind else ""
            lines += [*entry.above, entry_line(question, entry.figures) + behind]
        return "\n".join([*lines, *self.closing]) + "\n"


@dataclass(frozen=True)
class Counted:
    """The figures that a test has counted for a question, and the golden file for them."""

    golden: Path
    question: str
    figures: Figures


def read_golden(path: Path) -> GoldenFile:
    """Read the golden file at `path`; return a file without entries if it does not exist.

    Raises `FormatError` with the line number for an invalid entry or a repeated question.
    """
    if not path.exists():
        return GoldenFile()
    file = TextFile(path)
    entries: dict[str, GoldenEntry] = {}
    opening, comments = tuple[str, ...](), list[str]()
    for number, line in enumerate(map(str.strip, file.lines), start=1):
        if line.startswith("#"):
            comments.append(line)
        elif line:
            question, figures, behind = _entry(file, number, line)
            if question in entries:
                first = f"{quoted(shorten(question))} is already on line {entries[question].line}"
                raise file.error(f"{first}; expected each question once", number)
            entries[question] = GoldenEntry(figures, number, tuple(comments), behind)
            comments = []
        elif not entries and not opening:
            opening, comments = tuple(comments), []
    return GoldenFile(entries, opening, tuple(comments), file.text)


def update_golden(
    path: Path, counted: Iterable[Counted], name: str, *, whole: bool
) -> tuple[list[str], list[str]]:
    """Update the golden file at `path` with the figures that tests have counted.

    Returns the lines of a report that calls the file `name`, and the contradictions. The report
    begins with a diff. A contradiction is a question with different figures in different tests; a
    test without nodes agrees with a test with nodes. The file is written only if a figure changes.
    Unused entries are removed if the run was `whole` (all tests in the folder of the file passed)
    and at least one test counted. Raises `FormatError` for an invalid file, and `ConfigError` if
    the file cannot be written.
    """
    before = read_golden(path)
    by_question: dict[str, list[Figures]] = {}
    for test in counted:
        by_question.setdefault(test.question, []).append(test.figures)
    entries, contradictions = dict(before.entries), []
    for question, figures in by_question.items():
        nodes = next((reported.nodes for reported in figures if reported.nodes is not None), None)
        first, *others = dict.fromkeys(
            replace(reported, nodes=nodes) if reported.nodes is None else reported
            for reported in figures
        )
        if others:
            both = " / ".join(entry_line(question, reported) for reported in (first, others[0]))
            contradictions.append(f"tests disagree, so nothing is recorded: {both}")
        else:
            entries[question] = _renewed(entries.get(question), first)
    unused = sorted(before.entries.keys() - by_question.keys())
    if not by_question:
        fate = "kept; delete the file if it is not needed"
    elif whole:
        fate = "now removed"
        for question in unused:
            del entries[question]
    else:
        fate = "kept, because not all tests in its folder ran and passed"
    lines = []
    after = replace(before, entries=entries)
    if after.figures() != before.figures():
        write_whole(path, after.text().encode())
        texts = before.source.splitlines(), after.text().splitlines()
        lines += [*unified_diff(*texts, name, name, lineterm=""), f"wrote {name}"]
    elif by_question:
        lines.append(f"{name} is unchanged: all counts agree with it")
    if unused:
        number = how_many(len(unused), "entry", "entries")
        lines.append(f"{name}: {number} that no passing test used: {fate}")
    return lines, contradictions


def shown_path(path: Path, root: Path) -> str:
    """Return a path relative to `root` if it is below `root`, otherwise unchanged."""
    return str(path.relative_to(root) if path.is_relative_to(root) else path)


def entry_line(question: str, figures: Figures) -> str:
    """Format an entry of a golden file as a line of TOML."""
    values = [f"count = {whole(figures.count)}"]
    if figures.nodes is not None:
        values.append(f"nodes = {whole(figures.nodes)}")
    values.append(f"digest = {quoted(figures.digest)}")
    return f"{quoted(question)} = {{ {', '.join(values)} }}"


def whole(number: int) -> str:
    """Format a number as in a golden file; numbers of five or more digits have `_` separators."""
    return f"{number:_}" if number >= 10_000 else str(number)


def quoted(text: str) -> str:
    """Return `text` as a printable TOML string."""
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(mark: str) -> str:
    if mark in '"\\':
        return f"\\{mark}"
    if mark.isprintable():
        return mark
    return f"\\u{ord(mark):04x}" if ord(mark) < 0x10000 else f"\\U{ord(mark):08x}"


def _entry(file: TextFile, number: int, line: str) -> tuple[str, Figures, str]:
    """Return the question in a line, its figures, and the comment at the end of the line."""
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
    """Return the problem of an entry's value, or None if the value is valid."""
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
    """Return the comment in a line of TOML, which begins at the first `#` outside of strings."""
    starts = [index for index, mark in enumerate(line) if mark == "#"]
    return next((line[start:] for start in starts if _is_toml(line[:start])), "")


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except ValueError:
        return False
    return True


def _renewed(entry: GoldenEntry | None, found: Figures) -> GoldenEntry:
    """Return an entry with new figures.

    Recorded nodes stay if the test did not compare nodes and the other figures are unchanged.
    """
    if entry is None:
        return GoldenEntry(found)
    known = replace(found, nodes=entry.figures.nodes) if found.nodes is None else found
    return replace(entry, figures=known if known == entry.figures else found)
