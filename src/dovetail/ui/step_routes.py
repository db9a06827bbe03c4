"""The route of a search step by step."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dovetail.ui import steps
from dovetail.ui.requests import body_of
from dovetail.ui.threads import HeavyWork
from dovetail.ui.workspace import Workspace


class StepRoutes:
    """A search step by step."""

    def __init__(self, workspace: Workspace, heavy: HeavyWork) -> None:
        self._workspace, self._heavy = workspace, heavy
        self.routes = [Route("/steps", self._steps, methods=["POST"])]

    async def _steps(self, request: Request) -> Response:
        fields = await body_of(request, steps.KEYS)
        return JSONResponse(await self._heavy.run(steps.steps_fields, fields, self._workspace))
