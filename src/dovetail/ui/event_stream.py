"""Server-sent events: the latest state of something, again and again, for as long as one listens.

A state is made when the one before has been taken: whoever reads slowly gets fewer of them, and
nothing is queued, however much happens meanwhile.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

from starlette.types import Receive, Scope, Send

from dovetail.ui.requests import Fields

EVERY_S = 0.2
SILENT_S = 15.0  # then a comment is sent: a listener that is gone without a word is noticed
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
]

# Returns a state, and whether it is the last one.
ReadState = Callable[[], Awaitable[tuple[Fields, bool]]]


class EventStream:
    """A response of events `state`, at most five a second and only where it changed, then `end`.

    Ends without `end` when nobody listens any more or the server `is_closing`; `on_leave` is called
    in any case.
    """

    def __init__(
        self, read_state: ReadState, is_closing: Callable[[], bool], on_leave: Callable[[], None]
    ) -> None:
        self._read_state, self._is_closing, self._on_leave = read_state, is_closing, on_leave

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        """Send events until the end."""
        left = asyncio.ensure_future(_left(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            await self._send_states(left, send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            left.cancel()
            self._on_leave()

    async def _send_states(self, left: asyncio.Future[None], send: Send) -> None:
        before, sent_at = "", 0.0
        now = asyncio.get_running_loop().time
        while not left.done() and not self._is_closing():
            fields, is_last = await self._read_state()
            data = json.dumps(fields, separators=(",", ":"), allow_nan=False)
            if data != before:
                await _send(send, f"event: state\ndata: {data}\n\n")
                before, sent_at = data, now()
            elif now() > sent_at + SILENT_S:
                await _send(send, ":\n\n")
                sent_at = now()
            if is_last:
                await _send(send, "event: end\ndata: {}\n\n")
                return
            await asyncio.wait([left], timeout=EVERY_S)


async def _left(receive: Receive) -> None:
    """Return when the listener is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
