"""The web application: the files of the page, and all routes."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from dovetail.errors import DovetailError
from dovetail.reports.pictures.colours import picture_style
from dovetail.ui.access import Access
from dovetail.ui.event_routes import EventRoutes
from dovetail.ui.followed_routes import FollowedRoutes
from dovetail.ui.puzzle_routes import PuzzleRoutes
from dovetail.ui.race_routes import RaceRoutes
from dovetail.ui.race_store import RaceStore
from dovetail.ui.requests import error_response
from dovetail.ui.step_routes import StepRoutes
from dovetail.ui.threads import HeavyWork, SlowWork
from dovetail.ui.workspace import Workspace

# A cached page must not talk to a server of another version.
FRESH = {"cache-control": "no-cache"}


def make_app(workspace: Workspace, races: RaceStore, port: int, token: str, code: str) -> ASGIApp:
    """Return the application of a server at `port`; clients need the `token` or the `code`."""
    heavy, slow = HeavyWork(), SlowWork(lambda: workspace.closing)
    racing, following = RaceRoutes(races, heavy, slow), FollowedRoutes(workspace, slow)
    sources = {"races": racing.source, "followed": following.source}
    api = [
        *PuzzleRoutes(workspace, heavy, slow).routes,
        *racing.routes,
        *StepRoutes(workspace, slow).routes,
        *following.routes,
        *EventRoutes(workspace, sources).routes,
    ]
    routes: Sequence[BaseRoute] = [
        Route("/", _page),
        Route("/styles/report.css", _report_style),
        Route("/styles/pictures.css", _picture_style),
        Mount("/static", StaticFiles(directory=_static())),
        Mount("/api", routes=api),
    ]
    handlers = {DovetailError: error_response, MemoryError: error_response}
    return Access(Starlette(routes=routes, exception_handlers=handlers), port, token, code)


def _static() -> Path:
    return Path(str(files("dovetail.ui").joinpath("static")))


async def _page(_: Request) -> Response:
    return FileResponse(_static() / "index.html", headers=FRESH)


async def _report_style(_: Request) -> Response:
    style = files("dovetail.reports").joinpath("style.css").read_text(encoding="utf-8")
    return Response(style, headers=FRESH, media_type="text/css")


async def _picture_style(_: Request) -> Response:
    return Response(picture_style(), headers=FRESH, media_type="text/css")
