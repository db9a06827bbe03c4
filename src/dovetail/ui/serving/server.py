"""The server: its socket on a loopback address, its address with the token, and its end."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from types import FrameType

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from dovetail.errors import ConfigError, DovetailError, reason_of
from dovetail.reports.pictures.colours import picture_style
from dovetail.ui.race import RaceStore
from dovetail.ui.requests import error_response
from dovetail.ui.serving.access import HOSTS, Access, new_token
from dovetail.ui.serving.routes import Api
from dovetail.ui.workspace import Workspace

HEAD_S = 10.0  # limit for the head of a request, from its first byte or the connection's start
MAX_WAITING = 100  # connections without a complete head; if there are more, the oldest is dropped
# Number of connections that are accepted at a time. At most two such batches begin before the first
# batch is read, so a connection can send its head before MAX_WAITING other connections follow.
ACCEPTED_AT_A_TIME = MAX_WAITING // 4


class PageProtocol(H11Protocol):
    """A connection that is dropped when the head of a request does not arrive in time."""

    closing: asyncio.TimerHandle | None = None  # set while waiting for the head of a request

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # the type in uvicorn
        """Wait for the first request; if over `MAX_WAITING` connections wait, drop the oldest."""
        super().connection_made(transport)
        self._wait()
        waiting = [
            (connection.closing.when(), connection)
            for connection in self.connections
            if isinstance(connection, PageProtocol) and connection.closing is not None
        ]
        if len(waiting) > MAX_WAITING:
            min(waiting, key=lambda pair: pair[0])[1].drop()

    def data_received(self, data: bytes) -> None:
        """Process received data; a further part of a head does not extend the time limit."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._wait_no_more()
        elif self.closing is None and not self.transport.is_closing():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._wait_no_more()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Close with the server, without waiting for the rest of an upload."""
        if self.conn.their_state is h11.SEND_BODY:
            self.drop()
        else:
            super().shutdown()

    def drop(self) -> None:
        """Close the connection and free its place at once.

        The event loop calls `connection_lost` only after the `connection_made` of all connections
        that it has accepted meanwhile.
        """
        self._wait_no_more()
        self.connections.discard(self)
        self.transport.abort()

    def _wait(self) -> None:
        self.closing = self.loop.call_later(HEAD_S, self.drop)

    def _wait_no_more(self) -> None:
        if self.closing is not None:
            self.closing.cancel()
            self.closing = None


# A cached page must not talk to a server of another version.
FRESH = {"cache-control": "no-cache"}


def make_app(workspace: Workspace, races: RaceStore, port: int, token: str, code: str) -> ASGIApp:
    """Return the application of a server at `port`; clients need the `token` or the `code`."""
    routes: Sequence[BaseRoute] = [
        _file_route("/", "dovetail.ui", "static/index.html", "text/html"),
        _file_route("/styles/report.css", "dovetail.reports", "style.css", "text/css"),
        Route("/styles/pictures.css", _picture_style),
        _file_route("/viewer/bundle.js", "dovetail.reports.viewer", "bundle.js", "text/javascript"),
        Mount("/static", StaticFiles(packages=[("dovetail.ui", "static")])),
        Mount("/api", routes=Api(workspace, races).routes),
    ]
    handlers = {DovetailError: error_response, MemoryError: error_response}
    return Access(Starlette(routes=routes, exception_handlers=handlers), port, token, code)


def _file_route(path: str, package: str, name: str, media_type: str) -> Route:
    """Return the route of a file in a package."""
    file = Path(str(files(package).joinpath(name)))

    async def answer(_: Request) -> Response:
        return FileResponse(file, headers=FRESH, media_type=media_type)

    return Route(path, answer)


async def _picture_style(_: Request) -> Response:
    return Response(picture_style(), headers=FRESH, media_type="text/css")


MAX_CONNECTIONS = 200  # with a running request; `MAX_WAITING` more may be idle
QUEUE = 2048  # connections that wait in the system to be accepted
GRACE_S = 2  # time for running responses when the server ends


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
    """Server of the page at its `address`; a signal ends it in order, a second signal at once."""

    def __init__(self, workspace: Workspace, races: RaceStore, listening: socket.socket) -> None:
        self._workspace, self._listening = workspace, listening
        port, token, code = listening.getsockname()[1], new_token(), new_token()
        self.address = f"http://{HOSTS[0]}:{port}/?token={token}"
        # Can be opened once, by any client.
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
        """End on a signal; unlike uvicorn, do not raise the signal again after the end."""
        self.force_exit = self.should_exit
        self.end()
