"""What of a plan is still to be run, in an order that is fair to everybody timed."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace

from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import REPEATABLE, is_result
from dovetail.harness.suite.plan import PlannedRun, SuitePlan
from dovetail.models.outcome import Status


class Schedule:
    """Hands out the runs that are left, to any number of threads.

    The jobs of one question are interleaved: each is run once before any is run again, so
    that a machine that slows down slows all alike. A job is not run beside itself, and not
    again when a run of it did not come to an end that can be repeated.
    """

    def __init__(self, plan: SuitePlan, known: Iterable[Record]) -> None:
        done = [record for record in known if is_result(record)]
        had = {(record.job.digest, record.repeat) for record in done}
        over = {record.job.digest for record in done if record.result.status not in REPEATABLE}
        self._pending = [
            (planned, repeat)
            for planned, repeat in _interleaved(plan)
            if planned.job.digest not in over and (planned.job.digest, repeat) not in had
        ]
        self._running: set[str] = set()
        self._changed = threading.Condition()

    @property
    def waiting(self) -> list[tuple[PlannedRun, int]]:
        """The runs that are left, with their numbers among the repeats, first to last."""
        with self._changed:
            return list(self._pending)

    def take(self) -> tuple[PlannedRun, int] | None:
        """The next run and its number among the repeats; None when there are no more.

        Waits while all that is left may have to be repeated or not.
        """
        with self._changed:
            while self._pending:
                for place, (planned, _) in enumerate(self._pending):
                    if planned.job.digest not in self._running:
                        self._running.add(planned.job.digest)
                        return self._pending.pop(place)
                self._changed.wait()
            return None

    def ended(self, planned: PlannedRun, status: Status) -> None:
        """Note how a run that was taken has ended."""
        digest = planned.job.digest
        with self._changed:
            self._running.discard(digest)
            if status not in REPEATABLE:
                self._pending = [item for item in self._pending if item[0].job.digest != digest]
            self._changed.notify_all()

    def close(self) -> None:
        """Hand out nothing more."""
        with self._changed:
            self._pending = []
            self._changed.notify_all()


def _interleaved(plan: SuitePlan) -> Iterator[tuple[PlannedRun, int]]:
    """Every repeat of every job, question by question, wherever a plan asks it.

    Each round begins with another job, so that none always follows the same one.
    """
    questions: dict[object, list[PlannedRun]] = {}
    for planned in plan.jobs.values():
        request = replace(planned.job.request, reductions=())
        questions.setdefault((planned.job.puzzle.digest, request), []).append(planned)
    for jobs in questions.values():
        for repeat in range(plan.repeats):
            first = repeat % len(jobs)
            yield from ((planned, repeat) for planned in jobs[first:] + jobs[:first])
