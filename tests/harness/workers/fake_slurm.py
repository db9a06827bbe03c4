"""A fake SLURM: `sbatch`, `squeue` and `scancel` for the search path, and a thread that runs jobs.

A job is a folder in the spool, with its script and a file for each thing that has happened to it.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

POLL_S = 0.05
PROGRAMS = {
    "sbatch": """#!/bin/sh
number=1
grep -q 'SBATCH -p closed' "$1" && { echo 'sbatch: error: invalid partition: closed' >&2; exit 1; }
grep -q 'SBATCH -p hanging' "$1" && exec sleep 30
while ! mkdir "SPOOL/$number" 2>/dev/null; do number=$((number + 1)); done
cp "$1" "SPOOL/$number/script.part" && mv "SPOOL/$number/script.part" "SPOOL/$number/script"
echo "Submitted batch job $number"
""",
    "squeue": """#!/bin/sh
name=$(printf '%s\\n' "$@" | sed -n 's/^--name=//p')
for job in SPOOL/*/; do
    [ -e "$job/script" ] && [ ! -e "$job/ended" ] && [ ! -e "$job/cancelled" ] || continue
    grep -qx "#SBATCH -J $name" "$job/script" || continue
    state='PENDING Resources'
    [ -e "$job/begun" ] && state='RUNNING None'
    echo "$(basename "$job") $state"
done
""",
    "scancel": """#!/bin/sh
touch "SPOOL/$1/cancelled"
""",
}


class FakeSlurm:
    """Runs at most `nodes` jobs at a time as processes of this machine, until `close`."""

    def __init__(self, folder: Path, nodes: int = 9) -> None:
        self.spool, self.programs = folder / "spool", folder / "bin"
        self._nodes, self._running = nodes, dict[Path, subprocess.Popen[bytes]]()
        self._closed = threading.Event()
        self.spool.mkdir()
        self.programs.mkdir()
        for name, text in PROGRAMS.items():
            (self.programs / name).write_text(text.replace("SPOOL", str(self.spool)))
            (self.programs / name).chmod(0o755)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def jobs(self, state: str = "script") -> list[str]:
        """The numbers of the jobs that were submitted, have `begun`, `ended` or are `cancelled`."""
        return sorted(path.parent.name for path in self.spool.glob(f"*/{state}"))

    def at(self, number: str, state: str) -> float:
        """The time at which a job has reached a state."""
        return (self.spool / number / state).stat().st_mtime

    def script(self, number: str) -> str:
        """The script of a job."""
        return (self.spool / number / "script").read_text()

    def end(self, number: str) -> None:
        """End a job as at its walltime."""
        with suppress(ProcessLookupError):
            os.killpg(self._running[self.spool / number].pid, signal.SIGKILL)

    def close(self) -> None:
        """End all jobs."""
        self._closed.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closed.wait(POLL_S):
            for script in self.spool.glob("*/script"):
                if not (script.parent / "begun").exists() and len(self._running) < self._nodes:
                    self._start(script)
            self._look()
        for job in list(self._running):
            self.end(job.name)
        self._look()

    def _start(self, script: Path) -> None:
        folder = self.spool.parent  # in which the jobs were submitted
        (output,) = re.findall(r"#SBATCH -e (\S+)", script.read_text())
        with (folder / output.replace("%J", script.parent.name)).open("wb") as errors:
            self._running[script.parent] = subprocess.Popen(
                ["sh", script],
                stdout=errors,
                stderr=errors,
                cwd=folder,
                env={**os.environ, "SLURM_JOB_ID": script.parent.name},
                start_new_session=True,
            )
        (script.parent / "begun").touch()

    def _look(self) -> None:
        for job, process in list(self._running.items()):
            if (job / "cancelled").exists():
                self.end(job.name)
            if process.poll() is not None or self._closed.is_set():
                process.wait()
                del self._running[job]
                (job / "ended").touch()
