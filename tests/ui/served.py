"""A server of the page in a thread, and one who has its address."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from dovetail.ui.serving.server import PageServer, open_server
from dovetail.ui.workspace import Workspace

Fields = dict[str, Any]
SIX, BOARD = "pentominoes-5x6-FLNPUY", "edges-4-b3i3-1"
LONG = "pentominoes-6x10"  # many seconds with dlx
LIMIT_S = 20.0


class Visitor(httpx.Client):
    """One browser: it has opened the address and keeps the cookie."""

    def __init__(self, address: str) -> None:
        super().__init__(base_url=address.partition("/?")[0], timeout=30)
        self.get(address)

    def asked(self, path: str, **fields: object) -> Any:
        """The answer to an object that is sent; it must be one of success."""
        response = self.post(path, json=fields)
        assert response.is_success, response.text
        return response.json()

    def race(self, puzzle: str, *lanes: str, **asked: object) -> str:
        """The identity of a race that has been started."""
        several = [{"backend": lane} for lane in lanes]
        started = self.asked("/api/races", puzzle=puzzle, lanes=several, **asked)
        return str(started["id"])

    def events(self, *sources: str) -> Generator[tuple[str, Fields], None, None]:
        """The events about sources, by name, as they come."""
        with self.stream("GET", "/api/events", params={"of": sources}) as response:
            name = ""
            for line in response.iter_lines():
                field, _, value = line.partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    fields = json.loads(value)
                    yield name, fields.get("state", fields)


@contextmanager
def served(workspace: Workspace) -> Iterator[PageServer]:
    """A server that answers; its races have ended when it is left."""
    with open_server(workspace) as server:
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            until(lambda: server.started)
            yield server
        finally:
            server.end()
            thread.join(LIMIT_S)
            assert not thread.is_alive(), "the server does not end"


def until(holds: Callable[[], object], limit_s: float = LIMIT_S) -> None:
    """Wait until something holds; fail if it takes too long."""
    ends = time.monotonic() + limit_s
    while not holds():
        assert time.monotonic() < ends, "it takes too long"
        time.sleep(0.02)
