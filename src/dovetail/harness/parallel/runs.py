"""The runs of one command: in this process, or on workers that they share, with one checkpoint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dovetail.harness.execution.launch import run
from dovetail.harness.parallel.cluster import ClusterWorkers
from dovetail.harness.parallel.journal import Journal
from dovetail.harness.parallel.local_workers import LocalWorkers
from dovetail.harness.parallel.options import ParallelOptions
from dovetail.harness.parallel.parallel_run import question_of, run_parallel
from dovetail.harness.parallel.workers import Workers
from dovetail.harness.planning import AUTO
from dovetail.harness.run.events import Event
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Job


class Runs:
    """Runs the `jobs` of a command as its `options` say, each by its number.

    Raises `ConfigError` for a checkpoint that is of other jobs or cannot be used.
    """

    def __init__(self, jobs: Sequence[Job], options: ParallelOptions | None = None) -> None:
        self._jobs, self._options = jobs, options or ParallelOptions()
        self._workers: Workers | None = None
        self._journal: Journal | None = None
        if not self._options.is_serial:
            questions = [question_of(job) for job in jobs]
            names = [f"{job.puzzle.name}, {job.backend}" for job in jobs]
            self._journal = Journal(self._options.checkpoint, questions, names)

    def __enter__(self) -> Runs:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the workers, and finish writing the checkpoint."""
        self._end_workers()
        if self._journal is not None:
            self._journal.close()

    def run(self, number: int, interruption: Interruption | None = None) -> Iterator[Event]:
        """The events of a run; the last one is `Finished`."""
        job = self._jobs[number]
        if self._journal is None:
            yield from run(job, interruption)
            return
        workers = self._started_workers(job)
        try:
            journal = self._journal.run(number)
            yield from run_parallel(job, self._options, journal, workers, interruption)
        finally:
            if not workers.are_idle():
                self._end_workers()

    def _started_workers(self, job: Job) -> Workers:
        if self._workers is None:
            self._workers = self._new_workers(job)
        return self._workers

    def _new_workers(self, job: Job) -> Workers:
        options, memory_bytes = self._options, job.limits.memory_bytes
        hangs_s = options.worker_timeout_s
        if options.cluster is not None:
            return ClusterWorkers(options.cluster, memory_bytes=memory_bytes, late_s=2 * hangs_s)
        backend = None if job.backend == AUTO else job.backend
        return LocalWorkers(
            options.workers, backend=backend, memory_bytes=memory_bytes, hangs_s=hangs_s
        )

    def _end_workers(self) -> None:
        if self._workers is not None:
            self._workers.close()
            self._workers = None
