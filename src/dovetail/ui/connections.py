"""Connections that do not block others while they are idle.

uvicorn counts a connection from its first moment and waits without a time limit for the head of its
first request: a few hundred silent connections would make the page unavailable.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_S = 10.0  # limit for the head of a request, from its first byte or the connection's start
MAX_WAITING = 100  # connections without a whole head; beyond that the oldest is dropped
# Connections accepted at a time. A connection can send the head of its request before as many as
# MAX_WAITING others follow, since at most two such batches begin before the first one is read.
ACCEPTED_AT_A_TIME = MAX_WAITING // 4


class PageProtocol(H11Protocol):
    """A connection that is dropped when the head of a request does not arrive in time."""

    closing: asyncio.TimerHandle | None = None  # set while waiting for the head of a request

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Wait for the first request; drop the oldest waiting connection if there are many."""
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
        """Process received data; a further piece of a head does not extend the time limit."""
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

        The event loop calls `connection_lost` only after all connections that it has accepted
        meanwhile.
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
