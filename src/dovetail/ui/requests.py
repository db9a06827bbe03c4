"""Requests: their content, limits on sizes of puzzles, responses, and work in threads.

The server can answer other requests while a thread works for a request.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import Any, ParamSpec, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from dovetail.errors import DovetailError, did_you_mean, shorten
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from dovetail.models.task import Puzzle

MAX_BODY_BYTES = 8 * 2**20
MAX_ERROR = 400  # maximum number of characters of an error

# Closes the connection. Otherwise the server would read the rest of the content to find the next
# request.
HANG_UP = {"connection": "close"}

Fields = dict[str, Any]


class RequestError(DovetailError):
    """Raised for a request that cannot be answered.

    `path` is the path of the wrong value, and `status` is the HTTP status of the response.
    """

    def __init__(self, message: str, path: str = "", status: int = 400) -> None:
        super().__init__(message)
        self.path, self.status = path, status


class NotFoundError(RequestError):
    """Raised if the object that a request names does not exist."""

    def __init__(self, kind: str, name: object) -> None:
        super().__init__(f"there is no {kind} {shorten(str(name))!r}", status=404)


async def body_of(request: Request, valid: Iterable[str]) -> Fields:
    """Return the JSON object in the content of a request; its keys must be `valid`.

    Reads at most `MAX_BODY_BYTES`. Raises `RequestError` for longer content (status 413) and for
    content that is not such an object.
    """
    too_long = RequestError(f"the content exceeds {MAX_BODY_BYTES:,} bytes, the limit", status=413)
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and int(length) > MAX_BODY_BYTES:
        raise too_long
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise RequestError("expected content of type application/json", status=415)
    content = bytearray()
    try:
        async for chunk in request.stream():
            content += chunk
            if len(content) > MAX_BODY_BYTES:
                raise too_long
    except ClientDisconnect:
        raise RequestError("the connection was closed before all of the content came") from None
    try:
        fields = json.loads(bytes(content))
        json.dumps(fields, ensure_ascii=False).encode()  # raises for lone surrogates
    except (ValueError, RecursionError):
        raise RequestError("the content is not JSON; expected a JSON object") from None
    if not isinstance(fields, dict):
        raise RequestError("the content is not an object; expected a JSON object")
    check_keys(fields, valid)
    return fields


def check_keys(fields: Mapping[str, object], valid: Iterable[str], path: str = "") -> None:
    """Raise `RequestError` for a key that is not valid."""
    known = list(valid)
    for key in fields:
        if key not in known:
            place = f"{path}.{shorten(key)}" if path else shorten(key)
            raise RequestError(
                f"unknown key {shorten(key)!r}; {did_you_mean(key, known)}valid: "
                f"{', '.join(known)}",
                place,
            )


def whole_number(name: str, value: object, low: int, high: int) -> int:
    """Return `value`, an integer or a text of digits, as an integer from `low` to `high`.

    Raises `RequestError` for another value.
    """
    digits = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19
    number = int(value) if digits else value  # type: ignore[call-overload]  # it is a text then
    if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
        raise RequestError(
            f"{name} is {shorten(repr(value))}; expected a whole number from {low:,} to {high:,}",
            name,
        )
    return number


def text(name: str, value: object, valid: Iterable[str] = ()) -> str:
    """Return `value`, which must be a text, and in `valid` if that is not empty.

    Raises `RequestError` for another value.
    """
    choices = list(valid)
    if not isinstance(value, str):
        raise RequestError(f"{name} is {shorten(repr(value))}; expected a text", name)
    if choices and value not in choices:
        hint = did_you_mean(value, choices)
        raise RequestError(f"{name} is {shorten(value)!r}; {hint}valid: {', '.join(choices)}", name)
    return value


def error_response(request: Request, error: Exception) -> Response:
    """Return the response to a request that raised a `DovetailError` or a `MemoryError`.

    The rest of the request's content is not read.
    """
    headers = {} if request.method == "GET" else HANG_UP
    if isinstance(error, MemoryError):
        fields = {"error": "too large for the memory that may be used here"}
        return JSONResponse(fields, 413, headers)
    status = error.status if isinstance(error, RequestError) else 400
    fields = {"error": shorten(" ".join(str(error).split()), MAX_ERROR)}
    path = error.path if isinstance(error, RequestError) else ""
    return JSONResponse(fields | ({"path": path} if path else {}), status, headers)


# The limits keep the time of a description to a few seconds.
MAX_CELLS = 5_000  # in a region, which is drawn several times
MAX_CELLS_TRIED = 8_000_000  # cells of the pieces in all orientations, times cells of the region
MAX_TILES = 4_096
MAX_ITEMS = 400_000  # in all options of a cover problem


def check_size(puzzle: Puzzle) -> None:
    """Raise `RequestError` for a puzzle that is too large."""
    for what, size, limit in _sizes(puzzle):
        if size > limit:
            raise RequestError(
                f"{shorten(puzzle.name)} is too large for this page: it has {size:,} {what}; "
                f"expected at most {limit:,}, or the command, which has no such limit"
            )


def _sizes(puzzle: Puzzle) -> Iterator[tuple[str, int, int]]:
    """Yield the sizes of a puzzle that are limited: name, size and limit."""
    match puzzle:
        case PackingPuzzle():
            yield "cells", len(puzzle.region), MAX_CELLS
            turned = zip(puzzle.pieces, puzzle.orientations, strict=True)
            cells = sum(len(piece.cells) * len(ways) for piece, ways in turned)
            yield "cells of its pieces in all places", len(puzzle.region) * cells, MAX_CELLS_TRIED
        case EdgePuzzle():
            yield "tiles", len(puzzle.tiles), MAX_TILES
        case CoverProblem():
            yield "items of its options", puzzle.item.size, MAX_ITEMS


def download(name: str, content: str | bytes) -> Response:
    """Return a response that a browser saves as a file; `name` must be plain ASCII."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(content, headers=headers)


