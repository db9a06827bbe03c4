"""Tasks and workers of a dask cluster as messages in a queue; only this module knows dask."""

from __future__ import annotations

import asyncio
import logging
import queue
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent import futures
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from dovetail.errors import BackendError, ConfigError
from dovetail.extras import install_command
from dovetail.harness.workers.base import WorkersError
from dovetail.harness.workers.child_process import ChildProcess
from dovetail.harness.workers.cluster_helper import HERE
from dovetail.harness.workers.options import MAX_JOBS
from dovetail.harness.workers.versions import difference, versions_here

CONNECTS_S, CLOSES_S, STARTS_S = 8.0, 5.0, 60.0
HELPER = "dovetail.harness.workers.cluster_helper"
NOT_STARTED = "a cluster could not be started on this machine"
_LOUD = logging.CRITICAL + 1


class ClusterConnection:
    """A client of the scheduler at an `address`, or of one started by `local:N`.

    Raises `ConfigError` for an address that is none, and for distributed not being installed;
    `BackendError` if nobody listens there.
    """

    def __init__(self, address: str) -> None:
        if find_spec("distributed") is None:
            raise ConfigError(f"a cluster needs distributed: {install_command('cluster')}")
        workers = local_workers_of(address)
        self.address = address
        self.client: Any = None
        self._cluster: Any = None
        self._helper: ChildProcess[int] | None = None
        self._levels = _silenced()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if workers is not None:
                    self._cluster = _local_scheduler()
                    self._helper = _local_workers(self._cluster.scheduler_address, workers)
                self.client = _client(address, self._cluster)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Disconnect, and end what was started here."""
        if self._helper is not None:
            self._helper.end()
            self._helper = None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for one in (self.client, self._cluster):
                if one is not None:
                    with suppress(Exception):
                        one.close(timeout=CLOSES_S)
        self.client = self._cluster = None
        for name, level in self._levels.items():
            logging.getLogger(name).setLevel(level)
        self._levels = {}


def local_workers_of(address: str) -> int | None:
    """Return N of `local:N`, None for another address; raises `ConfigError` for a wrong N."""
    if not re.match("local(:|$)", address, re.IGNORECASE):
        return None
    number = address[len("local") :].removeprefix(":")
    if not number.isascii() or not number.isdigit() or not 1 <= int(number) <= MAX_JOBS:
        raise ConfigError(f"cluster {address!r}: expected local:N with N from 1 to {MAX_JOBS}")
    return int(number)


def _local_scheduler() -> Any:
    """Start a scheduler in this process, for this machine alone."""
    from distributed import LocalCluster

    with _failing_as(NOT_STARTED):
        return LocalCluster(
            n_workers=0,
            host=HERE,
            protocol="tcp",
            dashboard_address=f"{HERE}:0",  # None would listen to every machine
            scheduler_kwargs={"dashboard": False},
            silence_logs=_LOUD,
        )


def _local_workers(address: str, number: int) -> ChildProcess[int]:
    """Start the process that keeps dask workers running, and wait until they have joined."""
    with _failing_as(NOT_STARTED):
        helper = ChildProcess[int]((address, number), HELPER)
    started = helper.next_message(STARTS_S)
    if started == number:
        return helper
    reason = helper.death() if isinstance(started, EOFError) else f"no workers in {STARTS_S:.0f} s"
    helper.end()
    raise WorkersError(f"{NOT_STARTED} ({reason})")


def _client(address: str, cluster: Any) -> Any:
    from distributed import Client

    with _failing_as(f"no dask scheduler at {address}"):
        if cluster is None:
            # A client that cannot connect is closed by the garbage collector. If that happens
            # while another one starts, both wait for ever: so there is none before this succeeds.
            with ThreadPoolExecutor(1) as thread:
                thread.submit(asyncio.run, _reach(address)).result()
        return Client(
            address if cluster is None else cluster, timeout=CONNECTS_S, set_as_default=False
        )


async def _reach(address: str) -> None:
    """Connect to a scheduler, and leave."""
    from distributed import Security
    from distributed.comm import connect

    arguments = Security().get_connection_args("client")
    comm = await connect(address, timeout=CONNECTS_S, **arguments)
    await comm.close()


@contextmanager
def _failing_as(message: str) -> Iterator[None]:
    """Raise what goes wrong within as `BackendError`."""
    try:
        yield
    except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
        reason = " ".join(str(error).split())[:200]
        raise BackendError(f"{message} ({reason or type(error).__name__})") from None


def _silenced() -> dict[str, int]:
    """Keep what dask logs off standard error; return the levels before."""
    import distributed  # noqa: F401  (which sets up its loggers)

    names = ["distributed", "tornado", "asyncio"]
    names += [name for name in logging.root.manager.loggerDict if name.startswith("distributed.")]
    names += ["tornado.application"]
    levels = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(_LOUD)
    return levels


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
