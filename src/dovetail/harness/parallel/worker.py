"""The worker process: `python -m dovetail.harness.parallel.worker`.

It reads plans and assignments from standard input, and writes results to standard output; a
second thread listens, so that a sub-problem can be cut, and a third reports that all is well.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from typing import IO

from dovetail.backends.registry import backend_named
from dovetail.harness.execution.child import serve
from dovetail.harness.execution.wire import receive, send
from dovetail.harness.parallel.assignment import Assignment, result_to_bytes
from dovetail.harness.parallel.messages import (
    AliveMessage,
    CutMessage,
    PlanMessage,
    ReadyMessage,
    ResultMessage,
    WarmUpMessage,
)
from dovetail.harness.parallel.part_runner import PartRunner
from dovetail.harness.run.events import Progress
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.plan_json import plan_from_json

REPORT_S = 0.5


class Worker:
    """What its three threads share."""

    def __init__(self, messages: IO[bytes]) -> None:
        self._messages, self._writing = messages, threading.Lock()
        self._asked: queue.SimpleQueue[PlanMessage | Assignment] = queue.SimpleQueue()
        self._key: bytes | None = None
        self._nodes: int | None = None
        self._interruption = Interruption()
        self._changing = threading.Lock()

    def work(self, first: WarmUpMessage) -> None:
        """Do what is asked until the coordinator is gone."""
        if first.backend is not None:
            backend_named(first.backend).warm_up()
        for task in (self._listen, self._report):
            threading.Thread(target=task, daemon=True).start()
        runner: PartRunner | None = None
        while True:
            asked = self._asked.get()
            if isinstance(asked, PlanMessage):
                runner = self._begin(asked)
            elif runner is not None:
                self._search(runner, asked)

    def _begin(self, asked: PlanMessage) -> PartRunner:
        began = time.perf_counter()
        plan = plan_from_json(asked.plan)
        runner = PartRunner(plan, listing=asked.listing, memory_bytes=asked.memory_bytes)
        MemoryLimit(asked.memory_bytes).hold_in_this_process()
        self._send(ReadyMessage(time.perf_counter() - began))
        return runner

    def _search(self, runner: PartRunner, asked: Assignment) -> None:
        with self._changing:
            self._key, self._nodes, self._interruption = asked.key, 0, Interruption()
        result = runner.run(asked, self._interruption, self._update)
        with self._changing:
            self._key = None
        self._send(ResultMessage(asked.key, result_to_bytes(result)))

    def _update(self, progress: Progress) -> None:
        self._nodes = progress.nodes

    def _take(self, message: object) -> None:
        if isinstance(message, CutMessage):
            with self._changing:
                if message.key == self._key:
                    self._interruption.request()
        elif isinstance(message, PlanMessage | Assignment):
            self._asked.put(message)

    def _listen(self) -> None:
        while True:
            self._take(receive(sys.stdin.buffer))

    def _report(self) -> None:
        while True:
            time.sleep(REPORT_S)
            self._send(AliveMessage(self._key, self._nodes))

    def _send(self, message: object) -> None:
        with self._writing:
            send(self._messages, message)


def _work(first: WarmUpMessage, messages: IO[bytes]) -> None:
    Worker(messages).work(first)


if __name__ == "__main__":
    serve(_work)
