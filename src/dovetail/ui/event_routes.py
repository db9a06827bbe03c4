"""The route of events: one stream for all subjects that a page follows.

Browsers limit the number of connections to a server, counted over all pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp

from dovetail.ui.event_stream import EventStream, Source
from dovetail.ui.requests import Fields, NotFoundError, RequestError
from dovetail.ui.workspace import Workspace

MAX_SOURCES = 60


class EventRoutes:
    """Route of events about the subjects that a request names as KIND/NAME.

    `sources` has a function for each kind that returns the source of a name.
    """

    def __init__(
        self, workspace: Workspace, sources: Mapping[str, Callable[[str], Source]]
    ) -> None:
        self._workspace, self._sources = workspace, sources
        self.routes = [Route("/events", self._events)]

    async def _events(self, request: Request) -> ASGIApp:
        names = dict.fromkeys(request.query_params.getlist("of"))
        if not 1 <= len(names) <= MAX_SOURCES:
            raise RequestError(f"expected 1 to {MAX_SOURCES} times of=races/… or of=followed/…")
        sources = {name: self._source(name) for name in names}
        return EventStream(sources, lambda: self._workspace.closing)

    def _source(self, name: str) -> Source:
        """Return a source; for an unknown name, a source that only reports the error."""
        kind, _, identity = name.partition("/")
        try:
            if kind not in self._sources:
                raise NotFoundError("source of events", name)
            return self._sources[kind](identity)
        except RequestError as error:
            return _missing(error)


def _missing(error: RequestError) -> Source:
    async def read() -> tuple[Fields, bool]:
        raise error

    return Source(read)
