"""Golden files: the counts and nodes that tests expect, with a line of TOML for each question.

"pentominoes-3x20 dlx all" = { count = 8, nodes = 32_575, digest = "5484dc07e4cdcfb8" }

`question_words` returns the key, and `digest` is the digest of the puzzle. An update keeps comments
above an entry and at the end of its line. Each entry is a single line, so that an error can name
the line and a change is a single line of a diff.

The hooks of `--update-counts` write golden files when all tests have run. With pytest-xdist, tests
run in worker processes. The reports of the tests contain the counts, and the output of a worker
contains the tests that it collected. Only the main process writes files.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Generator, Iterable, Mapping
from dataclasses import astuple, dataclass, field, replace
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest

from dovetail.errors import TOO_LONG, DovetailError, how_many, is_too_long, shorten, show
from dovetail.files.text_file import TextFile
from dovetail.files.writing import write_whole
from dovetail.printable import printable

OPENING = ("# Expected solution counts and nodes; `pytest --update-counts` updates them.",)
KEYS = ("count", "nodes", "digest")
_DIGEST = re.compile(r"[0-9a-f]{16}")
# Attribute of reports that holds counts as JSON.
COUNTS = "dovetail_counts"
# Key in the output of a pytest-xdist worker that holds its collected tests as JSON.
COLLECTED = "dovetail_collected"


@dataclass(frozen=True)
class Figures:
    """Count and nodes of a question, and the digest of its puzzle."""

    count: int
    # None if the nodes are not compared, or if the backend does not count nodes.
    nodes: int | None
    digest: str


@dataclass(frozen=True)
class GoldenEntry:
    """Figures of a question, and the comments above and behind its entry."""

    figures: Figures
    # Line number in the file; 0 for a new entry.
    line: int = 0
    # Comments in the lines above the entry.
    above: tuple[str, ...] = ()
    # Comment at the end of the entry's line.
    behind: str = ""


@dataclass(frozen=True)
class GoldenFile:
    """Content of a golden file: entries by question, and comments."""

    entries: Mapping[str, GoldenEntry] = field(default_factory=dict)
    # Comments before the first empty line.
    opening: tuple[str, ...] = OPENING
    # Comments after the last entry.
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
    """Read the golden file at `path`; return a `GoldenFile` without entries if there is no file.

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

    Returns the lines of a report that calls the file `name`, and a message for each contradiction.
    The file is written only if an entry is added, removed or gets other figures; the report then
    begins with a diff. A contradiction is a question with different figures in different tests, and
    its entry stays as it is. Figures without nodes agree with figures that differ only in nodes.
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
            contradictions.append(f"tests disagree, so neither is recorded: {both}")
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
    elif by_question and not contradictions:
        lines.append(f"{name} is unchanged: all counts agree with it")
    if unused:
        number = how_many(len(unused), "entry", "entries")
        lines.append(f"{name}: {number} that no passing test used: {fate}")
    return lines, contradictions


def shown_path(path: Path, root: Path) -> str:
    """Return `path` as text, relative to `root` if `path` is below `root`."""
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
    """Return the question in a line, its figures, and the comment at the end of the line.

    Raises `FormatError` for a line that is not a valid entry.
    """
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
        return f"it is {printable(show(values))}"
    for key in (*values, "count", "digest"):
        if key not in KEYS or key not in values:
            return f"{key} is missing" if key in KEYS else f"unknown key {quoted(shorten(key))}"
    for key in ("count", "nodes"):
        number = values.get(key, 0)
        if type(number) is not int or number < 0:
            return f"{key} is {printable(show(number))}, not a whole number of 0 or more"
        if is_too_long(number):  # a hexadecimal number may be
            return f"{key} has {TOO_LONG}"
    digest = values["digest"]
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        return f"digest is {printable(show(digest))}, not 16 hexadecimal digits"
    return None


def _behind(line: str) -> str:
    """Return a line of TOML from the first `#` outside of strings on, or "" without a comment."""
    starts = [index for index, mark in enumerate(line) if mark == "#"]
    return next((line[start:] for start in starts if _is_toml(line[:start])), "")


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except ValueError:
        return False
    return True


def _renewed(entry: GoldenEntry | None, found: Figures) -> GoldenEntry:
    """Return a new entry, or `entry` with the figures `found` and the same comments.

    The nodes in `entry` are kept if `found` has no nodes and the other figures are unchanged.
    """
    if entry is None:
        return GoldenEntry(found)
    known = replace(found, nodes=entry.figures.nodes) if found.nodes is None else found
    return replace(entry, figures=known if known == entry.figures else found)


_COUNTED: pytest.StashKey[list[Counted]] = pytest.StashKey()