AT_A_TIME = 2  # each may hold much memory
CHECK_EVERY_S = 0.1

Arguments = ParamSpec("Arguments")
ResultT = TypeVar("ResultT")


class HeavyWork:
    """Runner of calls in threads, `at_a_time` at once; other calls wait for their turn.

    The end of the process does not wait for the threads.
    """

    def __init__(self, at_a_time: int = AT_A_TIME) -> None:
        self._turns = asyncio.Semaphore(at_a_time)

    async def run(
        self,
        work: Callable[Arguments, ResultT],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> ResultT:
        """Run `work` in a thread when its turn comes, and return its result.

        If the caller is cancelled, waiting work is not started; work that has started goes on and
        keeps its turn until it ends.
        """
        await self._turns.acquire()
        future, loop = Future[ResultT](), asyncio.get_running_loop()

        def settle() -> None:
            try:
                result = work(*args, **kwargs)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)
            with suppress(RuntimeError):  # the event loop has ended
                loop.call_soon_threadsafe(self._turns.release)

        Thread(target=settle, daemon=True).start()
        return await asyncio.shield(asyncio.wrap_future(future))

    async def run_for(self, _: Request, work: Callable[..., ResultT], *args: object) -> ResultT:
        """Run `work` for a request, also if the client disconnects meanwhile."""
        return await self.run(work, *args)


class SlowWork:
    """Runner of calls that take seconds for one request, `at_a_time` at once."""

    def __init__(self, is_closing: Callable[[], bool], at_a_time: int = AT_A_TIME) -> None:
        self._is_closing, self._heavy = is_closing, HeavyWork(at_a_time)

    async def run_for(
        self,
        request: Request,
        work: Callable[..., ResultT],
        *args: object,
        on_leave: Callable[[], None] = lambda: None,
    ) -> ResultT:
        """Run `work` in a thread when its turn comes, and return its result.

        Raises `RequestError` (status 503) if the client disconnects or the server ends. Waiting
        work is then not started, and `on_leave` is called to end work that has started.
        """
        working = asyncio.ensure_future(self._heavy.run(partial(work, *args)))
        leaving = asyncio.ensure_future(_left(request))
        try:
            while not (working.done() or leaving.done() or self._is_closing()):
                await asyncio.wait(
                    [working, leaving],
                    timeout=CHECK_EVERY_S,
                    return_when=asyncio.FIRST_COMPLETED,
                )
            if working.done():
                return working.result()
            on_leave()
            raise RequestError("stopped: the client disconnected or the server ends", status=503)
        finally:
            leaving.cancel()
            working.cancel()


async def _left(request: Request) -> None:
    """Return when the client has disconnected; the request's content must have been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
