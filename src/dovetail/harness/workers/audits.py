"""Sub-problems that are searched a second time by another worker, and compared."""

from __future__ import annotations

from collections import deque
from zlib import crc32

from dovetail.harness.run.result import Result
from dovetail.harness.workers.assignment import Assignment, differing_field
from dovetail.harness.workers.checkpoint import JournalRun, StoredPart
from dovetail.harness.workers.part_tree import show_key
from dovetail.harness.workers.work_list import InFlights, Purpose, Waiting
from dovetail.models.outcome import Status
from dovetail.random_stream import RandomStream


class Audits:
    """Draws a `share` of the sub-problems with a `seed`, and compares their two results.

    Only those that were searched to their end are drawn: a limit may end the second search
    elsewhere.
    """

    def __init__(self, journal: JournalRun, share: float, seed: int) -> None:
        self._journal, self._share, self._seed = journal, share, seed
        self._queue: deque[StoredPart] = deque()

    def __len__(self) -> int:
        return len(self._queue)

    def draw(self, stored: StoredPart, result: Result) -> None:
        """Put a sub-problem that has a result into the queue, if it is drawn.

        Whether it is does not depend on what was done before it.
        """
        if result.status is Status.EXHAUSTED and is_drawn(stored.key, self._share, self._seed):
            self._queue.append(stored)

    def hand_out(self, in_flight: InFlights) -> bool:
        """Hand out the next one; returns whether a worker took it that has not searched it yet."""
        stored = self._queue[0]
        number = in_flight.new_number()
        assignment = Assignment(number, stored.key, stored.part, to_end=True)
        waiting = Waiting(stored)
        avoid = stored.worker if stored.sitting == self._journal.sitting else None
        if not in_flight.submit(assignment, waiting, Purpose.AUDIT, avoid=avoid):
            return False
        self._queue.popleft()
        return True

    def put_back(self, stored: StoredPart) -> None:
        """Put one back whose worker was lost."""
        self._queue.append(stored)

    def clear(self) -> None:
        """Leave the rest to the next command that goes on with the run."""
        self._queue.clear()

    def compare(self, key: bytes, result: Result, worker: str) -> str | None:
        """Compare a second result with the one in the journal, and note there how that went.

        Returns what differs, with both workers; None if nothing does, or if there is no result yet.
        """
        before = self._journal.part(key)
        if before is None or before.result is None:
            return None
        difference = differing_field(before.result, result)
        if difference is None:
            self._journal.audited(key, worker)
            return None
        sitting = self._journal.sitting
        first = f" of sitting {before.sitting}" if before.sitting != sitting else ""
        difference = (
            f"sub-problem {show_key(key)}: {before.worker}{first} and {worker} differ in "
            f"{difference}"
        )
        self._journal.dispute(key, difference)
        return difference


def is_drawn(key: bytes, share: float, seed: int) -> bool:
    """Return whether a sub-problem is in the sample drawn by the seed."""
    return RandomStream(seed ^ crc32(key)).word() < share * 2**64
