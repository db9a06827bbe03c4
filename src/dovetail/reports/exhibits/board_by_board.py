"""An exhibit as a table of boards, measured ones beside published ones of the same kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from dovetail.harness.exhibits.declared import Exhibit, PublishedBoard
from dovetail.harness.exhibits.measured import Measured, MeasuredBoard
from dovetail.reports.exhibits.words import boards_sentence, paragraphs, show_nodes, show_time
from dovetail.reports.numbers import ABSENT, show_seconds, show_whole
from dovetail.reports.page import Part, Table

PUBLISHED, MEASURED = "published", "measured"


def board_table_part(measured: Measured) -> Part:
    """A table whose boards stand kind by kind, the published ones of a kind first."""
    exhibit, kept = measured.exhibit, measured.finished_by_some()
    text = [
        *paragraphs(exhibit.about),
        boards_sentence(measured, kept, "finished by at least one series within the limits"),
    ]
    figures = [f"{one.name}: {what}" for one in exhibit.series for what in ("nodes", "time")]
    rows = tuple(_rows(exhibit, kept))
    table = Table(("board", "", *figures), rows, "measured times: prepare + solve", left=2)
    return Part(exhibit.name, exhibit.title, tuple(text), tables=(table,) if rows else ())


def _rows(exhibit: Exhibit, kept: Sequence[MeasuredBoard]) -> Iterator[tuple[str, ...]]:
    """Published and measured rows of each kind in turn, then measured ones of no such kind."""
    patterns = list(dict.fromkeys(row.boards for row in exhibit.rows))
    for pattern in patterns:
        yield from (_published(exhibit, row) for row in exhibit.rows if row.boards == pattern)
        yield from (_measured(board) for board in kept if fnmatchcase(board.puzzle, pattern))
    for board in kept:
        if not any(fnmatchcase(board.puzzle, pattern) for pattern in patterns):
            yield _measured(board)


def _published(exhibit: Exhibit, row: PublishedBoard) -> tuple[str, ...]:
    cells = []
    for series in exhibit.series:
        seconds = row.seconds.get(series.name)
        cells += [
            show_whole(row.nodes.get(series.name)),
            ABSENT if seconds is None else show_seconds(seconds),
        ]
    return row.name, PUBLISHED, *cells


def _measured(board: MeasuredBoard) -> tuple[str, ...]:
    cells = [
        cell for run in board.runs for cell in (show_nodes(run), show_time(run, run.result.total_s))
    ]
    return board.puzzle, MEASURED, *cells
