"""The program of a local process: `python -m dovetail.harness.workers.worker`.

The program processes the messages on standard input in sequence:

* None: do nothing.
* The name of a backend: compile its kernels.
* A job: run the job and send its events. If the job has left anything behind, the process then
  ends. Otherwise, the process waits for another message and replies `ACCEPTED`. It ends if a new
  process would load other code, or if no message arrives within `LONGEST_WAIT_S`.
* An island: search for better boards, see `island`. Then the process ends.
* A plan and a memory limit: compile the kernels of the plan, and send `Started`.
* An assignment: search its part of the plan. Send `Progress` repeatedly, then the reply. Any
  message that arrives meanwhile ends the search early.
"""

from __future__ import annotations

import gc
import math
import os
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.registry import backend_named
from dovetail.harness.run.clock import Interruption, RunClock, warm_up_backend
from dovetail.harness.run.collector import SolutionCollector
from dovetail.harness.run.events import Event, Found, Progress, Started
from dovetail.harness.run.job import Job, Limits, Plan
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.result import Result
from dovetail.harness.run.session import Session, returned
from dovetail.harness.workers.base import Assignment
from dovetail.harness.workers.islands.island import Island, search_island
from dovetail.harness.workers.process import ACCEPTED, asked_for, receive, send, serve
from dovetail.harness.workers.runs import execute
from dovetail.jit import COMPILE_PROCESSES
from dovetail.models.arrays import PADDING
from dovetail.models.request import Request, Symmetry
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import Task
from dovetail.models.verification.dispatch import verifier_for
from dovetail.platform import resources
from dovetail.platform.processes import descendants
from dovetail.platform.system import STDIN, is_readable

# Backend that probes the parts of every plan, since option numbers are the same for all backends.
BACKEND = "dlx"
# Number of probes of a part.
PROBES = 200
# Promise of a part without nodes.
HOPELESS = -1e9
# Assumed change of the natural logarithm of the size of a level from one level to the next, below
# the deepest level that probes reached. This change is assumed only if the deepest level is also
# the largest, so that no change can be measured.
UNKNOWN_SLOPE = -1.0


def promise_of(task: Task, part: SubProblem, seed: int) -> float:
    """Return the logarithm of the expected solutions per node of a part, or `HOPELESS`.

    `part` has the option numbers of the lowered puzzle. Probes estimate the number of nodes of each
    level of the tree; the nodes of the last level are the solutions. If no probe ends in a
    solution, the size of the last level is extrapolated from the levels that probes have reached.
    """
    within = task.lowered.task(Request(Symmetry.ALL), replace(part, cut_from=None))
    solver = backend_named(BACKEND)
    estimator = solver.tree_estimator(within, solver.config_type(), seed, 1)
    assert estimator is not None, "dlx estimates every tree"
    levels = estimator.levels(PROBES).mean(axis=0)
    nodes = levels[:-1].sum()
    reached = np.flatnonzero(levels)
    if not nodes or not len(reached):
        return HOPELESS
    last, largest = int(reached[-1]), int(levels.argmax())
    slope = UNKNOWN_SLOPE
    if last > largest:
        slope = math.log(levels[last] / levels[largest]) / (last - largest)
    solutions = math.log(levels[last]) + (len(levels) - 1 - last) * slope
    return solutions - math.log(nodes)


# Number of listed solutions after which a search is cut if it can return its unexplored parts.
MAX_ROWS = 50_000

OnProgress = Callable[[Progress], None]


class _PartClock(RunClock):
    """The clock of the search of a part.

    The time limit excludes preparing, so that every search advances.
    """

    @property
    def charged_s(self) -> float:
        return self.solving.wall_s


