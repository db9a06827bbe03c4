"""Server-sent events: the latest states of subjects, repeated until the listener leaves.

A state is made when the previous state has been sent. A slow listener gets fewer states, and
nothing is queued.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from starlette.types import Receive, Scope, Send

from dovetail.ui.requests import Fields, RequestError

EVERY_S = 0.2
SILENT_S = 15.0  # after this silence a comment is sent, which detects lost connections
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
]


@dataclass(frozen=True)
class Source:
    """Events of one subject."""

    # Returns a state, and whether it is the last state. A `RequestError` ends the source.
    read: Callable[[], Awaitable[tuple[Fields, bool]]]
    # Called at the end of a stream.
    leave: Callable[[], None] = lambda: None


class EventStream:
    """Response with the events `state` and `end` of several sources, by their names.

    The data of `state` are {of, state}. A state is sent if it differs from the previous state, at
    most five times a second for each source. The data of `end` are {of}, with `error` if the source
    failed. The response ends with the last source, when the listener is gone, or when the server
    `is_closing`.
    """

    def __init__(self, sources: Mapping[str, Source], is_closing: Callable[[], bool]) -> None:
        self._sources, self._is_closing = sources, is_closing
        self._going = dict(sources)
        self._before = dict[str, str]()
        self._sent_at = 0.0

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        """Send events until the end of the stream."""
        left = asyncio.ensure_future(_left(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            await self._send_states(left, send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            left.cancel()
            for source in self._sources.values():
                source.leave()

    async def _send_states(self, left: asyncio.Future[None], send: Send) -> None:
        now = asyncio.get_running_loop().time
        while not left.done() and not self._is_closing():
            for name, source in list(self._going.items()):
                for event in await self._events(name, source):
                    await _send(send, event)
                    self._sent_at = now()
            if not self._going:
                return
            if now() > self._sent_at + SILENT_S:
                await _send(send, ":\n\n")
                self._sent_at = now()
            await asyncio.wait([left], timeout=EVERY_S)

    async def _events(self, name: str, source: Source) -> list[str]:
        """Return the events to send for one source now."""
        events = []
        ending: Fields | None = None
        try:
            fields, is_last = await source.read()
        except RequestError as error:
            ending = {"of": name, "error": str(error)}
        else:
            data = _written({"of": name, "state": fields})
            if data != self._before.get(name):
                self._before[name] = data
                events.append(f"event: state\ndata: {data}\n\n")
            ending = {"of": name} if is_last else None
        if ending is not None:
            del self._going[name]
            events.append(f"event: end\ndata: {_written(ending)}\n\n")
        return events


def _written(fields: Fields) -> str:
    return json.dumps(fields, separators=(",", ":"), allow_nan=False)


async def _left(receive: Receive) -> None:
    """Return when the listener is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
