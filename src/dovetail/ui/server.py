"""The server: a socket of the loopback address, the address with the token, and its end."""

from __future__ import annotations

import socket
from collections.abc import Callable
from types import FrameType

import uvicorn

from dovetail.errors import ConfigError
from dovetail.ui.access import HOSTS, new_token
from dovetail.ui.app import make_app
from dovetail.ui.race_store import RaceStore
from dovetail.ui.workspace import Workspace

MAX_CONNECTIONS = 200
GRACE_S = 2.0  # for responses under way when the server ends


def serve(workspace: Workspace, port: int, announce: Callable[[str], None]) -> None:
    """Serve the page until Ctrl-C or SIGTERM; all searches have ended then.

    `port` 0 is a free one. `announce` is called with the address to open when it can be. Raises
    `ConfigError` for a port that cannot be used.
    """
    token = new_token()
    try:
        listening = socket.create_server((HOSTS[0], port))
    except OSError as error:
        raise ConfigError(f"port {port} cannot be used ({error.strerror})") from None
    # A response is a few small pieces, which must not wait for one another.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with listening, workspace, RaceStore(workspace) as races:
        port = listening.getsockname()[1]
        config = uvicorn.Config(
            make_app(workspace, races, port, token),
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            limit_concurrency=MAX_CONNECTIONS,
            timeout_graceful_shutdown=int(GRACE_S),
        )
        server = _Server(config, workspace)
        announce(f"http://{HOSTS[0]}:{port}/?token={token}")
        server.run([listening])


class _Server(uvicorn.Server):
    """Ends in order at the first signal, and at once at the second."""

    def __init__(self, config: uvicorn.Config, workspace: Workspace) -> None:
        super().__init__(config)
        self._workspace = workspace

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Note that a signal came; it is not raised again behind the end, as uvicorn would."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self._workspace.closing = True
