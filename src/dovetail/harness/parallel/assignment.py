"""What a worker is given and what it returns, both as bytes for pipes, clusters and checkpoints."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field, fields
from functools import cache

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from dovetail.errors import ConfigError
from dovetail.files.validation import problem_of
from dovetail.models.outcome import Counters, Status
from dovetail.models.sub_problem import SubProblem

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


@dataclass(frozen=True)
class PartFigures:
    """What the search of a sub-problem came to.

    `remaining` are the parts left in the order of the search, none if the sub-problem was searched
    to its end. `count` is its share of the solutions asked for; where solutions are listed, the
    number of those that the search found. Seconds and `peak_bytes` are those of the worker; see
    `Result`.
    """

    status: Status
    count: int | None
    counters: Counters
    remaining: tuple[SubProblem, ...] | None = ()
    reason: str | None = None
    verified: int = 0
    prepare_s: float = 0.0
    solve_s: float = 0.0
    solve_cpu_s: float = 0.0
    check_s: float = 0.0
    peak_bytes: int | None = None


@dataclass(frozen=True, eq=False)
class PartResult(PartFigures):
    """Its figures, and the solutions found where they are listed.

    These are options in `rows`, shape (n, k) int32 padded with −1, in the order of the search.
    """

    rows: NDArray[np.int32] = field(default_factory=lambda: np.empty((0, 0), dtype=np.int32))

    def differs_from(self, other: PartResult) -> str | None:
        """Return what differs in the results of one sub-problem searched twice to its end."""
        for name in ("status", "count", "counters"):
            if getattr(self, name) != getattr(other, name):
                return f"{name} {getattr(self, name)} and {getattr(other, name)}"
        same = self.rows.shape == other.rows.shape and bool((self.rows == other.rows).all())
        return None if same else "solutions"


def result_text(result: PartResult) -> str:
    """Return a result without its rows as JSON."""
    figures = PartFigures(**{one.name: getattr(result, one.name) for one in fields(PartFigures)})
    return _adapter().dump_json(figures, exclude_defaults=True).decode()


def packed_rows(result: PartResult) -> bytes | None:
    """Return the rows of a result, compressed; None where there are none."""
    if not result.rows.size:
        return None
    rows, width = result.rows.astype("<i4"), result.rows.shape[1]
    packed: bytes = width.to_bytes(4, "little") + zlib.compress(rows.tobytes(), 1)
    return packed


def read_result(text: str, packed: bytes | None) -> PartResult:
    """Read what `result_text` and `packed_rows` have written.

    Raises `ConfigError` for what is no result.
    """
    try:
        figures = vars(_adapter().validate_json(text))
    except ValidationError as error:
        raise _no_result(problem_of(error).text) from None
    if packed is None:
        return PartResult(**figures)
    try:
        width = int.from_bytes(packed[:4], "little")
        rows = np.frombuffer(zlib.decompress(packed[4:]), dtype="<i4").reshape(-1, width)
        return PartResult(**figures, rows=rows.astype(np.int32))
    except (zlib.error, ValueError):
        raise _no_result("its solutions are damaged") from None


def _no_result(problem: str) -> ConfigError:
    return ConfigError(f"not the result of a sub-problem: {problem}")


def reply_to_bytes(reply: PartResult | Promise) -> bytes:
    """Return a reply as bytes: a line of JSON, and the rows of a result."""
    if isinstance(reply, Promise):
        return json.dumps({PROMISE: reply.promise}).encode()
    return result_text(reply).encode() + b"\n" + (packed_rows(reply) or b"")


def reply_from_bytes(data: bytes, worker: str) -> PartResult | Promise:
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
def _adapter() -> TypeAdapter[PartFigures]:
    return TypeAdapter(PartFigures)
