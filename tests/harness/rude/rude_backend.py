"""A backend that misbehaves as its config says; child processes find it by an entry point."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Config
from dovetail.models.outcome import Counters, Status
from dovetail.models.task import Task

STEP = 4 * 2**20
GREEDY = f"""
held = []
while True:
    held.append(bytearray(b"x" * {STEP}))
"""


@dataclass(frozen=True)
class RudeConfig(Config):
    """`how` it misbehaves."""

    how: Literal["allocate", "breed", "deaf", "shout", "die", "raise", "leave", "wait"] = "wait"


class Rude:
    """Takes everything, finds nothing."""

    name = "rude"
    summary = "misbehaves"
    control: Literal["process"] = "process"
    extra = None
    config_type = RudeConfig

    def missing(self) -> str | None:
        return None

    def refuses(self, task: Task, config: Config) -> str | None:
        return None

    def warm_up(self) -> None:
        pass

    def prepare(self, task: Task, config: Config) -> RudeSearch:
        assert isinstance(config, RudeConfig)
        if config.how == "deaf":  # in the main thread, where signals arrive
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
        if config.how == "leave":
            os.closerange(3, 64)
        while config.how in ("deaf", "leave"):
            time.sleep(1)
        return RudeSearch(config.how)


class RudeSearch:
    """Does what it should not until it is killed."""

    def __init__(self, how: str) -> None:
        self._how = how
        self.counters = Counters()
        self.count = 0

    def advance(self, budget: Budget) -> Status | None:
        match self._how:
            case "allocate":
                exec(GREEDY)
            case "breed":
                for _ in range(2):
                    subprocess.Popen([sys.executable, "-c", GREEDY])
            case "shout":
                line = b"!" * 2**16
                while True:
                    os.write(1, line)
            case "die":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "raise":
                raise RuntimeError("it went wrong")
        threading.Event().wait()
        return None

    def take(self) -> NDArray[np.int32]:
        return np.empty((0, 0), np.int32)

    def progress(self) -> float | None:
        return None
