"""Worker pools: parts of a search, assignments of parts to workers, and replies of workers."""

from __future__ import annotations

import platform
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Annotated, Any, Protocol

import numpy as np
from pydantic import TypeAdapter, ValidationError

from dovetail.errors import ConfigError, DovetailError
from dovetail.extras import package_version
from dovetail.files.validation import problem_of
from dovetail.harness.records.fields import composed, field_types, line_type
from dovetail.harness.run.job import Plan
from dovetail.harness.run.result import Result
from dovetail.models.sub_problem import SubProblem
from dovetail.plain_data import Mark

_KEY_BYTES = 4
WHOLE = b""  # key of the whole search


def part_key(key: bytes, number: int) -> bytes:
    """Return the key of a part of the sub-problem with the key `key`.

    Parts are numbered from 0.
    """
    return key + number.to_bytes(_KEY_BYTES, "big")


def parent_key(key: bytes) -> bytes:
    """Return the key of the sub-problem that contains a part; the part must not be `WHOLE`."""
    return key[:-_KEY_BYTES]


def part_number(key: bytes) -> int:
    """Return the number of a part, counted from 0; the part must not be `WHOLE`."""
    return int.from_bytes(key[-_KEY_BYTES:], "big")


def show_key(key: bytes) -> str:
    """Return a readable form of a key, such as `3.1.12`; parts are counted from 1."""
    ends = range(_KEY_BYTES, len(key) + 1, _KEY_BYTES)
    return ".".join(str(part_number(key[:end]) + 1) for end in ends) or "the whole search"


def branches_of(part: SubProblem) -> int:
    """Return the number of branches at the first node of a part; 1 if the number is unknown."""
    return 1 if part.untried is None else len(part.untried)


def level_of(part: SubProblem) -> int:
    """Return the number of options above the branches of a part; −1 for the whole search."""
    return len(part.taken) - (part.untried is None)


