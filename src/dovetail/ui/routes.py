"""Routes of the page: events, steps, followed files, puzzles and races.

One stream has the events of all subjects that a page follows, since browsers limit the number of
connections to a server, counted over all pages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from dovetail.harness.run.clock import Interruption
from dovetail.models.edges import EdgePuzzle
from dovetail.models.impossibility.edges import why_impossible
from dovetail.models.lattices.registry import lattice_named
from dovetail.ui import boards, drawings, puzzles, race_results
from dovetail.ui import race as races
from dovetail.ui.access import FRAMED
from dovetail.ui.events import EventSource, EventStream, FollowedFile
from dovetail.ui.puzzles import file_name
from dovetail.ui.race import Lane, Race, RaceStore, WhenClosed
from dovetail.ui.race_results import Listener, RaceState, RaceView, race_row, report_text
from dovetail.ui.requests import (
    Fields,
    NotFoundError,
    RequestError,
    body_of,
    check_size,
    download,
    text,
    whole_number,
)
from dovetail.ui.solvers import catalogue_rows
from dovetail.ui.steps import KEYS, steps_fields
from dovetail.ui.threads import HeavyWork, SlowWork
from dovetail.ui.workspace import StoredPuzzle, Workspace

MAX_SOURCES = 60


class EventRoutes:
    """Route of events about the subjects that a request names as KIND/NAME.

    `sources` has a function for each kind that returns the source of a name.
    """

    def __init__(
        self, workspace: Workspace, sources: Mapping[str, Callable[[str], EventSource]]
    ) -> None:
        self._workspace, self._sources = workspace, sources
        self.routes = [Route("/events", self._events)]

    async def _events(self, request: Request) -> ASGIApp:
        names = dict.fromkeys(request.query_params.getlist("of"))
        if not 1 <= len(names) <= MAX_SOURCES:
            raise RequestError(f"expected 1 to {MAX_SOURCES} times of=races/… or of=followed/…")
        sources = {name: self._source(name) for name in names}
        return EventStream(sources, lambda: self._workspace.closing)

    def _source(self, name: str) -> EventSource:
        """Return a source; for an unknown name, a source that only reports the error."""
        kind, _, identity = name.partition("/")
        try:
            if kind not in self._sources:
                raise NotFoundError("source of events", name)
            return self._sources[kind](identity)
        except RequestError as error:
            return _missing(error)


def _missing(error: RequestError) -> EventSource:
    async def read() -> tuple[Fields, bool]:
        raise error

    return EventSource(read)


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

    def source(self, number: str) -> EventSource:
        """Return the source of a file, without a last state; raise `NotFoundError` if unknown."""
        file = self._of(number)

        async def read() -> tuple[Fields, bool]:
            return await self._reading.run(file.fields), False

        return EventSource(read)

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


class PuzzleRoutes:
    """Routes of the catalogue, of lattices, of drawings and of puzzles."""

    def __init__(self, workspace: Workspace, heavy: HeavyWork, slow: SlowWork) -> None:
        self._workspace, self._heavy, self._slow = workspace, heavy, slow
        # Separate, because explanations take longest and other requests must not wait for them.
        self._explaining = SlowWork(lambda: workspace.closing, 1)
        self.routes = [
            Route("/catalogue", self._catalogue),
            Route("/lattices", self._lattices),
            Route("/lattices/{name}/cells", self._cells),
            Route("/lattices/{name}/pieces", self._pieces),
            Route("/lattices/{name}/piece", self._piece, methods=["POST"]),
            Route("/drawings/facts", self._facts, methods=["POST"]),
            Route("/drawings/text", self._text, methods=["POST"]),
            Route("/puzzles", self._puzzles),
            Route("/puzzles", self._add, methods=["POST"]),
            Route("/puzzles/{id}", self._puzzle),
            Route("/puzzles/{id}/explanation", self._explanation),
            Route("/puzzles/{id}/drawing", self._drawing),
            Route("/puzzles/{id}/export", self._export),
        ]

    async def _catalogue(self, _: Request) -> Response:
        return JSONResponse(await self._heavy.run(catalogue_rows))

    async def _lattices(self, _: Request) -> Response:
        return JSONResponse(drawings.lattice_rows())

    async def _cells(self, request: Request) -> Response:
        query, side = request.query_params, str(drawings.DEFAULT_SIDE)
        board = await self._heavy.run(
            drawings.drawing_board,
            request.path_params["name"],
            query.get("width", side),
            query.get("height", side),
            query.get("layers", str(drawings.DEFAULT_LAYERS)),
        )
        return JSONResponse(board)

    async def _pieces(self, request: Request) -> Response:
        lattice = lattice_named(request.path_params["name"])
        return JSONResponse(await self._heavy.run(drawings.piece_sets, lattice))

    async def _piece(self, request: Request) -> Response:
        fields, name = await body_of(request, ("cells", "number")), request.path_params["name"]
        return JSONResponse(await self._heavy.run(drawings.piece_alone, name, fields))

    async def _facts(self, request: Request) -> Response:
        drawn = await body_of(request, drawings.KEYS)
        return JSONResponse(await self._heavy.run(drawings.drawing_facts, drawn))

    async def _text(self, request: Request) -> Response:
        drawn = await body_of(request, drawings.KEYS)
        return JSONResponse({"toml": await self._heavy.run(drawings.drawing_text, drawn)})

    async def _puzzles(self, _: Request) -> Response:
        return JSONResponse(list(map(puzzles.puzzle_row, self._workspace.puzzles())))

    async def _add(self, request: Request) -> Response:
        fields = await body_of(request, puzzles.SOURCES)
        return JSONResponse(await self._slow.run_for(request, self._added, fields))

    def _added(self, fields: dict[str, Any]) -> list[dict[str, Any]]:
        found = puzzles.puzzles_in(fields)
        for puzzle, _ in found:
            check_size(puzzle)
        stored = [self._workspace.add(*one) for one in found]
        return list(map(puzzles.puzzle_fields, stored))

    async def _puzzle(self, request: Request) -> Response:
        stored = self._workspace.puzzle(request.path_params["id"])
        return JSONResponse(await self._slow.run_for(request, puzzles.puzzle_fields, stored))

    async def _explanation(self, request: Request) -> Response:
        stored = self._workspace.puzzle(request.path_params["id"])
        return JSONResponse(
            await self._explaining.run_for(request, puzzles.explanation_fields, stored)
        )

    async def _drawing(self, request: Request) -> Response:
        stored = self._workspace.puzzle(request.path_params["id"])
        drawn = drawings.drawing_of(stored.puzzle)
        if drawn is None:
            raise RequestError(f"{stored.puzzle.name} cannot be drawn here", status=404)
        return JSONResponse(drawn)

    async def _export(self, request: Request) -> Response:
        stored = self._workspace.puzzle(request.path_params["id"])
        suffix = request.query_params.get("format", "")
        content = await self._heavy.run(puzzles.puzzle_content, stored, suffix)
        return download(puzzles.file_name(stored.puzzle.name, suffix), content)


class BoardRoutes:
    """Routes of drawn edge boards and of positions on the board of a puzzle."""

    def __init__(self, workspace: Workspace, heavy: HeavyWork) -> None:
        self._workspace, self._heavy = workspace, heavy
        position = "/puzzles/{id}/position"
        self.routes = [
            Route("/boards/colours", self._colours),
            Route("/boards/facts", self._facts, methods=["POST"]),
            Route("/boards/text", self._text, methods=["POST"]),
            Route("/puzzles/{id}/board", self._drawing),
            Route(position, self._score, methods=["POST"]),
            Route(f"{position}/file", self._file, methods=["POST"]),
            Route(f"{position}/puzzle", self._locked, methods=["POST"]),
        ]

    async def _colours(self, _: Request) -> Response:
        return JSONResponse(boards.drawing_colours())

    async def _facts(self, request: Request) -> Response:
        drawn = await body_of(request, boards.KEYS)
        return JSONResponse(await self._heavy.run(boards.board_facts, drawn))

    async def _text(self, request: Request) -> Response:
        fields = await body_of(request, ("board", "format"))
        suffix = text("format", fields.get("format"))
        return JSONResponse(
            {"text": await self._heavy.run(boards.board_drawing_file, fields.get("board"), suffix)}
        )

    async def _drawing(self, request: Request) -> Response:
        puzzle = boards.playable(self._stored(request).puzzle)
        drawn = boards.board_drawing_of(puzzle)
        if drawn is None:
            raise RequestError(f"{puzzle.name} cannot be drawn here", status=404)
        return JSONResponse(drawn)

    async def _score(self, request: Request) -> Response:
        fields, puzzle = await body_of(request, ("cells", "file")), self._played(request)
        if "file" in fields:
            file = puzzles.uploaded_file(fields["file"])
            return JSONResponse(await self._heavy.run(boards.opened_position, puzzle, file))
        board = boards.read_cells(puzzle, fields.get("cells"))
        return JSONResponse(await self._heavy.run(boards.position_fields, puzzle, board))

    async def _file(self, request: Request) -> Response:
        fields, puzzle = await body_of(request, ("cells", "format")), self._played(request)
        board = boards.read_cells(puzzle, fields.get("cells"))
        name = file_name(puzzle.name, text("format", fields.get("format")))
        content = await self._heavy.run(boards.position_file, puzzle, board, name)
        return JSONResponse({"name": name, "text": content})

    async def _locked(self, request: Request) -> Response:
        fields, puzzle = await body_of(request, ("cells", "locked")), self._played(request)
        board = boards.read_cells(puzzle, fields.get("cells"))
        locked = boards.with_locked(puzzle, board, fields.get("locked"))
        reason = await self._heavy.run(why_impossible, locked)
        stored = self._stored(request) if locked is puzzle else self._workspace.add(locked)
        return JSONResponse(puzzles.puzzle_row(stored) | {"ruled_out": reason})

    def _stored(self, request: Request) -> StoredPuzzle:
        return self._workspace.puzzle(request.path_params["id"])

    def _played(self, request: Request) -> EdgePuzzle:
        puzzle = boards.playable(self._stored(request).puzzle)
        check_size(puzzle)
        return puzzle


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
            Route(f"{lane}/board", self._board),
        ]

    def source(self, identity: str) -> EventSource:
        """Return the source of a race for a new listener; raise `NotFoundError` if unknown."""
        race, listener = self._races.race(identity), Listener()
        race.listeners += 1

        async def read() -> tuple[Fields, bool]:
            fields = listener.fields(await self._state(race))
            return fields, fields["finished"]

        def leave() -> None:
            race.listeners -= 1
            _end_unwatched(race)

        return EventSource(read, leave)

    async def _list(self, _: Request) -> Response:
        return JSONResponse(list(map(race_row, self._races.races())))

    async def _start(self, request: Request) -> Response:
        fields = await body_of(request, races.KEYS)
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
        text = partial(race_results.viewer_text, apart="apart" in request.query_params)
        page = await self._slow.run_for(request, text, race, lane, chosen)
        return HTMLResponse(page, headers=FRAMED)

    async def _export(self, request: Request) -> Response:
        race, lane = self._both(request)
        suffix, number = request.query_params.get("format", ""), _number(request)
        title = race.question.stored.puzzle.name
        name = file_name(title if number is None else f"{title}-{number}", suffix)
        content = await self._heavy.run(race_results.lane_file, race, lane, name, number)
        return download(name, content)

    async def _board(self, request: Request) -> Response:
        _, lane = self._both(request)
        return JSONResponse({"cells": race_results.best_board(lane).cells})

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
