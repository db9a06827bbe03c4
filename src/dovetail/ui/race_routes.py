"""Routes of races: start, stop, events and results."""

from __future__ import annotations

import asyncio
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from dovetail.ui import race_request, race_results
from dovetail.ui.access import FRAMED
from dovetail.ui.event_stream import Source
from dovetail.ui.puzzle_files import file_name
from dovetail.ui.race import Lane, Race, WhenClosed
from dovetail.ui.race_fields import Listener, RaceState, RaceView, race_row
from dovetail.ui.race_store import RaceStore
from dovetail.ui.requests import Fields, NotFoundError, body_of, whole_number
from dovetail.ui.responses import download
from dovetail.ui.threads import HeavyWork, SlowWork

UNWATCHED_S = 3.0  # a reloaded page listens again within this time
MAX_SHOWN = 200  # solutions in the answer to one request


class RaceRoutes:
    """Routes that start, watch, stop and read races."""

    def __init__(self, races: RaceStore, heavy: HeavyWork, slow: SlowWork) -> None:
        self._races, self._heavy, self._slow = races, heavy, slow
        self._watching = HeavyWork(1)
        self._views = WeakKeyDictionary[Race, RaceView]()
        lane = "/races/{id}/lanes/{lane}"
        self.routes = [
            Route("/races", self._list),
            Route("/races", self._start, methods=["POST"]),
            Route("/races/{id}", self._race),
            Route("/races/{id}", self._delete, methods=["DELETE"]),
            Route("/races/{id}/stop", self._stop, methods=["POST"]),
            Route("/races/{id}/records", self._records),
            Route("/races/{id}/report", self._report),
            Route(f"{lane}/solutions", self._solutions),
            Route(f"{lane}/viewer", self._viewer),
            Route(f"{lane}/export", self._export),
        ]

    def source(self, identity: str) -> Source:
        """Return the source of a race for a new listener; raise `NotFoundError` if unknown."""
        race, listener = self._races.race(identity), Listener()
        race.listeners += 1

        async def read() -> tuple[Fields, bool]:
            fields = listener.fields(await self._state(race))
            return fields, fields["finished"]

        def leave() -> None:
            race.listeners -= 1
            _end_unwatched(race)

        return Source(read, leave)

    async def _list(self, _: Request) -> Response:
        return JSONResponse(list(map(race_row, self._races.races())))

    async def _start(self, request: Request) -> Response:
        fields = await body_of(request, race_request.KEYS)
        race = await self._heavy.run(self._races.start, fields)
        _end_unwatched(race)
        return JSONResponse({"id": race.identity}, 201)

    async def _race(self, request: Request) -> Response:
        return JSONResponse(Listener().fields(await self._state(self._of(request))))

    async def _state(self, race: Race) -> RaceState:
        """Return the state of the race, made in a thread and shared by all listeners."""
        view = self._views.setdefault(race, RaceView())
        return await self._watching.run(view.state, race)

    async def _delete(self, request: Request) -> Response:
        await self._heavy.run(self._races.delete, request.path_params["id"])
        return JSONResponse({})

    async def _stop(self, request: Request) -> Response:
        race = self._of(request)
        number = (await body_of(request, ["lane"])).get("lane")
        if number is None:
            race.stop()
        else:
            self._lane_of(race, number).interruption.request()
        return JSONResponse({})

    async def _records(self, request: Request) -> Response:
        race = self._of(request)
        content = race_results.records_text(race)
        return download(file_name(race.question.stored.puzzle.name, ".jsonl"), content)

    async def _report(self, request: Request) -> Response:
        records = self._of(request).records
        page = await self._slow.run_for(request, race_results.report_text, records)
        return HTMLResponse(page, headers=FRAMED)

    async def _solutions(self, request: Request) -> Response:
        race, lane = self._both(request)
        query = request.query_params
        first = whole_number("from", query.get("from", "0"), 0, 2**31)
        count = whole_number("count", query.get("count", "24"), 1, MAX_SHOWN)
        return JSONResponse(
            await self._heavy.run(race_results.solutions_fields, race, lane, first, count)
        )

    async def _viewer(self, request: Request) -> Response:
        race, lane = self._both(request)
        chosen = _number(request)
        page = await self._slow.run_for(request, race_results.viewer_text, race, lane, chosen)
        return HTMLResponse(page, headers=FRAMED)

    async def _export(self, request: Request) -> Response:
        race, lane = self._both(request)
        suffix, number = request.query_params.get("format", ""), _number(request)
        title = race.question.stored.puzzle.name
        name = file_name(title if number is None else f"{title}-{number}", suffix)
        content = await self._heavy.run(race_results.lane_file, race, lane, name, number)
        return download(name, content)

    def _of(self, request: Request) -> Race:
        return self._races.race(request.path_params["id"])

    def _both(self, request: Request) -> tuple[Race, Lane]:
        race = self._of(request)
        return race, self._lane_of(race, request.path_params["lane"])

    def _lane_of(self, race: Race, number: object) -> Lane:
        """Return the lane with a number; raise `NotFoundError` if there is none."""
        found = next((one for one in race.lanes if str(one.number) == str(number)), None)
        if found is None:
            raise NotFoundError("lane", number)
        return found


def _number(request: Request) -> int | None:
    """Return the number of the solution in a request; None for all solutions."""
    number = request.query_params.get("number")
    return None if number is None else whole_number("number", number, 1, 2**31)


def _end_unwatched(race: Race) -> None:
    """Stop a race that ends with its page, if nobody watches it for `UNWATCHED_S`.

    Must be called in the event loop.
    """

    def check() -> None:
        if race.listeners == 0 and not race.has_ended:
            race.stop()

    if race.question.when_closed == WhenClosed.END and race.listeners == 0:
        asyncio.get_running_loop().call_later(UNWATCHED_S, check)