def divided_part(part: SubProblem, pieces: int | None = None) -> list[SubProblem]:
    """Divide the branches of a part evenly among at most `pieces` parts, in order.

    By default, each branch is a part. A part is not divided if its number of branches is unknown.
    """
    branches = part.untried or ()
    if len(branches) <= 1 or pieces == 1:
        return [part]
    pieces = min(len(branches), pieces or len(branches))
    ends = [len(branches) * piece // pieces for piece in range(pieces + 1)]
    return [replace(part, untried=branches[begin:end]) for begin, end in pairwise(ends)]


@dataclass(frozen=True)
class Assignment:
    """A part for a worker to search."""

    number: int  # unique among the assignments of a run
    key: bytes
    part: SubProblem
    # Limits at which the search is cut; None for no limit.
    nodes: int | None = None
    seconds: float | None = None
    solutions: int | None = None
    # Whether only the limits above cut the search, however many solutions it lists.
    to_end: bool = False
    probes: bool = False  # whether the reply is only the promise of the part, see `promise_of`


# Fields of the result of a part that are sent and recorded, besides `remaining` and `rows`.
SENT = (
    *("status", "count", "nodes", "attempts", "attempts_by_remaining", "fits_by_remaining"),
    *("native", "backtracks_by_trigger", "reason", "verified", "searched"),
    *("prepare_s", "solve_s", "solve_cpu_s", "check_s", "peak_bytes"),
)


@dataclass(frozen=True)
class _Sent:
    """The fields of a result in the JSON of a checkpoint."""

    result: Annotated[Result, Mark.PART]
    remaining: tuple[SubProblem, ...] | None = ()


def differing_field(result: Result, other: Result) -> str | None:
    """Return the first field that differs in two complete results of a part, with both values.

    Returns "solutions" if only the listed solutions differ, and None if the results agree. Native
    figures of time and memory are not compared, because they differ between equal searches.
    """
    result, other = _without_costs(result), _without_costs(other)
    for name in ("status", "count", "counters"):
        if getattr(result, name) != getattr(other, name):
            return f"{name} {getattr(result, name)} and {getattr(other, name)}"
    return None if packed_rows(result) == packed_rows(other) else "solutions"


def _without_costs(result: Result) -> Result:
    counters = result.counters
    kept = {n: v for n, v in counters.native.items() if not n.endswith(("_s", "_bytes"))}
    return replace(result, counters=replace(counters, native=kept))


def result_text(result: Result) -> str:
    """Return the `SENT` fields of a result and its `remaining` parts as JSON.

    Fields that have their default value are left out.
    """
    types = field_types(Result)
    values = {name: types[name].value_in(result) for name in SENT}
    line = line_type(_Sent)(**values, remaining=result.remaining)
    text: bytes = _adapter().dump_json(line, exclude_defaults=True)
    return text.decode()


def packed_rows(result: Result) -> bytes | None:
    """Return the `rows` of a result as compressed bytes; None if there are no rows."""
    if result.rows is None or not result.rows.size:
        return None
    rows, width = result.rows.astype("<i4"), result.rows.shape[1]
    packed: bytes = width.to_bytes(4, "little") + zlib.compress(rows.tobytes(), 1)
    return packed


def read_result(text: str, packed: bytes | None) -> Result:
    """Parse a result written by `result_text` and `packed_rows`.

    Raises `ConfigError` for invalid text or bytes.
    """
    try:
        sent = composed(_Sent, _adapter().validate_json(text))
    except ValidationError as error:
        raise _no_result(problem_of(error, text).text) from None
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
    return ConfigError(f"it is not the result of a sub-problem: {problem}")


@cache
def _adapter() -> TypeAdapter[Any]:
    return TypeAdapter(line_type(_Sent))


def versions_here() -> dict[str, str]:
    """Return the versions of dovetail, numba and Python in this process."""
    return {
        **{name: package_version(name) or "unknown" for name in ("dovetail", "numba")},
        "Python": platform.python_version(),
    }


def difference(expected: Mapping[str, str], found: Mapping[str, str]) -> str | None:
    """Return the differing versions, such as `numba 0.60.0 (expected 0.61.0)`.

    Returns None if all versions agree.
    """
    differing = [
        f"{name} {found.get(name, 'unknown')} (expected {wanted})"
        for name, wanted in expected.items()
        if found.get(name) != wanted
    ]
    return ", ".join(differing) or None


@dataclass(frozen=True)
class Done:
    """A worker has replied to an assignment."""

    worker: str
    assignment: Assignment
    reply: Result | float  # a float is the promise of the part, for an assignment that `probes`


@dataclass(frozen=True)
class Searching:
    """A worker has reported its progress on an assignment."""

    assignment: int
    nodes: int  # number of nodes of the assignment so far
    worker: str


@dataclass(frozen=True)
class Lost:
    """A worker, its assignment or both were lost; only a lost local worker is replaced."""

    worker: str  # empty if no worker is known to have begun the assignment
    assignment: int | None  # None if the worker had no assignment
    reason: str
    begun: bool = True  # whether the assignment may be the reason why the worker was lost


@dataclass(frozen=True)
class Refused:
    """The plan cannot be searched, or the pool has failed, so that the run must end."""

    error: DovetailError | MemoryError


WorkerEvent = Done | Searching | Lost | Refused


class Workers(Protocol):
    """A pool of workers that search the parts of a single plan at a time.

    After `close`, no other method may be called.
    """

    count: int  # current number of workers

    def begin(self, plan: Plan) -> None:
        """Send a plan to all workers; the workers must be idle.

        The workers' results have `rows` of solutions if the request of the plan lists solutions.
        """

    def free(self) -> int:
        """Return the number of assignments that the pool can take now."""

    def are_idle(self) -> bool:
        """Return whether no worker has an assignment."""

    def submit(self, assignment: Assignment, *, avoid: str | None = None) -> str | None:
        """Give an assignment to a free worker, and return the worker's name.

        Returns None if no worker is free. Also returns None if the only free worker is the worker
        to `avoid`, and the pool has other workers. The name is empty if it is not known yet which
        worker gets the assignment.
        """

    def stop(self) -> Sequence[int]:
        """End the searches of the plan, so that all remaining replies arrive soon.

        A running search that can return its unexplored parts ends and replies, at the latest after
        its time limit. Returns the numbers of all assignments to which no worker will reply.
        """

    def wait(self, timeout_s: float) -> list[WorkerEvent]:
        """Return new events, after waiting at most `timeout_s` seconds for the first event."""

    def held_bytes(self, limit: int | None) -> int:
        """Return the bytes of memory of the pool's processes; see `processes.held_bytes`.

        Returns 0 for a cluster, because each of its tasks checks the memory of its worker.
        """

    def close(self) -> None:
        """End all workers, even if they are busy."""