class Updating:
    """The hooks of a run that records counts in golden files called `golden_name`.

    A golden file is in the folder of its tests. An entry that no test used is removed only if all
    tests in the folder ran and passed, and at least one test counted.
    """

    def __init__(self, config: pytest.Config, golden_name: str) -> None:
        self._config, self._golden_name = config, golden_name
        self._tests: dict[Path, set[str]] = {}  # tests that will run, by golden file
        self._partial: set[Path] = set()  # golden files for which not all tests run
        self._found: list[pytest.Item] = []
        self._counted: dict[Path, list[Counted]] = {}
        self._spoilt: set[str] = set()  # tests with a failed or skipped phase
        self._passed: set[str] = set()
        self._failed = 0
        self._lines: list[str] = []
        self._problems: list[str] = []

    def counted_by(self, test: pytest.Item) -> list[Counted]:
        """Return a new list for the counts of a test; a list of an earlier attempt is dropped."""
        test.stash[_COUNTED] = []
        return test.stash[_COUNTED]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Record all tests before another plugin removes some of them without reporting them."""
        self._found = list(items)

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Record that not all tests of the golden files of `items` will run."""
        self._leave_out(items)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Record the tests that will run, and the golden files for which not all tests will run.

        Not all tests will run if tests are named, with `--lf`, or if a test file beside the golden
        file was not collected.
        """
        self._leave_out(set(self._found) - set(session.items))
        modules: dict[Path, set[Path]] = {}
        for item in session.items:
            golden = item.path.with_name(self._golden_name)
            self._tests.setdefault(golden, set()).add(item.nodeid)
            modules.setdefault(golden, set()).add(item.path)
        config = self._config
        patterns = config.getini("python_files")
        named = any("::" in argument for argument in config.args)
        for golden, paths in modules.items():
            beside = {path for path in golden.parent.iterdir() if any(map(path.match, patterns))}
            if named or config.getoption("lf", False) or not beside <= paths:
                self._partial.add(golden)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add the counts of a test and of its fixtures to the last report of the test."""
        report = yield
        if call.when == "teardown":
            rows = [astuple(counted) for counted in item.stash.get(_COUNTED, [])]
            setattr(report, COUNTS, json.dumps(rows, default=str))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the counts of a test after its teardown if all of its phases passed."""
        if not report.passed:
            self._spoilt.add(report.nodeid)
        if report.when != "teardown":
            return
        rows = json.loads(getattr(report, COUNTS, "[]"))
        if report.nodeid in self._spoilt:
            self._spoilt.discard(report.nodeid)  # the test may be repeated
            self._failed += bool(rows)
            return
        self._passed.add(report.nodeid)
        for name, question, figures in rows:
            golden = Path(name)
            counted = Counted(golden, question, Figures(*figures))
            self._counted.setdefault(golden, []).append(counted)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Record the tests that a pytest-xdist worker collected, unless the worker crashed."""
        tests, partial = json.loads(getattr(node, "workeroutput", {}).get(COLLECTED, "[{}, []]"))
        for golden, names in tests.items():
            self._tests.setdefault(Path(golden), set()).update(names)
        self._partial.update(map(Path, partial))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Update the golden files; the session fails if tests disagree or a file is invalid.

        A worker of pytest-xdist updates no file and only sends the tests that it collected.
        """
        if hasattr(self._config, "workeroutput"):
            tests = {str(golden): sorted(names) for golden, names in self._tests.items()}
            collected = json.dumps([tests, sorted(map(str, self._partial))])
            self._config.workeroutput[COLLECTED] = collected
            return
        for golden in sorted({*self._tests, *self._counted}):
            self._update(golden)
        if self._problems and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Report the problems, and the changes to the golden files as a diff."""
        terminalreporter.section("solution counts")
        for problem in self._problems:
            terminalreporter.write_line(problem, red=True)
        for line in self._lines:
            markup = {"+": {"green": True}, "-": {"red": True}}.get(line[:1], {})
            terminalreporter.write_line(line, **markup)
        if self._failed:
            failed = how_many(self._failed, "test")
            terminalreporter.write_line(f"ignored the counts of {failed} that did not pass")
        if not self._lines and not self._problems:
            terminalreporter.write_line("no counts found; no file changed")

    def _leave_out(self, items: Iterable[pytest.Item]) -> None:
        self._partial |= {item.path.with_name(self._golden_name) for item in items}

    def _update(self, golden: Path) -> None:
        counted = self._counted.get(golden, [])
        tests = self._tests.get(golden)  # None if a worker ended without sending its tests
        whole = golden not in self._partial and tests is not None and tests <= self._passed
        if not counted and not whole:
            return
        name = shown_path(golden, self._config.rootpath)
        try:
            lines, contradictions = update_golden(golden, counted, name, whole=whole)
        except DovetailError as error:
            self._problems.append(str(error))
            return
        self._lines += lines
        self._problems += contradictions
