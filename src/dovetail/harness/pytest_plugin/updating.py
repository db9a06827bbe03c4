"""`--update-counts`: what tests have counted goes into golden files, when all of them have run.

With pytest-xdist tests run in other processes. What they count comes back with their reports, what
they have collected at their end, and this process alone writes.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from dovetail.errors import DovetailError, how_many
from dovetail.harness.pytest_plugin.collected import Collected
from dovetail.harness.pytest_plugin.golden_update import Counted, GoldenUpdate, golden_update

# Names of ours in what pytest and pytest-xdist carry: reports, and the output of a worker.
COUNTS = "dovetail_counts"
COLLECTED = "dovetail_collected"

# What a test has counted.
_COUNTED: pytest.StashKey[list[Counted]] = pytest.StashKey()


class Updating:
    """The hooks of a run that records counts, in golden files called `golden_name`."""

    def __init__(self, config: pytest.Config, golden_name: str) -> None:
        self._config = config
        self._collected = Collected(golden_name)
        self._counted: dict[Path, list[Counted]] = {}
        self._found: list[pytest.Item] = []
        self._spoilt: set[str] = set()  # tests of which some phase has not passed
        self._passed: set[str] = set()
        self._failed = 0
        self._updates: list[GoldenUpdate] = []
        self._problems: list[str] = []

    def counted_by(self, test: pytest.Item) -> list[Counted]:
        """Return the list to which a test that begins, maybe anew, adds what it counts."""
        test.stash[_COUNTED] = []
        return test.stash[_COUNTED]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Note what was found, before another plugin takes tests out without reporting it."""
        self._found = list(items)

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Note tests that are not to run."""
        self._collected.leave_out(items)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note those that are, and those that are gone."""
        self._collected.leave_out(set(self._found) - set(session.items))
        self._collected.add(self._config, session.items)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Put what a test has counted, its fixtures too, into its last report."""
        report = yield
        if call.when == "teardown":
            counted = item.stash.get(_COUNTED, [])
            setattr(report, COUNTS, [one.to_json() for one in counted])
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take what a test has counted, if all of it has passed."""
        if not report.passed:
            self._spoilt.add(report.nodeid)
        if report.when != "teardown":
            return
        counted = map(Counted.from_json, getattr(report, COUNTS, ()))
        if report.nodeid in self._spoilt:
            self._spoilt.discard(report.nodeid)  # it may be run again
            self._failed += any(counted)
            return
        self._passed.add(report.nodeid)
        for one in counted:
            self._counted.setdefault(one.golden, []).append(one)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take what a worker of pytest-xdist had collected, unless it has crashed."""
        output: dict[str, Any] = getattr(node, "workeroutput", {})
        if COLLECTED in output:
            self._collected.merge(output[COLLECTED])

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the files that change, or in a worker send what it had collected."""
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[COLLECTED] = self._collected.to_json()
            return
        for golden in sorted({*self._collected.files, *self._counted}):
            self._update(golden)
        if self._problems and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Report what was written, with a diff."""
        lines = [
            line for made in self._updates for line in made.report_lines(self._config.rootpath)
        ]
        terminalreporter.section("solution counts")
        for problem in self._problems:
            terminalreporter.write_line(problem, red=True)
        for line in lines:
            markup = {"+": {"green": True}, "-": {"red": True}}.get(line[:1], {})
            terminalreporter.write_line(line, **markup)
        if self._failed:
            failed = how_many(self._failed, "test")
            terminalreporter.write_line(f"ignored the counts of {failed} that did not pass")
        if not lines and not self._problems:
            terminalreporter.write_line("no counts found; no file changed")

    def _update(self, golden: Path) -> None:
        """Write a golden file if it changes."""
        counted = self._counted.get(golden, [])
        whole = self._collected.all_passed(golden, self._passed)
        if not counted and not whole:
            return
        try:
            made = golden_update(golden, counted, whole=whole)
            made.write()
        except DovetailError as error:
            self._problems.append(str(error))
            return
        self._updates.append(made)
        self._problems += made.contradictions
