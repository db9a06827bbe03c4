"""Routes of the page: events, steps, followed files, puzzles, boards and races.

One stream has the events of all subjects that a page follows, since browsers limit the number of
connections to a server, counted over all pages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
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
from dovetail.models.partial_board import PartialBoard
from dovetail.reports.describe.solutions import board_writer
from dovetail.ui import boards, drawings, puzzles, race_results
from dovetail.ui import race as races
from dovetail.ui.access import FRAMED
from dovetail.ui.events import EventSource, EventStream, FollowedFile
from dovetail.ui.puzzles import file_name
from dovetail.ui.race import Lane, Race, RaceStore, WhenClosed
from dovetail.ui.race_results import Listener, RaceView, race_row, report_text
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
UNWATCHED_S = 3.0  # a reloaded page listens again within this time
MAX_SHOWN = 200  # solutions in the answer to one request


class Api:
    """Routes of the API.

    Most requests are answered by a function of the request and of the object that it contains. A
    function returns a response or a value for JSON. It runs in the event loop if it is fast,
    otherwise in a thread: as `heavy` work when its turn comes, and as `slow` work until the client
    disconnects.
    """

    def __init__(self, workspace: Workspace, store: RaceStore) -> None:
        self._workspace, self._races = workspace, store
        self._views = WeakKeyDictionary[Race, RaceView]()
        self._watching, self._reading = HeavyWork(1), HeavyWork(1)
        numbered = enumerate(workspace.followed, start=1)
        self._followed = {str(number): FollowedFile(path) for number, path in numbered}
        self._heavy, self._slow = HeavyWork(), SlowWork(lambda: workspace.closing)
        # Separate, because explanations take longest and other requests must not wait for them.
        explaining = SlowWork(lambda: workspace.closing, 1).run_for
        heavy, slow = self._heavy.run_for, self._slow.run_for
        position, lane = "/puzzles/{id}/position", "/races/{id}/lanes/{lane}"
        self.routes = [
            Route("/events", self._events),
            Route("/steps", self._steps, methods=["POST"]),
            _route("/followed", self._followed_files),
            Route("/followed/{number}/report", self._followed_report),
            _route("/catalogue", lambda _: catalogue_rows(), heavy),
            _route("/lattices", lambda _: drawings.lattice_rows()),
            _route("/lattices/{name}/cells", self._cells, heavy),
            _route("/lattices/{name}/pieces", self._pieces, heavy),
            _route("/lattices/{name}/piece", self._piece, heavy, ("cells", "number")),
            _route("/drawings/facts", _of_fields(drawings.drawing_facts), heavy, drawings.KEYS),
            _route("/drawings/text", self._drawing_text, heavy, drawings.KEYS),
            _route("/puzzles", lambda _: list(map(puzzles.puzzle_row, workspace.puzzles()))),
            _route("/puzzles", self._add, slow, puzzles.SOURCES),
            _route("/puzzles/{id}", self._of_stored(puzzles.puzzle_fields), slow),
            _route(
                "/puzzles/{id}/explanation", self._of_stored(puzzles.explanation_fields), explaining
            ),
            _route("/puzzles/{id}/drawing", self._drawing),
            _route("/puzzles/{id}/viewer", self._pieces_viewer, heavy),
            _route("/puzzles/{id}/export", self._export, heavy),
            _route("/boards/colours", lambda _: boards.drawing_colours()),
            _route("/boards/facts", _of_fields(boards.board_facts), heavy, boards.KEYS),
            _route("/boards/text", self._board_text, heavy, ("board", "format")),
            _route("/puzzles/{id}/board", self._board),
            _route(position, self._score, heavy, ("cells", "file")),
            _route(f"{position}/file", self._position_file, heavy, ("cells", "format")),
            _route(f"{position}/puzzle", self._locked, heavy, ("cells", "locked")),
            _route("/races", lambda _: list(map(race_row, store.races()))),
            Route("/races", self._start, methods=["POST"]),
            Route("/races/{id}", self._race),
            Route("/races/{id}", self._delete, methods=["DELETE"]),
            _route("/races/{id}/stop", self._stop, keys=["lane"]),
            _route("/races/{id}/records", self._records),
            _route("/races/{id}/report", self._report, slow),
            _route(f"{lane}/solutions", self._solutions, heavy),
            _route(f"{lane}/viewer", self._viewer, slow),
            _route(f"{lane}/export", self._lane_file, heavy),
            _route(f"{lane}/board", self._best_board),
        ]

    async def _events(self, request: Request) -> ASGIApp:
        """Return the stream of the subjects that a request names as KIND/NAME."""
        names = dict.fromkeys(request.query_params.getlist("of"))
        if not 1 <= len(names) <= MAX_SOURCES:
            raise RequestError(f"expected 1 to {MAX_SOURCES} times of=races/… or of=followed/…")
        sources = {name: self._source(name) for name in names}
        return EventStream(sources, lambda: self._workspace.closing)

    def _source(self, name: str) -> EventSource:
        """Return a source; for an unknown name, a source that only reports the error."""
        kind, _, identity = name.partition("/")
        try:
            if kind == "races":
                return self._race_source(self._races.race(identity))
            if kind == "followed":
                return self._file_source(self._file(identity))
            raise NotFoundError("source of events", name)
        except RequestError as error:
            return _missing(error)

    def _race_source(self, race: Race) -> EventSource:
        """Return the source of a race for a new listener."""
        listener = Listener()
        race.listeners += 1

        async def read() -> tuple[Fields, bool]:
            fields = listener.fields(await self._state(race))
            return fields, fields["finished"]

        def leave() -> None:
            race.listeners -= 1
            _end_unwatched(race)

        return EventSource(read, leave)

    def _file_source(self, file: FollowedFile) -> EventSource:
        """Return the source of a followed file, without a last state."""

        async def read() -> tuple[Fields, bool]:
            return await self._reading.run(file.fields), False

        return EventSource(read)

    async def _steps(self, request: Request) -> Response:
        """Record a search, which ends when its page is left."""
        fields, interruption = await body_of(request, KEYS), Interruption()
        asked = fields, self._workspace, interruption
        leave = interruption.request
        return JSONResponse(await self._slow.run_for(request, steps_fields, *asked, on_leave=leave))

    def _followed_files(self, _: Request) -> list[Fields]:
        """Return the record files of the command line, numbered from 1."""
        return [
            {"number": int(number), "name": file.path.name}
            for number, file in self._followed.items()
        ]

    async def _followed_report(self, request: Request) -> Response:
        file = self._file(request.path_params["number"])
        await self._reading.run(file.fields)
        return _framed(await self._slow.run_for(request, report_text, file.records, file.warnings))

    def _file(self, number: str) -> FollowedFile:
        if number not in self._followed:
            raise NotFoundError("followed file", number)
        return self._followed[number]

    def _cells(self, request: Request) -> Fields:
        query, side = request.query_params, str(drawings.DEFAULT_SIDE)
        return drawings.drawing_board(
            request.path_params["name"],
            query.get("width", side),
            query.get("height", side),
            query.get("layers", str(drawings.DEFAULT_LAYERS)),
        )

    def _pieces(self, request: Request) -> list[Fields]:
        return drawings.piece_sets(lattice_named(request.path_params["name"]))

    def _piece(self, request: Request, fields: Fields) -> Fields:
        return drawings.piece_alone(request.path_params["name"], fields)

    def _drawing_text(self, _: Request, fields: Fields) -> Fields:
        return {"toml": drawings.drawing_text(fields)}

    def _add(self, _: Request, fields: Fields) -> list[Fields]:
        found = puzzles.puzzles_in(fields)
        for puzzle, _file in found:
            check_size(puzzle)
        stored = [self._workspace.add(*one) for one in found]
        return list(map(puzzles.puzzle_fields, stored))

    def _drawing(self, request: Request) -> Fields:
        puzzle = self._stored(request).puzzle
        return _drawable(puzzle.name, drawings.drawing_of(puzzle))

    def _pieces_viewer(self, request: Request) -> Response:
        return _framed(puzzles.pieces_viewer(self._stored(request)))

    def _export(self, request: Request) -> Response:
        stored, suffix = self._stored(request), request.query_params.get("format", "")
        content = puzzles.puzzle_content(stored, suffix)
        return download(file_name(stored.puzzle.name, suffix), content)

    def _board_text(self, _: Request, fields: Fields) -> Fields:
        suffix = text("format", fields.get("format"))
        return {"text": boards.board_drawing_file(fields.get("board"), suffix)}

    def _board(self, request: Request) -> Fields:
        puzzle = boards.playable(self._stored(request).puzzle)
        return _drawable(puzzle.name, boards.board_drawing_of(puzzle))

    def _score(self, request: Request, fields: Fields) -> Fields:
        if "file" in fields:
            puzzle = self._played(request)
            return boards.opened_position(puzzle, puzzles.uploaded_file(fields["file"]))
        return boards.position_fields(*self._position(request, fields))

    def _position_file(self, request: Request, fields: Fields) -> Fields:
        puzzle, board = self._position(request, fields)
        name = file_name(puzzle.name, text("format", fields.get("format")))
        return {"name": name, "text": board_writer(Path(name), puzzle)(puzzle, board)}

    def _locked(self, request: Request, fields: Fields) -> Fields:
        puzzle, board = self._position(request, fields)
        locked = boards.with_locked(puzzle, board, fields.get("locked"))
        reason = why_impossible(locked)
        stored = self._stored(request) if locked is puzzle else self._workspace.add(locked)
        return puzzles.puzzle_row(stored) | {"ruled_out": reason}

    def _stored(self, request: Request) -> StoredPuzzle:
        return self._workspace.puzzle(request.path_params["id"])

    def _of_stored(self, work: Callable[[StoredPuzzle], object]) -> Callable[[Request], object]:
        return lambda request: work(self._stored(request))

    def _played(self, request: Request) -> EdgePuzzle:
        puzzle = boards.playable(self._stored(request).puzzle)
        check_size(puzzle)
        return puzzle

    def _position(self, request: Request, fields: Fields) -> tuple[EdgePuzzle, PartialBoard]:
        puzzle = self._played(request)
        return puzzle, boards.read_cells(puzzle, fields.get("cells"))

    async def _start(self, request: Request) -> Response:
        fields = await body_of(request, races.KEYS)
        race = await self._heavy.run(self._races.start, fields)
        _end_unwatched(race)
        return JSONResponse({"id": race.identity}, 201)

    async def _race(self, request: Request) -> Response:
        return JSONResponse(Listener().fields(await self._state(self._of(request))))

    async def _state(self, race: Race) -> Fields:
        """Return the state of the race, made in a thread and shared by all listeners."""
        view = self._views.setdefault(race, RaceView())
        return await self._watching.run(view.state, race)

    async def _delete(self, request: Request) -> Response:
        await self._heavy.run(self._races.delete, request.path_params["id"])
        return JSONResponse({})

    def _stop(self, request: Request, fields: Fields) -> Fields:
        race, number = self._of(request), fields.get("lane")
        if number is None:
            race.stop()
        else:
            _lane_of(race, number).interruption.request()
        return {}

    def _records(self, request: Request) -> Response:
        race = self._of(request)
        name = file_name(race.question.stored.puzzle.name, ".jsonl")
        return download(name, race_results.records_text(race))

    def _report(self, request: Request) -> Response:
        return _framed(report_text(self._of(request).records))

    def _solutions(self, request: Request) -> Fields:
        race, lane = self._both(request)
        query = request.query_params
        first = whole_number("from", query.get("from", "0"), 0, 2**31)
        count = whole_number("count", query.get("count", "24"), 1, MAX_SHOWN)
        return race_results.solutions_fields(race, lane, first, count)

    def _viewer(self, request: Request) -> Response:
        number, apart = _number(request), "apart" in request.query_params
        return _framed(race_results.viewer_text(*self._both(request), number, apart=apart))

    def _lane_file(self, request: Request) -> Response:
        race, lane = self._both(request)
        suffix, number = request.query_params.get("format", ""), _number(request)
        title = race.question.stored.puzzle.name
        name = file_name(title if number is None else f"{title}-{number}", suffix)
        return download(name, race_results.lane_file(race, lane, name, number))

    def _best_board(self, request: Request) -> Fields:
        return {"cells": race_results.best_board(self._both(request)[1]).cells}

    def _of(self, request: Request) -> Race:
        return self._races.race(request.path_params["id"])

    def _both(self, request: Request) -> tuple[Race, Lane]:
        race = self._of(request)
        return race, _lane_of(race, request.path_params["lane"])


async def _here(_: Request, work: Callable[..., Any], *args: object) -> Any:
    return work(*args)


def _route(
    path: str,
    work: Callable[..., Any],
    run_for: Callable[..., Any] = _here,
    keys: Iterable[str] | None = None,
) -> Route:
    """Return a route that `work` answers, run by `run_for`; of a POST if the object has `keys`."""

    async def answer(request: Request) -> Response:
        given = [] if keys is None else [await body_of(request, keys)]
        found = await run_for(request, work, request, *given)
        return found if isinstance(found, Response) else JSONResponse(found)

    return Route(path, answer, methods=["GET" if keys is None else "POST"])


def _of_fields(work: Callable[[Fields], Fields]) -> Callable[[Request, Fields], Fields]:
    return lambda _, fields: work(fields)


def _framed(page: str) -> Response:
    return HTMLResponse(page, headers=FRAMED)


def _drawable(name: str, drawn: Fields | None) -> Fields:
    if drawn is None:
        raise RequestError(f"{name} cannot be drawn here", status=404)
    return drawn


def _missing(error: RequestError) -> EventSource:
    async def read() -> tuple[Fields, bool]:
        raise error

    return EventSource(read)


def _lane_of(race: Race, number: object) -> Lane:
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
