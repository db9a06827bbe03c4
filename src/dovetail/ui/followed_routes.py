"""Routes of the record files that the page follows."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from dovetail.ui.access import FRAMED
from dovetail.ui.event_stream import Source
from dovetail.ui.followed import FollowedFile
from dovetail.ui.race_results import report_text
from dovetail.ui.requests import Fields, NotFoundError
from dovetail.ui.threads import HeavyWork, SlowWork
from dovetail.ui.workspace import Workspace


class FollowedRoutes:
    """Routes of the record files of the command line, numbered from 1."""

    def __init__(self, workspace: Workspace, slow: SlowWork) -> None:
        self._slow = slow
        self._reading = HeavyWork(1)
        numbered = enumerate(workspace.followed, start=1)
        self._files = {str(number): FollowedFile(path) for number, path in numbered}
        self.routes = [
            Route("/followed", self._list),
            Route("/followed/{number}/report", self._report),
        ]

    def source(self, number: str) -> Source:
        """Return the source of a file, without a last state; raise `NotFoundError` if unknown."""
        file = self._of(number)

        async def read() -> tuple[Fields, bool]:
            return await self._reading.run(file.fields), False

        return Source(read)

    async def _list(self, _: Request) -> Response:
        names = [one.path.name for one in self._files.values()]
        return JSONResponse(
            [{"number": number, "name": name} for number, name in enumerate(names, start=1)]
        )

    async def _report(self, request: Request) -> Response:
        file = self._of(request.path_params["number"])
        await self._reading.run(file.fields)
        page = await self._slow.run_for(request, report_text, file.records, file.warnings)
        return HTMLResponse(page, headers=FRAMED)

    def _of(self, number: str) -> FollowedFile:
        if number not in self._files:
            raise NotFoundError("followed file", number)
        return self._files[number]