class PartRunner:
    """Searches parts of a plan; the lowered puzzle, kernels and verifier are created only once.

    Listed solutions are returned as the search finds them, without symmetry expansion. `cpu_clock`
    returns processor seconds, which results report. Raises `DovetailError` if the backend refuses
    the puzzle, or if the puzzle is known to have no solution.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        memory_bytes: int | None = None,
        cpu_clock: Callable[[], float] | None = None,
    ) -> None:
        self._cpu_clock = cpu_clock
        # Maximum resident size of this process. The present size is measured only once, because
        # measuring takes longer than searching a small part.
        self.memory_bytes = memory_bytes or MemoryLimit(None).in_this_process
        self._session = Session(plan).begun()
        self._verifier = verifier_for(self._session.task)

    def reply(
        self,
        assignment: Assignment,
        interruption: Interruption | None = None,
        on_progress: OnProgress | None = None,
    ) -> Result | float:
        """Return the result of searching a part, or its promise if the assignment `probes`."""
        if assignment.probes:
            seed = self._session.plan.seed
            return promise_of(self._session.task, assignment.part, seed)
        return self.run(assignment, interruption, on_progress)

    def run(
        self,
        assignment: Assignment,
        interruption: Interruption | None = None,
        on_progress: OnProgress | None = None,
    ) -> Result:
        """Search a part within the limits of its assignment.

        An `interruption` also ends the search. `remaining` of the result has the unexplored parts,
        or is None if the search cannot return these parts. `rows` has the listed solutions.
        """
        stops = Interruption(within=interruption)
        clock = _PartClock(assignment.seconds, stops, self._cpu_clock)
        limits = Limits(None, assignment.nodes, assignment.solutions, self.memory_bytes)
        session = self._session.within(assignment.part, limits, clock)
        collector = SolutionCollector(
            session.plan,
            session.task,
            limits,
            clock,
            verifier=self._verifier,
            as_found=session.plan.request.listing,
        )
        cuts = session.backend.cuts and not assignment.to_end
        rows, listed = list[NDArray[np.int32]](), 0

        def on_event(event: Event) -> None:
            nonlocal listed
            if isinstance(event, Found):
                rows.append(event.options)
                listed += len(event.options)
                if cuts and listed >= MAX_ROWS:
                    clock.interruption.request()
            elif isinstance(event, Progress) and on_progress is not None:
                on_progress(event)

        finished = returned(session.search(collector), on_event)
        return replace(finished, rows=_joined(rows))


def _joined(batches: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    """Return batches of solutions as one array, whose rows are padded with −1.

    The array has a column even if no solution has an option: the bytes of rows that are sent and
    recorded do not have the number of rows without columns.
    """
    width = max([1, *(batch.shape[1] for batch in batches)])
    rows = np.full((sum(map(len, batches)), width), PADDING, dtype=np.int32)
    end = 0
    for batch in batches:
        rows[end : end + len(batch), : batch.shape[1]] = batch
        end += len(batch)
    return rows


REPORT_S = 0.5
LONGEST_WAIT_S = 60.0
# Variables that name the folders of compiled kernels: of `dovetail.jit`, and of numba for xcover.
CACHE_VARIABLES = ("DOVETAIL_CACHE_DIR", "NUMBA_CACHE_DIR")
# Maximum number of bytes that all jobs of a process together may leave behind.
LEFT_BYTES = 64 * 2**20
Stamp = tuple[int, int] | None  # modification time in ns and size of a file; None: no file
# Folders of installed files. Only installers change these files, and an installer also changes the
# modification time of the folder.
INSTALLED = tuple(
    os.path.join(sysconfig.get_path(name), "") for name in ("stdlib", "purelib", "platlib")
)


class LoadedCode:
    """The stamps of the folders of the module search path, and of modules outside `INSTALLED`."""

    def __init__(self) -> None:
        self._stamps: dict[str, Stamp] = {}
        self._modules: set[str] = set()
        self.add_new()

    def add_new(self) -> None:
        """Add the modules that were loaded since the last call."""
        new = sys.modules.keys() - self._modules
        self._modules |= new
        files = [str(getattr(sys.modules.get(name), "__file__", None)) for name in new]
        paths = {*sys.path, *(file for file in files if not file.startswith(INSTALLED))}
        self._stamps.update(map(_stamped, paths - self._stamps.keys()))

    def is_current(self) -> bool:
        """Return whether a process that starts now would load the same code."""
        return all(_stamped(path) == (path, stamp) for path, stamp in self._stamps.items())


def _stamped(path: str) -> tuple[str, Stamp]:
    try:
        status = os.stat(path)
    except OSError:
        return path, None
    return path, (status.st_mtime_ns, status.st_size)


class _Jobs:
    """The jobs of this process, which run in sequence."""

    def __init__(self, replies: IO[bytes]) -> None:
        self._replies, self._code = replies, LoadedCode()
        self._limit, self._left = resources.data_limit(), 0

    def run(self, job: Job) -> bool:
        """Run a job; return whether this process should read the next message."""
        if job.cold_start:
            os.environ.update(dict.fromkeys(CACHE_VARIABLES, os.environ["TMPDIR"]))
        if job.limits.memory_bytes is not None:
            os.environ[COMPILE_PROCESSES] = "1"  # a second process would count towards the limit
        baseline = None
        for event in execute(job):
            send(self._replies, Found(event.options) if isinstance(event, Found) else event)
            if isinstance(event, Started):
                baseline = event.baseline_bytes
                gc.freeze()  # later collections skip the objects of imports and compilation
                resources.forget_peak()
                MemoryLimit(job.limits.memory_bytes).hold_in_this_process()
        if not self._is_clean(baseline) or not is_readable(STDIN, LONGEST_WAIT_S):
            return False
        if not self._code.is_current():
            return False
        send(self._replies, ACCEPTED)
        return True

    def _is_clean(self, baseline: int | None) -> bool:
        """Free memory that the job has left, and return whether nothing else remains.

        Returns False if a thread, a process, a temporary file, much memory above the `baseline`, or
        a peak of memory that the system does not forget remains. Also returns False if the memory
        cannot be measured, or if a limit on processor time would apply to all jobs together.
        """
        resources.restore_data_limit(self._limit)
        self._code.add_new()
        gc.collect()
        resources.return_free_memory()
        resources.forget_peak()
        held, peak = resources.resident_bytes(), resources.peak_bytes()
        if held is None or peak is None or peak > held + LEFT_BYTES // 8:
            return False
        self._left += max(0, held - (baseline or held))
        return (
            self._left <= LEFT_BYTES
            and not resources.limits_processor_time()
            and threading.active_count() == 1
            and not descendants(os.getpid())
            and not os.listdir(os.environ["TMPDIR"])
        )


class _WatchedSearch(Interruption):
    """Interruption of a part's search by an incoming message; also reports the progress.

    Every search reads `requested` several times a second.
    """

    def __init__(self, replies: IO[bytes]) -> None:
        super().__init__()
        self._replies, self._sent = replies, time.monotonic()
        self._progress = Progress(None, None, None)

    @property
    def requested(self) -> bool:
        self.report(self._progress)
        return super().requested or is_readable(STDIN)

    def report(self, progress: Progress) -> None:
        """Send the progress of the search, at intervals of `REPORT_S` or more."""
        self._progress, now = progress, time.monotonic()
        if now >= self._sent + REPORT_S:
            self._sent = now
            send(self._replies, progress)


def work(message: Any, replies: IO[bytes]) -> None:
    """Process `message` and the following messages until no more messages can follow.

    The messages end with the process that sends them, with an island, and with a job after which
    this process cannot run another job.
    """
    jobs: _Jobs | None = None
    runner: PartRunner | None = None
    while True:
        match message:
            case None:
                pass
            case str():
                warm_up_backend(backend_named(message))
            case Job():
                jobs = jobs or _Jobs(replies)
                if not jobs.run(message):
                    return
            case Island():
                search_island(message, replies)
                return
            case (plan, memory_bytes):
                began = time.perf_counter()
                runner = PartRunner(plan, memory_bytes=memory_bytes)
                MemoryLimit(memory_bytes).hold_in_this_process()
                send(replies, Started(time.perf_counter() - began))
            case _:
                assert runner is not None, "assignments follow a plan"
                search = _WatchedSearch(replies)
                send(replies, runner.reply(message, search, search.report))
        try:
            message = receive(asked_for())
        except EOFError:
            return


if __name__ == "__main__":
    serve(work)
