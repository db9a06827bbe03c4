"""Tasks and workers of a dask cluster as messages in a queue; only this knows dask's futures."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Callable, Iterable, Mapping
from concurrent import futures
from dataclasses import dataclass
from typing import Any

from dovetail.errors import BackendError
from dovetail.harness.parallel.cluster_connection import ClusterConnection
from dovetail.harness.parallel.versions import difference, versions_here

# How often the scheduler is asked for its workers, and how long it may take to reply.
POLL_S, REPLIES_S = 1.0, 5.0


@dataclass(frozen=True)
class Returned:
    """A task has returned these bytes."""

    name: str
    data: bytes


@dataclass(frozen=True)
class Failed:
    """A task has raised an error; None if dask has given it up."""

    name: str
    error: BaseException | None


@dataclass(frozen=True)
class Members:
    """The workers of the cluster, each with the number of its threads."""

    threads: Mapping[str, int]


News = Returned | Failed | Members


class ClusterLink:
    """The tasks of one run on the cluster at an `address`; see `ClusterConnection` for errors."""

    def __init__(self, address: str) -> None:
        self._connection = ClusterConnection(address)
        self._news: queue.SimpleQueue[Returned | Failed] = queue.SimpleQueue()
        self._futures: dict[str, Any] = {}
        self._members: Members | None = None
        self._open = True
        self._on_loop(self._poll_members)

    @property
    def address(self) -> str:
        """The address as it was given."""
        return self._connection.address

    def check_versions(self, expected: Mapping[str, str]) -> None:
        """Raise `BackendError` if a worker has other versions; see `versions`."""
        try:
            found = self._connection.client.run(
                versions_here, on_error="return", callback_timeout=REPLIES_S
            )
        except (OSError, TimeoutError):
            return  # one that does not reply is checked when it does
        for worker, versions in sorted(found.items()):
            if isinstance(versions, BaseException):
                raise BackendError(f"worker {worker} has no usable dovetail ({versions})")
            different = difference(expected, versions)
            if different is not None:
                raise BackendError(f"worker {worker} has {different}")

    def submit(
        self, name: str, function: Callable[..., bytes], *arguments: bytes, worker: str
    ) -> None:
        """Start a task on a worker, under a name that no other has; its result is news."""
        try:
            future = self._connection.client.submit(
                function,
                *arguments,
                key=name,
                workers=[worker],
                allow_other_workers=False,
                pure=False,
                retries=0,
            )
        except Exception:  # the scheduler is gone
            self._news.put(Failed(name, None))
            return
        self._futures[name] = future
        self._on_loop(self._collect, name, future)

    def release(self, names: Iterable[str]) -> None:
        """Give up tasks: their workers stop them, and no news of them will count."""
        for name in names:
            future = self._futures.pop(name, None)
            if future is not None:
                future.release()

    def news(self, timeout_s: float) -> list[News]:
        """Return what has happened; waits for it for so many seconds at most."""
        found: list[News] = []
        try:
            found.append(self._news.get(timeout=timeout_s))
            while True:
                found.append(self._news.get_nowait())
        except queue.Empty:
            members, self._members = self._members, None
            return found if members is None else [*found, members]

    def close(self) -> None:
        """Give up all tasks and disconnect."""
        self._open = False
        self.release(list(self._futures))
        self._connection.close()

    async def _collect(self, name: str, future: Any) -> None:
        try:
            data = await self._connection.client.gather(future, asynchronous=True)
            news: Returned | Failed = Returned(name, data)
        except (asyncio.CancelledError, futures.CancelledError):
            news = Failed(name, None)
        except Exception as error:
            news = Failed(name, error)
        self._futures.pop(name, None)
        future.release()
        self._news.put(news)

    async def _poll_members(self) -> None:
        while self._open:
            try:
                reply = self._connection.client.nthreads(asynchronous=True)
                self._members = Members(await asyncio.wait_for(reply, REPLIES_S))
            except Exception:  # no reply is no news; whoever waits for workers gives up some time
                pass
            await asyncio.sleep(POLL_S)

    def _on_loop(self, task: Callable[..., Any], *arguments: object) -> None:
        self._connection.client.loop.add_callback(task, *arguments)
