"""Runs with a checkpoint in which processes are killed or stopped, or the disk fills up.

By hand: `PYTHONPATH=tests python -m chaos.kills 200` prints what was done to each run.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dovetail.harness.execution.process_tree import descendants, marked

MARK = "DOVETAIL_CHAOS"
WORKER_TIMEOUT_S = 2.0
FILE_BYTES = 60_000
WAYS = ("worker", "coordinator", "stopped worker", "disk full", "terminated", "supervisor")
# What a run prints: its status, count and nodes.
RUN = """
import json, resource, sys
from pathlib import Path
from dovetail.harness.parallel.options import ParallelOptions
from dovetail.harness.parallel.runs import Runs
from dovetail.harness.parameters import make_jobs
from dovetail.harness.run.events import Finished, Found
from dovetail.harness.run.interruption import Interruption
puzzle, backend, checkpoint, solutions, jobs, timeout_s, file_bytes = sys.argv[1:]
(job,) = make_jobs([puzzle], backend)
if int(file_bytes):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(file_bytes), resource.RLIM_INFINITY))
options = ParallelOptions(int(jobs), checkpoint=Path(checkpoint), worker_timeout_s=float(timeout_s))
interruption, lines = Interruption(), []
with interruption.on_signal(), Runs([job.listed()], options) as runs:
    for event in runs.run(0, interruption):
        if isinstance(event, Found):
            lines += [" ".join(map(str, sorted(row[row >= 0]))) for row in event.options]
        if isinstance(event, Finished):
            finished = event
Path(solutions).write_text("\\n".join(lines))
print(json.dumps([str(finished.status), finished.count, finished.nodes]))
"""


@dataclass(frozen=True)
class Case:
    """A search, and what one process finds."""

    puzzle: str
    backend: str
    count: int
    nodes: int
    solutions: str


@dataclass(frozen=True)
class Chaos:
    """What was done to a run: the ways in their order, and what was wrong in the end."""

    ways: tuple[str, ...]
    wrong: str | None


def serial_case(puzzle: str, backend: str) -> Case:
    """Search in this process."""
    from dovetail.harness.execution.launch import finish, run
    from dovetail.harness.parameters import make_jobs
    from dovetail.harness.run.events import Event, Found

    (job,) = make_jobs([puzzle], backend)
    lines: list[str] = []

    def note(event: Event) -> None:
        if isinstance(event, Found):
            lines.extend(" ".join(map(str, sorted(row[row >= 0]))) for row in event.options)

    finished = finish(run(job.listed()), note)
    assert finished.count is not None
    assert finished.nodes is not None
    return Case(puzzle, backend, finished.count, finished.nodes, "\n".join(lines))


def disturbed(case: Case, seed: int, folder: Path, disturbances: int = 1) -> Chaos:
    """Disturb a run so many times at random moments, go on each time, and compare the end."""
    chance = random.Random(seed)
    checkpoint, solutions = folder / "run.checkpoint", folder / "solutions.txt"
    mark = uuid.uuid4().hex
    ways = []
    for _ in range(disturbances):
        way = chance.choice(WAYS)
        ways.append(way)
        limit = FILE_BYTES if way == "disk full" else 0
        process = _started(case, checkpoint, solutions, mark, chance.randint(1, 3), limit)
        _disturb(process, way, chance)
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=60)
        process.kill()
        process.wait()
    process = _started(case, checkpoint, solutions, mark, 2, 0)
    output, errors = process.communicate(timeout=120)
    if process.returncode:
        return Chaos(tuple(ways), errors.decode()[-500:])
    ended = json.loads(output)
    found = solutions.read_text()
    if ended != ["exhausted", case.count, case.nodes]:
        return Chaos(tuple(ways), f"{ended}, and not {case.count} with {case.nodes} nodes")
    if found != case.solutions:
        return Chaos(tuple(ways), "other solutions")
    left = _left(mark)
    return Chaos(tuple(ways), f"processes left: {left}" if left else None)


def _started(
    case: Case, checkpoint: Path, solutions: Path, mark: str, jobs: int, file_bytes: int
) -> subprocess.Popen[bytes]:
    words = [case.puzzle, case.backend, str(checkpoint), str(solutions), str(jobs)]
    words += [str(WORKER_TIMEOUT_S), str(file_bytes)]
    return subprocess.Popen(
        [sys.executable, "-c", RUN, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, MARK: mark},
    )


def _disturb(process: subprocess.Popen[bytes], way: str, chance: random.Random) -> None:
    """Wait for a random moment, and do something to the run or one of its workers."""
    time.sleep(chance.uniform(0.3, 5.0))
    if way == "coordinator":
        process.kill()
    elif way == "terminated":
        process.terminate()
    elif way in ("worker", "stopped worker", "supervisor"):
        number = signal.SIGSTOP if way == "stopped worker" else signal.SIGKILL
        wanted = b"supervisor.py" if way == "supervisor" else b"parallel.worker"
        found = [one for one in descendants(process.pid) if _is(one, wanted)]
        if found:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(found), number)


def _is(process: int, wanted: bytes) -> bool:
    """Whether a process was started with a word, and is not the supervisor of one that was."""
    with suppress(OSError):
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
        supervises = any(b"supervisor.py" in word for word in words)
        return supervises == (wanted == b"supervisor.py") and any(wanted in word for word in words)
    return False


def _left(mark: str) -> list[int]:
    """The processes of a run that are still there; those that are ending have a moment to."""
    deadline = time.monotonic() + 5
    while (left := marked(MARK, mark)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left


def main() -> None:
    """Disturb so many runs, each up to three times."""
    number = int(sys.argv[1])
    cases = [
        serial_case("pentominoes-6x10", "dlx"),
        serial_case("pentominoes-6x10", "fila"),
        serial_case("edges-5x6-b4i4-1", "rows"),
    ]
    wrong = done = seed = 0
    while done < number:
        seed += 1
        with tempfile.TemporaryDirectory() as folder:
            chaos = disturbed(cases[seed % len(cases)], seed, Path(folder), 1 + seed % 3)
        done += len(chaos.ways)
        wrong += chaos.wrong is not None
        print(  # noqa: T201
            seed, cases[seed % len(cases)].backend, *chaos.ways, chaos.wrong or "ok", flush=True
        )
    print(f"{done} disturbances of {seed} runs, {wrong} wrong")  # noqa: T201


if __name__ == "__main__":
    main()
