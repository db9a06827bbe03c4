"""A backend that misbehaves as its config says; child processes find it by an entry point."""

from __future__ import annotations

import mmap
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from dovetail.backends.base import Backend, Budget, Config
from dovetail.backends.threaded import ThreadedSearch
from dovetail.models.outcome import Counters, Status
from dovetail.models.task import Task

STEP = 2**20
PAUSE_S = 0.002  # after each step: so fast a process can be watched on a busy machine too
COMPILING_S = 2.0
GREEDY = f"""
import time
held = []
while True:
    held.append(bytearray(b"x" * {STEP}))
    time.sleep({PAUSE_S})
"""
BUSY = "while True: pass"


@dataclass(frozen=True)
class RudeConfig(Config):
    """`how` it misbehaves."""

    how: str = "wait"


class Rude(Backend[RudeConfig]):
    """Takes everything, finds nothing."""

    name = "rude"
    summary = "misbehaves"
    control = "process"
    config_type = RudeConfig

    def refuses(self, task: Task, config: RudeConfig) -> str | None:
        return None

    def warm_up_for(self, task: Task, config: RudeConfig) -> None:
        if config.how == "compile":
            time.sleep(COMPILING_S)

    def prepare(self, task: Task, config: RudeConfig) -> RudeSearch:
        if config.how == "deaf":  # in the main thread, where signals arrive
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
        if config.how == "leave":
            os.closerange(3, 64)
        while config.how in ("deaf", "leave"):
            time.sleep(1)
        return RudeSearch(config.how)


class RudeSearch(ThreadedSearch):
    """Does what it should not until it is killed."""

    def __init__(self, how: str) -> None:
        self._how = how
        super().__init__()
        self._counters = Counters()

    @property
    def counters(self) -> Counters:
        return self._counters

    def advance(self, budget: Budget) -> Status | None:
        behaviour: Callable[[], Status | None] = getattr(self, f"_{self._how}", lambda: None)
        status = behaviour()
        if status is None:
            threading.Event().wait()
        return status

    def _allocate(self) -> None:
        exec(GREEDY)

    def _compile(self) -> Status:
        """It compiled for longer than it may search, and is done at once."""
        return Status.EXHAUSTED

    def _breed(self) -> None:
        for _ in range(2):
            subprocess.Popen([sys.executable, "-c", GREEDY])

    def _map(self) -> None:
        shared = mmap.mmap(-1, 2**32)
        while True:
            shared.write(b"x" * STEP)
            time.sleep(PAUSE_S)

    def _family(self) -> Status:
        """It ends well, and leaves a busy child in a session of its own."""
        subprocess.Popen([sys.executable, "-c", BUSY], start_new_session=True)
        time.sleep(0.5)
        return Status.EXHAUSTED

    def _orphan(self) -> None:
        """The same, but it dies."""
        subprocess.Popen([sys.executable, "-c", BUSY], start_new_session=True)
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGKILL)

    def _garbage(self) -> None:
        for descriptor in range(3, 20):
            with suppress(OSError):
                os.write(descriptor, b"\xff" * 64)

    def _nan(self) -> Status:
        self._counters.native = {"share": float("nan")}
        return Status.EXHAUSTED

    def _shout(self) -> None:
        line = b"!" * 2**16
        while True:
            os.write(1, line)

    def _die(self) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)

    def _raise(self) -> None:
        raise RuntimeError("it went wrong")
