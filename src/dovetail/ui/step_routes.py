"""The route of a search step by step."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dovetail.harness.run.clock import Interruption
from dovetail.ui.requests import body_of
from dovetail.ui.steps import KEYS, steps_fields
from dovetail.ui.threads import SlowWork
from dovetail.ui.workspace import Workspace


class StepRoutes:
    """Route of a recorded search; the search ends when its page is left."""

    def __init__(self, workspace: Workspace, slow: SlowWork) -> None:
        self._workspace, self._slow = workspace, slow
        self.routes = [Route("/steps", self._steps, methods=["POST"])]

    async def _steps(self, request: Request) -> Response:
        fields, interruption = await body_of(request, KEYS), Interruption()
        steps = await self._slow.run_for(
            request,
            steps_fields,
            fields,
            self._workspace,
            interruption,
            on_leave=interruption.request,
        )
        return JSONResponse(steps)
