"""Routes of the page: events, steps, followed files, puzzles, boards and races.

One stream has the events of all subjects that a page follows, since browsers limit the number of
connections to a server, counted over all pages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from dovetail.harness.run.clock import Interruption
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.boards.partial_board import PartialBoard
from dovetail.models.impossibility.edges import why_impossible
from dovetail.models.lattices.registry import lattice_named
from dovetail.reports.describe.solutions import board_writer
from dovetail.ui import boards, drawings, puzzles, race_results, sheets
from dovetail.ui import race as races
from dovetail.ui.puzzles import file_name
from dovetail.ui.race import Lane, Race, RaceStore, WhenClosed
from dovetail.ui.race_results import Listener, RaceView, best_board, race_row, report_text
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
from dovetail.ui.serving.access import FRAMED
from dovetail.ui.serving.events import EventSource, EventStream, FollowedFile
from dovetail.ui.serving.threads import HeavyWork, SlowWork
from dovetail.ui.solvers import catalogue_rows
from dovetail.ui.steps import KEYS, steps_fields
from dovetail.ui.workspace import StoredPuzzle, Workspace

MAX_SOURCES = 60
UNWATCHED_S = 3.0  # a reloaded page listens again within this time
MAX_SHOWN = 200  # maximum number of solutions in the answer to one request


async def _here(_: Request, work: Callable[[], Any]) -> Any:
    return work()


class Api:
    """Routes of the API.

    Most requests are answered by a function of the object that the path names, and of the fields of
    the content or the query. The function returns a response, a page for a frame, or a value for
    JSON. A fast function runs in the event loop. Other functions run in a thread when their turn
    comes, and `slow` work is abandoned if the client disconnects.
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
        heavy, slow, route = self._heavy.run_for, self._slow.run_for, self._route
        lattice, puzzle, race = "/lattices/{lattice}", "/puzzles/{puzzle}", "/races/{race}"
        position, lane = f"{puzzle}/position", f"{race}/lanes/{{lane}}"
        self.routes = [
            Route("/events", self._events),
            Route("/steps", self._steps, methods=["POST"]),
            route("/followed", self._followed_files),
            Route("/followed/{number}/report", self._followed_report),
            route("/catalogue", catalogue_rows, heavy),
            route("/lattices", sheets.lattice_rows),
            route(f"{lattice}/cells", _cells, heavy, query=True),
            route(f"{lattice}/pieces", lambda name: sheets.piece_sets(lattice_named(name)), heavy),
            route(f"{lattice}/piece", drawings.piece_alone, heavy, ("cells", "number")),
            route("/drawings/facts", drawings.drawing_facts, heavy, drawings.KEYS),
            route("/drawings/text", _drawing_text, heavy, drawings.KEYS),
            route("/puzzles", lambda: list(map(puzzles.puzzle_row, workspace.puzzles()))),
            route("/puzzles", self._add, slow, puzzles.SOURCES),
            route(puzzle, puzzles.puzzle_fields, slow),
            route(f"{puzzle}/explanation", puzzles.explanation_fields, explaining),
            route(f"{puzzle}/drawing", _drawing),
            route(f"{puzzle}/viewer", puzzles.pieces_viewer, heavy),
            route(f"{puzzle}/export", _export, heavy, query=True),
            route("/boards/colours", boards.drawing_colours),
            route("/boards/facts", boards.board_facts, heavy, boards.KEYS),
            route("/boards/text", _board_text, heavy, ("board", "format")),
            route(f"{puzzle}/board", _board),
            route(position, _score, heavy, ("cells", "file")),
            route(f"{position}/file", _position_file, heavy, ("cells", "format")),
            route(f"{position}/puzzle", self._locked, heavy, ("cells", "locked")),
            route("/races", lambda: list(map(race_row, store.races()))),
            Route("/races", self._start, methods=["POST"]),
            Route(race, self._race),
            Route(race, self._delete, methods=["DELETE"]),
            route(f"{race}/stop", _stop, keys=["lane"]),
            route(f"{race}/records", _records),
            route(f"{race}/report", lambda race: report_text(race.records), slow),
            route(f"{lane}/solutions", _solutions, heavy, query=True),
            route(f"{lane}/viewer", _viewer, slow, query=True),
            route(f"{lane}/export", _lane_file, heavy, query=True),
            route(f"{lane}/board", lambda lane: {"cells": best_board(lane).cells}),
        ]

    def _route(
        self,
        path: str,
        work: Callable[..., Any],
        run_for: Callable[..., Any] = _here,
        keys: Iterable[str] = (),
        *,
        query: bool = False,
    ) -> Route:
        """Return a route whose requests `work` answers, run by `run_for`.

        The arguments of `work` are the object that the path names, if any, and the fields of the
        content or the `query`. With `keys`, requests are POST requests whose content has such keys.
        """

        async def answer(request: Request) -> Response:
            fields = [await body_of(request, keys)] if keys else []
            fields += [dict(request.query_params)] if query else []
            named = request.path_params
            found = await run_for(request, lambda: work(*self._named(named), *fields))
            if isinstance(found, str):
                return HTMLResponse(found, headers=FRAMED)
            return found if isinstance(found, Response) else JSONResponse(found)

        return Route(path, answer, methods=["POST" if keys else "GET"])

    def _named(self, names: Mapping[str, str]) -> list[object]:
        """Return a list of the puzzle, race or lane that a path names, or else of the names.

        Raises `NotFoundError` for an unknown puzzle, race or lane.
        """
        if "puzzle" in names:
            return [self._workspace.puzzle(names["puzzle"])]
        if "race" in names:
            race = self._races.race(names["race"])
            return [race.lane(names["lane"]) if "lane" in names else race]
        return list(names.values())

    async def _events(self, request: Request) -> ASGIApp:
        """Return the stream of the subjects that a request names as KIND/NAME.

        Raises `RequestError` for no subject and for more than `MAX_SOURCES` subjects.
        """
        names = dict.fromkeys(request.query_params.getlist("of"))
        if not 1 <= len(names) <= MAX_SOURCES:
            raise RequestError(f"expected 1 to {MAX_SOURCES} of=races/ID or of=followed/NUMBER")
        sources = {name: self._source(name) for name in names}
        return EventStream(sources, lambda: self._workspace.closing)

    def _source(self, name: str) -> EventSource:
        """Return the source called `name`; for an unknown name, a source that reports the error."""
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
        """Return the source of a followed file, which has no last state."""

        async def read() -> tuple[Fields, bool]:
            return await self._reading.run(file.fields), False

        return EventSource(read)

    async def _steps(self, request: Request) -> Response:
        """Record a search, which is interrupted if the client disconnects."""
        fields, interruption = await body_of(request, KEYS), Interruption()
        asked = fields, self._workspace, interruption
        leave = interruption.request
        return JSONResponse(await self._slow.run_for(request, steps_fields, *asked, on_leave=leave))

    def _followed_files(self) -> list[Fields]:
        """Return the record files of the command line, numbered from 1."""
        return [
            {"number": int(number), "name": file.name} for number, file in self._followed.items()
        ]

    async def _followed_report(self, request: Request) -> Response:
        file = self._file(request.path_params["number"])
        await self._reading.run(file.fields)
        page = await self._slow.run_for(request, report_text, file.records, file.warnings)
        return HTMLResponse(page, headers=FRAMED)

    def _file(self, number: str) -> FollowedFile:
        if number not in self._followed:
            raise NotFoundError("followed file", number)
        return self._followed[number]

    def _add(self, fields: Fields) -> list[Fields]:
        found = puzzles.puzzles_in(fields)
        for puzzle, _file in found:
            check_size(puzzle)
        return list(map(puzzles.puzzle_fields, self._workspace.add_all(found)))

    def _locked(self, stored: StoredPuzzle, fields: Fields) -> Fields:
        puzzle, board = _position(stored, fields)
        locked = boards.with_locked(puzzle, board, fields.get("locked"))
        reason = why_impossible(locked)
        if locked is not puzzle:
            stored = self._workspace.add(locked)
        return puzzles.puzzle_row(stored) | {"ruled_out": reason}

    async def _start(self, request: Request) -> Response:
        fields = await body_of(request, races.KEYS)
        race = await self._heavy.run(self._races.start, fields)
        _end_unwatched(race)
        return JSONResponse({"id": race.identity}, 201)

    async def _race(self, request: Request) -> Response:
        return JSONResponse(await self._state(self._races.race(request.path_params["race"])))

    async def _state(self, race: Race) -> Fields:
        """Return the state of the race, made in a thread and shared by all listeners."""
        view = self._views.setdefault(race, RaceView())
        return await self._watching.run(view.state, race)

    async def _delete(self, request: Request) -> Response:
        await self._heavy.run(self._races.delete, request.path_params["race"])
        return JSONResponse({})


