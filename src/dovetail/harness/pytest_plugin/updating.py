"""The hooks of `--update-counts`, which record the counts of tests in golden files.

Files are written when all tests have run. With pytest-xdist, tests run in worker processes. The
reports of the tests contain the counts, and the output of a worker contains the tests that it
collected. Only the main process writes files.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest

from dovetail.errors import DovetailError, how_many
from dovetail.harness.pytest_plugin.golden import Counted, Figures, shown_path, update_golden

# Attribute of reports that holds counts as JSON.
COUNTS = "dovetail_counts"
# Key in the output of a pytest-xdist worker that holds its collected tests as JSON.
COLLECTED = "dovetail_collected"

_COUNTED: pytest.StashKey[list[Counted]] = pytest.StashKey()


class Updating:
    """The hooks of a run that records counts in golden files called `golden_name`.

    A golden file is in the folder of its tests. An entry that no test used is removed only if all
    tests in the folder ran and passed.
    """

    def __init__(self, config: pytest.Config, golden_name: str) -> None:
        self._config, self._golden_name = config, golden_name
        self._tests: dict[Path, set[str]] = {}  # tests that will run, by golden file
        self._partial: set[Path] = set()  # golden files of which some tests do not run
        self._found: list[pytest.Item] = []
        self._counted: dict[Path, list[Counted]] = {}
        self._spoilt: set[str] = set()  # tests with a failed or skipped phase
        self._passed: set[str] = set()
        self._failed = 0
        self._lines: list[str] = []
        self._problems: list[str] = []

    def counted_by(self, test: pytest.Item) -> list[Counted]:
        """Return a new list for the counts of a test; a repeated test gets another list."""
        test.stash[_COUNTED] = []
        return test.stash[_COUNTED]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Record all tests before another plugin removes tests without reporting it."""
        self._found = list(items)

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Record the golden files of tests that will not run."""
        self._leave_out(items)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Record the tests that will run, and the golden files with tests that will not run."""
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
        """Add the counts of a test and of its fixtures to its last report."""
        report = yield
        if call.when == "teardown":
            rows = [astuple(counted) for counted in item.stash.get(_COUNTED, [])]
            setattr(report, COUNTS, json.dumps(rows, default=str))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the counts of a test if all of its phases passed."""
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
        """Update the golden files; a pytest-xdist worker only sends the tests that it collected."""
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
        """Report the changes to the golden files as a diff."""
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
        whole = golden not in self._partial and self._tests.get(golden, set()) <= self._passed
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
