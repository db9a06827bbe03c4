"""Server-sent events: the latest states of races and files, sent until the listener leaves.

A state is made when the previous state has been sent. A slow listener gets fewer states, and
nothing is queued.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from starlette.types import Receive, Scope, Send

from dovetail.errors import reason_of
from dovetail.harness.evaluation.contests import contests, solver_runs
from dovetail.harness.evaluation.ranking import verdict
from dovetail.harness.records.record import Record
from dovetail.harness.records.record_files import SkippedLine, parse_records
from dovetail.harness.records.summary import with_shared_reductions
from dovetail.harness.sizes import show_size
from dovetail.printable import printable
from dovetail.reports.numbers import ABSENT, show_seconds, show_whole
from dovetail.reports.results.page import report_results
from dovetail.reports.results.verdict import headline, verdict_section
from dovetail.ui.requests import Fields, RequestError

EVERY_S = 0.2
SILENT_S = 15.0  # after this silence a comment is sent, which detects lost connections
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
]


@dataclass(frozen=True)
class EventSource:
    """Events of one subject."""

    # Returns a state, and whether it is the last state. A `RequestError` ends the source.
    read: Callable[[], Awaitable[tuple[Fields, bool]]]
    # Called at the end of a stream.
    leave: Callable[[], None] = lambda: None


class EventStream:
    """Response with the events `state` and `end` of several sources, by their names.

    The data of `state` are {of, state}; `of` is the source's name. A state is sent if it differs
    from the previous state, at most five times a second for each source. The data of `end` are
    {of}, with `error` if the source failed. The response ends with the last source, when the
    listener is gone, or when the server `is_closing`.
    """

    def __init__(self, sources: Mapping[str, EventSource], is_closing: Callable[[], bool]) -> None:
        self._sources, self._is_closing = sources, is_closing
        self._going = dict(sources)
        self._before = dict[str, str]()
        self._sent_at = 0.0

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        """Send events until the end of the stream."""
        left = asyncio.ensure_future(_left(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            await self._send_states(left, send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            left.cancel()
            for source in self._sources.values():
                source.leave()

    async def _send_states(self, left: asyncio.Future[None], send: Send) -> None:
        now = asyncio.get_running_loop().time
        while not left.done() and not self._is_closing():
            for name, source in list(self._going.items()):
                for event in await self._events(name, source):
                    await _send(send, event)
                    self._sent_at = now()
            if not self._going:
                return
            if now() > self._sent_at + SILENT_S:
                await _send(send, ":\n\n")
                self._sent_at = now()
            await asyncio.wait([left], timeout=EVERY_S)

    async def _events(self, name: str, source: EventSource) -> list[str]:
        """Return the events to send for one source now."""
        events = []
        ending: Fields | None = None
        try:
            fields, is_last = await source.read()
        except RequestError as error:
            ending = {"of": name, "error": str(error)}
        else:
            data = _written({"of": name, "state": fields})
            if data != self._before.get(name):
                self._before[name] = data
                events.append(f"event: state\ndata: {data}\n\n")
            ending = {"of": name} if is_last else None
        if ending is not None:
            del self._going[name]
            events.append(f"event: end\ndata: {_written(ending)}\n\n")
        return events


def _written(fields: Fields) -> str:
    return json.dumps(fields, separators=(",", ":"), allow_nan=False)


async def _left(receive: Receive) -> None:
    """Return when the listener is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


MAX_CHUNK_BYTES = 64 * 2**20  # maximum size of one read
MAX_LATEST, MAX_PROBLEMS = 12, 8
# Maximum share of the time that is spent on ranking: a long file is ranked less often.
RANKING_SHARE = 0.2


class FollowedFile:
    """The records in a growing file; each update reads only the new lines."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, printable(path.name)
        self._lock = Lock()
        self._forget()

    @property
    def records(self) -> list[Record]:
        """All records that have been read."""
        return list(self._records)

    @property
    def warnings(self) -> list[str]:
        """The reason why the file cannot be read, if any, and messages about invalid lines.

        At most `MAX_PROBLEMS` lines have a message.
        """
        problems = [] if self._problem is None else [self._problem]
        return problems + [line.message for line in self._skipped[:MAX_PROBLEMS]]

    def fields(self) -> Fields:
        """Return the current records, warnings and ranking as the page shows them."""
        with self._lock:
            self._read()
            if time.monotonic() >= self._rank_at and self._ranked != len(self._records):
                self._rank()
            return {
                "name": self.name,
                "runs_done": len(self._records),
                "statuses": dict(Counter(str(record.result.status) for record in self._records)),
                "latest": [_run(record) for record in self._records[: -MAX_LATEST - 1 : -1]],
                "problems": self.warnings,
                "size": show_size(self._size) if self._size else "",
                **self._ranking,
            }

    def _forget(self) -> None:
        self._records: list[Record] = []
        self._skipped: list[SkippedLine] = []
        self._problem: str | None = None
        self._identity: tuple[int, int] | None = None
        self._size, self._lines = 0, 0
        self._ranked, self._rank_at = 0, 0.0
        self._ranking: Fields = {"headline": "", "columns": [], "leaders": []}

    def _read(self) -> None:
        """Read the new lines, or all lines if the file was replaced or became shorter.

        At most `MAX_CHUNK_BYTES` are read; the next call reads on.
        """
        try:
            with self.path.open("rb") as file:
                found = os.fstat(file.fileno())
                identity = (found.st_dev, found.st_ino)
                if identity != self._identity or found.st_size < self._size:
                    self._forget()
                    self._identity = identity
                file.seek(self._size)
                data = file.read(MAX_CHUNK_BYTES)
        except OSError as error:
            self._problem = f"{self.name} cannot be read ({reason_of(error)})"
            return
        self._problem = None
        whole = data[: data.rfind(b"\n") + 1]  # an incomplete last line is read later
        if not whole:
            return
        read = parse_records(whole.removesuffix(b"\n"), self.path)
        self._records += read.records
        self._skipped += [
            SkippedLine((line.number or 0) + self._lines, line.problem) for line in read.skipped
        ]
        self._size += len(whole)
        self._lines += whole.count(b"\n")

    def _rank(self) -> None:
        """Rank the solvers as the report does."""
        begun = time.monotonic()
        self._ranked = len(self._records)
        self._ranking = leaders(self._records)
        took_s = time.monotonic() - begun
        self._rank_at = time.monotonic() + took_s / RANKING_SHARE


def _run(record: Record) -> dict[str, str]:
    """Return a run as texts, by the columns of the table of the latest runs."""
    return {
        "puzzle": record.job.puzzle,
        "backend": record.job.backend,
        "status": str(record.result.status),
        "count": show_whole(record.result.count),
        "total": ABSENT if record.result.total_s is None else show_seconds(record.result.total_s),
    }


def leaders(records: Sequence[Record]) -> Fields:
    """Return the headline of the report of `records`, and its table of solvers."""
    results = with_shared_reductions(report_results(records))
    runs = solver_runs([result for result in results if not result.job.improves])
    verdicts = [verdict(contest) for contest in contests(runs)]
    section = verdict_section(verdicts, runs)
    tables = [] if section is None else section.tables[:1]
    columns = list(tables[0].titles) if tables else []
    return {
        "headline": headline(verdicts, runs),
        "columns": columns,
        "leaders": [dict(zip(columns, row, strict=True)) for table in tables for row in table.rows],
    }
