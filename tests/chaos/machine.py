"""Runs on workers of this machine, in which processes are killed or stopped."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from chaos.disturbed_run import Place, strike_command
from chaos.search import Command
from dovetail.platform.processes import descendants

WORKER_TIMEOUT_S = 2.0
# What to look for in the command line of a process.
WORKER, SUPERVISOR = b"workers.worker", b"supervisor.py"


class Machine(Place):
    """One to three workers; the number changes with each command."""

    ways: ClassVar[dict[str, bool]] = {
        "worker": True,
        "stopped worker": True,
        "supervisor": True,
        "coordinator": False,
        "terminated": False,
        "disk full": False,
    }

    def options(self) -> dict[str, Any]:
        return {"jobs": self.chance.randint(1, 3), "worker_timeout_s": WORKER_TIMEOUT_S}

    def strike(self, way: str, command: Command) -> bool:
        if not self.ways[way]:
            return strike_command(way, command, self.chance)
        number = signal.SIGSTOP if way == "stopped worker" else signal.SIGKILL
        wanted = SUPERVISOR if way == "supervisor" else WORKER
        found = [one for one in descendants(command.process.pid) if _is(one, wanted)]
        with suppress(ProcessLookupError):
            if found and command.is_running:
                os.kill(self.chance.choice(found), number)
                return True
        return False

    def close(self) -> None:
        """Do nothing: commands end their workers."""


def _is(process: int, wanted: bytes) -> bool:
    """Whether a process is a worker, or the supervisor of one."""
    with suppress(OSError):
        line = Path(f"/proc/{process}/cmdline").read_bytes()
        return wanted in line and (SUPERVISOR in line) == (wanted == SUPERVISOR)
    return False