def _cells(lattice: str, query: Fields) -> Fields:
    side, layers = str(sheets.DEFAULT_SIDE), str(sheets.DEFAULT_LAYERS)
    sizes = query.get("width", side), query.get("height", side), query.get("layers", layers)
    return sheets.drawing_board(lattice, *sizes)


def _drawing_text(fields: Fields) -> Fields:
    return {"toml": drawings.drawing_text(fields)}


def _drawing(stored: StoredPuzzle) -> Fields:
    return _drawable(stored.puzzle.name, drawings.drawing_of(stored.puzzle))


def _export(stored: StoredPuzzle, query: Fields) -> Response:
    suffix = query.get("format", "")
    content = puzzles.puzzle_content(stored, suffix)
    return download(file_name(stored.puzzle.name, suffix), content)


def _board_text(fields: Fields) -> Fields:
    suffix = text("format", fields.get("format"))
    return {"text": boards.board_drawing_file(fields.get("board"), suffix)}


def _board(stored: StoredPuzzle) -> Fields:
    puzzle = boards.playable(stored.puzzle)
    return _drawable(puzzle.name, boards.board_drawing_of(puzzle))


def _drawable(name: str, drawn: Fields | None) -> Fields:
    if drawn is None:
        raise RequestError(f"{name} cannot be edited on the drawing page", status=404)
    return drawn


