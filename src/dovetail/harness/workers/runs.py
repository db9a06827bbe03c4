"""The runs of one command: in this process, or on workers that they share, with one checkpoint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dovetail.errors import ConfigError
from dovetail.harness.run.events import Event
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Job
from dovetail.harness.workers.launch import run
from dovetail.harness.workers.options import ParallelOptions

if TYPE_CHECKING:
    from dovetail.harness.workers.parallel_run import RunsOnWorkers


class Runs:
    """Runs the `jobs` of a command as its `options` say, each by its number.

    With `reuse`, a child process that runs one of them may have run others before. With a number of
    them that go on `side_by_side`, each runs in a child of its own. Raises `ConfigError` for a
    checkpoint that is of other jobs or cannot be used.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        options: ParallelOptions | None = None,
        *,
        reuse: bool = False,
        side_by_side: int | None = None,
    ) -> None:
        if not isinstance(options, ParallelOptions | None):
            raise ConfigError(f"spread is {options!r}; expected ParallelOptions(...)")
        self._jobs, self._reuse, self._side_by_side = jobs, reuse, side_by_side
        self._on_workers: RunsOnWorkers | None = None
        if options is not None and not options.is_serial:
            from dovetail.harness.workers.parallel_run import RunsOnWorkers

            self._on_workers = RunsOnWorkers(jobs, options)

    def __enter__(self) -> Runs:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the workers, if there are any, and finish writing the checkpoint."""
        if self._on_workers is not None:
            self._on_workers.close()

    def run(self, number: int, interruption: Interruption | None = None) -> Iterator[Event]:
        """Yield the events of a run; the last one is `Result`."""
        if self._on_workers is not None:
            return self._on_workers.run(number, interruption)
        if self._side_by_side is not None:
            from dovetail.harness.workers.isolation import execute_isolated

            return execute_isolated(
                self._jobs[number], interruption, side_by_side=self._side_by_side
            )
        return run(self._jobs[number], interruption, reuse=self._reuse)
