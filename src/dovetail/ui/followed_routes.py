"""Routes of files of records that are followed."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from dovetail.ui.access import FRAMED
from dovetail.ui.event_stream import EventStream
from dovetail.ui.followed import FollowedFile
from dovetail.ui.race_results import report_text
from dovetail.ui.requests import Fields, NotFoundError
from dovetail.ui.threads import HeavyWork, SlowWork
from dovetail.ui.workspace import Workspace


class FollowedRoutes:
    """Files of records that the command names, by their numbers from 1."""

    def __init__(self, workspace: Workspace, slow: SlowWork) -> None:
        self._workspace, self._slow = workspace, slow
        self._reading = HeavyWork(1)
        numbered = enumerate(workspace.followed, start=1)
        self._files = {str(number): FollowedFile(path) for number, path in numbered}
        self.routes = [
            Route("/followed", self._list),
            Route("/followed/{number}/events", self._events),
            Route("/followed/{number}/report", self._report),
        ]

    async def _list(self, _: Request) -> Response:
        names = [one.path.name for one in self._files.values()]
        return JSONResponse(
            [{"number": number, "name": name} for number, name in enumerate(names, start=1)]
        )

    async def _events(self, request: Request) -> ASGIApp:
        file = self._of(request)

        async def read_state() -> tuple[Fields, bool]:
            return await self._reading.run(file.fields), False

        return EventStream(read_state, lambda: self._workspace.closing, lambda: None)

    async def _report(self, request: Request) -> Response:
        file = self._of(request)
        await self._reading.run(file.fields)
        page = await self._slow.run_for(request, report_text, file.records, file.warnings)
        return HTMLResponse(page, headers=FRAMED)

    def _of(self, request: Request) -> FollowedFile:
        number = request.path_params["number"]
        if number not in self._files:
            raise NotFoundError("followed file", number)
        return self._files[number]
