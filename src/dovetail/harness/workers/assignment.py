"""What a worker is given and what it returns, both as bytes for pipes, clusters and checkpoints."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, replace
from functools import cache
from typing import Annotated, Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from dovetail.errors import ConfigError
from dovetail.files.validation import problem_of
from dovetail.harness.records.fields import composed, field_types, line_type
from dovetail.harness.run.result import Result
from dovetail.models.sub_problem import SubProblem
from dovetail.plain_data import Mark

PROMISE = "promise"


@dataclass(frozen=True)
class Assignment:
    """A sub-problem for a worker; the `number` is of this assignment alone.

    The worker cuts it after so many `nodes` or `seconds`, None for no such limit, and when it has
    many solutions to list, unless it is to be searched `to_end`. It stops for good after so many
    `solutions`. With `probes` it only returns the `Promise` of the sub-problem.
    """

    number: int
    key: bytes
    part: SubProblem
    nodes: int | None = None
    seconds: float | None = None
    solutions: int | None = None
    to_end: bool = False
    probes: bool = False


@dataclass(frozen=True)
class Promise:
    """How promising a sub-problem is; see `promise.promise_of`."""

    promise: float


# Recorded fields of the result of a sub-problem that its run needs.
SENT = (
    *("status", "count", "nodes", "attempts", "attempts_by_remaining", "fits_by_remaining"),
    *("native", "backtracks_by_trigger", "reason", "verified"),
    *("prepare_s", "solve_s", "solve_cpu_s", "check_s", "peak_bytes"),
)


@dataclass(frozen=True)
class _Sent:
    """A result as JSON has it between processes and in checkpoints."""

    result: Annotated[Result, Mark.PART]
    remaining: tuple[SubProblem, ...] | None = ()


def differing_field(result: Result, other: Result) -> str | None:
    """Return what differs in the results of a sub-problem searched twice to its end, or None."""
    for name in ("status", "count", "counters"):
        if getattr(result, name) != getattr(other, name):
            return f"{name} {getattr(result, name)} and {getattr(other, name)}"
    return None if packed_rows(result) == packed_rows(other) else "solutions"


def result_text(result: Result) -> str:
    """Return the `SENT` fields of a result and its `remaining` parts as JSON, without defaults."""
    types = field_types(Result)
    values = {name: types[name].value_in(result) for name in SENT}
    line = line_type(_Sent)(**values, remaining=result.remaining)
    text: bytes = _adapter().dump_json(line, exclude_defaults=True)
    return text.decode()


def packed_rows(result: Result) -> bytes | None:
    """Return the rows of a result, compressed; None where there are none."""
    if result.rows is None or not result.rows.size:
        return None
    rows, width = result.rows.astype("<i4"), result.rows.shape[1]
    packed: bytes = width.to_bytes(4, "little") + zlib.compress(rows.tobytes(), 1)
    return packed


def read_result(text: str, packed: bytes | None) -> Result:
    """Read a result written by `result_text` and `packed_rows`.

    Raises `ConfigError` for anything else.
    """
    try:
        sent = composed(_Sent, _adapter().validate_json(text))
    except ValidationError as error:
        raise _no_result(problem_of(error).text) from None
    rows = None
    if packed is not None:
        try:
            width = int.from_bytes(packed[:4], "little")
            rows = np.frombuffer(zlib.decompress(packed[4:]), dtype="<i4").reshape(-1, width)
        except (zlib.error, ValueError):
            raise _no_result("its solutions are damaged") from None
        rows = rows.astype(np.int32)
    return replace(sent.result, remaining=sent.remaining, rows=rows)


def _no_result(problem: str) -> ConfigError:
    return ConfigError(f"not the result of a sub-problem: {problem}")


def reply_to_bytes(reply: Result | Promise) -> bytes:
    """Return a reply as bytes: a line of JSON, and the rows of a result."""
    if isinstance(reply, Promise):
        return json.dumps({PROMISE: reply.promise}).encode()
    return result_text(reply).encode() + b"\n" + (packed_rows(reply) or b"")


def reply_from_bytes(data: bytes, worker: str) -> Result | Promise:
    """Read what `reply_to_bytes` has written.

    Raises `ConfigError` that names the worker for what is no reply.
    """
    text, _, packed = data.partition(b"\n")
    if text.startswith(b'{"%s"' % PROMISE.encode()):
        try:
            return Promise(float(json.loads(text)[PROMISE]))
        except (ValueError, TypeError, RecursionError):
            problem = "not the promise of a sub-problem; expected a number"
            raise ConfigError(f"{worker}: {problem}") from None
    try:
        return read_result(text.decode(errors="replace"), packed or None)
    except ConfigError as error:
        raise ConfigError(f"{worker}: {error}") from None


def part_text(part: SubProblem) -> str:
    """Return a sub-problem as JSON."""
    untried = None if part.untried is None else list(part.untried)
    return json.dumps([list(part.taken), untried, part.cut_from], separators=(",", ":"))


def read_part(text: str) -> SubProblem:
    """Read what `part_text` has written; raises `ConfigError` for what is no sub-problem."""
    try:
        taken, untried, cut_from = json.loads(text)
        return SubProblem(tuple(taken), None if untried is None else tuple(untried), cut_from)
    except (ValueError, TypeError):
        raise ConfigError("not a sub-problem") from None


@cache
def _adapter() -> TypeAdapter[Any]:
    return TypeAdapter(line_type(_Sent))
