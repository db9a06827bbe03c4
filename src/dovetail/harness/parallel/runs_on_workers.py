"""Runs on workers that they share, with one checkpoint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from dovetail.harness.parallel.journal import Journal
from dovetail.harness.parallel.local_workers import LocalWorkers
from dovetail.harness.parallel.options import ParallelOptions
from dovetail.harness.parallel.parallel_run import question_of, run_parallel
from dovetail.harness.parallel.workers import Workers, WorkersError
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import named_backend
from dovetail.harness.run.events import Event
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Job


class RunsOnWorkers:
    """Runs the `jobs` of a command as its `options` say, each by its number.

    Raises `ConfigError` for a checkpoint that is of other jobs or cannot be used.
    """

    def __init__(self, jobs: Sequence[Job], options: ParallelOptions) -> None:
        self._jobs, self._options = jobs, options
        self._workers: Workers | None = None
        self._job: Job | None = None
        questions = [question_of(job) for job in jobs]
        path = None if options.checkpoint is None else Path(options.checkpoint)
        self._journal = Journal(path, questions, list(map(_name, jobs)))

    def close(self) -> None:
        """End the workers, and finish writing the checkpoint."""
        self.dismiss()
        self._journal.close()

    def run(self, number: int, interruption: Interruption | None = None) -> Iterator[Event]:
        """Yield the events of a run; the last one is `Result`.

        Raises `WorkersError` when there are no workers; it says whether the run can go on.
        """
        self._job = job = self._jobs[number]
        try:
            if self._is_divided(job):
                self.workers()  # they start while the plan is made
            journal = self._journal.run(number)
            yield from run_parallel(job, self._options, journal, self, interruption)
        except WorkersError as error:
            raise WorkersError(f"{error}; {self._what_is_kept}") from None
        finally:
            if self._workers is not None and not self._workers.are_idle():
                self.dismiss()

    def workers(self) -> Workers:
        """Return the workers, which are started if there are none."""
        if self._workers is None:
            assert self._job is not None, "no run has begun"
            self._workers = self._new_workers(self._job)
        return self._workers

    def dismiss(self) -> None:
        """End the workers, if there are any."""
        if self._workers is not None:
            self._workers.close()
            self._workers = None

    @property
    def _what_is_kept(self) -> str:
        """Whether another command can continue, in words."""
        if self._journal.path is None:
            return "nothing is kept of the run; a checkpoint would keep what is done"
        return f"{self._journal.path} keeps what is done: the same command continues from there"

    def _is_divided(self, job: Job) -> bool:
        """Return whether a job is divided, as far as this is known before there is a plan."""
        backend = named_backend(job.backend)
        if backend is not None and backend.threads:
            return False
        return job.random is None and job.trials is None

    def _new_workers(self, job: Job) -> Workers:
        options, memory_bytes = self._options, job.limits.memory_bytes
        hangs_s = options.worker_timeout_s
        if options.cluster is not None:
            from dovetail.harness.parallel.cluster import ClusterWorkers

            return ClusterWorkers(options.cluster, memory_bytes=memory_bytes, late_s=2 * hangs_s)
        backend = None if job.backend == AUTO else job.backend
        return LocalWorkers(
            options.workers, backend=backend, memory_bytes=memory_bytes, hangs_s=hangs_s
        )


def _name(job: Job) -> str:
    """Return the name of a run in messages about a checkpoint."""
    listed = ", solutions listed" if job.request.listing else ""
    return f"{job.puzzle.name}, {job.backend}{listed}"
