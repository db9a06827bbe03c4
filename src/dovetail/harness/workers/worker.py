"""The worker process: `python -m dovetail.harness.workers.worker`.

It reads plans and assignments from standard input, and writes replies to standard output; a
second thread listens, so that a sub-problem can be cut, and a third reports that all is well.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from typing import IO

from dovetail.backends.registry import backend_named
from dovetail.errors import DovetailError
from dovetail.harness.run.clock import warm_up_backend
from dovetail.harness.run.events import Progress
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.plan_json import plan_from_json
from dovetail.harness.workers.assignment import Assignment, reply_to_bytes
from dovetail.harness.workers.base import (
    AliveMessage,
    CutMessage,
    PlanMessage,
    ReadyMessage,
    RefusedMessage,
    ReplyMessage,
    WarmUpMessage,
)
from dovetail.harness.workers.child import serve
from dovetail.harness.workers.part_runner import PartRunner
from dovetail.harness.workers.wire import receive, send

REPORT_S = 0.5


class Worker:
    """What its three threads share."""

    def __init__(self, messages: IO[bytes]) -> None:
        self._messages, self._writing = messages, threading.Lock()
        self._asked: queue.SimpleQueue[PlanMessage | Assignment] = queue.SimpleQueue()
        # of assignments that are waiting or under way, by number
        self._interruptions: dict[int, Interruption] = {}
        self._under_way: tuple[int | None, int | None] = (None, None)

    def work(self, first: WarmUpMessage) -> None:
        """Do what is asked until the coordinator is gone, or a plan cannot be searched."""
        if first.backend is not None:
            warm_up_backend(backend_named(first.backend))
        for task in (self._listen, self._report):
            threading.Thread(target=task, daemon=True).start()
        plan, runner = 0, None
        try:
            while True:
                asked = self._asked.get()
                if isinstance(asked, PlanMessage):
                    plan = asked.number
                    runner = self._begin(asked)
                elif runner is not None:
                    self._search(runner, asked)
        except (DovetailError, MemoryError) as error:
            self._send(RefusedMessage(plan, error))

    def _begin(self, asked: PlanMessage) -> PartRunner:
        began = time.perf_counter()
        plan = plan_from_json(asked.plan)
        runner = PartRunner(plan, memory_bytes=asked.memory_bytes)
        MemoryLimit(asked.memory_bytes).hold_in_this_process()
        self._send(ReadyMessage(asked.number, time.perf_counter() - began))
        return runner

    def _search(self, runner: PartRunner, asked: Assignment) -> None:
        self._under_way = (asked.number, 0)
        reply = runner.reply(asked, self._interruptions[asked.number], self._update)
        self._under_way = (None, None)
        del self._interruptions[asked.number]
        self._send(ReplyMessage(asked.number, reply_to_bytes(reply)))

    def _update(self, progress: Progress) -> None:
        self._under_way = (self._under_way[0], progress.nodes)

    def _take(self, message: object) -> None:
        match message:
            case CutMessage():
                interruption = self._interruptions.get(message.assignment)
                if interruption is not None:
                    interruption.request()
            case Assignment():
                self._interruptions[message.number] = Interruption()
                self._asked.put(message)
            case PlanMessage():
                self._asked.put(message)

    def _listen(self) -> None:
        while True:
            self._take(receive(sys.stdin.buffer))

    def _report(self) -> None:
        while True:
            time.sleep(REPORT_S)
            self._send(AliveMessage(*self._under_way))

    def _send(self, message: object) -> None:
        with self._writing:
            send(self._messages, message)


def _work(first: WarmUpMessage, messages: IO[bytes]) -> None:
    Worker(messages).work(first)


if __name__ == "__main__":
    serve(_work)
