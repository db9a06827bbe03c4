"""What an update makes of what tests have counted: how a golden file changes, and its report."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path

from dovetail.errors import how_many
from dovetail.files.whole_file import write_whole
from dovetail.harness.pytest_plugin.golden import (
    Entry,
    Figures,
    GoldenFile,
    entry_line,
    read_golden,
)


@dataclass(frozen=True)
class Counted:
    """The figures that a test has found for a question, and the golden file they belong in."""

    golden: Path
    question: str
    figures: Figures

    def to_json(self) -> str:
        """As text in ASCII, which passes between processes whatever the names are."""
        figures = self.figures
        return json.dumps(
            [str(self.golden), self.question, figures.count, figures.nodes, figures.digest]
        )

    @classmethod
    def from_json(cls, text: str) -> Counted:
        """What `to_json` gave."""
        golden, question, *figures = json.loads(text)
        return cls(Path(golden), question, Figures(*figures))


@dataclass(frozen=True)
class GoldenUpdate:
    """A golden file `before` an update and `after` it.

    `unused` are the questions in it that no test has asked, `asked` whether any was asked.
    `contradictions` name those that tests have counted differently: they stay as they were.
    """

    path: Path
    before: GoldenFile
    after: GoldenFile
    asked: bool
    unused: tuple[str, ...]
    contradictions: tuple[str, ...]

    @property
    def is_change(self) -> bool:
        """Whether any figure is changed, added or removed."""
        return self.before.figures() != self.after.figures()

    def write(self) -> None:
        """Write the file, if anything changes; `ConfigError` where it cannot be written."""
        if self.is_change:
            write_whole(self.path, self.after.text().encode())

    def report_lines(self, root: Path) -> Iterator[str]:
        """Yield lines that report what became of the file, the diff first."""
        name = shown_path(self.path, root)
        if self.is_change:
            lines = (self.before.source.splitlines(), self.after.text().splitlines())
            yield from unified_diff(*lines, name, name, lineterm="")
            yield f"wrote {name}"
        elif self.asked:
            yield f"{name} is unchanged: all counts agree with it"
        if self.unused:
            unused = how_many(len(self.unused), "entry", "entries")
            yield f"{name}: {unused} that no passing test used: {self._fate}"

    @property
    def _fate(self) -> str:
        """What became of the entries that no test asked for."""
        if self.unused[0] not in self.after.entries:
            return "now removed"
        if not self.asked:
            return "kept; delete the file if it is not needed"
        return "kept, because not all tests in its folder ran and passed"


def golden_update(path: Path, counted: Iterable[Counted], *, whole: bool) -> GoldenUpdate:
    """Return what an update changes in the golden file at `path`.

    Entries that no test asked for are dropped if the run was `whole`, if all tests that might ask
    have run and passed, and any did ask. Raises `FormatError` for a file that is none.
    """
    before = read_golden(path)
    found, contradictions = _agreed(counted)
    unused = tuple(sorted(before.entries.keys() - found.keys()))
    entries = dict(before.entries)
    for question, figures in found.items():
        if figures is not None:
            entries[question] = _renewed(entries.get(question), figures)
    if whole and found:
        for question in unused:
            del entries[question]
    after = replace(before, entries=entries)
    return GoldenUpdate(path, before, after, bool(found), unused, tuple(contradictions))


def shown_path(path: Path, root: Path) -> str:
    """A path from `root` on, if it lies below."""
    return str(path.relative_to(root) if path.is_relative_to(root) else path)


def _agreed(counted: Iterable[Counted]) -> tuple[dict[str, Figures | None], list[str]]:
    """The figures of each question, None where tests differ in them, and how these differ.

    A test that did not look at nodes agrees with one that did.
    """
    found: dict[str, Figures | None] = {}
    contradictions: list[str] = []
    for one in counted:
        known = found.setdefault(one.question, one.figures)
        if known is None:
            continue
        if known.nodes is None:
            known = replace(known, nodes=one.figures.nodes)
        figures = one.figures
        if figures.nodes is None:
            figures = replace(figures, nodes=known.nodes)
        found[one.question] = known if known == figures else None
        if known != figures:
            lines = (entry_line(one.question, both) for both in (known, figures))
            contradictions.append("tests disagree, so nothing is recorded: " + " / ".join(lines))
    return found, contradictions


def _renewed(entry: Entry | None, found: Figures) -> Entry:
    """An entry with what was found; nodes that nobody has looked at stay."""
    if entry is None:
        return Entry(found)
    was = entry.figures
    if found.nodes is None and (found.count, found.digest) == (was.count, was.digest):
        found = was
    return replace(entry, figures=found)
