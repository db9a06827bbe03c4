"""Requests: their content, limits on sizes of puzzles, and responses."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from dovetail.errors import DovetailError, did_you_mean, shorten, show
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.cover import CoverProblem
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.task import Puzzle

MAX_BODY_BYTES = 8 * 2**20
MAX_ERROR = 400  # maximum number of characters of an error

# Closes the connection. Otherwise the server would read the rest of the content to find the next
# request.
HANG_UP = {"connection": "close"}

Fields = dict[str, Any]


class RequestError(DovetailError):
    """Raised for a request that cannot be answered."""

    def __init__(self, message: str, path: str = "", status: int = 400) -> None:
        super().__init__(message)
        # Path of the wrong value, or "", and HTTP status of the response.
        self.path, self.status = path, status


class NotFoundError(RequestError):
    """Raised if the object that a request names does not exist."""

    def __init__(self, kind: str, name: object) -> None:
        super().__init__(f"there is no {kind} {shorten(str(name))!r}", status=404)


async def body_of(request: Request, valid: Iterable[str]) -> Fields:
    """Return the JSON object in the content of a request; its keys must be `valid`.

    Raises `RequestError` for content that exceeds `MAX_BODY_BYTES` (status 413), has another type
    (status 415), is incomplete or is not such an object.
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
    digits = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20
    number = int(value) if digits else value  # type: ignore[call-overload]  # `value` is a text then
    if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
        raise RequestError(
            f"{name} is {show(value)}; expected a whole number from {low:,} to {high:,}",
            name,
        )
    return number


def flag(name: str, value: object) -> bool:
    """Return `value`, which must be True or False; raise `RequestError` for another value."""
    if not isinstance(value, bool):
        raise RequestError(f"{name}: expected true or false", name)
    return value


def text(name: str, value: object, valid: Iterable[str] = ()) -> str:
    """Return `value`, which must be a text, and one of the `valid` texts if there are any.

    Raises `RequestError` for another value.
    """
    choices = list(valid)
    if not isinstance(value, str):
        raise RequestError(f"{name} is {show(value)}; expected a text", name)
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
        fields = {"error": "the answer needs more memory than may be used here"}
        return JSONResponse(fields, 413, headers)
    status = error.status if isinstance(error, RequestError) else 400
    fields = {"error": shorten(" ".join(str(error).split()), MAX_ERROR)}
    path = error.path if isinstance(error, RequestError) else ""
    return JSONResponse(fields | ({"path": path} if path else {}), status, headers)


# The limits keep the time of a description to a few seconds.
MAX_CELLS = 5_000  # in a region, which is drawn several times
MAX_CELLS_TRIED = 8_000_000  # cells of the pieces in all orientations, times cells of the region
MAX_TILES = 4_096  # of a board, or cells
MAX_ITEMS = 400_000  # in all options of a cover problem


def check_size(puzzle: Puzzle) -> None:
    """Raise `RequestError` for a puzzle that is too large."""
    for what, size, limit in _sizes(puzzle):
        if size > limit:
            raise RequestError(
                f"{shorten(puzzle.name)} is too large for this page: it has {size:,} {what}; "
                f"expected at most {limit:,}; the command has no such limit"
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
            yield "cells", len(puzzle.geometry.positions), MAX_TILES  # more than tiles with copies
        case CoverProblem():
            yield "items of its options", puzzle.item.size, MAX_ITEMS


def download(name: str, content: str | bytes) -> Response:
    """Return a response that a browser saves as a file; `name` must be plain ASCII."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(content, headers=headers)
