"""Gives solutions of many sub-problems to one collector, in the order of the search or any."""

from __future__ import annotations

from collections.abc import Iterator

from dovetail.harness.run.collector import SolutionCollector
from dovetail.harness.run.events import Found
from dovetail.harness.run.result import Result
from dovetail.harness.workers.checkpoint import JournalRun
from dovetail.models.task import LoweredPuzzle


class Listing:
    """The solutions of the sub-problems in a journal, each given to the `collector` once.

    By default in the order of one search: those of a sub-problem wait until all that precede it
    have a result. In `any_order` they come as they are found.
    """

    def __init__(
        self,
        journal: JournalRun,
        collector: SolutionCollector,
        lowered: LoweredPuzzle,
        *,
        any_order: bool,
    ) -> None:
        self.collector = collector
        self._journal, self._lowered, self._any_order = journal, lowered, any_order
        self._passed: bytes | None = None

    def begin(self) -> Iterator[Found]:
        """Pass on what was found before."""
        if not self._any_order:
            yield from self._in_order()
            return
        while (stored := self._journal.next_part(self._passed)) is not None:
            self._passed = stored.key
            if stored.result is not None:
                yield from self._pass_on(stored.result)

    def add(self, result: Result) -> Iterator[Found]:
        """Pass on the solutions that may be, now that a result is in the journal."""
        yield from self._pass_on(result) if self._any_order else self._in_order()

    def _in_order(self) -> Iterator[Found]:
        while not self.collector.complete:
            stored = self._journal.next_part(self._passed)
            if stored is None or stored.result is None:
                return
            self._passed = stored.key
            yield from self._pass_on(stored.result)

    def _pass_on(self, result: Result) -> Iterator[Found]:
        if result.rows is not None and result.rows.size:
            for options in self.collector.add(result.rows, lambda: False):
                yield Found(options, self._lowered)