def _score(stored: StoredPuzzle, fields: Fields) -> Fields:
    if "file" in fields:
        puzzle = _played(stored)
        return boards.opened_position(puzzle, puzzles.uploaded_file(fields["file"]))
    return boards.position_fields(*_position(stored, fields))


def _position_file(stored: StoredPuzzle, fields: Fields) -> Fields:
    puzzle, board = _position(stored, fields)
    name = file_name(puzzle.name, text("format", fields.get("format")))
    return {"name": name, "text": board_writer(Path(name), puzzle)(puzzle, board)}


def _position(stored: StoredPuzzle, fields: Fields) -> tuple[EdgePuzzle, PartialBoard]:
    puzzle = _played(stored)
    return puzzle, boards.read_cells(puzzle, fields.get("cells"))


def _played(stored: StoredPuzzle) -> EdgePuzzle:
    puzzle = boards.playable(stored.puzzle)
    check_size(puzzle)
    return puzzle


def _stop(race: Race, fields: Fields) -> Fields:
    number = fields.get("lane")
    if number is None:
        race.stop()
    else:
        race.lane(number).interruption.request()
    return {}


def _records(race: Race) -> Response:
    name = file_name(race.question.stored.puzzle.name, ".jsonl")
    return download(name, race_results.records_text(race))


def _solutions(lane: Lane, query: Fields) -> Fields:
    first = whole_number("from", query.get("from", "0"), 0, 2**31)
    count = whole_number("count", query.get("count", "24"), 1, MAX_SHOWN)
    return race_results.solutions_fields(lane, first, count)


def _viewer(lane: Lane, query: Fields) -> str:
    return race_results.viewer_text(lane, _number(query), apart="apart" in query)


def _lane_file(lane: Lane, query: Fields) -> Response:
    suffix, number = query.get("format", ""), _number(query)
    title = lane.stored.puzzle.name
    name = file_name(title if number is None else f"{title}-{number}", suffix)
    return download(name, race_results.lane_file(lane, name, number))


def _missing(error: RequestError) -> EventSource:
    async def read() -> tuple[Fields, bool]:
        raise error

    return EventSource(read)


def _number(query: Fields) -> int | None:
    """Return the number of the solution in a query, or None; raise `RequestError` if invalid."""
    number = query.get("number")
    return None if number is None else whole_number("number", number, 1, 2**31)


def _end_unwatched(race: Race) -> None:
    """Stop a race that ends with its page, if nobody watches it now and `UNWATCHED_S` later.

    Must be called in the event loop.
    """

    def check() -> None:
        if race.listeners == 0 and not race.has_ended:
            race.stop()

    if race.question.when_closed == WhenClosed.END and race.listeners == 0:
        asyncio.get_running_loop().call_later(UNWATCHED_S, check)
