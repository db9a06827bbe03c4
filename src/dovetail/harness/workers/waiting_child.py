"""A child process that waits for the next job of the API, so that a call does not start one.

One at most waits, for `LONGEST_WAIT_S`, and never longer than this process lives.
"""

from __future__ import annotations

import atexit
import os
import sys
import tempfile
import threading
from typing import Any

from dovetail.harness.run.job import Job
from dovetail.harness.workers.child_process import PATIENCE_S, ChildProcess
from dovetail.harness.workers.wire import Accepted, Waiting
from dovetail.platform.resources import all_limits, chosen_cores
from dovetail.platform.system import after_fork

PROGRAM = "dovetail.harness.workers.staying_child"
LONGEST_WAIT_S = 60.0


class StayingChild(ChildProcess[Any]):
    """A child that runs a job, and further ones if it is given to those who take it.

    `surroundings` is what it has of this process. Raises `OSError` when it cannot be started.
    """

    def __init__(self, job: Job) -> None:
        self.surroundings = _surroundings()
        super().__init__(job, PROGRAM)


class WaitingChild:
    """The child that waits, if one does: whoever takes it has it alone.

    It is taken only where a child that starts now would have the same surroundings. A process that
    is forked has none.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: StayingChild | None = None
        self._timer: threading.Timer | None = None
        atexit.register(self.end)
        after_fork(self._forget_in_fork)

    def give(self, child: StayingChild) -> None:
        """Let a child wait that has sent the result of its job; a second one ends."""
        with self._lock:
            is_first = self._child is None
            if is_first:
                self._child = child
                self._timer = threading.Timer(LONGEST_WAIT_S, self._end_late, [child])
                self._timer.daemon = True
                self._timer.start()
        if not is_first:
            child.end()

    def take(self, job: Job) -> StayingChild | None:
        """Send `job` to the child that waits; None where there is none that runs it."""
        child = self._taken()
        if child is None:
            return None
        accepted = False
        try:
            if child.surroundings == _surroundings() and _replies(child, Waiting):
                child.send_next(job)
                accepted = _replies(child, Accepted)
        finally:
            if not accepted:
                child.end()
        return child if accepted else None

    def end(self) -> None:
        """End the child that waits."""
        child = self._taken()
        if child is not None:
            child.end()

    def _taken(self, only: StayingChild | None = None) -> StayingChild | None:
        """Return the child that waits, which then does no more."""
        with self._lock:
            child = self._child
            if child is None or only not in (None, child):
                return None
            self._child = None
            if self._timer is not None:
                self._timer.cancel()
            return child

    def _end_late(self, child: StayingChild) -> None:
        if self._taken(only=child) is not None:
            child.end()

    def _forget_in_fork(self) -> None:
        """Leave the child to the process that was forked; it must end with that alone."""
        self._lock = threading.Lock()  # whoever held the other is not in this process
        child, self._child = self._child, None
        if child is not None:
            child.leave()


def _replies(child: StayingChild, kind: type[Waiting | Accepted]) -> bool:
    """Return whether the next message of a child comes soon and is of this kind."""
    return isinstance(child.next_message(PATIENCE_S), kind)


def _surroundings() -> object:
    """Return what a child inherits from this process."""
    try:
        folder = os.getcwd()
    except OSError:
        folder = None
    place = dict(os.environ), folder, tempfile.gettempdir(), sys.executable
    return place, chosen_cores(), all_limits()


WAITING_CHILD = WaitingChild()
