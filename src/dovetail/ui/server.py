"""The server: its socket on a loopback address, its address with the token, and its end."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from dovetail.errors import ConfigError, reason_of
from dovetail.ui.access import HOSTS, new_token
from dovetail.ui.app import make_app
from dovetail.ui.connections import ACCEPTED_AT_A_TIME, MAX_WAITING, PageProtocol
from dovetail.ui.race_store import RaceStore
from dovetail.ui.workspace import Workspace

MAX_CONNECTIONS = 200  # with a running request; `MAX_WAITING` more may be idle
QUEUE = 2048  # connections that wait in the system to be accepted
GRACE_S = 2  # for running responses when the server ends


def serve(workspace: Workspace, port: int, announce: Callable[[PageServer], None]) -> None:
    """Serve the page until Ctrl-C or SIGTERM; all searches have ended on return.

    With `port` 0, a free port is chosen. `announce` is called when the page can be opened. Raises
    `ConfigError` for a port that cannot be used.
    """
    with open_server(workspace, port) as server:
        announce(server)
        server.run()


@contextmanager
def open_server(workspace: Workspace, port: int = 0) -> Iterator[PageServer]:
    """Open a server that listens, to be `run`; its races end at the end of the context.

    Raises `ConfigError` for a port that cannot be used.
    """
    try:
        listening = socket.create_server((HOSTS[0], port))
    except OSError as error:
        raise ConfigError(f"port {port} cannot be used ({reason_of(error)})") from None
    # A response consists of a few small packets, which must not be delayed.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with listening, RaceStore(workspace) as races:
        yield PageServer(workspace, races, listening)


class PageServer(uvicorn.Server):
    """Server of the page at its `address`; a signal ends it in order, a second signal at once.

    `address_once` can be opened once, by any client.
    """

    def __init__(self, workspace: Workspace, races: RaceStore, listening: socket.socket) -> None:
        self._workspace, self._listening = workspace, listening
        port, token, code = listening.getsockname()[1], new_token(), new_token()
        self.address = f"http://{HOSTS[0]}:{port}/?token={token}"
        self.address_once = f"http://{HOSTS[0]}:{port}/?code={code}"
        config = uvicorn.Config(
            make_app(workspace, races, port, token, code),
            http=PageProtocol,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=ACCEPTED_AT_A_TIME,
            limit_concurrency=MAX_CONNECTIONS + MAX_WAITING,
            timeout_graceful_shutdown=GRACE_S,
        )
        super().__init__(config)

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until `end` is called or a signal comes."""
        super().run([self._listening] if sockets is None else sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, with a system queue of `QUEUE` connections."""
        await super().startup(sockets)
        self._listening.listen(QUEUE)

    def end(self) -> None:
        """Ask the server to end; streams of events end at once."""
        self._workspace.closing = True
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """End on a signal, which is not raised again after the end as it would be by uvicorn."""
        self.force_exit = self.should_exit
        self.end()
